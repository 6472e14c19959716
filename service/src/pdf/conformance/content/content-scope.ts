// Where drawing stands: what is drawn, with which resources, inside what.
import type { ContentPosition } from '../../content/content-visitor.ts';
import type { PdfDocument } from '../../document.ts';
import type { Dict, PdfValue } from '../../objects.ts';
import type { Place } from './drawn.ts';
import type { MarkedContent } from './marked-content-use.ts';

const MAX_NOTES = 5000;

export interface Stage extends Place {
  resources: Dict | undefined;
  /** Resources that belong to something else: the page's for a form without its own. */
  isBorrowed: boolean;
  /** What is drawn: a page, form, pattern or font. */
  holder: { dict: Dict; value: PdfValue | undefined };
  marked: MarkedContent;
}

/** What is drawn inside: with its own resources, or with those around it. */
export function innerStage(
  doc: PdfDocument,
  { page }: Place,
  { resources }: ContentPosition,
  inner: Pick<Stage, 'where' | 'holder' | 'marked'>,
): Stage {
  const isBorrowed = doc.dict(inner.holder.dict.get('Resources')) === undefined;
  return { page, resources, isBorrowed, ...inner };
}

/** Names and operators as a report may show them. */
export const printable = (text: string): string => text.slice(0, 60).replace(/[^ -~]/g, '?');

export function note<T>(list: T[], item: T): void {
  if (list.length < MAX_NOTES) list.push(item);
}
