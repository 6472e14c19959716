// A widget's box: turned as MK says, with its background and border (ISO 32000-1, 12.5.4 and 12.5.6.19).

import type { PdfDocument } from '../document.ts';
import { boxOf } from '../geometry/boxes.ts';
import type { Matrix } from '../geometry/matrix.ts';
import { type Dict, name, type PdfValue, type Ref } from '../objects.ts';
import { formatNumber } from '../syntax/object-syntax.ts';

export interface WidgetFrame {
  /** As the reader of the field sees it, before the turn. */
  width: number;
  height: number;
  matrix: Matrix;
  /** How far the border reaches inwards. */
  border: number;
  /** Operators that draw background and border; `round` for radio buttons. */
  draw(round: boolean): string;
  /** Lines between cells, where there is a border. */
  divide(cells: number): string;
}

const MAX_SIDE = 20_000;

/** Undefined where there is nothing to draw on. */
export function widgetFrame(doc: PdfDocument, widget: Ref): WidgetFrame | undefined {
  const dict = doc.dict(widget);
  const rect = dict && boxOf(doc, dict.get('Rect') ?? null);
  if (!dict || !rect) return undefined;
  const [across, up] = [rect.right - rect.left, rect.top - rect.bottom];
  if (across > MAX_SIDE || up > MAX_SIDE) return undefined;
  const look = doc.dict(dict.get('MK'));
  const turn = (((Math.round((doc.number(look?.get('R')) ?? 0) / 90) % 4) + 4) % 4) * 90;
  const lies = turn === 90 || turn === 270;
  const [width, height] = lies ? [up, across] : [across, up];
  const edge = colourOf(doc, look?.get('BC'));
  const line = borderLine(doc, dict);
  const shown = edge.length > 0 && line.width > 0;
  const raised = line.style === 'B' || line.style === 'I';
  return {
    width,
    height,
    matrix: turned(turn, across, up),
    border: shown ? line.width * (raised ? 2 : 1) : 0,
    draw(round) {
      const ground = colourOf(doc, look?.get('BG'));
      const shape = (inset: number) =>
        round ? ellipse(width, height, inset) : rectangle(width, height, inset);
      const parts: string[] = [];
      if (ground.length > 0) parts.push(`q ${colourOperator(ground, false)} ${shape(0)} f Q`);
      if (shown) parts.push(`q ${drawBorder(edge, line, width, height, round)} Q`);
      return parts.join('\n');
    },
    divide(cells) {
      if (!shown || cells < 2) return '';
      const lines = Array.from({ length: cells - 1 }, (_, index) => {
        const x = formatNumber(((index + 1) * width) / cells);
        return `${x} 0 m ${x} ${formatNumber(height)} l`;
      });
      return `q ${pen(edge, line)} ${lines.join(' ')} S Q`;
    },
  };
}

function turned(turn: number, across: number, up: number): Matrix {
  if (turn === 90) return [0, 1, -1, 0, across, 0];
  if (turn === 180) return [-1, 0, 0, -1, across, up];
  return turn === 270 ? [0, -1, 1, 0, 0, up] : [1, 0, 0, 1, 0, 0];
}

interface BorderLine {
  width: number;
  /** S solid, D dashed, B beveled, I inset, U underline. */
  style: string;
  dashes: number[];
}

function borderLine(doc: PdfDocument, widget: Dict): BorderLine {
  const style = doc.dict(widget.get('BS'));
  const old = doc.array(widget.get('Border'));
  const width = doc.number(style ? style.get('W') : old?.[2]) ?? 1;
  const dashes = (doc.array(style ? style.get('D') : old?.[3]) ?? [3]).flatMap(
    (each) => doc.number(each) ?? [],
  );
  return {
    width: Math.min(Math.max(width, 0), 100) || 0,
    style: doc.name(style?.get('S')) ?? (old && old.length > 3 ? 'D' : 'S'),
    dashes: dashes.filter((dash) => dash > 0).slice(0, 8),
  };
}

function pen(edge: number[], { width, style, dashes }: BorderLine): string {
  const plain = `${colourOperator(edge, true)} ${formatNumber(width)} w`;
  return style === 'D' && dashes.length > 0 ? `${plain} [${dashes.map(formatNumber).join(' ')}] 0 d` : plain;
}

function drawBorder(edge: number[], line: BorderLine, width: number, height: number, round: boolean): string {
  const half = line.width / 2;
  const drawing = pen(edge, line);
  if (line.style === 'U' && !round)
    return `${drawing} 0 ${formatNumber(half)} m ${formatNumber(width)} ${formatNumber(half)} l S`;
  const outline = round ? ellipse(width, height, half) : rectangle(width, height, half);
  const raised = round || (line.style !== 'B' && line.style !== 'I') ? '' : bevel(line, width, height);
  return `${raised}${drawing} ${outline} s`;
}

/** Light from the upper left: a raised box is white there and grey opposite, a sunken one dark and light. */
function bevel({ width: w, style }: BorderLine, width: number, height: number): string {
  const [upper, lower] = style === 'B' ? ['1 g', '0.75 g'] : ['0.5 g', '0.75 g'];
  const path = (points: number[][]) =>
    points
      .map(([x = 0, y = 0], at) => `${formatNumber(x)} ${formatNumber(y)} ${at === 0 ? 'm' : 'l'}`)
      .join(' ');
  const inner = [
    [2 * w, 2 * w],
    [2 * w, height - 2 * w],
    [width - 2 * w, height - 2 * w],
  ];
  const above = [[w, w], [w, height - w], [width - w, height - w], ...inner.toReversed()];
  const opposite = [
    [width - 2 * w, height - 2 * w],
    [width - 2 * w, 2 * w],
    [2 * w, 2 * w],
  ];
  const below = [[width - w, height - w], [width - w, w], [w, w], ...opposite.toReversed()];
  return `${upper} ${path(above)} f ${lower} ${path(below)} f `;
}

const rectangle = (width: number, height: number, inset: number): string =>
  `${[inset, inset, Math.max(0, width - 2 * inset), Math.max(0, height - 2 * inset)].map(formatNumber).join(' ')} re`;

/** A circle as large as the box allows, in its middle. */
function ellipse(width: number, height: number, inset: number): string {
  return circle(width / 2, height / 2, Math.max(0, Math.min(width, height) / 2 - inset));
}

/** Four curves; 0.5523 makes them follow the circle. */
export function circle(x: number, y: number, radius: number): string {
  const k = radius * 0.5523;
  const at = (dx: number, dy: number) => `${formatNumber(x + dx)} ${formatNumber(y + dy)}`;
  return [
    `${at(radius, 0)} m`,
    `${at(radius, k)} ${at(k, radius)} ${at(0, radius)} c`,
    `${at(-k, radius)} ${at(-radius, k)} ${at(-radius, 0)} c`,
    `${at(-radius, -k)} ${at(-k, -radius)} ${at(0, -radius)} c`,
    `${at(k, -radius)} ${at(radius, -k)} ${at(radius, 0)} c h`,
  ].join(' ');
}

/** One, three or four parts; empty: transparent. */
export function colourOf(doc: PdfDocument, value: PdfValue | undefined): number[] {
  const parts = (doc.array(value) ?? []).map((part) => doc.number(part) ?? Number.NaN);
  return [1, 3, 4].includes(parts.length) && parts.every(Number.isFinite) ? parts : [];
}

export function colourOperator(colour: readonly number[], stroke: boolean): string {
  const operator = colour.length === 1 ? 'g' : colour.length === 3 ? 'rg' : 'k';
  return `${colour.map(formatNumber).join(' ')} ${stroke ? operator.toUpperCase() : operator}`;
}

/** The dictionary of an appearance stream for a widget. */
export const appearanceEntries = ({ width, height, matrix }: WidgetFrame): Record<string, PdfValue> => ({
  Type: name('XObject'),
  Subtype: name('Form'),
  BBox: [0, 0, width, height],
  Matrix: [...matrix],
});
