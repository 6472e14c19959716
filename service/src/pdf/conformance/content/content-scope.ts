// Where drawing stands: what is drawn, with which resources, inside what.
import type { PdfDocument } from '../../document.ts';
import type { Dict, PdfValue } from '../../objects.ts';
import type { Place } from './graphics-state.ts';
import type { MarkedContent } from './marked-content-use.ts';

const MAX_NOTES = 5000;
/** Forms, patterns and glyphs inside each other are followed so far. */
export const MAX_NESTING = 30;

export interface Stage extends Place {
  resources: Dict | undefined;
  /** Resources that belong to something else: the page's for a form without its own. */
  isBorrowed: boolean;
  /** What is drawn: a page, form, pattern or font. */
  holder: { dict: Dict; value: PdfValue | undefined };
  depth: number;
  marked: MarkedContent;
}

/** What is drawn inside: with its own resources, or with those around it. */
export function innerStage(
  doc: PdfDocument,
  outer: Stage,
  { where, holder, marked }: Pick<Stage, 'where' | 'holder' | 'marked'>,
): Stage {
  const own = doc.dict(holder.dict.get('Resources'));
  const resources = own ?? outer.resources;
  const { page, depth } = outer;
  return { page, where, resources, isBorrowed: own === undefined, holder, depth: depth + 1, marked };
}

/** Names and operators as a report may show them. */
export const printable = (text: string): string => text.slice(0, 60).replace(/[^ -~]/g, '?');

export function note<T>(list: T[], item: T): void {
  if (list.length < MAX_NOTES) list.push(item);
}
