// A text operator without some of its characters; those that stay keep their places.
import { PdfString } from '../objects.ts';
import { formatNumber, formatValue } from '../syntax.ts';

export type Shown =
  | { number: number }
  | {
      code: Uint8Array;
      isGone: boolean;
      /** The number in TJ that moves on as the character does. */
      adjustment: number;
    };

/** What goes in a row becomes one number: the widths of its characters are told by nothing. */
export function remainingText(shown: readonly Shown[]): string {
  const items: string[] = [];
  let codes: Uint8Array[] = [];
  let moved = 0;
  const endCodes = (): void => {
    if (codes.length > 0) items.push(formatValue(new PdfString(Buffer.concat(codes))));
    codes = [];
  };
  const endMove = (): void => {
    if (moved !== 0) items.push(formatNumber(moved));
    moved = 0;
  };
  for (const each of shown) {
    if ('number' in each) {
      endCodes();
      moved += each.number;
    } else if (each.isGone) {
      endCodes();
      moved += each.adjustment;
    } else {
      endMove();
      codes.push(each.code);
    }
  }
  endCodes();
  endMove();
  return `[${items.join(' ')}] TJ`;
}
