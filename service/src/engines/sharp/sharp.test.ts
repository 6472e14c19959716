import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IMAGES, withoutAdobeMark } from '../../../testing/documents/images.ts';
import { sniff } from '../../contract/kinds.ts';
import { probe } from './package.ts';
import type { Pixels } from './pixels.ts';
import { createSharp } from './sharp.ts';

const sharp = createSharp();

/** Two by two: red, green, blue, and one pixel that cannot be seen. */
const CLEAR: Pixels = {
  width: 2,
  height: 2,
  channels: 4,
  data: Uint8Array.of(255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 0, 0, 0, 0),
};

test('the probe finds the engine and names its version', async () => {
  const { available, version } = await probe();
  assert.equal(available, true);
  assert.match(version ?? '', /^\d+\.\d+\.\d+/);
});

for (const format of ['png', 'jpeg', 'gif'] as const) {
  for (const channels of [1, 3, 4] as const) {
    test(`${channels} channels become ${format}`, async () => {
      const data = new Uint8Array(6 * 4 * channels).fill(200);
      assert.equal(sniff(await sharp.encode({ width: 6, height: 4, channels, data }, format)), format);
    });
  }
}

test('PNG keeps every byte, what is clear included; JPEG shows it on white', async () => {
  const { default: reader } = await import('sharp');
  const png = await reader(await sharp.encode(CLEAR, 'png'))
    .raw()
    .toBuffer();
  assert.deepEqual([...png], [...CLEAR.data]);
  const grey = new Uint8Array(64 * 64 * 4).fill(0);
  const jpeg = await reader(await sharp.encode({ width: 64, height: 64, channels: 4, data: grey }, 'jpeg'))
    .raw()
    .toBuffer();
  assert.ok(jpeg.every((value) => value >= 254));
});

test('samples of inks are what the file holds, whether or not it names Adobe', async () => {
  const named = (await IMAGES())['cmyk.jpg'] as Buffer;
  const one = await sharp.samples.decodeJpeg(named);
  const other = await sharp.samples.decodeJpeg(withoutAdobeMark(named));
  assert.equal(one?.channels, 4);
  assert.deepEqual(other, one);
});
