// Looks for annotations that bring none: markup of text, shapes, ink, typed text (ISO 32000-1, 12.5.6).

import { addForm } from '../content/drawable.ts';
import type { PdfDocument } from '../document.ts';
import { readDefaultAppearance } from '../forms/default-appearance.ts';
import { fontChoices } from '../forms/field-fonts.ts';
import { drawParagraphs } from '../forms/field-text.ts';
import { type LayOut, typesetterFor } from '../forms/field-typesetting.ts';
import { colourOf, colourOperator } from '../forms/widget-frame.ts';
import { Dict, name, PdfString, type PdfValue, type Ref } from '../objects.ts';
import { type Box, boxArray, boxOf } from '../pages/boxes.ts';
import { formatNumber } from '../syntax.ts';
import type { EmbeddedFonts } from '../text/font-embedding.ts';

export interface TextTools {
  fonts: EmbeddedFonts;
  layOut: LayOut;
}

interface Drawing {
  operators: string;
  fonts?: Dict;
  /** Highlighting lets what is below shine through. */
  multiply?: boolean;
}

type Numbers = readonly number[];
type Draw = (doc: PdfDocument, annotation: Dict, rect: Box) => Drawing | undefined;

/** Points beyond these are not read. */
const MAX_NUMBERS = 100_000;

const DRAWN: Readonly<Record<string, Draw>> = {
  Highlight: (doc, annotation) => markup(doc, annotation, highlight, true),
  Underline: (doc, annotation) => markup(doc, annotation, (quad) => across(quad, 0.08)),
  StrikeOut: (doc, annotation) => markup(doc, annotation, (quad) => across(quad, 0.45)),
  Squiggly: (doc, annotation) => markup(doc, annotation, squiggle),
  Square: (doc, annotation, rect) => shape(doc, annotation, rectanglePath(inner(doc, annotation, rect))),
  Circle: (doc, annotation, rect) => shape(doc, annotation, ellipsePath(inner(doc, annotation, rect))),
  Line: (doc, annotation) => shape(doc, annotation, path(numbersOf(doc, annotation.get('L'))), false),
  PolyLine: (doc, annotation) =>
    shape(doc, annotation, path(numbersOf(doc, annotation.get('Vertices'))), false),
  Polygon: (doc, annotation) =>
    shape(doc, annotation, `${path(numbersOf(doc, annotation.get('Vertices')))} h`),
  Ink: (doc, annotation) => {
    const strokes = (doc.array(annotation.get('InkList')) ?? []).slice(0, 10_000);
    const drawn = strokes.map((stroke) => path(numbersOf(doc, stroke))).join(' ');
    return shape(doc, annotation, `1 J 1 j ${drawn}`, false);
  },
  Text: (doc, annotation, rect) => noteIcon(colourOf(doc, annotation.get('C')), rect),
};

/** Gives the annotation a normal appearance where its kind can be drawn; false where it cannot. */
export function giveAppearance(
  doc: PdfDocument,
  annotation: Dict,
  ref: Ref | undefined,
  tools: TextTools,
): boolean {
  const rect = boxOf(doc, annotation.get('Rect') ?? null);
  const subtype = doc.name(annotation.get('Subtype')) ?? '';
  if (!rect) return false;
  const drawing =
    subtype === 'FreeText'
      ? typedText(doc, annotation, rect, ref, tools)
      : DRAWN[subtype]?.(doc, annotation, rect);
  if (!drawing) return false;
  const opacity = doc.number(annotation.get('CA')) ?? 1;
  const state = Dict.of({
    Type: name('ExtGState'),
    ca: opacity,
    CA: opacity,
    BM: drawing.multiply ? name('Multiply') : undefined,
  });
  const resources = { ExtGState: Dict.of({ See: state }), ...(drawing.fonts ? { Font: drawing.fonts } : {}) };
  const form = addForm(doc, boxArray(rect), `/See gs ${drawing.operators}`, resources);
  annotation.set('AP', Dict.of({ N: form }));
  return true;
}

function numbersOf(doc: PdfDocument, value: PdfValue | undefined): number[] {
  const numbers = (doc.array(value) ?? []).slice(0, MAX_NUMBERS).map((each) => doc.number(each) ?? 0);
  return numbers.slice(0, numbers.length & ~1);
}

const path = (numbers: Numbers): string =>
  numbers
    .map((number, at) =>
      at % 2 === 0 ? formatNumber(number) : `${formatNumber(number)} ${at === 1 ? 'm' : 'l'}`,
    )
    .join(' ');

/** One drawing for each quadrilateral of text. */
function markup(
  doc: PdfDocument,
  annotation: Dict,
  drawQuad: (quad: Numbers) => string,
  fill = false,
): Drawing | undefined {
  const numbers = numbersOf(doc, annotation.get('QuadPoints'));
  const quads = Array.from({ length: Math.floor(numbers.length / 8) }, (_, index) =>
    numbers.slice(8 * index, 8 * index + 8),
  );
  if (quads.length === 0) return undefined;
  const own = colourOf(doc, annotation.get('C'));
  const colour = own.length > 0 ? own : fill ? [1, 1, 0] : [0];
  return { operators: [colourOperator(colour, !fill), ...quads.map(drawQuad)].join('\n'), multiply: fill };
}

/** Corners stand as upper left, upper right, lower left, lower right in practice. */
function highlight([x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0, x4 = 0, y4 = 0]: Numbers): string {
  return `${path([x1, y1, x2, y2, x4, y4, x3, y3])} h f`;
}

/** A line through the quadrilateral, at a part of its height. */
function across(quad: Numbers, height: number): string {
  const { from, to, tall } = levelLine(quad, height);
  return `${formatNumber(Math.max(0.5, tall / 16))} w ${path([...from, ...to])} S`;
}

function squiggle(quad: Numbers): string {
  const { from, to, tall } = levelLine(quad, 0.04);
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy) || 1;
  const step = Math.max(1, tall / 8, length / 2000);
  const points: number[] = [];
  for (let at = 0, up = 0; at <= length; at += step, up = up === 0 ? step : 0)
    points.push(from[0] + (dx * at - dy * up) / length, from[1] + (dy * at + dx * up) / length);
  return `${formatNumber(Math.max(0.4, tall / 20))} w ${path(points)} S`;
}

interface LevelLine {
  from: [number, number];
  to: [number, number];
  /** How tall the text is. */
  tall: number;
}

function levelLine(
  [x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0, x4 = 0, y4 = 0]: Numbers,
  height: number,
): LevelLine {
  const between = (low: number, high: number) => low + (high - low) * height;
  return {
    from: [between(x3, x1), between(y3, y1)],
    to: [between(x4, x2), between(y4, y2)],
    tall: Math.hypot(x1 - x3, y1 - y3),
  };
}

function borderWidth(doc: PdfDocument, annotation: Dict): number {
  const style = doc.dict(annotation.get('BS'));
  const width = doc.number(style ? style.get('W') : doc.array(annotation.get('Border'))?.[2]) ?? 1;
  return Math.min(Math.max(width, 0), 1000) || 0;
}

/** A path with the annotation's border, filled with its inner colour where it has an inside. */
function shape(doc: PdfDocument, annotation: Dict, drawn: string, hasInside = true): Drawing | undefined {
  const width = borderWidth(doc, annotation);
  const inside = hasInside ? colourOf(doc, annotation.get('IC')) : [];
  const edge = colourOf(doc, annotation.get('C'));
  const line = edge.length > 0 ? edge : inside.length > 0 ? [] : [0];
  const stroked = width > 0 && line.length > 0;
  if (!/[ml]\b|re\b/.test(drawn) || (!stroked && inside.length === 0)) return undefined;
  const paint = stroked && inside.length > 0 ? 'B' : stroked ? 'S' : 'f';
  const dashes = numbersOfAny(doc, doc.dict(annotation.get('BS')));
  const colours = [
    ...(stroked ? [colourOperator(line, true), `${formatNumber(width)} w`] : []),
    ...(inside.length > 0 ? [colourOperator(inside, false)] : []),
    ...(dashes.length > 0 ? [`[${dashes.map(formatNumber).join(' ')}] 0 d`] : []),
  ];
  return { operators: `${colours.join(' ')} ${drawn} ${paint}` };
}

function numbersOfAny(doc: PdfDocument, style: Dict | undefined): number[] {
  if (doc.name(style?.get('S')) !== 'D') return [];
  const dashes = (doc.array(style?.get('D')) ?? [3]).map((each) => doc.number(each) ?? 0);
  return dashes.filter((dash) => dash > 0).slice(0, 8);
}

/** RD: how far the shape stays away from the edges of Rect; and half the border. */
function inner(doc: PdfDocument, annotation: Dict, rect: Box): Box {
  const [left = 0, bottom = 0, right = 0, top = 0] = numbersOf(doc, annotation.get('RD'));
  const half = borderWidth(doc, annotation) / 2;
  return {
    left: rect.left + left + half,
    bottom: rect.bottom + bottom + half,
    right: Math.max(rect.left, rect.right - right - half),
    top: Math.max(rect.bottom, rect.top - top - half),
  };
}

const rectanglePath = ({ left, bottom, right, top }: Box): string =>
  `${[left, bottom, right - left, top - bottom].map(formatNumber).join(' ')} re`;

function ellipsePath({ left, bottom, right, top }: Box): string {
  const [x, y, rx, ry] = [(left + right) / 2, (bottom + top) / 2, (right - left) / 2, (top - bottom) / 2];
  const k = 0.5523;
  const at = (dx: number, dy: number) => `${formatNumber(x + dx * rx)} ${formatNumber(y + dy * ry)}`;
  return [
    `${at(1, 0)} m`,
    `${at(1, k)} ${at(k, 1)} ${at(0, 1)} c`,
    `${at(-k, 1)} ${at(-1, k)} ${at(-1, 0)} c`,
    `${at(-1, -k)} ${at(-k, -1)} ${at(0, -1)} c`,
    `${at(k, -1)} ${at(1, -k)} ${at(1, 0)} c h`,
  ].join(' ');
}

/** A sheet with three lines, in the upper left corner. */
function noteIcon(colour: Numbers, { left, top, right, bottom }: Box): Drawing {
  const side = Math.min(18, right - left, top - bottom);
  const at = (x: number, y: number) => [left + x * side, top - side + y * side];
  const lines = [0.3, 0.5, 0.7].map((y) => `${path([...at(0.2, y), ...at(0.8, y)])} S`).join(' ');
  const [x = 0, y = 0] = at(0.05, 0.05);
  const sheet = `${[x, y, side * 0.9, side * 0.9].map(formatNumber).join(' ')} re B`;
  return {
    operators: `0 G 0.7 w ${colourOperator(colour.length > 0 ? colour : [1, 1, 0.6], false)} ${sheet} ${lines}`,
  };
}

function typedText(
  doc: PdfDocument,
  annotation: Dict,
  rect: Box,
  ref: Ref | undefined,
  { fonts, layOut }: TextTools,
): Drawing | undefined {
  const text = (doc.text(annotation.get('Contents')) ?? '').replace(/\r\n?/g, '\n');
  const held = doc.resolve(annotation.get('DA'));
  const look = held instanceof PdfString ? readDefaultAppearance(held) : undefined;
  const width = rect.right - rect.left;
  const height = rect.top - rect.bottom;
  const border = borderWidth(doc, annotation);
  const used = new Dict();
  const choices = fontChoices(doc, look?.font ?? 'Helv', ref);
  const set = typesetterFor(text, choices, used, { fonts, layOut, field: 'An annotation' });
  const style = { size: look?.size || 12, quadding: doc.number(annotation.get('Q')) ?? 0 };
  const drawn =
    text.trim() === '' ? '' : drawParagraphs(set, text, { width, height, padding: border + 2 }, style);
  const ground = colourOf(doc, annotation.get('C'));
  const box = rectanglePath({
    left: border / 2,
    bottom: border / 2,
    right: width - border / 2,
    top: height - border / 2,
  });
  const frame = ground.length > 0 ? `${colourOperator(ground, false)} ${box} f ` : '';
  const edge = border > 0 ? `0 G ${formatNumber(border)} w ${box} S ` : '';
  const place = `1 0 0 1 ${formatNumber(rect.left)} ${formatNumber(rect.bottom)} cm`;
  return { operators: `q ${place} ${frame}${edge}${look?.colour || '0 g'}\n${drawn}\nQ`, fonts: used };
}
