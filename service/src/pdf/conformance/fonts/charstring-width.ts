// The width a Type 2 charstring states: an operand more than its first operator needs (technical note 5177, 4.1).

interface Subrs {
  count: number;
  item(index: number): Uint8Array;
}

const MAX_STEPS = 10_000;
const MAX_CALLS = 10;

/** Relative to the nominal width; undefined where the charstring states none. */
export function charstringWidth(code: Uint8Array, locals: Subrs, globals: Subrs): number | undefined {
  const stack: number[] = [];
  const calls: { code: Uint8Array; at: number }[] = [{ code, at: 0 }];
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const top = calls.at(-1);
    if (!top) return undefined;
    const byte = top.code[top.at];
    if (byte === undefined || byte === 11) {
      calls.pop();
      continue;
    }
    top.at += 1;
    if (byte >= 32 || byte === 28) {
      stack.push(operand(top, byte));
      continue;
    }
    if (byte === 10 || byte === 29) {
      const subrs = byte === 10 ? locals : globals;
      const called = subrs.item((stack.pop() ?? 0) + bias(subrs.count));
      if (calls.length > MAX_CALLS || called.length === 0) return undefined;
      calls.push({ code: called, at: 0 });
      continue;
    }
    return widthBefore(byte, stack);
  }
  return undefined;
}

function widthBefore(operator: number, stack: readonly number[]): number | undefined {
  const hasExtra = (needed: number): boolean => stack.length > needed;
  // hstem, vstem, hstemhm, vstemhm, hintmask, cntrmask take pairs.
  if ([1, 3, 18, 23, 19, 20].includes(operator)) return stack.length % 2 === 1 ? stack[0] : undefined;
  if (operator === 21) return hasExtra(2) ? stack[0] : undefined;
  if (operator === 4 || operator === 22) return hasExtra(1) ? stack[0] : undefined;
  if (operator === 14) return stack.length === 1 || stack.length === 5 ? stack[0] : undefined;
  return undefined;
}

const bias = (count: number): number => (count < 1240 ? 107 : count < 33_900 ? 1131 : 32_768);

function operand(call: { code: Uint8Array; at: number }, byte: number): number {
  const next = (): number => {
    const value = call.code[call.at] ?? 0;
    call.at += 1;
    return value;
  };
  if (byte === 28) return ((next() << 24) | (next() << 16)) >> 16;
  if (byte <= 246) return byte - 139;
  if (byte <= 250) return (byte - 247) * 256 + next() + 108;
  if (byte <= 254) return -(byte - 251) * 256 - next() - 108;
  return ((next() << 24) | (next() << 16) | (next() << 8) | next()) / 65_536;
}
