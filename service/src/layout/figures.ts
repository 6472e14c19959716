// Pictures that are part of the text: not backgrounds, not ornaments; pieces that touch are one.
import type { DrawnDocument } from '../contract/page-marks.ts';
import type { Box, Figure, Picture } from './model.ts';
import type { DrawnPicture, PageMarks } from './page-marks.ts';

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
const TOUCHING = 1.5;

export function figuresOf(marks: PageMarks, page: number, source: PictureSource | undefined): Figure[] {
  const { width, height, pictures, words } = marks;
  const isBackground = ({ box }: DrawnPicture): boolean =>
    box.width * box.height > width * height * BACKGROUND && words.length > FEW_WORDS;
  const groups: { box: Box; pictures: DrawnPicture[] }[] = [];
  for (const picture of pictures) {
    if (isBackground(picture)) continue;
    const touching = groups.filter(({ box }) => isTouching(box, picture.box));
    const group = {
      box: union([picture.box, ...touching.map(({ box }) => box)]),
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
      picture: pictureOf(box, parts, page, source),
    }));
}

const MAX_FIGURES = 500;

function isTouching(a: Box, b: Box): boolean {
  return (
    a.x <= b.x + b.width + TOUCHING &&
    b.x <= a.x + a.width + TOUCHING &&
    a.y <= b.y + b.height + TOUCHING &&
    b.y <= a.y + a.height + TOUCHING
  );
}

function union(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  };
}

function pictureOf(
  box: Box,
  parts: readonly DrawnPicture[],
  page: number,
  source: PictureSource | undefined,
): Picture {
  const [only] = parts;
  if (only && parts.length === 1 && only.upright && only.isJpeg)
    return {
      format: 'jpeg',
      width: only.pixelWidth,
      height: only.pixelHeight,
      bytes: async () => source?.document.jpeg(page - 1, only.id) ?? new Uint8Array(),
    };
  const scale = scaleFor(box, parts);
  return {
    format: 'png',
    width: Math.max(1, Math.round(box.width * scale)),
    height: Math.max(1, Math.round(box.height * scale)),
    async bytes() {
      if (!source) return new Uint8Array();
      return source.encodePng(source.document.area(page - 1, box, scale));
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
