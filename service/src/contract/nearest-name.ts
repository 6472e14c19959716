// Which of the names there are was meant by one that is not. The SDK has a copy of this file (`npm run generate`): it
// stands alone and imports nothing.

/** Longer names are no slip of the finger. */
const LONGEST_COMPARED = 40;

/** The name with the fewest letters to change, if they are few enough for a slip. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const wanted = plain(name);
  if (wanted === '' || wanted.length > LONGEST_COMPARED) return undefined;
  let best: { name: string; changes: number } | undefined;
  for (const candidate of known) {
    const own = plain(candidate);
    if (own.length > LONGEST_COMPARED) continue;
    const changes = isShortFor(wanted, own) || isShortFor(own, wanted) ? 1 : lettersToChange(wanted, own);
    const most = Math.max(1, Math.floor(Math.max(wanted.length, own.length) / 3));
    if (changes <= most && (best === undefined || changes < best.changes))
      best = { name: candidate, changes };
  }
  return best?.name;
}

/** `page_numbers` and `PageNumbers` are the same to a reader. */
const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** `margin` for customMargin, `params` for parameters: a part of it, or it with letters left out. */
function isShortFor(short: string, long: string): boolean {
  if (short.length < 4) return false;
  if (long.includes(short)) return true;
  let at = 0;
  for (const letter of long) if (letter === short[at]) at += 1;
  return at === short.length && short[0] === long[0] && short.length * 2 >= long.length;
}

/** Letters added, left out, replaced, or swapped with their neighbour. */
function lettersToChange(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const at = (back: number, place: number): number => rows[i - back]?.[place] ?? 0;
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(at(1, j) + 1, (row[j - 1] ?? 0) + 1, at(1, j - 1) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, at(2, j - 2) + 1);
      row.push(least);
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 0;
}
