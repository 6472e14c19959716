/** What a damaged font points to lies outside of it: reading it, and looking things up in it, fails with this. */
export function unlessDamaged<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
