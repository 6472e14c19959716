// From codes of simple fonts to names of glyphs, and from names to characters (ISO 32000-1, 9.6.6).
import type { PdfDocument } from '../document.ts';
import { type Dict, Name } from '../objects.ts';
import { listedCharacters } from './adobe-glyph-list.ts';
import { LATIN_GLYPHS } from './latin-glyphs.ts';

type Table = readonly (string | undefined)[];

const NAME_OF = new Map(LATIN_GLYPHS.map(({ name, character }) => [character, name]));

function decoded(label: string, also: Readonly<Record<number, string>>): Table {
  const decoder = new TextDecoder(label);
  return Array.from({ length: 256 }, (_, code) => {
    if (also[code] !== undefined) return also[code];
    return code < 32 ? undefined : NAME_OF.get(decoder.decode(Uint8Array.of(code)));
  });
}

export const STANDARD_NAMES: Table = (() => {
  const table: (string | undefined)[] = Array(256).fill(undefined);
  for (const { standardCode, name } of LATIN_GLYPHS)
    if (standardCode !== undefined) table[standardCode] = name;
  return table;
})();

const WIN_ANSI = decoded('windows-1252', { 39: 'quotesingle', 96: 'grave', 160: 'space', 173: 'hyphen' });
// "all unused codes greater than 40 (octal) map to the bullet character".
const TABLES: Readonly<Record<string, Table>> = {
  WinAnsiEncoding: WIN_ANSI.map((name, code) => name ?? (code > 0x20 ? 'bullet' : undefined)),
  MacRomanEncoding: decoded('macintosh', { 39: 'quotesingle', 96: 'grave', 202: 'space', 219: 'currency' }),
  StandardEncoding: STANDARD_NAMES,
  // Of the expert set only what other fonts have too; a font program knows the rest by its own encoding.
  MacExpertEncoding: Array.from({ length: 256 }, (_, code) => (code === 0x20 ? 'space' : undefined)),
};

export const MAC_CODES = new Map((TABLES.MacRomanEncoding ?? []).map((name, code) => [name ?? '', code]));

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
  const table = TABLES[base ?? ''];
  return {
    base,
    differences,
    isThere: held !== null,
    nameOf: (each) => differences.get(each) ?? table?.[each],
  };
}

/** What a name means: by the Adobe Glyph List, or spelt out as in uni0041. */
export function charactersOf(name: string): string | undefined {
  const plain = name.split('.')[0] ?? '';
  const known = listedCharacters(plain);
  if (known !== undefined) return known;
  const hex = /^uni((?:[0-9A-F]{4})+)$/.exec(plain)?.[1] ?? /^u([0-9A-F]{4,6})$/.exec(plain)?.[1];
  if (hex === undefined) return undefined;
  const codes = plain.startsWith('uni') ? (hex.match(/.{4}/g) ?? []) : [hex];
  const points = codes.map((each) => Number.parseInt(each, 16));
  return points.every((point) => point <= 0x10ffff)
    ? String.fromCodePoint(...points).toWellFormed()
    : undefined;
}
