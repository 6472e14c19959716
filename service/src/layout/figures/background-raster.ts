// The ground of a page: what is seen of it without its text and its figures, looked at in small.
import type { DrawnDocument, OmittedItems } from '../../contract/page-items.ts';
import type { Raster } from '../../contract/raster.ts';
import { boxAround, isNear } from '../box-geometry.ts';
import type { Box } from '../model.ts';
import { clusterBoxes } from './box-clusters.ts';

/** Pixels a point, and the longest side that is looked at. */
const SCALE = 0.5;
const LONGEST = 700;
/** Colours that differ by less, in each of red, green and blue, are one. */
const SAME = 6;
/** How much of an area must be seen in its colour. */
const SEEN = 0.5;
const SAMPLES = 6;
/** What is left over is no larger than this, in pixels, where it is only the edge of something. */
const EDGE = 2;
const NEAR = 4;

export interface Coloured {
  box: Box;
  color: string;
}

export class BackgroundRaster {
  private readonly area: Raster;
  private readonly scale: number;

  constructor(
    document: Pick<DrawnDocument, 'renderArea'>,
    page: { number: number; width: number; height: number },
    omitted: OmittedItems,
  ) {
    const { width, height, number } = page;
    this.scale = Math.min(SCALE, LONGEST / Math.max(width, height, 1));
    this.area = document.renderArea(number - 1, { x: 0, y: 0, width, height }, this.scale, omitted);
  }

  /** Whether most of it is seen: clear and covered areas are not. */
  shows({ box, color }: Coloured): boolean {
    const wanted = channels(color);
    let [same, all] = [0, 0];
    for (let i = 0; i < SAMPLES; i += 1)
      for (let k = 0; k < SAMPLES; k += 1) {
        const x = Math.floor((box.x + (box.width * (i + 0.5)) / SAMPLES) * this.scale);
        const y = Math.floor((box.y + (box.height * (k + 0.5)) / SAMPLES) * this.scale);
        if (x < 0 || y < 0 || x >= this.area.width || y >= this.area.height) continue;
        all += 1;
        if (this.isAlike(y * this.area.width + x, wanted)) same += 1;
      }
    return all > 0 && same >= all * SEEN;
  }

  /** The colour in the middle of what is seen there; nothing outside the page. */
  colorAt({ x, y, width, height }: Box): string | undefined {
    const colors: number[] = [];
    for (let i = 0; i < SAMPLES; i += 1)
      for (let k = 0; k < SAMPLES; k += 1) {
        const column = Math.floor((x + (width * (i + 0.5)) / SAMPLES) * this.scale);
        const row = Math.floor((y + (height * (k + 0.5)) / SAMPLES) * this.scale);
        if (column < 0 || row < 0 || column >= this.area.width || row >= this.area.height) continue;
        const at = (row * this.area.width + column) * 4;
        const { rgba } = this.area;
        colors.push(
          ((rgba[at] as number) << 16) | ((rgba[at + 1] as number) << 8) | (rgba[at + 2] as number),
        );
      }
    const brightness = (color: number): number => (color >> 16) + ((color >> 8) & 255) + (color & 255);
    const middle = colors.toSorted((a, b) => brightness(a) - brightness(b))[colors.length >> 1];
    return middle === undefined ? undefined : `#${middle.toString(16).padStart(6, '0')}`;
  }

  /** What is seen that these areas do not explain, in boxes on the page; thin lines are not looked at. */
  leftOver(areas: readonly Coloured[], ignored: readonly Box[]): Box[] {
    const { width, height } = this.area;
    const other = new Uint8Array(width * height);
    const white = channels('#ffffff');
    for (let i = 0; i < other.length; i += 1) other[i] = this.isAlike(i, white) ? 0 : 1;
    for (const { box, color } of areas) {
      const wanted = channels(color);
      this.within(box, 0, (i) => {
        other[i] = this.isAlike(i, wanted) ? 0 : 1;
      });
    }
    for (const box of ignored)
      this.within(box, EDGE, (i) => {
        other[i] = 0;
      });
    return this.boxesOf(other);
  }

  private boxesOf(other: Uint8Array): Box[] {
    const { width, height } = this.area;
    const cells: Box[] = [];
    for (let y = EDGE; y < height; y += 1)
      for (let x = EDGE; x < width; x += 1)
        if (isSolid(other, width, x, y))
          cells.push({ x: x - EDGE, y: y - EDGE, width: EDGE + 1, height: EDGE + 1 });
    if (cells.length === 0) return [];
    const groups = clusterBoxes(cells, { width, height }, NEAR * this.scale);
    return merged(groups.map((members) => boxAround(members.map((i) => cells[i] as Box)))).map((box) => ({
      x: box.x / this.scale,
      y: box.y / this.scale,
      width: box.width / this.scale,
      height: box.height / this.scale,
    }));
  }

  private within({ x, y, width, height }: Box, beyond: number, visit: (pixel: number) => void): void {
    const columns = this.area.width;
    const [left, top] = [
      Math.max(0, Math.floor(x * this.scale) - beyond),
      Math.max(0, Math.floor(y * this.scale) - beyond),
    ];
    const right = Math.min(columns, Math.ceil((x + width) * this.scale) + beyond);
    const bottom = Math.min(this.area.height, Math.ceil((y + height) * this.scale) + beyond);
    for (let row = top; row < bottom; row += 1)
      for (let column = left; column < right; column += 1) visit(row * columns + column);
  }

  private isAlike(pixel: number, [red, green, blue]: readonly [number, number, number]): boolean {
    const { rgba } = this.area;
    return (
      Math.abs((rgba[pixel * 4] as number) - red) < SAME &&
      Math.abs((rgba[pixel * 4 + 1] as number) - green) < SAME &&
      Math.abs((rgba[pixel * 4 + 2] as number) - blue) < SAME
    );
  }
}

/** A pixel that ends a square of others: lines and edges have none. */
function isSolid(other: Uint8Array, width: number, x: number, y: number): boolean {
  for (let dy = 0; dy <= EDGE; dy += 1)
    for (let dx = 0; dx <= EDGE; dx += 1) if (other[(y - dy) * width + x - dx] === 0) return false;
  return true;
}

function channels(color: string): readonly [number, number, number] {
  const at = (from: number): number => Number.parseInt(color.slice(from, from + 2), 16);
  return [at(1), at(3), at(5)];
}

function merged(boxes: readonly Box[]): Box[] {
  const whole: Box[] = [];
  for (const box of boxes) {
    let union = box;
    for (let i = whole.length - 1; i >= 0; i -= 1) {
      if (!isNear(whole[i] as Box, union)) continue;
      union = boxAround([whole[i] as Box, union]);
      whole.splice(i, 1);
      i = whole.length;
    }
    whole.push(union);
  }
  return whole;
}
