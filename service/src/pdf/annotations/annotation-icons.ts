// Icons for annotations that stand for something else: notes, files, sounds. Each in the upper left corner of its place.
import { lookup } from '../../contract/lookup.ts';
import { circle, colourOperator } from '../forms/widget-frame.ts';
import type { Box } from '../geometry/boxes.ts';
import { formatNumber } from '../syntax/object-syntax.ts';

/** Points of a square from 0 to 1 as they stand on the page. */
interface Square {
  side: number;
  /** `x y` pairs, each followed by its operator. */
  path(...steps: (number | string)[]): string;
  circle(x: number, y: number, radius: number): string;
}

const LARGEST = 20;

function squareIn({ left, top, right, bottom }: Box, largest: number): Square {
  const side = Math.min(largest, right - left, top - bottom);
  const [x0, y0] = [left, top - side];
  return {
    side,
    path(...steps) {
      let isX = false;
      return steps
        .map((step) => {
          if (typeof step === 'string') return step;
          isX = !isX;
          return formatNumber((isX ? x0 : y0) + step * side);
        })
        .join(' ');
    },
    circle: (x, y, radius) => circle(x0 + x * side, y0 + y * side, radius * side),
  };
}

type Icon = (square: Square) => string;

const ICONS: Readonly<Record<string, Icon>> = lookup({
  Paperclip: ({ path }) =>
    path(0.68, 0.7, 'm', 0.68, 0.3, 'l', 0.68, 0.08, 0.36, 0.08, 0.36, 0.3, 'c', 0.36, 0.78, 'l') +
    path('', 0.36, 0.98, 0.6, 0.98, 0.6, 0.78, 'c', 0.6, 0.34, 'l', 0.6, 0.22, 0.45, 0.22, 0.45, 0.34, 'c') +
    path('', 0.45, 0.7, 'l S'),
  PushPin: ({ path }) =>
    path(0.3, 0.9, 'm', 0.7, 0.9, 'l', 0.62, 0.8, 'l', 0.62, 0.6, 'l', 0.78, 0.45, 'l', 0.22, 0.45, 'l') +
    path('', 0.38, 0.6, 'l', 0.38, 0.8, 'l h B', 0.5, 0.45, 'm', 0.5, 0.08, 'l S'),
  Graph: ({ path }) =>
    path(0.1, 0.95, 'm', 0.1, 0.1, 'l', 0.95, 0.1, 'l S') +
    [0.4, 0.6, 0.8]
      .map((height, index) => {
        const x = 0.2 + 0.25 * index;
        return path('', x, 0.1, 'm', x, height, 'l', x + 0.17, height, 'l', x + 0.17, 0.1, 'l h B');
      })
      .join(''),
  Tag: ({ path, circle }) =>
    `${path(0.05, 0.5, 'm', 0.3, 0.75, 'l', 0.95, 0.75, 'l', 0.95, 0.25, 'l', 0.3, 0.25, 'l h B')} ${circle(0.28, 0.5, 0.06)} S`,
  Speaker: ({ path }) =>
    path(
      0.1,
      0.38,
      'm',
      0.1,
      0.62,
      'l',
      0.3,
      0.62,
      'l',
      0.55,
      0.85,
      'l',
      0.55,
      0.15,
      'l',
      0.3,
      0.38,
      'l h B',
    ) +
    path('', 0.68, 0.35, 'm', 0.76, 0.45, 0.76, 0.55, 0.68, 0.65, 'c S') +
    path('', 0.8, 0.22, 'm', 0.96, 0.4, 0.96, 0.6, 0.8, 0.78, 'c S'),
  Mic: ({ path }) =>
    path(0.4, 0.5, 'm', 0.4, 0.85, 'l', 0.4, 0.98, 0.6, 0.98, 0.6, 0.85, 'c', 0.6, 0.5, 'l') +
    path(
      '',
      0.6,
      0.37,
      0.4,
      0.37,
      0.4,
      0.5,
      'c h B',
      0.28,
      0.55,
      'm',
      0.28,
      0.2,
      0.72,
      0.2,
      0.72,
      0.55,
      'c S',
    ) +
    path('', 0.5, 0.28, 'm', 0.5, 0.08, 'l S', 0.35, 0.08, 'm', 0.65, 0.08, 'l S'),
});

/** An icon by its name, else the usual one. */
export function drawIcon(
  named: string | undefined,
  usual: string,
  colour: readonly number[],
  rect: Box,
): string {
  const square = squareIn(rect, LARGEST);
  const drawn = (ICONS[named ?? ''] ?? ICONS[usual])?.(square) ?? '';
  const pen = `${formatNumber(Math.max(0.5, square.side / 18))} w 1 J 1 j`;
  return `0 G ${pen} ${colourOperator(colour.length > 0 ? colour : [0.75], false)} ${drawn}`;
}

/** A sheet with three lines. */
export function noteIcon(colour: readonly number[], rect: Box): string {
  const { path } = squareIn(rect, 18);
  const sheet = path(0.05, 0.05, 'm', 0.95, 0.05, 'l', 0.95, 0.95, 'l', 0.05, 0.95, 'l h B');
  const lines = [0.3, 0.5, 0.7].map((y) => path(0.2, y, 'm', 0.8, y, 'l S')).join(' ');
  return `0 G 0.7 w ${colourOperator(colour.length > 0 ? colour : [1, 1, 0.6], false)} ${sheet} ${lines}`;
}

/** Where text is to be put in: a peak between two slopes. */
export function drawCaret(colour: readonly number[], { left, bottom, right, top }: Box): string {
  const middle = (left + right) / 2;
  const at = (x: number, y: number) => `${formatNumber(x)} ${formatNumber(y)}`;
  const slopes = [
    `${at(left, bottom)} m`,
    `${at(middle, bottom)} ${at(middle, (bottom + top) / 2)} ${at(middle, top)} c`,
    `${at(middle, (bottom + top) / 2)} ${at(middle, bottom)} ${at(right, bottom)} c h f`,
  ];
  return `${colourOperator(colour.length > 0 ? colour : [0], false)} ${slopes.join(' ')}`;
}
