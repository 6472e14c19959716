// What a code of a simple font may stand for. Readers disagree about when an encoding counts, so whoever leaves glyphs
// out asks for every reading there is.
import type { PdfDocument } from '../document.ts';
import type { Dict } from '../objects.ts';
import { charactersOfName } from './glyph-names.ts';
import { STANDARD_NAMES, simpleEncoding } from './simple-encodings.ts';

export interface PossibleCharacters {
  /** The name that the font's dictionary gives to the code. */
  name: string | undefined;
  characters: readonly string[];
}

const ENCODINGS = [undefined, 'WinAnsiEncoding', 'MacRomanEncoding', 'StandardEncoding'];

const DECODERS = ['windows-1252', 'macintosh'].map((label) => new TextDecoder(label));

/** Characters that fonts and encodings take for the same. */
const ALIKE = [
  ' \u00a0',
  '-\u00ad\u2010\u2011',
  '\u2206\u0394',
  '\u2126\u03a9',
  '\u00b5\u03bc',
  '\u00af\u02c9',
  '\u00b7\u2219\u2022',
  '\u2044\u2215',
  '\u0162\u021a',
  '\u0163\u021b',
  '\u0110\u00d0',
  '\u20ac\u00a4',
  "'\u2019",
  '`\u2018',
];
const BULLET = '\u2022';

/** Undefined where the encoding is one that is not known here. */
export function possibleCharacters(
  doc: PdfDocument,
  font: Dict,
): ((code: number) => PossibleCharacters) | undefined {
  const { base, differences } = simpleEncoding(doc, font);
  if (!ENCODINGS.includes(base)) return undefined;
  const known = new Map<number, PossibleCharacters>();
  return (code) => {
    let possible = known.get(code);
    if (!possible) {
      possible = readings(code, differences.get(code));
      known.set(code, possible);
    }
    return possible;
  };
}

function readings(code: number, name: string | undefined): PossibleCharacters {
  const characters = new Set<string>();
  const add = (character: string | undefined): void => {
    if (character === undefined) return;
    characters.add(character);
    for (const group of ALIKE) if (group.includes(character)) for (const each of group) characters.add(each);
  };
  if (name !== undefined) add(charactersOfName(name));
  else {
    for (const decoder of DECODERS) add(decoder.decode(Uint8Array.of(code)));
    add(charactersOfName(STANDARD_NAMES[code] ?? ''));
    // "All unused codes greater than 40 map to the bullet character" (ISO 32000-1, annex D, in octal digits).
    if (code > 0x7e) add(BULLET);
  }
  return { name, characters: [...characters] };
}
