// Type 2 charstrings, the outlines of CFF fonts, are small programs (Adobe Technical Note 5177). They are followed as far
// as is needed to know how wide a glyph is, and which other charstrings and subroutines (Subrs) it calls.
import type { CffIndex } from './cff-structures.ts';

const MAX_DEPTH = 12;
const MAX_STEPS = 200_000;

const OPERATOR = {
  horizontalStems: 1,
  verticalStems: 3,
  verticalMove: 4,
  call: 10,
  return: 11,
  escape: 12,
  end: 14,
  horizontalStemsMasked: 18,
  hintMask: 19,
  counterMask: 20,
  move: 21,
  horizontalMove: 22,
  verticalStemsMasked: 23,
  short: 28,
  callGlobal: 29,
} as const;
/** Two-byte operators that draw and leave nothing behind. */
const FLEXES = new Set([34, 35, 36, 37]);

const RESERVED = new Set([0, 2, 9, 13, 15, 16, 17]);
const MASKS = new Set<number>([OPERATOR.hintMask, OPERATOR.counterMask]);
const STEMS = new Set<number>([
  OPERATOR.horizontalStems,
  OPERATOR.verticalStems,
  OPERATOR.horizontalStemsMasked,
  OPERATOR.verticalStemsMasked,
]);

/** Relative to the nominal width; undefined where the charstring states none. */
export function readCharstringWidth(
  bytes: Buffer,
  { start, end }: { start: number; end: number },
  local: CffIndex | undefined,
  global: CffIndex,
): number | undefined {
  const reader = new CharstringReader(bytes, local, global, 'width');
  reader.follow(start, end);
  return reader.width;
}

/** The operand more than its first operator needs (4.1). */
function statedWidth(operator: number, operands: readonly number[]): number | undefined {
  const { length } = operands;
  const isStated =
    STEMS.has(operator) || MASKS.has(operator)
      ? length % 2 === 1
      : operator === OPERATOR.move
        ? length > 2
        : operator === OPERATOR.verticalMove || operator === OPERATOR.horizontalMove
          ? length > 1
          : operator === OPERATOR.end && (length === 1 || length === 5);
  return isStated ? operands[0] : undefined;
}

export interface Called {
  /** Subroutines of the font, and of all its fonts, that are called. */
  local: Set<number>;
  global: Set<number>;
  /** Codes in StandardEncoding of the letters and accents that outlines are put together from. */
  components: Set<number>;
}

export class CharstringReader {
  readonly called: Called = { local: new Set(), global: new Set(), components: new Set() };
  private readonly bytes: Buffer;
  private readonly local: CffIndex | undefined;
  private readonly global: CffIndex;
  private readonly upTo: 'end' | 'width';
  /** Of what was followed last, relative to the nominal width. */
  width: number | undefined;
  private hasBegun = false;
  private stack: number[] = [];
  private stems = 0;
  private steps = 0;

  constructor(
    bytes: Buffer,
    local: CffIndex | undefined,
    global: CffIndex,
    upTo: CharstringReader['upTo'] = 'end',
  ) {
    this.bytes = bytes;
    this.local = local;
    this.global = global;
    this.upTo = upTo;
  }

  /** Whether the outline was understood. */
  follow(start: number, end: number): boolean {
    this.hasBegun = false;
    this.stack = [];
    this.stems = 0;
    this.steps = 0;
    return this.run(start, end, 0) !== 'doubt';
  }

  private run(start: number, end: number, depth: number): 'ended' | 'returned' | 'doubt' {
    const { bytes } = this;
    for (let at = start; at < end; ) {
      this.steps += 1;
      if (this.steps > MAX_STEPS) return 'doubt';
      const op = bytes.readUInt8(at);
      at += 1;
      if (op >= 32 || op === OPERATOR.short) {
        at = this.number(op, at);
        continue;
      }
      if (op === OPERATOR.return) return 'returned';
      if (!this.hasBegun && op !== OPERATOR.call && op !== OPERATOR.callGlobal) {
        this.hasBegun = true;
        this.width = statedWidth(op, this.stack);
        if (this.upTo === 'width') return 'ended';
      }
      if (op === OPERATOR.end) return this.end();
      if (op === OPERATOR.call || op === OPERATOR.callGlobal) {
        const ended = this.call(op === OPERATOR.call ? 'local' : 'global', depth);
        if (ended !== 'returned') return ended;
      } else if (op === OPERATOR.escape) {
        if (!FLEXES.has(bytes.readUInt8(at))) return 'doubt';
        at += 1;
        this.stack = [];
      } else if (RESERVED.has(op)) return 'doubt';
      else at = this.drawOrHint(op, at);
    }
    return 'returned';
  }

  private number(op: number, at: number): number {
    const { bytes, stack } = this;
    if (op === OPERATOR.short) stack.push(bytes.readInt16BE(at));
    else if (op === 255) stack.push(bytes.readInt32BE(at) / 65536);
    else if (op <= 246) stack.push(op - 139);
    else if (op <= 250) stack.push((op - 247) * 256 + bytes.readUInt8(at) + 108);
    else stack.push(-(op - 251) * 256 - bytes.readUInt8(at) - 108);
    return at + (op === OPERATOR.short ? 2 : op === 255 ? 4 : op <= 246 ? 0 : 1);
  }

  private drawOrHint(op: number, at: number): number {
    const isMask = MASKS.has(op);
    if (isMask || STEMS.has(op)) this.stems += this.stack.length >> 1;
    this.stack = [];
    return isMask ? at + ((this.stems + 7) >> 3) : at;
  }

  private call(kind: 'local' | 'global', depth: number): 'ended' | 'returned' | 'doubt' {
    const subrs = kind === 'local' ? this.local : this.global;
    if (!subrs || depth >= MAX_DEPTH) return 'doubt';
    const bias = subrs.count < 1240 ? 107 : subrs.count < 33900 ? 1131 : 32768;
    const subr = (this.stack.pop() ?? Number.NaN) + bias;
    if (!(subr >= 0 && subr < subrs.count && Number.isInteger(subr))) return 'doubt';
    this.called[kind].add(subr);
    return this.run(subrs.start(subr), subrs.start(subr + 1), depth + 1);
  }

  /** With four numbers before it, the end draws two other glyphs (note 5177, appendix C). */
  private end(): 'ended' {
    if (this.stack.length >= 4) for (const code of this.stack.slice(-2)) this.called.components.add(code);
    return 'ended';
  }
}
