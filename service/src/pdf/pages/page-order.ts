// The orders of rearrange-pages: page numbers, counted from 1, for a document of `count` pages.

export const ORDER_MODES = [
  'CUSTOM',
  'REVERSE_ORDER',
  'DUPLEX_SORT',
  'BOOKLET_SORT',
  'SIDE_STITCH_BOOKLET_SORT',
  'ODD_EVEN_SPLIT',
  'REMOVE_FIRST',
  'REMOVE_LAST',
  'REMOVE_FIRST_AND_LAST',
  'DUPLICATE',
] as const;

export type OrderMode = (typeof ORDER_MODES)[number];
/** Modes that need nothing but the number of pages. */
export type PresetMode = Exclude<OrderMode, 'CUSTOM' | 'DUPLICATE'>;

export function presetOrder(mode: PresetMode, count: number): number[] {
  const all = Array.from({ length: count }, (_, index) => index + 1);
  switch (mode) {
    case 'REVERSE_ORDER':
      return all.reverse();
    case 'DUPLEX_SORT':
    case 'BOOKLET_SORT':
      return outsideIn(count);
    case 'SIDE_STITCH_BOOKLET_SORT':
      return sideStitch(count);
    case 'ODD_EVEN_SPLIT':
      return [...all.filter((page) => page % 2 === 1), ...all.filter((page) => page % 2 === 0)];
    case 'REMOVE_FIRST':
      return all.slice(1);
    case 'REMOVE_LAST':
      return all.slice(0, -1);
    case 'REMOVE_FIRST_AND_LAST':
      return all.slice(1, -1);
  }
}

/** "1,N,2,N-1,..."; of an odd number the middle page comes last. */
function outsideIn(count: number): number[] {
  const order: number[] = [];
  for (let low = 1, high = count; low <= high; low += 1, high -= 1)
    order.push(...(low === high ? [low] : [low, high]));
  return order;
}

/** "4,1,2,3,8,5,6,7,... (numbers beyond N give the last page)" */
function sideStitch(count: number): number[] {
  const order: number[] = [];
  for (let first = 1; first <= count; first += 4) {
    for (const page of [first + 3, first, first + 1, first + 2]) order.push(Math.min(page, count));
  }
  return order;
}

/** Each page `copies` times in a row. */
export function duplicateOrder(copies: number, count: number): number[] {
  return Array.from({ length: count * copies }, (_, index) => Math.floor(index / copies) + 1);
}
