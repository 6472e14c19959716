// Plane transforms as PDF writes them: [a b c d e f], points as rows (ISO 32000-1, 8.3.3).

import type { PdfDocument } from '../document.ts';
import type { PdfObject } from '../objects.ts';
import { formatNumber } from '../syntax/object-syntax.ts';
import type { Box } from './boxes.ts';

export type Matrix = readonly [number, number, number, number, number, number];

export interface Point {
  x: number;
  y: number;
}

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

export const translation = (x: number, y: number): Matrix => [1, 0, 0, 1, x, y];

export const scaling = (x: number, y = x): Matrix => [x, 0, 0, y, 0, 0];

/** What `first` and then `second` do. */
export function product(first: Matrix, second: Matrix): Matrix {
  const [a, b, c, d, e, f] = first;
  const [g, h, i, j, k, l] = second;
  return [a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + l];
}

/** Nothing where the matrix flattens the plane, or holds no sensible numbers. */
export function inverse([a, b, c, d, e, f]: Matrix): Matrix | undefined {
  const det = a * d - b * c;
  if (!Number.isFinite(1 / det) || det === 0) return undefined;
  return [d / det, -b / det, -c / det, a / det, (c * f - d * e) / det, (b * e - a * f) / det];
}

export const transformed = ([a, b, c, d, e, f]: Matrix, x: number, y: number): Point => ({
  x: a * x + c * y + e,
  y: b * x + d * y + f,
});

/** The upright box around the transformed box. */
export function boxThrough(matrix: Matrix, { left, bottom, right, top }: Box): Box {
  const [a, b, c, d, e, f] = matrix;
  return {
    left: Math.min(a * left, a * right) + Math.min(c * bottom, c * top) + e,
    bottom: Math.min(b * left, b * right) + Math.min(d * bottom, d * top) + f,
    right: Math.max(a * left, a * right) + Math.max(c * bottom, c * top) + e,
    top: Math.max(b * left, b * right) + Math.max(d * bottom, d * top) + f,
  };
}

/** By how much lengths grow, on average over directions. */
export const scaleOf = ([a, b, c, d]: Matrix): number => Math.sqrt(Math.abs(a * d - b * c));

export const matrixText = (matrix: Matrix): string => matrix.map(formatNumber).join(' ');

/** A matrix entry of the file; what is none leaves things where they are. */
export function matrixOf(doc: PdfDocument, value: PdfObject | undefined): Matrix {
  const numbers = (doc.array(value) ?? []).map((each) => doc.number(each) ?? Number.NaN);
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbers;
  return numbers.length >= 6 && numbers.every(Number.isFinite) ? [a, b, c, d, e, f] : IDENTITY;
}
