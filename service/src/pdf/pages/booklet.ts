// Saddle stitch: which pages stand side by side on the sheets of a folded booklet, and where.
import { invalidParameter } from '../../contract/problems.ts';
import type { DisplayedPage } from '../geometry/displayed-page.ts';

/** A side of a sheet: page indexes from 0, or nothing where the signature was padded. */
export interface BookletSide {
  left: number | undefined;
  right: number | undefined;
  isBack: boolean;
}

export interface BookletOptions {
  /** 0: one signature for the whole document. */
  sheetsPerSignature: number;
  /** Bound at the right, read from right to left. */
  spineRight: boolean;
  /** Backs with their halves swapped, for printers that turn the sheet over its short edge. */
  swapBacks: boolean;
}

const PAGES_PER_SHEET = 4;

/** All sides in printing order: front and back of each sheet, the outermost first. */
export function bookletSides(count: number, options: BookletOptions): BookletSide[] {
  const perSignature = options.sheetsPerSignature * PAGES_PER_SHEET || Math.max(count, 1);
  const sides: BookletSide[] = [];
  for (let first = 0; first < count; first += perSignature) {
    const inSignature = Math.min(perSignature, count - first);
    // "each signature padded to a multiple of 4 pages"
    const padded = Math.ceil(inSignature / PAGES_PER_SHEET) * PAGES_PER_SHEET;
    const page = (index: number) => (index < inSignature ? first + index : undefined);
    for (let at = 0; at < padded / 2; at += 2) {
      sides.push(side(page(padded - 1 - at), page(at), false, options));
      sides.push(side(page(at + 1), page(padded - 2 - at), true, options));
    }
  }
  return sides;
}

function side(
  left: number | undefined,
  right: number | undefined,
  isBack: boolean,
  { spineRight, swapBacks }: BookletOptions,
): BookletSide {
  const isSwapped = spineRight !== (isBack && swapBacks);
  return isSwapped ? { left: right, right: left, isBack } : { left, right, isBack };
}

/** "Sheet = first page's size in landscape" */
export const bookletSheet = ({ width, height }: DisplayedPage) => ({
  width: Math.max(width, height),
  height: Math.min(width, height),
});

/** The halves of a sheet, and what the gutter at the fold leaves of each. */
export function bookletHalves(first: DisplayedPage, gutter: number) {
  const { width, height } = bookletSheet(first);
  const limit = first.width / 2;
  if (gutter > limit || gutter >= width / 2) {
    const most = Math.floor(Math.min(limit, width / 2) * 100) / 100;
    throw invalidParameter(`gutterSize must be at most half the page width: here ${most} points.`);
  }
  const left = { left: 0, bottom: 0, right: width / 2, top: height };
  const right = { left: width / 2, bottom: 0, right: width, top: height };
  return [
    { outer: left, inner: { ...left, right: left.right - gutter } },
    { outer: right, inner: { ...right, left: right.left + gutter } },
  ] as const;
}
