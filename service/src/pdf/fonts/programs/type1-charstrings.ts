// Charstrings of Type 1 fonts, their outlines, are small programs (Adobe Type 1 Font Format, chapter 6). They are read for
// the width they state, and for the other charstrings and the subroutines (Subrs) that they call.

const OPERATOR = { call: 10, escape: 12, sidebearingWidth: 13 } as const;
const ESCAPED = { accented: 6, sidebearingWidth: 7, divide: 12, callOther: 16, pop: 17 } as const;

const MAX_OPERANDS = 24;

export interface Called {
  /** Codes in StandardEncoding of the letter and the accent that are drawn. */
  components: number[];
  /** Numbers of subroutines. Some that are not called may be among them, none that is called is missing. */
  subrs: number[];
}

/** Undefined where the outline is damaged, or reckons out what it calls. */
export function readCalls(outline: Uint8Array): Called | undefined {
  const called: Called = { components: [], subrs: [] };
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
      // Which subroutine is called may stand before what prepares the call: all numbers at hand are taken for one.
      if (first === OPERATOR.call && stack.length === 0 && !isReturned) return undefined;
      called.subrs.push(...stack);
      stack = [];
    } else if (escaped === ESCAPED.accented) {
      called.components.push(...stack.slice(-2));
      stack = [];
    } else if (escaped !== ESCAPED.divide && escaped !== ESCAPED.pop) stack = [];
    isReturned = escaped === ESCAPED.pop;
  }
  return called;
}

/** As hsbw or sbw states it, with which charstrings begin; undefined where this one does not. */
export function readSidebearingWidth(charstring: Uint8Array): number | undefined {
  const stack: number[] = [];
  for (let at = 0; at < charstring.length && stack.length < MAX_OPERANDS; ) {
    const first = charstring[at] as number;
    at += 1;
    if (first >= 32) {
      stack.push(numberAt(charstring, first, at));
      at += sizeOfNumber(first);
      continue;
    }
    if (first === OPERATOR.sidebearingWidth) return stack[1];
    const escaped = first === OPERATOR.escape ? charstring[at] : undefined;
    at += 1;
    if (escaped === ESCAPED.sidebearingWidth) return stack[2];
    if (escaped !== ESCAPED.divide) return undefined;
    const divisor = stack.pop() ?? 1;
    stack.push((stack.pop() ?? 0) / divisor);
  }
  return undefined;
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
