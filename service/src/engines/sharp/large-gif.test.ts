import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import { TiffSpool } from '../../pdf/images/tiff-spool.ts';
import { isTooLargeForGif, writeLargeGif } from './large-gif.ts';
import { createSharp } from './sharp.ts';

const folder = mkdtempSync(join(tmpdir(), 'bindery-gif-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

interface Image {
  width: number;
  height: number;
  channels: 1 | 3;
  data: Uint8Array;
}

function image(
  width: number,
  height: number,
  channels: 1 | 3,
  value: (x: number, y: number, channel: number) => number,
): Image {
  const data = new Uint8Array(width * height * channels);
  for (let at = 0; at < data.length; at += 1) {
    const pixel = Math.floor(at / channels);
    data[at] = value(pixel % width, Math.floor(pixel / width), at % channels);
  }
  return { width, height, channels, data };
}

function spoolOf({ width, height, channels, data }: Image): string {
  files += 1;
  const spool = new TiffSpool(join(folder, `${files}.tiff`), { width, height, channels });
  spool.add(data, width);
  spool.close();
  return spool.path;
}

async function gifOf(given: Image, twoTone = false): Promise<Buffer> {
  const path = join(folder, `${files}.gif`);
  await writeLargeGif(sharp, path, spoolOf(given), twoTone);
  return readFileSync(path);
}

/** libvips reads it; our writer is not asked. */
async function colours(gif: Buffer): Promise<Buffer> {
  return sharp(gif).removeAlpha().toColourspace('srgb').raw().toBuffer();
}

/** No order in it, and the same each time. */
function noise(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 24;
  };
}

test('every shade of grey stays as it is, whatever the codes come to', async () => {
  const next = noise();
  for (const [width, height] of [
    [1, 1],
    [257, 3],
    [300, 301],
  ] as const) {
    const given = image(width, height, 1, next);
    const gif = await gifOf(given);
    const { format, width: read, height: high } = await sharp(gif).metadata();
    assert.deepEqual([format, read, high], ['gif', width, height]);
    const expected = [...given.data].flatMap((value) => [value, value, value]);
    assert.deepEqual([...(await colours(gif))], expected);
  }
});

test('runs that end exactly where codes grow wider are read back', async () => {
  // One value throughout: the nth code stands for n pixels, so every length ends differently.
  for (let width = 1; width < 700; width += 1) {
    const read = await colours(await gifOf(image(width, 7, 1, () => 255)));
    assert.ok(read.length === width * 21 && read.every((value) => value === 255), `${width} pixels wide`);
  }
});

test('black and white is two colours', async () => {
  const gif = await gifOf(
    image(90, 60, 1, (x, y) => (Math.floor(x / 7) % 2 === y % 2 ? 255 : 0)),
    true,
  );
  // The global palette has one bit a pixel.
  assert.equal((gif[10] ?? 0) & 7, 0);
  const read = await colours(gif);
  assert.deepEqual([...read.subarray(0, 3), ...read.subarray(21, 24)], [255, 255, 255, 0, 0, 0]);
});

test('colours look as they did', async () => {
  const given = image(400, 300, 3, (x, y, channel) => [x / 2, y / 2, (x + y) / 4][channel] ?? 0);
  const soft = (input: Sharp) => input.removeAlpha().blur(4).raw().toBuffer();
  const read = await soft(sharp(await gifOf(given)));
  const meant = await soft(sharp(given.data, { raw: { width: 400, height: 300, channels: 3 } }));
  const most = read.reduce((worst, value, at) => Math.max(worst, Math.abs(value - (meant[at] ?? 0))), 0);
  assert.ok(most < 12, `off by ${most}`);
});

test('few colours are kept exactly', async () => {
  const flags = [
    [255, 255, 255],
    [200, 16, 46],
    [1, 33, 105],
  ];
  const given = image(600, 400, 3, (x, y, channel) => flags[(x >> 6) % 3]?.[channel] ?? y);
  assert.ok((await colours(await gifOf(given))).equals(given.data));
});

test('an image that libvips would hold many times over is written row by row', async () => {
  const given = image(7000, 7000, 1, (x) => x & 255);
  const tiff = spoolOf(given);
  assert.ok(isTooLargeForGif(tiff));
  const path = join(folder, 'large.gif');
  const before = process.resourceUsage().maxRSS;
  await createSharp().encodeTo(path, { tiff, channels: 1 }, 'gif');
  const { format, width, height } = await sharp(path, { limitInputPixels: false }).metadata();
  assert.deepEqual([format, width, height], ['gif', 7000, 7000]);
  const grownMb = (process.resourceUsage().maxRSS - before) / 1024;
  assert.ok(grownMb < 150, `${grownMb} MB more`);
});
