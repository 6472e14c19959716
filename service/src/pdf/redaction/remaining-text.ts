// A text operator without some of its characters. What follows them moves on by whole steps: the exact width of what
// went would tell, among the words of a language, which one it was.
import { PdfString } from '../objects.ts';
import { formatNumber, formatValue } from '../syntax/object-syntax.ts';

export type Shown =
  | { number: number }
  | {
      code: Uint8Array;
      isGone: boolean;
      /** The number in TJ that moves on as the character does. */
      adjustment: number;
    };

/** In sizes. */
export const STEP = 0.25;

/** The next whole step, away from nothing. */
export const wholeSteps = (length: number, step: number): number =>
  Math.sign(length) * Math.ceil(Math.abs(length) / step - 1e-6) * step;

/** What the characters that went, up to the next one that stays, have moved the line on; in units of text space. */
export class Debt {
  private owed = 0;
  private isSecret = false;
  /** By how much the line stands further on than it did: steps make up for each other. */
  private drift = 0;

  /** A new place was set: nothing is owed. */
  forget(): void {
    this.owed = 0;
    this.isSecret = false;
    this.drift = 0;
  }

  get isOwed(): boolean {
    return this.isSecret;
  }

  /** The operator with what stays; `unit` is what a size moves on, in text space. */
  remainingText(shown: readonly Shown[], unit: number): string {
    const items: string[] = [];
    let codes: Uint8Array[] = [];
    const endCodes = (): void => {
      if (codes.length > 0) items.push(formatValue(new PdfString(Buffer.concat(codes))));
      codes = [];
    };
    for (const each of shown) {
      if ('number' in each || each.isGone) {
        endCodes();
        this.owed += -('number' in each ? each.number : each.adjustment) * (unit / 1000);
        if (!('number' in each)) this.isSecret = true;
        continue;
      }
      const number = this.pay(unit);
      if (number !== 0) items.push(formatNumber(number));
      codes.push(each.code);
    }
    endCodes();
    // Numbers at the end are for what follows; those of characters that went wait until something does.
    if (!this.isSecret) {
      const number = this.pay(unit);
      if (number !== 0) items.push(formatNumber(number));
    }
    return items.length === 0 ? '' : `[${items.join(' ')}] TJ`;
  }

  /** The number in TJ for what is owed. */
  private pay(unit: number): number {
    const { owed, isSecret } = this;
    this.owed = 0;
    this.isSecret = false;
    if (unit === 0 || owed === 0) return 0;
    if (!isSecret) return (-owed / unit) * 1000;
    const moved = wholeSteps(owed - this.drift, Math.abs(unit) * STEP);
    this.drift += moved - owed;
    return (-moved / unit) * 1000;
  }
}
