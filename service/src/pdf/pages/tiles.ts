// One thing repeated over a whole sheet (operations 8, add-watermark: "Tiled over every page").

import type { Size } from '../../contract/raster.ts';
import { addForm, type Drawable } from '../content/drawable.ts';
import type { PdfDocument } from '../document.ts';
import { matrixText } from '../geometry/matrix.ts';
import { Dict, name, type Ref } from '../objects.ts';
import { formatNumber } from '../syntax/object-syntax.ts';
import { rotatedAndSizedPlacement, turnedSize } from './placement.ts';

export interface Tiling {
  /** What is repeated, and the size it is drawn in. */
  tile: Drawable;
  drawn: Size;
  /** Each tile, counter-clockwise about its centre. */
  degrees: number;
  /** Between the upright boxes around the tiles. */
  gapX: number;
  gapY: number;
}

/** More tiles than this on a sheet are drawn by a pattern. */
const MAX_TILES = 10_000;
/** No step is smaller: a tile may have no width at all. */
const LEAST_STEP = 0.1;

/** A form that covers a sheet with tiles. One tile stands in the middle, so that at least that one is whole. */
export function tilePages(doc: PdfDocument, tiling: Tiling, sheet: Size): Ref {
  const { tile, drawn, degrees, gapX, gapY } = tiling;
  const around = turnedSize(drawn, degrees);
  const stepX = Math.max(LEAST_STEP, around.width + gapX);
  const stepY = Math.max(LEAST_STEP, around.height + gapY);
  const columns = offsets(sheet.width, around.width, stepX);
  const rows = offsets(sheet.height, around.height, stepY);
  const place = (dx: number, dy: number): string => {
    const x = (sheet.width - drawn.width) / 2 + dx;
    const y = (sheet.height - drawn.height) / 2 + dy;
    return `q ${matrixText(rotatedAndSizedPlacement(x, y, drawn, degrees, tile))} cm /Tile Do Q`;
  };
  const box = [0, 0, sheet.width, sheet.height];
  const resources = { XObject: Dict.of({ Tile: tile.form }) };
  if (columns.length * rows.length <= MAX_TILES) {
    const lines = rows.flatMap((dy) => columns.map((dx) => place(dx, dy)));
    return addForm(doc, box, lines.join('\n'), resources);
  }
  const pattern = doc.addStream(
    Dict.of({
      Type: name('Pattern'),
      PatternType: 1,
      PaintType: 1,
      TilingType: 1,
      BBox: [
        (sheet.width - around.width) / 2,
        (sheet.height - around.height) / 2,
        (sheet.width + around.width) / 2,
        (sheet.height + around.height) / 2,
      ],
      XStep: stepX,
      YStep: stepY,
      Resources: Dict.of(resources),
    }),
    Buffer.from(`${place(0, 0)}\n`, 'latin1'),
  );
  // Programs that look for text do not look into patterns: the tile in the middle is drawn once more.
  return addForm(doc, box, `/Pattern cs /Tiles scn ${box.map(formatNumber).join(' ')} re f\n${place(0, 0)}`, {
    ...resources,
    Pattern: Dict.of({ Tiles: pattern }),
  });
}

/** Where tiles stand along a side, counted from the middle one; all that show at least in part. */
function offsets(length: number, size: number, step: number): number[] {
  const beyond = Math.min(MAX_TILES, Math.max(0, Math.ceil((length + size) / 2 / step) - 1));
  return Array.from({ length: 2 * beyond + 1 }, (_, index) => (index - beyond) * step);
}
