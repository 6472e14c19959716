// The options of a page to be printed, with their defaults.
import type { PrintOptions } from './print.ts';

export type Settled = Required<
  Omit<PrintOptions, 'headerHtml' | 'footerHtml' | 'pageRanges' | 'waitForSelector'>
> &
  Pick<PrintOptions, 'headerHtml' | 'footerHtml' | 'pageRanges' | 'waitForSelector'>;
