import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { jpegQuality } from './jpeg-quality.ts';

const raw = { width: 32, height: 32, channels: 3 } as const;
const noise = Buffer.from(Array.from({ length: 32 * 32 * 3 }, (_, at) => (at * 7919) % 256));

test('the quality that an encoder was asked for is told by its table', async () => {
  for (const quality of [20, 50, 75, 92]) {
    const file = await sharp(noise, { raw }).jpeg({ quality }).toBuffer();
    assert.ok(Math.abs(jpegQuality(file) - quality) <= 2, `${quality}: ${jpegQuality(file)}`);
  }
});

test('where no table is found nothing is thought lost', () => {
  for (const bytes of [[], [0xff, 0xd8], [0xff, 0xd8, 0xff, 0xda, 0, 4, 0, 0], [1, 2, 3, 4, 5, 6]])
    assert.equal(jpegQuality(Uint8Array.from(bytes)), 100);
});
