// From names of glyphs to characters (Adobe Glyph List Specification).
import { LATIN_GLYPHS } from './latin-glyphs.ts';
import { readTableFile } from './table-file.ts';

let list: ReadonlyMap<string, string> | undefined;

/** The Adobe Glyph List 2.0, as Adobe publishes it; read when it is first asked for. */
const glyphList = (): ReadonlyMap<string, string> =>
  new Map(
    readTableFile('glyphlist.txt').map((row): [string, string] => {
      const [name = '', codes = ''] = row.split(';');
      return [name, String.fromCodePoint(...codes.split(' ').map((code) => Number.parseInt(code, 16)))];
    }),
  );

/** What a whole name means: by the Adobe Glyph List, or spelt out as in uni0041. */
export function charactersOfName(name: string): string | undefined {
  list ??= glyphList();
  const known = list.get(name);
  if (known !== undefined) return known;
  const [, units, point] = /^(?:uni((?:[0-9A-F]{4})+)|u([0-9A-F]{4,6}))$/.exec(name) ?? [];
  const codes = units?.match(/.{4}/g) ?? (point === undefined ? [] : [point]);
  const points = codes.map((each) => Number.parseInt(each, 16));
  if (points.length === 0 || points.some((each) => each > 0x10ffff)) return undefined;
  return String.fromCodePoint(...points).toWellFormed();
}

/** What a name means that may be put together, as that of a ligature: f_f_i. */
export function charactersOfParts(name: string): string | undefined {
  const known = charactersOfName(name);
  if (known !== undefined || !name.includes('_')) return known;
  const parts = name.split('_').map(charactersOfName);
  return parts.includes(undefined) ? undefined : parts.join('');
}

/** What a glyph means whose name may tell the form it takes behind a full stop, as in a.sc. */
export const charactersOf = (name: string): string | undefined => charactersOfName(name.split('.')[0] ?? '');

const LATIN_NAMES = new Set(LATIN_GLYPHS.map(({ name }) => name));
const OTHER_LATIN_NAMES = ['nbspace', 'sfthyphen', 'middot', 'mu1', 'Tcommaaccent', 'tcommaaccent'];

/** Whether a name tells nothing but which letter of Latin writing a glyph is, or its number in Unicode. */
export const isLatinGlyphName = (name: string): boolean =>
  LATIN_NAMES.has(name) ||
  OTHER_LATIN_NAMES.includes(name) ||
  (/^(?:uni[0-9A-F]{4}|u[0-9A-F]{4,6})$/.test(name) && charactersOfName(name) !== undefined);
