// What drawing a document would ask for by its own words, told from the bytes of the file before anything is decoded:
// images larger than there is memory for, and patterns whose cells are painted millions of times. Both are streams,
// whose dictionaries stand in the file as they are, encrypted or not.
import { MIB } from '../../contract/limits.ts';
import type { Problem } from '../../contract/problems.ts';
import type { Size } from '../../contract/raster.ts';
import { tooCostly } from '../../contract/work-budget.ts';

/** What an image may take when it is decoded, whatever it is decoded with. */
const MAX_IMAGE_BYTES = 512 * MIB;
const MAX_IMAGE_PIXELS = 1_000_000_000;
/** A pattern as fine as the dots of a printer fills the largest sheet with fewer cells. */
const MAX_CELLS = 200_000_000;
/** How many cells may lie on top of each other. */
const MAX_LAYERS = 1000;
/** How far the entries of a dictionary may be from each other. */
const MAX_DICTIONARY = 4096;

export interface DeclaredCosts {
  /** Images that are not to be decoded. */
  largeImages: readonly Size[];
  patterns: readonly TilingPattern[];
}

interface TilingPattern {
  /** Of a cell to the next, in points as far as the pattern's own matrix tells. */
  step: Size;
  cell: Size;
}

const NUMBER = '([+-]?[0-9]*\\.?[0-9]+)';
const entry = (key: string): RegExp => new RegExp(`/${key}\\s+${NUMBER}`);
const numbers = (key: string, count: number): RegExp =>
  new RegExp(`/${key}\\s*\\[\\s*${Array(count).fill(NUMBER).join('\\s+')}\\s*\\]`);

const WIDTH = entry('Width');
const HEIGHT = entry('Height');
const BITS = entry('BitsPerComponent');
const X_STEP = entry('XStep');
const Y_STEP = entry('YStep');
const BBOX = numbers('BBox', 4);
const MATRIX = numbers('Matrix', 6);

export function declaredCosts(file: Uint8Array): DeclaredCosts {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  return {
    largeImages: dictionariesWith(bytes, '/Width').flatMap((text) => largeImage(text) ?? []),
    patterns: dictionariesWith(bytes, '/XStep').flatMap((text) => tilingPattern(text) ?? []),
  };
}

/** From the beginning of the object to that of the stream's data. */
function dictionariesWith(bytes: Buffer, key: string): string[] {
  const found: string[] = [];
  for (let at = bytes.indexOf(key); at >= 0; at = bytes.indexOf(key, at + key.length)) {
    const around = bytes.toString('latin1', Math.max(0, at - MAX_DICTIONARY), at + MAX_DICTIONARY);
    const middle = Math.min(at, MAX_DICTIONARY);
    const end = around.indexOf('stream', middle);
    const start = around.lastIndexOf(' obj', middle);
    found.push(around.slice(Math.max(0, start), end < 0 ? undefined : end));
  }
  return found;
}

function largeImage(text: string): Size | undefined {
  const width = numberIn(text, WIDTH);
  const height = numberIn(text, HEIGHT);
  if (width === undefined || height === undefined) return undefined;
  const pixels = width * height;
  const bits = (numberIn(text, BITS) ?? 1) * (/\/(?:DeviceRGB|CalRGB|Lab|DeviceCMYK)\b/.test(text) ? 3 : 1);
  return pixels > MAX_IMAGE_PIXELS || (pixels * bits) / 8 > MAX_IMAGE_BYTES ? { width, height } : undefined;
}

function tilingPattern(text: string): TilingPattern | undefined {
  const width = numberIn(text, X_STEP);
  const height = numberIn(text, Y_STEP);
  if (width === undefined || height === undefined) return undefined;
  const [left = 0, bottom = 0, right = 0, top = 0] = numbersIn(text, BBOX);
  const [a = 1, b = 0, c = 0, d = 1] = numbersIn(text, MATRIX);
  const across = Math.hypot(a, b);
  const up = Math.hypot(c, d);
  return {
    step: { width: Math.abs(width) * across, height: Math.abs(height) * up },
    cell: { width: Math.abs(right - left) * across, height: Math.abs(top - bottom) * up },
  };
}

const numberIn = (text: string, pattern: RegExp): number | undefined => numbersIn(text, pattern)[0];

const numbersIn = (text: string, pattern: RegExp): number[] => pattern.exec(text)?.slice(1).map(Number) ?? [];

/** What forbids drawing a page of this size (in points), which shows images of these sizes. */
export function drawingRefusal(
  name: string,
  { largeImages, patterns }: DeclaredCosts,
  page: Size,
  shown: () => readonly Size[],
): Problem | undefined {
  for (const { step, cell } of patterns) {
    const cells = (page.width / step.width) * (page.height / step.height);
    const layers = (cell.width * cell.height) / (step.width * step.height);
    if (cells > MAX_CELLS || layers > MAX_LAYERS)
      return tooCostly(
        `${name} has a tiling pattern with a step of ${shortly(step.width)} by ${shortly(step.height)} points: its ` +
          `cells would be painted too many times.`,
      );
  }
  if (largeImages.length === 0) return undefined;
  const large = shown().find(({ width, height }) =>
    largeImages.some((image) => image.width === width && image.height === height),
  );
  return large && imageRefusal(name, large);
}

const imageRefusal = (name: string, { width, height }: Size): Problem =>
  tooCostly(
    `${name} shows an image of ${width} by ${height} pixels; at most 1000 megapixels and 512 MiB, decoded, are drawn.`,
  );

const shortly = (n: number): string => String(Number(n.toPrecision(3)));
