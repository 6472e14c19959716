// The boxes that are seen where something was.
import { enclosureOf } from '../content/content-balance.ts';
import { encloseContent } from '../content/enclosed-content.ts';
import { contentParts } from '../content/page-content.ts';
import { paintOf } from '../content/paint.ts';
import type { PdfDocument } from '../document.ts';
import { Dict, type Ref } from '../objects.ts';
import { formatNumber } from '../syntax/object-syntax.ts';
import type { Quad } from './quads.ts';

export interface PaintedBox {
  quad: Quad;
  /** What lines and images lose, where that is more. */
  cut?: Quad;
  /** #rrggbb. */
  colour: string;
}

/** Operators that fill the boxes. */
export function boxesText(boxes: readonly PaintedBox[]): string {
  return boxes
    .map(({ quad, colour }) => {
      const [first, ...others] = quad.map(({ x, y }) => `${formatNumber(x)} ${formatNumber(y)}`);
      return `${paintOf(colour)} ${first} m ${others.map((corner) => `${corner} l`).join(' ')} h f`;
    })
    .join('\n');
}

/** Draws boxes on top of what the page shows; they are no part of the tagged content. */
export function drawBoxes(doc: PdfDocument, page: Ref, boxes: readonly PaintedBox[]): void {
  if (boxes.length === 0) return;
  const { before, parts, after } = encloseContent(doc, contentParts(doc, page));
  const add = (text: string) => doc.addStream(new Dict(), Buffer.from(text, 'latin1'));
  const drawn = `${after}/Artifact BMC q\n${boxesText(boxes)}\nQ EMC\n`;
  doc.edit(page).set('Contents', [add(before), ...parts, add(drawn)]);
}

/** Behind the content of a form or an appearance, in its own coordinates. */
export function withBoxes(content: Uint8Array, boxes: readonly PaintedBox[]): Uint8Array {
  const { before, after, end } = enclosureOf(content);
  const drawn = `${after}q\n${boxesText(boxes)}\nQ\n`;
  return Buffer.concat([Buffer.from(before), content.subarray(0, end), Buffer.from(drawn, 'latin1')]);
}
