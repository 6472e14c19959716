// Encodings of simple fonts: which glyph and which character a code stands for (ISO 32000-1, 9.6.6 and annex D).
import { lookup } from '../../contract/lookup.ts';
import type { PdfDocument } from '../document.ts';
import { type Dict, Name } from '../objects.ts';
import { charactersOfParts } from './glyph-names.ts';
import { LATIN_GLYPHS } from './latin-glyphs.ts';

/** By code. */
type Table = readonly (string | undefined)[];

/** Characters to codes. */
export type Codes = ReadonlyMap<string, number>;

function standard(of: 'name' | 'character'): Table {
  const table: (string | undefined)[] = Array(256).fill(undefined);
  for (const glyph of LATIN_GLYPHS)
    if (glyph.standardCode !== undefined) table[glyph.standardCode] = glyph[of];
  return table;
}

function decodeTable(label: string): Table {
  const decoder = new TextDecoder(label);
  return Array.from({ length: 256 }, (_, code) => {
    const character = decoder.decode(Uint8Array.of(code));
    return code < 32 || /[\u0000-\u001f\u007f-\u009f\ufffd]/.test(character) ? undefined : character;
  });
}

const CHARACTERS = {
  WinAnsiEncoding: decodeTable('windows-1252'),
  MacRomanEncoding: decodeTable('macintosh'),
  StandardEncoding: standard('character'),
} as const;

const LATIN_NAMES = new Map(LATIN_GLYPHS.map(({ name, character }) => [character, name]));

/** The names of these characters; some codes stand for the glyph of another one. */
const namesOfCharacters = (characters: Table, also: Readonly<Record<number, string>>): Table =>
  characters.map((character, code) => also[code] ?? LATIN_NAMES.get(character ?? ''));

export const STANDARD_NAMES: Table = standard('name');

const WIN_ANSI_NAMES = namesOfCharacters(CHARACTERS.WinAnsiEncoding, {
  39: 'quotesingle',
  96: 'grave',
  160: 'space',
  173: 'hyphen',
});
const MAC_ROMAN_NAMES = namesOfCharacters(CHARACTERS.MacRomanEncoding, {
  39: 'quotesingle',
  96: 'grave',
  202: 'space',
  219: 'currency',
});

const NAMES: Readonly<Record<string, Table>> = lookup({
  // "all unused codes greater than 40 (octal) map to the bullet character".
  WinAnsiEncoding: WIN_ANSI_NAMES.map((name, code) => name ?? (code > 0x20 ? 'bullet' : undefined)),
  MacRomanEncoding: MAC_ROMAN_NAMES,
  StandardEncoding: STANDARD_NAMES,
  // Of the expert set only what other fonts have too; a font program knows the rest by its own encoding.
  MacExpertEncoding: Array.from({ length: 256 }, (_, code) => (code === 0x20 ? 'space' : undefined)),
});

/** Codes of MacRomanEncoding by the names of their glyphs. */
export const MAC_CODES: Codes = codesOf(MAC_ROMAN_NAMES);
export const WIN_ANSI: Codes = codesOf(CHARACTERS.WinAnsiEncoding);
export const MAC_ROMAN: Codes = codesOf(CHARACTERS.MacRomanEncoding);

export interface SimpleEncoding {
  /** Of the name or of BaseEncoding. */
  base: string | undefined;
  /** Codes that Differences changes. */
  differences: ReadonlyMap<number, string>;
  isThere: boolean;
  /** The name of a code as far as the dictionary tells; the font program may know others. */
  nameOf(code: number): string | undefined;
}

export function simpleEncoding(doc: PdfDocument, font: Dict): SimpleEncoding {
  const held = doc.resolve(font.get('Encoding'));
  const dict = doc.dict(held);
  const base = held instanceof Name ? held.value : doc.name(dict?.get('BaseEncoding'));
  const differences = new Map<number, string>();
  let code = 0;
  for (const each of doc.array(dict?.get('Differences')) ?? []) {
    const value = doc.resolve(each);
    if (typeof value === 'number') code = value;
    else if (value instanceof Name) {
      differences.set(code, value.value);
      code += 1;
    }
  }
  const table = NAMES[base ?? ''];
  return {
    base,
    differences,
    isThere: held !== null,
    nameOf: (each) => differences.get(each) ?? table?.[each],
  };
}

/** Programs that draw their glyphs (Type 3) call them by the numbers of their codes, which are those of Latin text. */
export const characterOfNumber = (name: string | undefined, code: number): string | undefined =>
  Number(/^[aCcGg]?(\d{1,3})$/.exec(name ?? '')?.[1]) === code ? CHARACTERS.WinAnsiEncoding[code] : undefined;

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
export const simpleCharacters = (doc: PdfDocument, font: Dict): Table =>
  characterTable(doc, font, 'standard') ?? CHARACTERS.StandardEncoding;

function characterTable(doc: PdfDocument, font: Dict, builtIn: 'standard' | 'unknown'): Table | undefined {
  const { base, differences } = simpleEncoding(doc, font);
  const known = Object.hasOwn(CHARACTERS, base ?? '')
    ? CHARACTERS[base as keyof typeof CHARACTERS]
    : undefined;
  if (!known && builtIn === 'unknown' && !doc.dict(font.get('Encoding'))) return undefined;
  const table = [...(known ?? (builtIn === 'standard' ? CHARACTERS.StandardEncoding : []))];
  for (const [code, name] of differences) if (code >= 0 && code < 256) table[code] = charactersOfParts(name);
  return table;
}

function codesOf(table: Table): Codes {
  const codes = new Map<string, number>();
  table.forEach((entry, code) => {
    if (entry !== undefined && !codes.has(entry)) codes.set(entry, code);
  });
  return codes;
}
