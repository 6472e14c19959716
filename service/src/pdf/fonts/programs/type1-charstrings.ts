// Outlines of Type 1 fonts are small programs. They are read for the other outlines and the shared pieces (Subrs) that
// they call.

const OPERATOR = { call: 10, escape: 12 } as const;
const ESCAPED = { accented: 6, divide: 12, callOther: 16, pop: 17 } as const;

export interface Called {
  /** Codes in StandardEncoding of the letter and the accent that are drawn. */
  components: number[];
  /** Numbers of the pieces. Some that are not called may be among them, none that is called is missing. */
  pieces: number[];
}

/** Undefined where the outline is damaged, or reckons out what it calls. */
export function readCalls(outline: Uint8Array): Called | undefined {
  const called: Called = { components: [], pieces: [] };
  let stack: number[] = [];
  let isReturned = false;
  for (let at = 0; at < outline.length; ) {
    const first = outline[at] as number;
    at += 1;
    if (first >= 32) {
      const size = sizeOfNumber(first);
      if (at + size > outline.length) return undefined;
      stack.push(numberAt(outline, first, at));
      at += size;
      continue;
    }
    const escaped = first === OPERATOR.escape ? outline[at] : undefined;
    if (first === OPERATOR.escape) at += 1;
    if (first === OPERATOR.call || escaped === ESCAPED.callOther) {
      // Which piece is called may stand before what prepares the call: all numbers at hand are taken for one.
      if (first === OPERATOR.call && stack.length === 0 && !isReturned) return undefined;
      called.pieces.push(...stack);
      stack = [];
    } else if (escaped === ESCAPED.accented) {
      called.components.push(...stack.slice(-2));
      stack = [];
    } else if (escaped !== ESCAPED.divide && escaped !== ESCAPED.pop) stack = [];
    isReturned = escaped === ESCAPED.pop;
  }
  return called;
}

/** Bytes that follow the first one of a number. */
export const sizeOfNumber = (first: number): number => (first <= 246 ? 0 : first === 255 ? 4 : 1);

export function numberAt(bytes: Uint8Array, first: number, at: number): number {
  const next = bytes[at] ?? 0;
  if (first <= 246) return first - 139;
  if (first <= 250) return (first - 247) * 256 + next + 108;
  if (first < 255) return -(first - 251) * 256 - next - 108;
  return (next << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
}
