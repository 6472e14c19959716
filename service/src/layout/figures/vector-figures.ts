// Charts and diagrams: what is drawn with lines, areas and curves near each other is one figure, together with the
// labels on it and around it. Boxes behind text, tables, rules and backgrounds are none.
//
//   for (const { box, words, images } of findVectorFigures(items, tableAreas)) ...
//
// `words` are the words it used up, the same objects as in `items.words`.
import { areaOf, boxAround, holdsMiddle } from '../box-geometry.ts';
import type { Box } from '../model.ts';
import type { DrawnImage, PageItems } from '../page-items.ts';
import type { Word } from '../words/word.ts';
import { clusterBoxes } from './box-clusters.ts';
import { groupTexts, type PageText } from './figure-labels.ts';
import {
  ENOUGH_EVIDENCE,
  type FigurePage,
  findRegion,
  growRegion,
  isFree,
  mergeRegions,
  SMALLEST,
} from './figure-regions.ts';
import { findShapes, type Shape } from './figure-shapes.ts';

export interface VectorFigure {
  box: Box;
  /** Labels, in the order of the page's content. */
  words: Word[];
  images: DrawnImage[];
}

/** Fewer pieces than this cannot be a figure. */
const LEAST_SHAPES = 2;
/** What must speak for a figure, all together; what speaks for itself, whatever text stands among it. */
const ENOUGH = 2;
const SURE = 10;
/** Lines alone are tables, forms and frames, however many. */
const MOST_BY_RULES = 1.2;
const MOST_BY_SMALL = 0.7;
const SMALLEST_AREA = 1600;
/** Pieces of one figure are so near, in points; nearer where this would join it with the text. */
const REACHES = [5, 2, 0] as const;
/** Characters that may stand among its pieces, for each of them that speaks. */
const MOST_LOOSE = 25;
const MARGIN = 1.5;

export function findVectorFigures(items: PageItems, tables: readonly Box[] = []): VectorFigure[] {
  if (items.curves.length + items.fills.length < LEAST_SHAPES) return [];
  const texts = groupTexts(items.words);
  const shapes = findShapes(items, texts, tables);
  const page = { ...items, texts, tables };
  const rest: Box[] = [];
  const found: { region: Box; cluster: readonly Shape[] }[] = [];
  const sort = (clusters: readonly Shape[][], reaches: readonly number[]): void => {
    for (const cluster of clusters) {
      const [reach, ...nearer] = reaches;
      const isLikely = isVectorFigure(cluster, texts);
      const region = isLikely ? findRegion(cluster, page) : undefined;
      if (region) found.push({ region, cluster });
      else if (isLikely && reach !== undefined) sort(parted(cluster, page, reach), nearer);
      else rest.push(boxAround(cluster.map(({ box }) => box)));
    }
  };
  const [far, ...nearer] = REACHES;
  sort(parted(shapes, page, far), nearer);
  const regions = found.map(({ region, cluster }) => growRegion(region, cluster, rest, page));
  return mergeRegions(regions, page).flatMap((region) => buildVectorFigure(region, page));
}

const parted = (shapes: readonly Shape[], page: PageItems, reach: number): Shape[][] =>
  clusterBoxes(
    shapes.map(({ box }) => box),
    page,
    reach,
  ).map((members) => members.map((i) => shapes[i] as Shape));

function isVectorFigure(cluster: readonly Shape[], texts: readonly PageText[]): boolean {
  const region = boxAround(cluster.map(({ box }) => box));
  if (Math.min(region.width, region.height) < SMALLEST || areaOf(region) < SMALLEST_AREA) return false;
  let [byRules, bySmall, byShapes] = [0, 0, 0];
  for (const { kind, worth } of cluster) {
    if (kind === 'rule') byRules += worth;
    else if (worth < ENOUGH_EVIDENCE) bySmall += worth;
    else byShapes += worth;
  }
  // Bullets and marks of forms are few, points of a chart and letters drawn as outlines are many.
  if (bySmall < ENOUGH) bySmall = Math.min(MOST_BY_SMALL, bySmall);
  const drawn = byShapes + bySmall;
  const worth = drawn + Math.min(MOST_BY_RULES, byRules);
  return (
    drawn > MOST_BY_SMALL &&
    worth >= ENOUGH &&
    (worth > SURE || looseText(region, cluster, texts) <= worth * MOST_LOOSE)
  );
}

/** How many characters stand among the shapes, but in none of them. */
function looseText(region: Box, cluster: readonly Shape[], texts: readonly PageText[]): number {
  const holding = cluster.filter(({ kind, box }) => kind !== 'rule' && Math.min(box.width, box.height) > 5);
  return texts
    .filter(({ box }) => holdsMiddle(region, box) && !holding.some((shape) => holdsMiddle(shape.box, box)))
    .reduce((sum, { characters }) => sum + characters, 0);
}

function buildVectorFigure(region: Box, page: FigurePage): VectorFigure[] {
  if (!isFree(region, page)) return [];
  const taken = page.texts.filter((text) => text.kind !== 'caption' && holdsMiddle(region, text.box));
  const words = new Set(taken.flatMap((text) => text.words));
  const left = Math.max(0, region.x - MARGIN);
  const top = Math.max(0, region.y - MARGIN);
  return [
    {
      box: {
        x: left,
        y: top,
        width: Math.min(page.width, region.x + region.width + MARGIN) - left,
        height: Math.min(page.height, region.y + region.height + MARGIN) - top,
      },
      words: page.words.filter((word) => words.has(word)),
      images: page.images.filter(
        ({ box }) => holdsMiddle(region, box) && areaOf(box) < page.width * page.height * 0.5,
      ),
    },
  ];
}
