// Images that are part of the text: not backgrounds, not ornaments; pieces that touch are one. And vector figures, with
// the labels on them.
import type { DrawnDocument, OmittedItems } from '../../contract/page-items.ts';
import type { Raster } from '../../contract/raster.ts';
import { boxAround, isNear } from '../box-geometry.ts';
import { lineText } from '../lines/line-text.ts';
import { groupRows } from '../lines/rows.ts';
import { readLines } from '../lines/text-lines.ts';
import { turnUpright } from '../lines/upright-frames.ts';
import type { Box, Figure, Image } from '../model.ts';
import type { DrawnImage, PageItems } from '../page-items.ts';
import type { Word } from '../words/word.ts';
import type { VectorFigure } from './vector-figures.ts';

/** Turns pixels into a file; four bytes a pixel. */
export type Encode = (pixels: Raster) => Promise<Uint8Array>;

/** Where images come from, asked only when a writer wants one. */
export interface ImageSource {
  document: Pick<DrawnDocument, 'jpeg' | 'renderArea'>;
  encodePng: Encode;
  /** Whether their files will be wanted at all: else nobody looks which of them are files already. */
  isWanted: boolean;
}

/** Smaller ones are ornaments, in points. */
const SMALLEST = 14;
const SMALLEST_AREA = 500;
/** What covers more of the page lies behind it. */
const BACKGROUND = 0.75;
/** Words on a page that make an image behind them a background. */
const FEW_WORDS = 5;
const MAX_SCALE = 300 / 72;
const MIN_SCALE = 1;
const MAX_PIXELS = 20_000_000;
/** Figures have no size of their own: fine enough for letters on paper, in pixels a point. */
const FIGURE_SCALE = 180 / 72;
const MAX_DRAWING_PIXELS = 8_000_000;
const TOUCHING = 1.5;

/** What vector figures use is not in `items`; `omitted` is not in the image either. */
export function findFigures(
  items: PageItems,
  page: number,
  source: ImageSource | undefined,
  omitted?: OmittedItems,
): Figure[] {
  const { images } = items;
  const groups: { box: Box; images: DrawnImage[] }[] = [];
  for (const image of images) {
    if (isBackground(image, items)) continue;
    const touching = groups.filter(({ box }) => isNear(box, image.box, TOUCHING));
    const group = {
      box: boxAround([image.box, ...touching.map(({ box }) => box)]),
      images: [image, ...touching.flatMap((other) => other.images)],
    };
    for (const other of touching) groups.splice(groups.indexOf(other), 1);
    groups.push(group);
    if (groups.length > MAX_FIGURES) break;
  }
  return groups
    .filter(
      ({ box }) => box.width >= SMALLEST && box.height >= SMALLEST && box.width * box.height >= SMALLEST_AREA,
    )
    .map(({ box, images: parts }) => ({
      kind: 'figure',
      page,
      box,
      image: imageOf(box, parts, page, source, omitted),
    }));
}

const MAX_FIGURES = 500;

export const isBackground = ({ box }: DrawnImage, { width, height, words }: PageItems): boolean =>
  box.width * box.height > width * height * BACKGROUND && words.length > FEW_WORDS;

/** What is seen in a place without what is left out there. */
export const backgroundImage = (box: Box, page: number, omitted: OmittedItems, source: ImageSource): Image =>
  areaImage(box, figureScale(box), page, source, omitted);

/** A part of the page as it is seen. */
export const areaFigureImage = (box: Box, page: number, source: ImageSource): Image =>
  areaImage(box, figureScale(box), page, source);

export function renderFigure(
  { box, words, images }: VectorFigure,
  page: number,
  source: ImageSource | undefined,
): Figure {
  const scale = figureScale(box, images.length > 0 ? scaleFor(box, images) : 0);
  const labels = labelsOf(words);
  return {
    kind: 'figure',
    page,
    box,
    image: areaImage(box, scale, page, source),
    ...(labels.length > 0 ? { labels } : {}),
    ...(isReadable(labels) ? { alternative: labels.join(' ').slice(0, LONGEST_ALTERNATIVE) } : {}),
  };
}

const figureScale = (box: Box, finest = 0): number =>
  Math.min(
    Math.max(FIGURE_SCALE, finest),
    Math.sqrt(MAX_DRAWING_PIXELS / Math.max(1, box.width * box.height)),
  );

const LONGEST_ALTERNATIVE = 4000;

/** Fonts that do not say what their glyphs mean give symbols instead of letters. */
function isReadable(labels: readonly string[]): boolean {
  const text = labels.join('').replace(/\s/g, '');
  return (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) > text.length * 0.6;
}

/** Row by row; turned ones behind. */
function labelsOf(words: readonly Word[]): string[] {
  const frames = turnUpright({ words: [...words], width: 0, height: 0 });
  return frames.flatMap((frame) => groupRows(readLines(frame.words)).flatMap((row) => row.map(lineText)));
}

function imageOf(
  box: Box,
  parts: readonly DrawnImage[],
  page: number,
  source: ImageSource | undefined,
  omitted: OmittedItems | undefined,
): Image {
  const [only] = parts;
  if (source?.isWanted && only && parts.length === 1 && only.upright && only.isJpeg())
    return {
      format: 'jpeg',
      width: only.pixelWidth,
      height: only.pixelHeight,
      bytes: async () => source.document.jpeg(page - 1, only.id) ?? new Uint8Array(),
    };
  return areaImage(box, scaleFor(box, parts), page, source, omitted);
}

/** A part of the page as it is seen, drawn when it is asked for. */
function areaImage(
  box: Box,
  scale: number,
  page: number,
  source: ImageSource | undefined,
  omitted?: OmittedItems,
): Image {
  return {
    format: 'png',
    width: Math.max(1, Math.round(box.width * scale)),
    height: Math.max(1, Math.round(box.height * scale)),
    async bytes() {
      if (!source) return new Uint8Array();
      return source.encodePng(source.document.renderArea(page - 1, box, scale, omitted));
    },
  };
}

/** As fine as the finest of its images, within bounds. */
function scaleFor(box: Box, parts: readonly DrawnImage[]): number {
  const finest = Math.max(
    ...parts.map(({ pixelWidth, box: { width } }) => (width > 0 ? pixelWidth / width : 0)),
  );
  const scale = Math.min(MAX_SCALE, Math.max(MIN_SCALE, finest));
  return Math.min(scale, Math.sqrt(MAX_PIXELS / Math.max(1, box.width * box.height)));
}
