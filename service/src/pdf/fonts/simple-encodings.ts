// Encodings of simple fonts: which code draws which character (ISO 32000-1, 9.6.6).
import type { PdfDocument } from '../document.ts';
import { type Dict, Name } from '../objects.ts';
import { LATIN_GLYPHS } from './latin-glyphs.ts';

/** Characters to codes. */
export type Codes = ReadonlyMap<string, number>;

const BY_NAME = new Map(LATIN_GLYPHS.map(({ name, character }) => [name, character]));

/** Other names in use for the same glyphs. */
const ALSO_NAMED: Readonly<Record<string, string>> = {
  nbspace: ' ',
  sfthyphen: '-',
  uni00A0: ' ',
  uni00AD: '-',
  middot: '\u00b7',
  mu1: '\u00b5',
  Tcommaaccent: '\u0162',
  tcommaaccent: '\u0163',
};

export function characterOfGlyph(name: string): string | undefined {
  const known = BY_NAME.get(name) ?? ALSO_NAMED[name];
  if (known !== undefined) return known;
  const hex = /^(?:uni([0-9A-F]{4})|u([0-9A-F]{4,6}))$/.exec(name);
  const code = hex ? Number.parseInt(hex[1] ?? hex[2] ?? '', 16) : Number.NaN;
  return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000)
    ? String.fromCodePoint(code)
    : undefined;
}

function decoded(label: string): (string | undefined)[] {
  const decoder = new TextDecoder(label);
  return Array.from({ length: 256 }, (_, code) => {
    const character = decoder.decode(Uint8Array.of(code));
    return code < 32 || /[\u0000-\u001f\u007f-\u009f\ufffd]/.test(character) ? undefined : character;
  });
}

const STANDARD: readonly (string | undefined)[] = (() => {
  const table: (string | undefined)[] = Array(256).fill(undefined);
  for (const { standardCode, character } of LATIN_GLYPHS)
    if (standardCode !== undefined) table[standardCode] = character;
  return table;
})();

const TABLES: Readonly<Record<string, readonly (string | undefined)[]>> = {
  WinAnsiEncoding: decoded('windows-1252'),
  MacRomanEncoding: decoded('macintosh'),
  StandardEncoding: STANDARD,
};

export const WIN_ANSI: Codes = codesOf(TABLES.WinAnsiEncoding ?? []);

/** What a simple font can be told to draw; undefined where its encoding is built into the font program. */
export function simpleCodes(
  doc: PdfDocument,
  font: Dict,
  builtIn: 'standard' | 'unknown',
): Codes | undefined {
  const table = characterTable(doc, font, builtIn);
  return table && codesOf(table);
}

/** What each code of a simple font draws, as far as the file tells. */
export const simpleCharacters = (doc: PdfDocument, font: Dict): readonly (string | undefined)[] =>
  characterTable(doc, font, 'standard') ?? STANDARD;

function characterTable(
  doc: PdfDocument,
  font: Dict,
  builtIn: 'standard' | 'unknown',
): readonly (string | undefined)[] | undefined {
  const held = doc.resolve(font.get('Encoding'));
  if (held instanceof Name) return TABLES[held.value] ?? (builtIn === 'standard' ? STANDARD : undefined);
  const encoding = doc.dict(held);
  const base = TABLES[doc.name(encoding?.get('BaseEncoding')) ?? ''];
  if (!base && builtIn === 'unknown' && !encoding) return undefined;
  const table = [...(base ?? (builtIn === 'standard' ? STANDARD : []))];
  let code = 0;
  for (const each of doc.array(encoding?.get('Differences')) ?? []) {
    const value = doc.resolve(each);
    if (typeof value === 'number') code = value;
    else if (value instanceof Name) {
      if (code >= 0 && code < 256) table[code] = characterOfGlyph(value.value);
      code += 1;
    }
  }
  return table;
}

function codesOf(table: readonly (string | undefined)[]): Codes {
  const codes = new Map<string, number>();
  table.forEach((character, code) => {
    if (character !== undefined && !codes.has(character)) codes.set(character, code);
  });
  return codes;
}
