// Looks for annotations that bring none: markup of text, shapes, ink, typed text, signs (ISO 32000-1, 12.5.6).

import { lookup } from '../../contract/lookup.ts';
import { addForm } from '../content/drawable.ts';
import type { PdfDocument } from '../document.ts';
import { readDefaultAppearance } from '../forms/default-appearance.ts';
import { fontChoices } from '../forms/field-fonts.ts';
import { drawParagraphs } from '../forms/field-text.ts';
import { type LayOut, typesetterFor } from '../forms/field-typesetting.ts';
import { colourOf, colourOperator } from '../forms/widget-frame.ts';
import { type Box, boxArray, boxOf } from '../geometry/boxes.ts';
import { Dict, name, PdfString, type Ref } from '../objects.ts';
import { formatNumber } from '../syntax/object-syntax.ts';
import type { EmbeddedFonts } from '../text/font-embedding.ts';
import { type Drawing, type Numbers, numbersOf, path } from './annotation-drawing.ts';
import { drawCaret, drawIcon, noteIcon } from './annotation-icons.ts';
import { lineEndings, reachOfLine } from './line-endings.ts';
import { across, highlight, markup, squiggle } from './text-markup.ts';

export interface TextTools {
  fonts: EmbeddedFonts;
  layOut: LayOut;
}

type Draw = (doc: PdfDocument, annotation: Dict, rect: Box) => Drawing | undefined;

const DRAWN: Readonly<Record<string, Draw>> = lookup({
  Highlight: (doc, annotation) => markup(doc, annotation, highlight, true),
  Underline: (doc, annotation) => markup(doc, annotation, (quad) => across(quad, 0.08)),
  StrikeOut: (doc, annotation) => markup(doc, annotation, (quad) => across(quad, 0.45)),
  Squiggly: (doc, annotation) => markup(doc, annotation, squiggle),
  Square: (doc, annotation, rect) => shape(doc, annotation, rectanglePath(inner(doc, annotation, rect))),
  Circle: (doc, annotation, rect) => shape(doc, annotation, ellipsePath(inner(doc, annotation, rect))),
  Line: (doc, annotation, rect) => line(doc, annotation, numbersOf(doc, annotation.get('L')), rect),
  PolyLine: (doc, annotation, rect) =>
    line(doc, annotation, numbersOf(doc, annotation.get('Vertices')), rect),
  Polygon: (doc, annotation) =>
    shape(doc, annotation, `${path(numbersOf(doc, annotation.get('Vertices')))} h`),
  Ink: (doc, annotation) => {
    const strokes = (doc.array(annotation.get('InkList')) ?? []).slice(0, 10_000);
    const drawn = strokes.map((stroke) => path(numbersOf(doc, stroke))).join(' ');
    return shape(doc, annotation, `1 J 1 j ${drawn}`, false);
  },
  Text: (doc, annotation, rect) => ({ operators: noteIcon(colourOf(doc, annotation.get('C')), rect) }),
  Caret: (doc, annotation, rect) => ({
    operators: drawCaret(colourOf(doc, annotation.get('C')), withoutMargins(doc, annotation, rect)),
  }),
  FileAttachment: (doc, annotation, rect) => sign(doc, annotation, 'PushPin', rect),
  Sound: (doc, annotation, rect) => sign(doc, annotation, 'Speaker', rect),
});

const sign = (doc: PdfDocument, annotation: Dict, usual: string, rect: Box): Drawing => ({
  operators: drawIcon(doc.name(annotation.get('Name')), usual, colourOf(doc, annotation.get('C')), rect),
});

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
  const place = boxArray(drawing.reach ?? rect);
  const form = addForm(doc, place, `/See gs ${drawing.operators}`, resources);
  annotation.set('AP', Dict.of({ N: form }));
  if (drawing.reach) annotation.set('Rect', place);
  return true;
}

function borderWidth(doc: PdfDocument, annotation: Dict): number {
  const style = doc.dict(annotation.get('BS'));
  const width = doc.number(style ? style.get('W') : doc.array(annotation.get('Border'))?.[2]) ?? 1;
  return Math.min(Math.max(width, 0), 1000) || 0;
}

/** With what stands at its ends. */
function line(doc: PdfDocument, annotation: Dict, points: Numbers, rect: Box): Drawing | undefined {
  const drawn = shape(doc, annotation, path(points), false);
  if (!drawn) return undefined;
  const pen = { width: borderWidth(doc, annotation), inside: colourOf(doc, annotation.get('IC')) };
  const styles = (doc.array(annotation.get('LE')) ?? []).map((style) => doc.name(style));
  const endings = lineEndings(styles, points, pen);
  return endings === ''
    ? drawn
    : { operators: `${drawn.operators} ${endings}`, reach: reachOfLine(points, pen.width, rect) };
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

/** RD: how far the shape stays away from the edges of Rect. */
function withoutMargins(doc: PdfDocument, annotation: Dict, rect: Box, besides = 0): Box {
  const [left = 0, bottom = 0, right = 0, top = 0] = numbersOf(doc, annotation.get('RD'));
  return {
    left: rect.left + left + besides,
    bottom: rect.bottom + bottom + besides,
    right: Math.max(rect.left, rect.right - right - besides),
    top: Math.max(rect.bottom, rect.top - top - besides),
  };
}

/** And half the border. */
const inner = (doc: PdfDocument, annotation: Dict, rect: Box): Box =>
  withoutMargins(doc, annotation, rect, borderWidth(doc, annotation) / 2);

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

function typedText(
  doc: PdfDocument,
  annotation: Dict,
  whole: Box,
  ref: Ref | undefined,
  { fonts, layOut }: TextTools,
): Drawing | undefined {
  const rect = withoutMargins(doc, annotation, whole);
  const text = (doc.text(annotation.get('Contents')) ?? '').replace(/\r\n?/g, '\n');
  const held = doc.resolve(annotation.get('DA'));
  const look = held instanceof PdfString ? readDefaultAppearance(held) : undefined;
  const width = rect.right - rect.left;
  const height = rect.top - rect.bottom;
  const border = borderWidth(doc, annotation);
  const used = new Dict();
  const choices = fontChoices(doc, look?.font ?? 'Helv', ref);
  const set = typesetterFor(text, choices, used, { fonts, layOut, field: 'An annotation' });
  const setting = { size: look?.size || 12, quadding: doc.number(annotation.get('Q')) ?? 0 };
  const drawn =
    text.trim() === '' ? '' : drawParagraphs(set, text, { width, height, padding: border + 2 }, setting);
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
  const typed = `q ${place} ${frame}${edge}${look?.colour || '0 g'}\n${drawn}\nQ`;
  const callout = numbersOf(doc, annotation.get('CL'));
  if (callout.length < 4) return { operators: typed, fonts: used };
  const style = [doc.name(annotation.get('LE'))];
  const ending = lineEndings(style, callout, { width: border, inside: ground });
  const pointer = `q 0 G ${formatNumber(border)} w ${path(callout)} S ${ending} Q`;
  return {
    operators: `${pointer}\n${typed}`,
    fonts: used,
    reach: reachOfLine(callout, border, whole),
  };
}
