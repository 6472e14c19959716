// Names in the order people expect: page 2 before page 10, whatever the letter case.

const BY_NUMBERS = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Folder by folder; names that differ in case or accents alone keep one order, too. */
export function compareNaturally(one: string, other: string): number {
  const left = one.split('/');
  const right = other.split('/');
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    const order = BY_NUMBERS.compare(left[at] ?? '', right[at] ?? '');
    if (order !== 0) return order;
  }
  return left.length - right.length || (one < other ? -1 : one > other ? 1 : 0);
}
