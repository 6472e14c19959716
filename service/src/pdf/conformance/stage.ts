// Where drawing stands: what is drawn, with which resources, inside what.
import type { Dict, PdfValue } from '../objects.ts';
import type { Place } from './drawing-state.ts';
import type { MarkedContent } from './marked-use.ts';

const MAX_NOTES = 5000;

export interface Stage extends Place {
  resources: Dict | undefined;
  /** Resources that belong to something else: the page's for a form without its own. */
  isBorrowed: boolean;
  /** What is drawn: a page, form, pattern or font. */
  holder: { dict: Dict; value: PdfValue | undefined };
  depth: number;
  marked: MarkedContent;
}

export function note<T>(list: T[], item: T): void {
  if (list.length < MAX_NOTES) list.push(item);
}
