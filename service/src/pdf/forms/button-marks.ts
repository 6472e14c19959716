// The marks of check boxes and radio buttons, as outlines: they need no font (ISO 32000-1, table 189, CA).
import { lookup } from '../../contract/lookup.ts';
import { formatNumber } from '../syntax/object-syntax.ts';
import { circle } from './widget-frame.ts';

/** Corners in a square from 0 to 1. */
type Shape = readonly (readonly [number, number])[];

const star: Shape = Array.from({ length: 10 }, (_, corner) => {
  const angle = Math.PI / 2 + (corner * Math.PI) / 5;
  const radius = corner % 2 === 0 ? 0.5 : 0.2;
  return [0.5 + radius * Math.cos(angle), 0.5 + radius * Math.sin(angle)] as const;
});

/** By the character that ZapfDingbats has for them. */
const SHAPES: Readonly<Record<string, Shape>> = lookup({
  '4': [
    [0.08, 0.48],
    [0.22, 0.6],
    [0.38, 0.38],
    [0.82, 0.96],
    [0.94, 0.88],
    [0.42, 0.06],
    [0.32, 0.06],
  ],
  '8': [
    [0.05, 0.16],
    [0.39, 0.5],
    [0.05, 0.84],
    [0.16, 0.95],
    [0.5, 0.61],
    [0.84, 0.95],
    [0.95, 0.84],
    [0.61, 0.5],
    [0.95, 0.16],
    [0.84, 0.05],
    [0.5, 0.39],
    [0.16, 0.05],
  ],
  u: [
    [0.5, 0.02],
    [0.02, 0.5],
    [0.5, 0.98],
    [0.98, 0.5],
  ],
  n: [
    [0.1, 0.1],
    [0.1, 0.9],
    [0.9, 0.9],
    [0.9, 0.1],
  ],
  H: star,
});

const CIRCLE = 'l';

/** Operators that fill the mark into the middle of a box, leaving `border` free. */
export function drawMark(mark: string, width: number, height: number, border: number): string {
  const room = Math.max(0, Math.min(width, height) - 2 * border);
  if (mark === CIRCLE) return `${circle(width / 2, height / 2, room / 4)} f`;
  const side = room * 0.8;
  const [left, bottom] = [(width - side) / 2, (height - side) / 2];
  const path = (SHAPES[mark] ?? SHAPES['4'] ?? []).map(
    ([x, y], at) =>
      `${formatNumber(left + x * side)} ${formatNumber(bottom + y * side)} ${at === 0 ? 'm' : 'l'}`,
  );
  return `${path.join(' ')} h f`;
}

/** Radio buttons that are marked by a circle are round themselves. */
export const isRound = (mark: string): boolean => mark === CIRCLE;
