// Saddle stitch: which pages stand side by side on the sheets of a folded booklet.

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
