// Numbers in the outlines of CFF fonts: whole ones, or in parts of 65536.

const ONE = 65536;

/** In parts of 65536. */
export type Fixed = number;

export function toFixed(value: number): Fixed {
  const parts = Math.round(value * ONE);
  if (!(Math.abs(parts) < 0x7fff * ONE)) throw new RangeError('the number is too large for an outline');
  return parts;
}

export function type2Number(parts: Fixed): number[] {
  const value = parts / ONE;
  // Differences of two numbers may be larger than either.
  if (!(Math.abs(value) < 0x7fff)) throw new RangeError('the number is too large for an outline');
  if (!Number.isInteger(value)) return [255, ...bytesOf(parts, 4)];
  if (Math.abs(value) <= 107) return [value + 139];
  if (Math.abs(value) > 1131) return [28, ...bytesOf(value, 2)];
  const left = Math.abs(value) - 108;
  return [(value > 0 ? 247 : 251) + (left >> 8), left & 0xff];
}

export const bytesOf = (value: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => (value >> (8 * (count - 1 - index))) & 0xff);
