// Whether replaced text can be read where it was put: by another reader than the one that put it there.

/** Blanks, the forms of letters and the order of those from right to left are read differently by every reader. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Cc}\s\ufffe]/gu, '')
    .replace(/[\u2010\u2011]/gu, '-');

const inOrder = (text: string): string => [...text].sort().join('');

function timesIn(text: string, wanted: string): number {
  if (wanted === '') return Number.POSITIVE_INFINITY;
  let times = 0;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) times += 1;
  return times;
}

/** `readings` are texts of the page, each by a reader of its own; one that has all of it is enough. */
export function isReadable(wanted: ReadonlyMap<string, number>, readings: Iterable<string>): boolean {
  const missing = new Map([...wanted].map(([text, times]) => [plain(text), times]));
  for (const reading of readings) {
    const text = plain(reading);
    for (const [each, times] of missing) {
      const turned = /[\p{sc=Hebrew}\p{sc=Arabic}]/u.test(each) ? plain([...each].reverse().join('')) : each;
      const isThere = timesIn(text, each) >= times || timesIn(text, turned) >= times;
      // Signs above and below letters are put before or behind them.
      const isMixed = /\p{M}/u.test(each) && [...new Set(inOrder(each))].every((sign) => text.includes(sign));
      if (isThere || isMixed) missing.delete(each);
    }
    if (missing.size === 0) return true;
  }
  return missing.size === 0;
}
