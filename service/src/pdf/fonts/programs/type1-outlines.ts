// Follows the program of a Type 1 outline (Adobe Type 1 Font Format, chapter 6) to the end. What is not as that book
// says ends with a RangeError: no guess is better than the font as it came.
import { numberAt, sizeOfNumber } from './type1-charstrings.ts';
import { type Outline, Type1Pen } from './type1-pen.ts';

const MAX_DEPTH = 10;
const MAX_OPERANDS = 24;

const OPERATOR = { close: 9, call: 10, return: 11, escape: 12, begin: 13, end: 14 } as const;
/** Two-byte operators. */
const ESCAPED = {
  accented: 0x0c06,
  beginAnywhere: 0x0c07,
  divide: 0x0c0c,
  callOther: 0x0c10,
  pop: 0x0c11,
  setPoint: 0x0c21,
} as const;
/** Programs of the interpreter (OtherSubrs) that fonts may call. */
const OTHER = {
  endFlex: 0,
  beginFlex: 1,
  flexPoint: 2,
  renewStems: 3,
  counters: 12,
  lastCounters: 13,
} as const;

type Draw = (pen: Type1Pen, operands: readonly number[]) => void;

/** Operators that draw or give hints, and how many numbers each takes. */
const DRAWING: ReadonlyMap<number, readonly [count: number, draw: Draw]> = new Map<number, [number, Draw]>([
  [1, [2, (pen, edges) => pen.stem('horizontal', edges)]],
  [3, [2, (pen, edges) => pen.stem('vertical', edges)]],
  [4, [1, (pen, [dy = 0]) => pen.move(0, dy)]],
  [5, [2, (pen, [dx = 0, dy = 0]) => pen.line(dx, dy)]],
  [6, [1, (pen, [dx = 0]) => pen.line(dx, 0)]],
  [7, [1, (pen, [dy = 0]) => pen.line(0, dy)]],
  [8, [6, (pen, deltas) => pen.curve(...deltas)]],
  [OPERATOR.close, [0, (pen) => pen.close()]],
  [OPERATOR.begin, [2, (pen, [side = 0, width = 0]) => pen.begin([side, 0], width)]],
  [21, [2, (pen, [dx = 0, dy = 0]) => pen.move(dx, dy)]],
  [22, [1, (pen, [dx = 0]) => pen.move(dx, 0)]],
  [30, [4, (pen, [a = 0, b = 0, c = 0, d = 0]) => pen.curve(0, a, b, c, d, 0)]],
  [31, [4, (pen, [a = 0, b = 0, c = 0, d = 0]) => pen.curve(a, 0, b, c, 0, d)]],
  // What dots need was told to interpreters before there were other stems.
  [0x0c00, [0, () => undefined]],
  [0x0c01, [6, (pen, edges) => pen.stem('vertical', edges)]],
  [0x0c02, [6, (pen, edges) => pen.stem('horizontal', edges)]],
  [
    ESCAPED.beginAnywhere,
    [
      4,
      (pen, [x = 0, y = 0, width = 0, height = 0]) => {
        if (height !== 0) throw new RangeError('a glyph for text that runs downwards');
        pen.begin([x, y], width);
      },
    ],
  ],
  [ESCAPED.setPoint, [2, (pen, [x = 0, y = 0]) => pen.confirm(x, y)]],
]);

export interface Type1Source {
  subr(number: number): Uint8Array | undefined;
  /** The outline of a code in StandardEncoding. */
  component(code: number): Uint8Array | undefined;
  /** Called for every step: a font may not keep us longer than this allows. */
  step(): void;
}

export function followOutline(program: Uint8Array, source: Type1Source): Outline {
  const pen = new Type1Pen();
  const follower = new Follower(pen, source);
  follower.glyph(program);
  if (pen.width === undefined) throw new RangeError('the outline does not begin');
  return { width: pen.width, steps: pen.steps };
}

class Follower {
  private readonly pen: Type1Pen;
  private readonly source: Type1Source;
  private operands: number[] = [];
  /** What a program of the interpreter left, the next to be fetched last. */
  private left: number[] = [];
  private isComponent = false;

  constructor(pen: Type1Pen, source: Type1Source) {
    this.pen = pen;
    this.source = source;
  }

  glyph(program: Uint8Array | undefined): void {
    if (!program) throw new RangeError('there is no such outline');
    this.operands = [];
    this.left = [];
    if (!this.run(program, 0)) throw new RangeError('the outline does not end');
    this.pen.close();
  }

  /** Whether the outline has ended. */
  private run(program: Uint8Array, depth: number): boolean {
    if (depth > MAX_DEPTH) throw new RangeError('subroutines within subroutines');
    for (let at = 0; at < program.length; ) {
      this.source.step();
      const first = program[at] as number;
      at += 1;
      if (first >= 32) {
        const size = sizeOfNumber(first);
        if (at + size > program.length || this.operands.length >= MAX_OPERANDS)
          throw new RangeError('numbers without end');
        this.operands.push(numberAt(program, first, at));
        at += size;
        continue;
      }
      const operator = first === OPERATOR.escape ? 0x0c00 | (program[at] ?? 0xff) : first;
      if (first === OPERATOR.escape) at += 1;
      if (operator === OPERATOR.return) return false;
      if (operator === OPERATOR.end || operator === ESCAPED.accented) {
        this.end(operator);
        return true;
      }
      if (operator === OPERATOR.call) {
        const subr = this.source.subr(this.operands.pop() ?? -1);
        if (!subr) throw new RangeError('there is no such subroutine');
        if (this.run(subr, depth + 1)) return true;
      } else this.perform(operator);
    }
    return false;
  }

  private perform(operator: number): void {
    if (operator === ESCAPED.divide) this.divide();
    else if (operator === ESCAPED.callOther) this.callOther();
    else if (operator === ESCAPED.pop) this.operands.push(expectNumber(this.left.pop()));
    else {
      const [count, draw] = DRAWING.get(operator) ?? [];
      if (!draw || this.operands.length !== count) throw new RangeError('the outline is not understood');
      draw(this.pen, this.operands);
      this.operands = [];
    }
  }

  private divide(): void {
    const [dividend, divisor] = this.operands.splice(-2);
    const quotient = expectNumber(dividend) / expectNumber(divisor);
    if (!Number.isFinite(quotient)) throw new RangeError('a division by nothing');
    this.operands.push(quotient);
  }

  private callOther(): void {
    const program = this.operands.pop();
    const count = expectNumber(this.operands.pop());
    if (count < 0 || count > this.operands.length) throw new RangeError('numbers are missing');
    const given = this.operands.splice(this.operands.length - count);
    this.left = [];
    if (program === OTHER.beginFlex && count === 0) this.pen.beginFlex();
    else if (program === OTHER.endFlex && count === 3) {
      const [height = 0, x = 0, y = 0] = given;
      this.pen.endFlex(height);
      this.left = [y, x];
    } else if (program === OTHER.renewStems && count === 1) {
      this.pen.renewStems();
      this.left = given;
    } else if (!this.mayBePassedOver(program, count)) throw new RangeError('a program that nobody knows');
  }

  /** Points of a flex are moves already; which spaces between stems are to be alike is a fine point. */
  private mayBePassedOver(program: number | undefined, count: number): boolean {
    if (program === OTHER.flexPoint) return count === 0;
    return program === OTHER.counters || program === OTHER.lastCounters;
  }

  private end(operator: number): void {
    if (operator === OPERATOR.end) {
      if (this.operands.length > 0) throw new RangeError('numbers are left');
      return;
    }
    const [accentSide = 0, dx = 0, dy = 0, letter = -1, accent = -1] = this.operands;
    if (this.operands.length !== 5 || this.isComponent) throw new RangeError('accents upon accents');
    this.isComponent = true;
    const side = this.pen.sideBearing;
    this.pen.place([0, 0]);
    this.glyph(this.source.component(letter));
    this.pen.place([side + dx - accentSide, dy]);
    this.glyph(this.source.component(accent));
  }
}

function expectNumber(value: number | undefined): number {
  if (value === undefined) throw new RangeError('numbers are missing');
  return value;
}
