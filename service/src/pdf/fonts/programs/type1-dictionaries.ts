// What a Type 1 font program says of itself in PostScript, as far as a CFF font can say it. What is written in a manner
// that is not known ends with a RangeError.
import type { DictEntries } from './cff-writer.ts';

const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;
const LONGEST_ENTRY = 400;
const USUAL_MATRIX = [0.001, 0, 0, 0.001, 0, 0];
/** Fonts between others, outlines of lines, and widths that the program reckons out itself. */
const NOT_TO_BE_SAID = /\/(?:WeightVector|BlendDesignPositions|Metrics2?|CDevProc)\b|\/PaintType\s+[1-9]/;
const PRIVATE_NUMBERS: [key: string, operator: number][] = [
  ['BlueScale', 0x0c09],
  ['BlueShift', 0x0c0a],
  ['BlueFuzz', 0x0c0b],
  ['LanguageGroup', 0x0c11],
  ['ExpansionFactor', 0x0c12],
];
/** Lists and how long they may be; those of one number tell a width, the others grow step by step. */
const PRIVATE_LISTS: [key: string, operator: number, longest: number][] = [
  ['BlueValues', 6, 14],
  ['OtherBlues', 7, 10],
  ['FamilyBlues', 8, 14],
  ['FamilyOtherBlues', 9, 10],
  ['StdHW', 10, 1],
  ['StdVW', 11, 1],
  ['StemSnapH', 0x0c0c, 12],
  ['StemSnapV', 0x0c0d, 12],
];
const FORCE_BOLD = 0x0c0e;

export interface Type1Facts {
  name: string;
  matrix: number[] | undefined;
  box: number[];
}

export function readType1Facts(clear: string): Type1Facts {
  if (NOT_TO_BE_SAID.test(clear)) throw new RangeError('the font is of a kind that CFF does not know');
  const matrix = listAt(clear, 'FontMatrix');
  const box = listAt(clear, 'FontBBox') ?? [0, 0, 0, 0];
  const name = /\/FontName\s*\/([!-~]{1,127}?)(?=[\s/[\](){}<>%])/.exec(clear)?.[1];
  if (matrix?.length !== 6 || box.length !== 4 || !name)
    throw new RangeError('the font does not say what it is');
  return { name, box, matrix: matrix.every((value, at) => value === USUAL_MATRIX[at]) ? undefined : matrix };
}

/** What glyphs are fitted to pixels by. */
export function readPrivate(clear: string): DictEntries {
  const entries = new Map<number, readonly number[]>();
  for (const [key, operator, longest] of PRIVATE_LISTS) {
    const values = listAt(clear, key) ?? [];
    if (values.length > longest) throw new RangeError('a list is too long');
    if (values.length > 0)
      entries.set(
        operator,
        values.map((value, at) => value - (values[at - 1] ?? 0)),
      );
  }
  for (const [key, operator] of PRIVATE_NUMBERS) {
    const value = entryAt(clear, key, /^\s*([^\s/[\]{}()<>%]+)/);
    if (value !== undefined) entries.set(operator, [numberOf(value)]);
  }
  if (entryAt(clear, 'ForceBold', /^\s*(true|false)\b/) === 'true') entries.set(FORCE_BOLD, [1]);
  return entries;
}

function listAt(text: string, key: string): number[] | undefined {
  const list = entryAt(text, key, /^\s*[[{]([^[\]{}]*)[\]}]/);
  return list?.split(/\s+/).filter(Boolean).map(numberOf);
}

function numberOf(text: string): number {
  if (!NUMBER.test(text)) throw new RangeError('a number is not understood');
  return Number(text);
}

/** Undefined where there is no such entry. */
function entryAt(text: string, key: string, pattern: RegExp): string | undefined {
  const places = [...text.matchAll(new RegExp(`/${key}(?![\\w.])`, 'g'))];
  if (places.length === 0) return undefined;
  const from = (places[0]?.index ?? 0) + key.length + 1;
  const value = pattern.exec(text.slice(from, from + LONGEST_ENTRY))?.[1];
  if (places.length > 1 || value === undefined) throw new RangeError('an entry is not understood');
  return value;
}

/** What codes are called by the font program itself. */
export interface BuiltInEncoding {
  isStandard: boolean;
  /** Whether all of it was understood. */
  isComplete: boolean;
  names: ReadonlyMap<number, string>;
}

export function readBuiltInEncoding(clear: string): BuiltInEncoding {
  const isStandard = /\/Encoding\s+StandardEncoding\b/.test(clear);
  const names = new Map<number, string>();
  for (const [, base, digits = '', name = ''] of clear.matchAll(
    /\bdup\s+(?:(\d{1,2})#)?([0-9a-zA-Z]{1,5})\s*\/([^\s/[\](){}<>%]+)\s+put\b/g,
  ))
    names.set(Number.parseInt(digits, Number(base ?? 10)), name);
  return { isStandard, isComplete: isStandard || /\/Encoding\s+256\s+array\b/.test(clear), names };
}
