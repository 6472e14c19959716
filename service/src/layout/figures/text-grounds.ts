// The colours that text stands on: bars, boxes, shaded paragraphs. For writers whose text moves and takes its ground
// along.
import { areaOf, holdsMiddle } from '../box-geometry.ts';
import type { Box, PageBackground } from '../model.ts';
import type { PageItems } from '../page-items.ts';
import type { Word } from '../words/word.ts';
import { BackgroundRaster } from './background-raster.ts';
import { type ImageSource, isBackground } from './figures.ts';
import { shapesBehind } from './page-background.ts';

/** Above this, in each of red, green and blue, letters are not seen on white. */
const PALE = 0xc0;
/** More pale words than this say no more than these. */
const MOST_WORDS = 2000;

export const isPale = (color: string): boolean =>
  [1, 3, 5].every((at) => Number.parseInt(color.slice(at, at + 2), 16) >= PALE);

/** `objects` are tables and figures. No images: what is no area of one colour is told where pale words stand on it. */
export function readTextGrounds(
  items: PageItems,
  page: number,
  objects: readonly Box[],
  source: ImageSource,
): PageBackground {
  const { width, height, words, images } = items;
  const { areas: drawn, lines } = shapesBehind(items, objects);
  const pale = words.filter((word) => !word.hidden && isPale(word.style.color)).slice(0, MOST_WORDS);
  if (drawn.length + pale.length === 0) return { images: [], areas: [], lines };
  const shown = images.filter((image) => isBackground(image, items));
  const omitted = {
    text: true,
    images: images.filter((image) => !shown.includes(image)).map(({ id }) => id),
  };
  const ground = new BackgroundRaster(source.document, { number: page, width, height }, omitted);
  const areas = drawn.filter((area) => ground.shows(area));
  return { images: [], areas: [...areas, ...pale.flatMap((word) => underWord(word, areas, ground))], lines };
}

/** As far as the words beside it. */
function underWord(
  { box, style }: Word,
  areas: PageBackground['areas'],
  ground: BackgroundRaster,
): PageBackground['areas'] {
  if (areas.some((area) => holdsMiddle(area.box, box) && areaOf(area.box) > areaOf(box))) return [];
  const color = ground.colorAt(box);
  if (color === undefined || isPale(color)) return [];
  return [{ box: { ...box, x: box.x - style.size / 4, width: box.width + style.size / 2 }, color }];
}
