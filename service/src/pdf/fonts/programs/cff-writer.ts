// Writes a CFF font with names for its glyphs (Adobe Technical Note 5176).
import { CFF_STRINGS } from './cff-strings.ts';
import { bytesOf } from './type2-numbers.ts';

const TOP = { box: 5, matrix: 0x0c07, charset: 15, encoding: 16, outlines: 17, private: 18 } as const;
const HEADER = [1, 0, 4, 4];
const STANDARD_ENCODING = 0;
const MAX_STRINGS = 65000 - CFF_STRINGS.length;

/** Operators and their numbers; two-byte operators as 0x0c00 plus the second. */
export type DictEntries = ReadonlyMap<number, readonly number[]>;

export interface CffGlyph {
  name: string;
  /** Those by which the font itself knows it. */
  codes: readonly number[];
  outline: Buffer;
}

export interface CffFont {
  name: string;
  /** Left out where it is the usual one. */
  matrix: readonly number[] | undefined;
  box: readonly number[];
  private: DictEntries;
  hasStandardEncoding: boolean;
  /** The first one is .notdef; those that have codes come before those that have none. */
  glyphs: readonly CffGlyph[];
}

export function writeCff(font: CffFont): Buffer {
  const strings = new Strings();
  const charset = Buffer.from([
    0,
    ...font.glyphs.slice(1).flatMap(({ name }) => bytesOf(strings.numberOf(name), 2)),
  ]);
  const encoding = font.hasStandardEncoding ? Buffer.alloc(0) : encodingOf(font.glyphs, strings);
  const outlines = indexOf(font.glyphs.map(({ outline }) => outline));
  const closing = dictOf(font.private);
  const before = [Buffer.from(HEADER), indexOf([Buffer.from(font.name, 'latin1')])];
  const after = [indexOf(strings.own), indexOf([])];
  const topWith = (start: number): Buffer => {
    const [afterCharset, afterEncoding] = [start + charset.length, start + charset.length + encoding.length];
    return dictOf([
      ...(font.matrix ? [[TOP.matrix, font.matrix] as const] : []),
      [TOP.box, font.box],
      [TOP.charset, [new Offset(start)]],
      [TOP.encoding, [new Offset(font.hasStandardEncoding ? STANDARD_ENCODING : afterCharset)]],
      [TOP.outlines, [new Offset(afterEncoding)]],
      [TOP.private, [new Offset(closing.length), new Offset(afterEncoding + outlines.length)]],
    ]);
  };
  const sizeOf = (parts: readonly Buffer[]): number => parts.reduce((sum, { length }) => sum + length, 0);
  const start = sizeOf([...before, indexOf([topWith(0)]), ...after]);
  return Buffer.concat([
    ...before,
    indexOf([topWith(start)]),
    ...after,
    charset,
    encoding,
    outlines,
    closing,
  ]);
}

class Strings {
  readonly own: Buffer[] = [];
  private readonly numbers = new Map(CFF_STRINGS.map((string, number) => [string, number]));

  numberOf(string: string): number {
    const known = this.numbers.get(string);
    if (known !== undefined) return known;
    const number = CFF_STRINGS.length + this.own.length;
    if (this.own.length >= MAX_STRINGS) throw new RangeError('too many names');
    this.own.push(Buffer.from(string, 'latin1'));
    this.numbers.set(string, number);
    return number;
  }
}

/** The first code of each glyph in their order, then those that come on top of it. */
function encodingOf(glyphs: readonly CffGlyph[], strings: Strings): Buffer {
  const first = glyphs.slice(1).flatMap(({ codes }) => codes.slice(0, 1));
  if (first.length > 0xff) throw new RangeError('more codes than can be counted');
  const more = glyphs
    .slice(1)
    .flatMap(({ name, codes }) =>
      codes.slice(1).map((code) => [code, ...bytesOf(strings.numberOf(name), 2)]),
    );
  if (more.length === 0) return Buffer.from([0, first.length, ...first]);
  return Buffer.from([0x80, first.length, ...first, more.length, ...more.flat()]);
}

function indexOf(entries: readonly Buffer[]): Buffer {
  if (entries.length === 0) return Buffer.from([0, 0]);
  const ends = [1];
  for (const { length } of entries) ends.push((ends.at(-1) ?? 1) + length);
  const last = ends.at(-1) ?? 1;
  const size = last < 0x100 ? 1 : last < 0x10000 ? 2 : last < 0x1000000 ? 3 : 4;
  const head = [...bytesOf(entries.length, 2), size, ...ends.flatMap((end) => bytesOf(end, size))];
  return Buffer.concat([Buffer.from(head), ...entries]);
}

/** A number that takes the same room whatever it is. */
class Offset {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

const dictOf = (entries: Iterable<readonly [number, readonly (number | Offset)[]]>): Buffer =>
  Buffer.from(
    [...entries].flatMap(([operator, operands]) => [
      ...operands.flatMap(dictNumber),
      ...(operator > 0xff ? bytesOf(operator, 2) : [operator]),
    ]),
  );

function dictNumber(operand: number | Offset): number[] {
  if (operand instanceof Offset) return [29, ...bytesOf(operand.value, 4)];
  if (!Number.isInteger(operand) || Math.abs(operand) > 0x7fffffff) return real(operand);
  const size = Math.abs(operand);
  if (size <= 107) return [operand + 139];
  if (size <= 1131) return [(operand > 0 ? 247 : 251) + ((size - 108) >> 8), (size - 108) & 0xff];
  return size <= 0x7fff ? [28, ...bytesOf(operand, 2)] : [29, ...bytesOf(operand, 4)];
}

/** In half bytes: digits, `.`, `E`, `E-`, -, -`-`, and what ends it. */
function real(value: number): number[] {
  const digits = String(value)
    .replace('e-', 'c')
    .replace(/e\+?/, 'b')
    .replace('.', 'a')
    .replace('-', 'e')
    .concat('f');
  return [30, ...Buffer.from(digits.length % 2 === 0 ? digits : `${digits}f`, 'hex')];
}
