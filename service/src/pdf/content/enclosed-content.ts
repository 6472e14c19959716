// The content of a page, to have something drawn behind it that it does not change.

import type { PdfDocument } from '../document.ts';
import { Dict, type Ref } from '../objects.ts';
import { enclosureOf } from './content-balance.ts';
import { joinContent } from './page-content.ts';

export interface EnclosedContent {
  before: string;
  parts: readonly Ref[];
  after: string;
}

/** Operators to put before and behind the streams of a page. What is never ended and cannot be is left out. */
export function encloseContent(doc: PdfDocument, parts: readonly Ref[]): EnclosedContent {
  const content = joinContent(doc, parts);
  const { before, after, end } = enclosureOf(content);
  if (end === content.length) return { before, parts, after };
  return { before, parts: [doc.addStream(new Dict(), content.slice(0, end))], after };
}
