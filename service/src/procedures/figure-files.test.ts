import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { createSharp } from '../engines/sharp/sharp.ts';
import { encodeFigure } from './figure-files.ts';

const SIDE = 400;

/** `shade` is the red, green and blue of a place. */
function raster(shade: (x: number, y: number) => [number, number, number]) {
  const rgba = new Uint8Array(SIDE * SIDE * 4).fill(255);
  for (let y = 0; y < SIDE; y += 1)
    for (let x = 0; x < SIDE; x += 1) rgba.set(shade(x, y), (y * SIDE + x) * 4);
  return { width: SIDE, height: SIDE, rgba };
}

/** White with boxes, whose edges have a thousand shades. */
const drawing = raster((x, y) => {
  const edge = x % 40 === 0 || y % 80 === 0;
  if (edge) return [((x * 3 + y) % 32) * 4, (y % 16) * 8, ((x + y) % 4) * 16];
  return x % 40 < 10 ? [255, 230, 200] : [255, 255, 255];
});
const gradient = raster((x, y) => [Math.floor(x / 2), Math.floor(y / 2), Math.floor((x + y) / 4)]);

const palette = (png: Uint8Array): boolean => png[25] === 3;

test('drawings with soft edges have a palette, and look as they did', async () => {
  const file = await encodeFigure(createSharp(), drawing);
  assert.ok(palette(file));
  const shown = await sharp(file).ensureAlpha().raw().toBuffer();
  const off = shown.reduce((sum, value, i) => sum + Math.abs(value - (drawing.rgba[i] as number)), 0);
  assert.ok(off / shown.length < 1, `${off / shown.length} of 255`);
});

test('what goes from shade to shade everywhere has none', async () => {
  assert.ok(!palette(await encodeFigure(createSharp(), gradient)));
});
