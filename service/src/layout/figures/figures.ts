// Pictures that are part of the text: not backgrounds, not ornaments; pieces that touch are one. And drawings, with
// the labels on them.
import type { DrawnDocument, LeftOut } from '../../contract/page-items.ts';
import { boxAround, isNear } from '../box-geometry.ts';
import { lineText } from '../lines/line-text.ts';
import { rowsOf } from '../lines/reading-order.ts';
import { readLines } from '../lines/text-lines.ts';
import { framesOf } from '../lines/upright-frames.ts';
import type { Box, Figure, Picture } from '../model.ts';
import type { DrawnPicture, PageMarks } from '../page-items.ts';
import type { Word } from '../words/word.ts';
import type { Drawing } from './vector-figures.ts';

/** Turns pixels into a file; four bytes a pixel. */
export type Encode = (pixels: { width: number; height: number; rgba: Uint8Array }) => Promise<Uint8Array>;

/** Where pictures come from, asked only when a writer wants one. */
export interface PictureSource {
  document: Pick<DrawnDocument, 'jpeg' | 'area'>;
  encodePng: Encode;
}

/** Smaller ones are ornaments, in points. */
const SMALLEST = 14;
const SMALLEST_AREA = 500;
/** What covers more of the page lies behind it. */
const BACKGROUND = 0.75;
/** Words on a page that make a picture behind them a background. */
const FEW_WORDS = 5;
const MAX_SCALE = 300 / 72;
const MIN_SCALE = 1;
const MAX_PIXELS = 20_000_000;
/** Drawings have no size of their own: fine enough for letters on paper, in pixels a point. */
const DRAWING_SCALE = 180 / 72;
const MAX_DRAWING_PIXELS = 8_000_000;
const TOUCHING = 1.5;

/** What drawings use is left out of `marks`; `leftOut` of what is drawn. */
export function figuresOf(
  marks: PageMarks,
  page: number,
  source: PictureSource | undefined,
  leftOut?: LeftOut,
): Figure[] {
  const { pictures } = marks;
  const groups: { box: Box; pictures: DrawnPicture[] }[] = [];
  for (const picture of pictures) {
    if (isBackground(picture, marks)) continue;
    const touching = groups.filter(({ box }) => isNear(box, picture.box, TOUCHING));
    const group = {
      box: boxAround([picture.box, ...touching.map(({ box }) => box)]),
      pictures: [picture, ...touching.flatMap((other) => other.pictures)],
    };
    for (const other of touching) groups.splice(groups.indexOf(other), 1);
    groups.push(group);
    if (groups.length > MAX_FIGURES) break;
  }
  return groups
    .filter(
      ({ box }) => box.width >= SMALLEST && box.height >= SMALLEST && box.width * box.height >= SMALLEST_AREA,
    )
    .map(({ box, pictures: parts }) => ({
      kind: 'figure',
      page,
      box,
      picture: pictureOf(box, parts, page, source, leftOut),
    }));
}

const MAX_FIGURES = 500;

export const isBackground = ({ box }: DrawnPicture, { width, height, words }: PageMarks): boolean =>
  box.width * box.height > width * height * BACKGROUND && words.length > FEW_WORDS;

/** What is seen in a place without what is left out there. */
export const groundPicture = (box: Box, page: number, leftOut: LeftOut, source: PictureSource): Picture =>
  areaPicture(box, drawingScale(box), page, source, leftOut);

export function drawnFigure(
  { box, words, pictures }: Drawing,
  page: number,
  source: PictureSource | undefined,
): Figure {
  const scale = drawingScale(box, pictures.length > 0 ? scaleFor(box, pictures) : 0);
  const labels = labelsOf(words);
  return {
    kind: 'figure',
    page,
    box,
    picture: areaPicture(box, scale, page, source),
    ...(labels.length > 0 ? { labels } : {}),
    ...(isReadable(labels) ? { alternative: labels.join(' ').slice(0, LONGEST_ALTERNATIVE) } : {}),
  };
}

const drawingScale = (box: Box, finest = 0): number =>
  Math.min(
    Math.max(DRAWING_SCALE, finest),
    Math.sqrt(MAX_DRAWING_PIXELS / Math.max(1, box.width * box.height)),
  );

const LONGEST_ALTERNATIVE = 4000;

/** Fonts that do not say what their glyphs mean give signs instead of letters. */
function isReadable(labels: readonly string[]): boolean {
  const text = labels.join('').replace(/\s/g, '');
  return (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) > text.length * 0.6;
}

/** Row by row; turned ones behind. */
function labelsOf(words: readonly Word[]): string[] {
  const frames = framesOf({ words: [...words], width: 0, height: 0 });
  return frames.flatMap((frame) => rowsOf(readLines(frame.words)).flatMap((row) => row.map(lineText)));
}

function pictureOf(
  box: Box,
  parts: readonly DrawnPicture[],
  page: number,
  source: PictureSource | undefined,
  leftOut: LeftOut | undefined,
): Picture {
  const [only] = parts;
  if (only && parts.length === 1 && only.upright && only.isJpeg)
    return {
      format: 'jpeg',
      width: only.pixelWidth,
      height: only.pixelHeight,
      bytes: async () => source?.document.jpeg(page - 1, only.id) ?? new Uint8Array(),
    };
  return areaPicture(box, scaleFor(box, parts), page, source, leftOut);
}

/** A part of the page as it is seen, drawn when it is asked for. */
function areaPicture(
  box: Box,
  scale: number,
  page: number,
  source: PictureSource | undefined,
  leftOut?: LeftOut,
): Picture {
  return {
    format: 'png',
    width: Math.max(1, Math.round(box.width * scale)),
    height: Math.max(1, Math.round(box.height * scale)),
    async bytes() {
      if (!source) return new Uint8Array();
      return source.encodePng(source.document.area(page - 1, box, scale, leftOut));
    },
  };
}

/** As fine as the finest of its pictures, within bounds. */
function scaleFor(box: Box, parts: readonly DrawnPicture[]): number {
  const finest = Math.max(
    ...parts.map(({ pixelWidth, box: { width } }) => (width > 0 ? pixelWidth / width : 0)),
  );
  const scale = Math.min(MAX_SCALE, Math.max(MIN_SCALE, finest));
  return Math.min(scale, Math.sqrt(MAX_PIXELS / Math.max(1, box.width * box.height)));
}
