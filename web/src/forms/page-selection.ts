// Page selections as the service writes them (`1,3,5-8`, `7-`, `all`, `2n`), to page numbers and back.

/** Undefined where it cannot be read; pages beyond the last are left to the service. */
export function readSelection(text: string, count: number): Set<number> | undefined {
  const found = new Set<number>();
  const add = (from: number, to: number): void => {
    for (let page = from; page <= Math.min(to, count); page++) if (page >= 1) found.add(page);
  };
  for (const part of text.toLowerCase().split(',')) {
    const word = part.trim();
    if (word === '') continue;
    const range = /^(\d{1,7})(?:\s*(-)\s*(\d{1,7})?)?$/.exec(word);
    const series = /^(\d{0,5})\s*\*?\s*n\s*(?:([+-])\s*(\d{1,7}))?$/.exec(word);
    if (word === 'all') add(1, count);
    else if (range) {
      const from = Number(range[1]);
      add(from, range[2] ? Number(range[3] ?? count) : from);
    } else if (series) {
      const factor = series[1] === '' ? 1 : Number(series[1]);
      const offset = Number(series[3] ?? 0) * (series[2] === '-' ? -1 : 1);
      for (let n = 1; n <= count * 2 + Math.abs(offset); n++) {
        const page = factor * n + offset;
        if (page > count || factor === 0) break;
        if (page >= 1) found.add(page);
      }
    } else return undefined;
  }
  return found;
}

/** Ranges where they are shorter; `all` for all. */
export function writeSelection(pages: Iterable<number>, count: number): string {
  const sorted = [...new Set(pages)].sort((a, b) => a - b);
  if (sorted.length === count && count > 0) return 'all';
  return writeOrder(sorted);
}

/** Pages in a given order, runs of neighbours as ranges. */
export function writeOrder(pages: readonly number[]): string {
  const parts: string[] = [];
  for (let at = 0; at < pages.length; ) {
    const first = pages[at] ?? 0;
    let end = at;
    while (pages[end + 1] === (pages[end] ?? 0) + 1) end++;
    const last = pages[end] ?? first;
    parts.push(end - at >= 2 ? `${first}-${last}` : pages.slice(at, end + 1).join(','));
    at = end + 1;
  }
  return parts.join(',');
}

/** Pages in the order they are written, doubles included, for rearranging. */
export function readOrder(text: string, count: number): number[] | undefined {
  const order: number[] = [];
  for (const part of text.split(',')) {
    const pages = readSelection(part, count);
    if (!pages) return undefined;
    order.push(...pages);
  }
  return order;
}
