// Inline images as image objects, so that their pixels can be changed like those of any other (ISO 32000-1, 8.9.7).

import { addUnpacked } from '../content/stream-copies.ts';
import type { PdfDocument } from '../document.ts';
import { spellOutAmong } from '../images/inline-images.ts';
import { Dict, type Ref } from '../objects.ts';
import type { Operation } from '../syntax/content-reader.ts';

/** Makes an image object of a BI operation; `spaces` are the colour spaces of the content. */
export function addInlineImage(
  doc: PdfDocument,
  content: Uint8Array,
  { operands, start, end }: Operation,
  spaces: Dict | undefined,
): Ref {
  const given = operands[0] instanceof Dict ? operands[0] : new Dict();
  return addUnpacked(doc, spellOutAmong(given, spaces), dataOf(content.subarray(start, end)));
}

/** What stands between ID and EI, a blank at each end apart. */
function dataOf(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1');
  const begin = /[\s>\])]ID(?:\r\n|[\0\t\n\f\r ])/.exec(text);
  const from = begin ? begin.index + begin[0].length : 0;
  const to = text.replace(/[\0\t\n\f\r ]?EI$/, '').length;
  return bytes.slice(from, Math.max(from, to));
}
