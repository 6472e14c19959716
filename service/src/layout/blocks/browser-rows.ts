// What browsers print around a page, which is no part of it: its address, its number of all, the day, the title.

/** A row at the edge of a page. */
export interface PrintedRow {
  text: string;
  page: number;
}

const ADDRESS = /(?:^|\s)(?:https?|file|about|chrome-extension):\S+/i;
const NUMBER = /(?:^|\s)(\d{1,5})\s?(?:\/|of|von|sur|de|di|из)\s?(\d{1,5})(?:\s|$)/;
const MOMENT =
  /(?:^|\s)\d{1,4}[./-]\d{1,2}[./-]\d{2,4},?\s+(?:(?:um|à|at)\s+)?\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:\s?[AP]\.?M\.?)?(?=\s|$|,)/i;

/**
 * Whether the outermost rows are a browser's. Chromium prints moment and title above, address and number below; Firefox
 * title and address above, number and moment below.
 */
export function isPrintedByBrowser(
  top: PrintedRow | undefined,
  bottom: PrintedRow | undefined,
): { top: boolean; bottom: boolean } {
  const none = { top: false, bottom: false };
  if (!bottom || !isNumbered(bottom)) return none;
  const isBelow = ADDRESS.test(bottom.text) || MOMENT.test(bottom.text);
  if (!isBelow) return none;
  return { top: top !== undefined && (MOMENT.test(top.text) || ADDRESS.test(top.text)), bottom: true };
}

/** By a number of all that is not below it. */
function isNumbered({ text }: PrintedRow): boolean {
  const [, number = '', all = ''] = NUMBER.exec(text) ?? [];
  return number !== '' && Number(number) >= 1 && Number(number) <= Number(all);
}
