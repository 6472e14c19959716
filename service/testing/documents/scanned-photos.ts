// Scans with photos at known places.
import sharp from 'sharp';
import type { Area, Scan } from '../../src/pdf/images/photo-finding-scan.ts';
import type { Rectangle } from '../../src/pdf/images/rectangles.ts';
import { type Raster, rasterOf } from '../oracles/rasters.ts';

export interface LaidPhoto extends Rectangle {
  /** An image file that fills the rectangle. */
  image: Buffer;
}

export interface ScanLook {
  width: number;
  height: number;
  /** Colour of the lid in the middle. */
  lid?: string;
  /** ... and in the corners. */
  rim?: string;
  /** How far grain strays either way, of 255. */
  grain?: number;
  /** More to be drawn above the photos. */
  above?: string;
}

/** The same numbers each time, from 0 to 1. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Shapes of many colours before a gradient: no two seeds alike, no side of the colour of a lid. */
export async function madeImage(seed: number, width: number, height: number): Promise<Buffer> {
  const next = random(seed * 7919 + 1);
  const some = (least: number, most: number) => Math.round(least + next() * (most - least));
  const colour = () => `rgb(${some(40, 190)},${some(40, 190)},${some(40, 190)})`;
  const shapes = Array.from({ length: 40 }, () => {
    const [x, y, size] = [some(0, width), some(0, height), some(5, Math.max(8, width / 6))];
    return next() < 0.5
      ? `<circle cx="${x}" cy="${y}" r="${size / 2}" fill="${colour()}"/>`
      : `<path d="M${x} ${y}h${size}l${size / 3} ${size}z" fill="${colour()}"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs>
    <linearGradient id="g" x2="1" y2="1"><stop stop-color="${colour()}"/><stop offset="1" stop-color="${colour()}"/>
    </linearGradient></defs><rect width="${width}" height="${height}" fill="url(#g)"/>${shapes.join('')}</svg>`;
  return sharp(Buffer.from(svg)).removeAlpha().png().toBuffer();
}

const drawn = (svg: string, { width, height }: { width: number; height: number }): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${svg}</svg>`;

/** What a scanner would see. */
export async function madeScan(photos: readonly LaidPhoto[], look: ScanLook): Promise<Raster> {
  const { width, height, lid = '#f2f2f0', rim = lid, grain = 4, above } = look;
  const glass = `<defs><radialGradient id="lid" r="0.7"><stop stop-color="${lid}"/><stop offset="1"
    stop-color="${rim}"/></radialGradient></defs><rect width="${width}" height="${height}" fill="url(#lid)"/>`;
  const size = { width, height, channels: 3 } as const;
  let data = await sharp(Buffer.from(drawn(glass, look)))
    .removeAlpha()
    .raw()
    .toBuffer();
  for (const photo of photos) lay(photo, await rasterOf(photo.image), { width, height, data });
  if (above !== undefined)
    data = await sharp(data, { raw: size })
      .composite([{ input: Buffer.from(drawn(above, look)) }])
      .removeAlpha()
      .raw()
      .toBuffer();
  if (grain > 0) addGrain(new Uint8ClampedArray(data.buffer, data.byteOffset, data.length), grain);
  return { width, height, data };
}

/** A length that goes into no row. */
const GRAINS = 65_537;

function addGrain(data: Uint8ClampedArray, most: number): void {
  const next = random(1);
  const grains = Float32Array.from({ length: GRAINS }, () => (2 * next() - 1) * most);
  for (let at = 0, grain = 0; at < data.length; at += 1, grain = grain + 1 === GRAINS ? 0 : grain + 1)
    data[at] = (data[at] as number) + (grains[grain] as number);
}

/** Places within a pixel, each way, that are looked at. */
const FINE = 2;

/** Draws a photo on the glass: each pixel is the mean of what is at many places within it. */
function lay(photo: LaidPhoto, image: Raster, glass: Raster): void {
  const cos = Math.cos((photo.degrees * Math.PI) / 180);
  const sin = Math.sin((photo.degrees * Math.PI) / 180);
  const reach = Math.hypot(photo.width, photo.height) / 2 + 1;
  const bound = (middle: number, most: number) => [
    Math.max(0, Math.floor(middle - reach)),
    Math.min(most, Math.ceil(middle + reach)),
  ];
  const [left = 0, right = 0] = bound(photo.x, glass.width);
  const [top = 0, bottom = 0] = bound(photo.y, glass.height);
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      const sums = [0, 0, 0];
      let covered = 0;
      for (let fine = 0; fine < FINE * FINE; fine += 1) {
        const dx = x + ((fine % FINE) + 0.5) / FINE - photo.x;
        const dy = y + (Math.floor(fine / FINE) + 0.5) / FINE - photo.y;
        const u = Math.floor(((dx * cos + dy * sin) / photo.width + 0.5) * image.width);
        const v = Math.floor(((dy * cos - dx * sin) / photo.height + 0.5) * image.height);
        if (u < 0 || v < 0 || u >= image.width || v >= image.height) continue;
        covered += 1;
        const from = (v * image.width + u) * 3;
        for (let channel = 0; channel < 3; channel += 1)
          sums[channel] = (sums[channel] as number) + (image.data[from + channel] as number);
      }
      if (covered === 0) continue;
      for (let channel = 0; channel < 3; channel += 1) {
        const to = (y * glass.width + x) * 3 + channel;
        const under = (glass.data[to] as number) * (FINE * FINE - covered);
        glass.data[to] = Math.round((under + (sums[channel] as number)) / (FINE * FINE));
      }
    }
  }
}

export const pngOf = ({ width, height, data }: Raster): Promise<Buffer> =>
  sharp(data, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer();

/** A raster in memory, as the finder reads scans. */
export const scanOf = ({ width, height, data }: Raster): Scan => ({
  width,
  height,
  read(area: Area) {
    const rowBytes = area.width * 3;
    const pixels = new Uint8Array(rowBytes * area.height);
    for (let row = 0; row < area.height; row += 1) {
      const from = ((area.top + row) * width + area.left) * 3;
      pixels.set(data.subarray(from, from + rowBytes), row * rowBytes);
    }
    return pixels;
  },
});
