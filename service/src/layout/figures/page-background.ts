// What is drawn behind the text of a page and belongs to no table or figure: areas of colour and lines; and as images
// what is neither, such as rounded boxes, gradients and ornaments. Writers that keep pages as they look ask for it.
import { areaOf, holdsMiddle, isNear } from '../box-geometry.ts';
import type { Box, Figure, PageBackground } from '../model.ts';
import type { PageItems, Rule } from '../page-items.ts';
import type { Word } from '../words/word.ts';
import { BackgroundRaster } from './background-raster.ts';
import { ruleBox } from './figure-shapes.ts';
import { backgroundImage, type ImageSource, isBackground } from './figures.ts';

/** More pieces than this are a figure that nobody edits. */
const MAX_AREAS = 600;
const MAX_LINES = 600;
const MAX_IMAGES = 30;
const THINNEST = 0.5;
const WHITE = '#ffffff';
/** Where more of the page than this is neither area nor line, it is one image. */
const MOST_LEFT_OVER = 0.4;
/** In square points. */
const SMALLEST = 60;

/** `objects` are tables and figures. */
export function readPageBackground(
  items: PageItems,
  page: number,
  objects: readonly Box[],
  source: ImageSource,
): PageBackground {
  const { width, height, images, words } = items;
  // A scan whose text was recognised says the same as the text.
  const isScan = words.filter((word) => word.hidden).length * 2 > words.length;
  const backgrounds = images.filter((image) => isBackground(image, items));
  const shown = isScan ? [] : backgrounds.map(({ id }) => id);
  const omitted = { text: true, images: images.map(({ id }) => id).filter((id) => !shown.includes(id)) };
  const figure = (box: Box): Figure => ({
    kind: 'figure',
    page,
    box,
    image: backgroundImage(box, page, omitted, source),
  });
  const whole = { x: 0, y: 0, width, height };
  if (shown.length > 0) return { images: [figure(whole)], areas: [], lines: [] };
  const { areas: drawn, lines } = shapesBehind(items, objects);
  if (items.fills.length + items.curves.length === 0 && !items.truncated)
    return { images: [], areas: [], lines };
  const ground = new BackgroundRaster(source.document, { number: page, width, height }, omitted);
  const areas = drawn.filter((area) => ground.shows(area));
  const ruled = lines.map(ruleBox);
  const rest = ground.leftOver(areas, [...objects, ...ruled]).filter((box) => areaOf(box) >= SMALLEST);
  const isMost = rest.reduce((sum, box) => sum + areaOf(box), 0) > width * height * MOST_LEFT_OVER;
  if (isMost || rest.length > MAX_IMAGES) return { images: [figure(whole)], areas: [], lines: [] };
  const isIn = (box: Box): boolean => rest.some((other) => isWithin(box, other));
  return {
    images: rest.map((box) => figure(clipped(box, width, height))),
    areas: areas.filter(({ box }) => !isIn(box)),
    lines: lines.filter((_, i) => !isIn(ruled[i] as Box)),
  };
}

/** With its edge, which is drawn softly. */
function clipped({ x, y, width, height }: Box, pageWidth: number, pageHeight: number): Box {
  const [left, top] = [Math.max(0, x - 2), Math.max(0, y - 2)];
  return {
    x: left,
    y: top,
    width: Math.min(pageWidth, x + width + 2) - left,
    height: Math.min(pageHeight, y + height + 2) - top,
  };
}

/** Areas and lines of no table or figure; not all of the areas need be seen. */
export function shapesBehind(
  items: PageItems,
  objects: readonly Box[],
): Pick<PageBackground, 'areas' | 'lines'> {
  const isFree = (box: Box): boolean =>
    !objects.some((object) => holdsMiddle(object, box) && isWithin(box, object));
  const coloured: Box[] = [];
  const areas = items.fills.filter(({ box, color }) => {
    if (Math.min(box.width, box.height) < THINNEST || !isFree(box)) return false;
    // White is seen only where something else is under it.
    if (color === WHITE && !coloured.some((under) => isNear(under, box))) return false;
    coloured.push(box);
    return true;
  });
  const lines = items.rules.filter(
    (rule) => rule.color !== WHITE && isFree(ruleBox(rule)) && !isUnderline(rule, items.words),
  );
  return {
    areas: areas.length > MAX_AREAS ? largest(areas) : areas,
    lines: lines.length > MAX_LINES ? [] : lines,
  };
}

const isWithin = (box: Box, object: Box): boolean =>
  box.x >= object.x - 4 &&
  box.y >= object.y - 4 &&
  box.x + box.width <= object.x + object.width + 4 &&
  box.y + box.height <= object.y + object.height + 4;

/** In their order. */
function largest(areas: readonly PageBackground['areas'][number][]): PageBackground['areas'][number][] {
  const least = areas.map(({ box }) => areaOf(box)).toSorted((a, b) => b - a)[MAX_AREAS - 1] ?? 0;
  return areas.filter(({ box }) => areaOf(box) >= least).slice(0, MAX_AREAS);
}

/** Words have their underline as a property of their own. */
const isUnderline = ({ axis, at, from, to }: Rule, words: readonly Word[]): boolean =>
  axis === 'horizontal' &&
  words.some(
    ({ style, box }) =>
      (style.underline || style.strike) &&
      at > box.y &&
      at < box.y + box.height + 2 &&
      Math.min(to, box.x + box.width) - Math.max(from, box.x) > 0,
  );
