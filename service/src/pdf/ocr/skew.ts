// How askew a scanned page lies, and setting it straight: its content is turned by a matrix, so that no image is
// packed anew.

import { encloseContent } from '../content/enclosed-content.ts';
import { contentParts } from '../content/page-content.ts';
import type { PdfDocument } from '../document.ts';
import { cropBox } from '../geometry/boxes.ts';
import { type Matrix, matrixText, product, translation } from '../geometry/matrix.ts';
import { Dict, type Ref } from '../objects.ts';
import { type GrayImage, paperTone, tones } from './gray-image.ts';

/** Resolution at which lines of text are lines, and pixels few. */
export const SKEW_DPI = 100;

const WIDEST = 12;
const COARSE = 0.5;
const FINE = 0.05;
/** Less is not seen. */
const LEAST = 0.1;
/** By how much lines must stand out more than they do as the page lies. */
const LEAST_GAIN = 1.05;
/** Of the tone of the paper: what is darker is ink. */
const INK = 0.65;
const MAX_POINTS = 120_000;

/** Degrees clockwise by which the page lies askew; 0 where it is straight or nothing tells. */
export function skewOf(image: GrayImage): number {
  const feet = feetOf(image);
  if (feet.x.length < 50) return 0;
  const best = (from: number, to: number, step: number): number => {
    let found = { degrees: 0, score: -1 };
    for (let degrees = from; degrees <= to + step / 2; degrees += step) {
      const score = standingOut(feet, degrees, image);
      if (score > found.score) found = { degrees, score };
    }
    return found.degrees;
  };
  const coarse = best(-WIDEST, WIDEST, COARSE);
  const fine = best(coarse - COARSE, coarse + COARSE, FINE);
  const gain = standingOut(feet, fine, image) / Math.max(1, standingOut(feet, 0, image));
  return Math.abs(fine) >= LEAST && Math.abs(fine) < WIDEST && gain >= LEAST_GAIN ? fine : 0;
}

interface Points {
  x: Float32Array;
  y: Float32Array;
}

/** Pixels of ink with paper below them: the feet of letters stand on lines. */
function feetOf({ width, height, data }: GrayImage): Points {
  const ink = paperTone(tones(data)) * INK;
  const x: number[] = [];
  const y: number[] = [];
  for (let row = 0; row < height - 1; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const at = row * width + column;
      if ((data[at] as number) >= ink || (data[at + width] as number) < ink) continue;
      x.push(column);
      y.push(row);
    }
  }
  const step = Math.max(1, Math.ceil(x.length / MAX_POINTS));
  const some = (values: number[]): Float32Array =>
    Float32Array.from(values.filter((_, index) => index % step === 0));
  return { x: some(x), y: some(y) };
}

/** How unevenly ink is spread over rows that fall to the right by so many degrees. */
function standingOut({ x, y }: Points, degrees: number, { width, height }: GrayImage): number {
  const slope = Math.tan((degrees * Math.PI) / 180);
  const offset = Math.ceil(Math.abs(slope) * width);
  const rows = new Uint32Array(height + 2 * offset + 2);
  for (let at = 0; at < x.length; at += 1) {
    const row = Math.round((y[at] as number) - (x[at] as number) * slope) + offset;
    rows[row] = (rows[row] ?? 0) + 1;
  }
  let sum = 0;
  for (const count of rows) sum += count * count;
  return sum;
}

/** Turns what a page shows back by the degrees that it lies askew, about its middle. */
export function straighten(doc: PdfDocument, page: Ref, degrees: number): void {
  const parts = contentParts(doc, page);
  if (parts.length === 0) return;
  const { left, bottom, right, top } = cropBox(doc, doc.dict(page) ?? new Dict());
  const [x, y] = [(left + right) / 2, (bottom + top) / 2];
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const turn: Matrix = [cos, sin, -sin, cos, 0, 0];
  const whole = product(product(translation(-x, -y), turn), translation(x, y));
  const enclosed = encloseContent(doc, parts);
  const stream = (text: string): Ref => doc.addStream(new Dict(), Buffer.from(text, 'latin1'));
  const head = stream(`q ${matrixText(whole)} cm\n${enclosed.before}`);
  doc.edit(page).set('Contents', [head, ...enclosed.parts, stream(`${enclosed.after}Q\n`)]);
}
