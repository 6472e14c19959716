// How far a figure reaches: over its own shapes, the labels around them, and further parts of the same figure; never
// over running text or a table.
import { areaOf, boxAround, holdsMiddle, isNear, sharedArea } from '../box-geometry.ts';
import type { Box } from '../model.ts';
import type { PageItems } from '../page-items.ts';
import type { PageText } from './figure-labels.ts';
import type { Shape } from './figure-shapes.ts';

/** Sides of the smallest figure, in points. */
export const SMALLEST = 24;
/** What covers more of the page is a background or a frame. */
const LARGEST = 0.75;
const MAX_ROUNDS = 4;
const MAX_JOINED = 400;
/** Legends and further pieces are so near, in points; so are lines that go on a grid. */
const LEGEND_REACH = 20;
const GRID_REACH = 60;
const PARTS_APART = 24;
/** Evidence that is enough for a figure by itself. */
export const ENOUGH_EVIDENCE = 0.2;
/** Where what speaks is less of the region, lines only lead away from it. */
const MOST_OF_REGION = 0.25;
/** Lines that part a figure from the text are so far from it, or reach so far beyond it. */
const SEPARATE = 3;
const BEYOND = 0.2;

export interface FigurePage extends PageItems {
  texts: readonly PageText[];
  tables: readonly Box[];
}

/** Where it is; without lines and boxes that only reach from it. */
export function findRegion(all: readonly Shape[], page: FigurePage): Box | undefined {
  const cluster = withoutSeparators(all);
  const whole = boxAround(cluster.map(({ box }) => box));
  const speaking = cluster.filter(
    ({ worth, kind }) => worth >= ENOUGH_EVIDENCE || (worth > 0 && kind === 'curve'),
  );
  if (speaking.length === 0) return undefined;
  const core = boxAround(speaking.map(({ box }) => box));
  const isMost = core.width > whole.width * MOST_OF_REGION && core.height > whole.height * MOST_OF_REGION;
  if (isMost && isFree(whole, page)) return whole;
  return Math.min(core.width, core.height) >= SMALLEST && isFree(core, page) ? core : undefined;
}

/** Without lines above or below it that part it from the text: unlike those of a grid, they stand alone. */
function withoutSeparators(cluster: readonly Shape[]): readonly Shape[] {
  const level = cluster.filter(({ kind, box }) => kind === 'rule' && box.width > box.height);
  const key = ({ box }: Shape): string => `${Math.round(box.x)} ${Math.round(box.width)}`;
  const alike = new Map<string, number>();
  for (const rule of level) alike.set(key(rule), (alike.get(key(rule)) ?? 0) + 1);
  const alone = new Set(level.filter((rule) => alike.get(key(rule)) === 1));
  const rest = cluster.filter((shape) => !alone.has(shape));
  if (rest.length === 0) return cluster;
  const { x, y, width, height } = boxAround(rest.map(({ box }) => box));
  const isSeparator = ({ box }: Shape): boolean => {
    const beyond = Math.max(0, x - box.x) + Math.max(0, box.x + box.width - x - width);
    const apart = Math.max(y - box.y - box.height, box.y - y - height);
    return (apart > SEPARATE && box.width > width * 0.6) || beyond > width * BEYOND;
  };
  return cluster.filter((shape) => !alone.has(shape) || !isSeparator(shape));
}

/** Hardly any running text, none that goes on outside, no table, and not the whole page. */
export function isFree(region: Box, { texts, tables, width, height }: FigurePage): boolean {
  if (areaOf(region) > width * height * LARGEST) return false;
  if (tables.some((table) => sharedArea(table, region) > areaOf(table) * 0.3)) return false;
  let [characters, running] = [0, 0];
  for (const { box, kind, characters: count } of texts) {
    if (kind === 'prose' && isCrossing(region, box)) return false;
    if (!holdsMiddle(region, box)) continue;
    characters += count;
    if (kind === 'prose') running += count;
  }
  return running <= characters * 0.3;
}

/** Whether a text stands partly in the region. */
function isCrossing(region: Box, box: Box): boolean {
  const shared = sharedArea(region, box);
  return shared > areaOf(box) * 0.1 && shared < areaOf(box) * 0.9;
}

/** With images it touches, labels around it and what stands beside it, such as a legend. */
export function growRegion(
  start: Box,
  cluster: readonly Shape[],
  rest: readonly Box[],
  page: FigurePage,
): Box {
  let region = start;
  const images = page.images
    .map(({ box }) => box)
    .filter((box) => areaOf(box) < page.width * page.height * 0.5);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const before = areaOf(region);
    const labels = page.texts.filter((text) => text.kind === 'label' && isLabelOf(region, text));
    const beside = [...rest, ...images].filter(
      (box) => isLegendOf(region, box) || isFrameOf(region, box) || isOfGrid(box, region, cluster),
    );
    for (const box of [...beside, ...labels.map((label) => label.box)].slice(0, MAX_JOINED)) {
      const next = boxAround([region, box]);
      if (isFree(next, page)) region = next;
    }
    if (areaOf(region) - before < 0.5) break;
  }
  return region;
}

/** Parts of a figure are named so. */
const PART_NAME = /^\(?[a-z\d]\)$/i;

/** Beside it within its height, or above or below it within its width. */
function isLabelOf(region: Box, { box, size, words }: PageText): boolean {
  const apart = size * (words.length === 1 && PART_NAME.test(words[0]?.text ?? '') ? 2.5 : 0.9);
  const level = box.y + box.height / 2;
  const middle = box.x + box.width / 2;
  const isBeside = level > region.y - size * 0.5 && level < region.y + region.height + size * 0.5;
  const isWithin = middle > region.x - size && middle < region.x + region.width + size;
  if (isBeside && isNear(region, box, Math.max(8, apart))) return box.width < region.width;
  return isWithin && box.width < region.width * 1.1 && isNear(region, box, apart);
}

/** Stands beside it, or above or below, and does not reach beyond it: legends, lines of a grid, further pieces. */
function isLegendOf(region: Box, box: Box): boolean {
  if (!isNear(region, box, LEGEND_REACH) || areaOf(box) > areaOf(region) * 0.6) return false;
  const isBeside = box.y > region.y - SLACK && box.y + box.height < region.y + region.height + SLACK;
  const isBelow = box.x > region.x - SLACK && box.x + box.width < region.x + region.width + SLACK;
  return isBeside || isBelow;
}

const SLACK = 5;

/** Goes around it, not far from it. */
const isFrameOf = (region: Box, box: Box): boolean =>
  sharedArea(region, box) > areaOf(region) * 0.9 && areaOf(box) < areaOf(region) * 4;

/** A line as long as others that it stands over or under, or beside. */
const isOfGrid = (box: Box, region: Box, cluster: readonly Shape[]): boolean =>
  Math.min(box.width, box.height) < 3 &&
  isNear(region, box, GRID_REACH) &&
  cluster.filter(
    ({ kind, box: other }) =>
      kind === 'rule' &&
      (box.width > box.height
        ? Math.abs(other.x - box.x) + Math.abs(other.width - box.width) < SLACK
        : Math.abs(other.y - box.y) + Math.abs(other.height - box.height) < SLACK),
  ).length > 1;

/** Parts of one figure stand near each other, with nothing between them that belongs to the text. */
export function mergeRegions(regions: readonly Box[], page: FigurePage): Box[] {
  const whole: Box[] = [];
  for (const region of regions) {
    let box = region;
    for (let i = whole.length - 1; i >= 0; i -= 1) {
      if (!areParts(whole[i] as Box, box, page)) continue;
      box = boxAround([whole[i] as Box, box]);
      whole.splice(i, 1);
      i = whole.length;
    }
    whole.push(box);
  }
  return whole;
}

function areParts(a: Box, b: Box, page: FigurePage): boolean {
  if (isNear(a, b)) return true;
  const union = boxAround([a, b]);
  if (!isNear(a, b, PARTS_APART) || !isFree(union, page)) return false;
  if (page.texts.some(({ kind, box }) => kind === 'caption' && holdsMiddle(union, box))) return false;
  const [left, right] = [Math.min(a.x + a.width, b.x + b.width), Math.max(a.x, b.x)];
  if (left >= right) return true;
  // Side by side they may be figures of two columns: text that runs across says that they are not.
  const gap = (left + right) / 2;
  return page.texts.some(({ kind, box }) => kind === 'prose' && box.x < gap && box.x + box.width > gap);
}
