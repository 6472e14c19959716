// Outlines of CFF fonts are small programs (Adobe Technical Note 5177). They are followed as far as is needed to know
// which other outlines and which shared pieces they call.
import type { CffIndex } from './cff-data.ts';

const MAX_DEPTH = 12;
const MAX_STEPS = 200_000;

const OPERATOR = {
  horizontalStems: 1,
  verticalStems: 3,
  call: 10,
  return: 11,
  escape: 12,
  end: 14,
  horizontalStemsMasked: 18,
  hintMask: 19,
  counterMask: 20,
  verticalStemsMasked: 23,
  short: 28,
  callGlobal: 29,
} as const;
/** Two-byte operators that draw and leave nothing behind. */
const FLEXES = new Set([34, 35, 36, 37]);

const RESERVED = new Set([0, 2, 9, 13, 15, 16, 17]);

export interface Called {
  /** Pieces of the font, and of all its fonts, that are called. */
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
  private stack: number[] = [];
  private stems = 0;
  private steps = 0;

  constructor(bytes: Buffer, local: CffIndex | undefined, global: CffIndex) {
    this.bytes = bytes;
    this.local = local;
    this.global = global;
  }

  /** Whether the outline was understood. */
  follow(start: number, end: number): boolean {
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
      if (op >= 32 || op === OPERATOR.short) at = this.number(op, at);
      else if (op === OPERATOR.return) return 'returned';
      else if (op === OPERATOR.end) return this.end();
      else if (op === OPERATOR.call || op === OPERATOR.callGlobal) {
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
    const isMask = op === OPERATOR.hintMask || op === OPERATOR.counterMask;
    const isStem =
      op === OPERATOR.horizontalStems ||
      op === OPERATOR.verticalStems ||
      op === OPERATOR.horizontalStemsMasked ||
      op === OPERATOR.verticalStemsMasked;
    if (isMask || isStem) this.stems += this.stack.length >> 1;
    this.stack = [];
    return isMask ? at + ((this.stems + 7) >> 3) : at;
  }

  private call(kind: 'local' | 'global', depth: number): 'ended' | 'returned' | 'doubt' {
    const pieces = kind === 'local' ? this.local : this.global;
    if (!pieces || depth >= MAX_DEPTH) return 'doubt';
    const bias = pieces.count < 1240 ? 107 : pieces.count < 33900 ? 1131 : 32768;
    const piece = (this.stack.pop() ?? Number.NaN) + bias;
    if (!(piece >= 0 && piece < pieces.count && Number.isInteger(piece))) return 'doubt';
    this.called[kind].add(piece);
    return this.run(pieces.start(piece), pieces.start(piece + 1), depth + 1);
  }

  /** With four numbers before it, the end draws two other glyphs (note 5177, appendix C). */
  private end(): 'ended' {
    if (this.stack.length >= 4) for (const code of this.stack.slice(-2)) this.called.components.add(code);
    return 'ended';
  }
}
