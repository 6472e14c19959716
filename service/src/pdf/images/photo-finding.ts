// Photos that lie on a scanner's glass: where each is and how it is turned. Nothing here but pixels and geometry.
import { type Background, backgroundOf } from './photo-finding-background.ts';
import { type Settled, settleEdges } from './photo-finding-edges.ts';
import { repairPhotoEdges } from './photo-finding-edges-repair.ts';
import { piecesOf } from './photo-finding-pieces.ts';
import type { PhotoRules, Scan } from './photo-finding-scan.ts';
import {
  areaOf,
  contains,
  cornersOf,
  hullArea,
  hullOf,
  leastRectangle,
  overlap,
  type Rectangle,
} from './rectangles.ts';

export interface FoundPhotos {
  /** In pixels of the scan, in reading order. */
  photos: Rectangle[];
  background: Background;
}

/** Of a photo's rectangle at least so much is within the hull of what is seen of it: most letters and hairs have less. */
const LEAST_HULL_SHARE = 0.6;
/** ... and so much is seen itself. */
const LEAST_SEEN_SHARE = 0.35;
/** A strip at the edge of a scan that is thinner than this part of its short side is the scanner's own edge. */
const EDGE_STRIP = 0.015;
/** Pieces that lie within each other's rectangles by this part of the smaller one belong to one photo. */
const SAME_PHOTO = 0.3;
/** On one scan; specks may be taken for photos, where the smallest photo is a few pixels. The largest are kept. */
const MOST_PHOTOS = 500;

export function findPhotos(scan: Scan, rules: PhotoRules): FoundPhotos {
  const background = backgroundOf(scan, rules.tolerance);
  const whole = { x: scan.width / 2, y: scan.height / 2, width: scan.width, height: scan.height, degrees: 0 };
  // No colour goes around the scan: one photo covers the glass.
  if (background.share === 0) {
    const isLarge = areaOf(whole) >= Math.max(rules.minArea, rules.minContourArea);
    return { photos: isLarge ? [whole] : [], background };
  }
  const { found, slack } = candidates(scan, background, rules);
  const coarse = joined(found);
  const settle = (rectangle: Rectangle): Settled => {
    const others = coarse.filter((other) => other !== rectangle && areNear(other, rectangle, slack));
    return settleEdges(scan, background, rectangle, { tolerance: rules.tolerance, slack, others });
  };
  const photos = repairPhotoEdges(coarse.map(settle), (whole) =>
    settleEdges(scan, background, whole, { tolerance: rules.tolerance, slack, others: [] }),
  ).filter((photo) => areaOf(photo) >= rules.minArea);
  return { photos: inReadingOrder(photos), background };
}

/** From the largest on. */
function candidates(
  scan: Scan,
  background: Background,
  rules: PhotoRules,
): { found: Rectangle[]; slack: number } {
  const { pieces, reach, slack } = piecesOf(scan, background, rules);
  const strip = EDGE_STRIP * Math.min(scan.width, scan.height);
  const found: Rectangle[] = [];
  for (const { points, area } of pieces) {
    const hull = hullOf(points);
    const core = leastRectangle(hull);
    const rectangle = grown(core, reach);
    const share = areaOf(core) > 0 ? area / areaOf(core) : 0;
    if (areaOf(rectangle) < rules.minArea || share * areaOf(rectangle) < rules.minContourArea) continue;
    if (share < LEAST_SEEN_SHARE || hullArea(hull) < LEAST_HULL_SHARE * areaOf(core)) continue;
    if (Math.min(rectangle.width, rectangle.height) < strip && touchesEdge(rectangle, scan, reach)) continue;
    found.push(rectangle);
  }
  return { found: found.sort((a, b) => areaOf(b) - areaOf(a)).slice(0, MOST_PHOTOS), slack };
}

/** Pieces were thinned by so many pixels along each axis before they were told apart. */
function grown(core: Rectangle, reach: number): Rectangle {
  const radians = (core.degrees * Math.PI) / 180;
  const by = 2 * reach * (Math.abs(Math.cos(radians)) + Math.abs(Math.sin(radians)));
  return { ...core, width: core.width + by, height: core.height + by };
}

function touchesEdge(rectangle: Rectangle, scan: Scan, reach: number): boolean {
  const corners = cornersOf(rectangle);
  return corners.some(
    ([x, y]) => x <= reach || y <= reach || x >= scan.width - reach || y >= scan.height - reach,
  );
}

/** A photo with much of the background's colour in it comes in pieces. */
function joined(candidates: readonly Rectangle[]): Rectangle[] {
  const kept: Rectangle[] = [];
  for (const candidate of candidates) {
    const at = kept.findIndex((rectangle) => isOfOnePhoto(rectangle, candidate));
    const owner = kept[at];
    if (!owner) kept.push(candidate);
    else if (!contains(owner, candidate))
      kept[at] = leastRectangle(
        Float64Array.from([owner, candidate].flatMap((each) => cornersOf(each).flat())),
      );
  }
  return kept;
}

const isOfOnePhoto = (larger: Rectangle, smaller: Rectangle): boolean =>
  overlap(larger, smaller) > SAME_PHOTO * areaOf(smaller);

const diagonal = ({ width, height }: Rectangle): number => Math.hypot(width, height);

const areNear = (one: Rectangle, other: Rectangle, slack: number): boolean =>
  Math.hypot(one.x - other.x, one.y - other.y) < (diagonal(one) + diagonal(other)) / 2 + slack;

/** Row by row, from the left in each; photos stand in one row where they are beside each other for half their height. */
function inReadingOrder(photos: readonly Rectangle[]): Rectangle[] {
  const spans = photos
    .map((photo) => {
      const ys = cornersOf(photo).map(([, y]) => y);
      return { photo, top: Math.min(...ys), bottom: Math.max(...ys) };
    })
    .sort((a, b) => a.top - b.top || a.photo.x - b.photo.x);
  const rows: { top: number; bottom: number; photos: Rectangle[] }[] = [];
  for (const { photo, top, bottom } of spans) {
    const row = rows.find((each) => {
      const shared = Math.min(each.bottom, bottom) - Math.max(each.top, top);
      return shared >= Math.min(each.bottom - each.top, bottom - top) / 2;
    });
    if (row) row.photos.push(photo);
    else rows.push({ top, bottom, photos: [photo] });
  }
  return rows.flatMap((row) => row.photos.sort((a, b) => a.x - b.x));
}
