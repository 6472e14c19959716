import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { corpusFolder, noCorpus } from '../../../testing/documents/collection.ts';
import { InputFile } from '../../contract/files.ts';
import { uprightSize } from '../../pdf/images/image-xobjects.ts';
import { readBmp } from './bmp.ts';
import { createSharp } from './sharp.ts';

const sharp = createSharp();

interface Bmp {
  width: number;
  height: number;
  bits: number;
  compression?: number;
  palette?: number[];
  masks?: number[];
  data: number[];
}

function bmp({ width, height, bits, compression = 0, palette = [], masks = [], data }: Bmp): Buffer {
  const headerBytes = masks.length === 4 ? 56 : 40;
  const extra = headerBytes === 40 ? masks.length * 4 : 0;
  const dataAt = 14 + headerBytes + extra + palette.length;
  const file = Buffer.alloc(dataAt + data.length);
  file.write('BM', 'latin1');
  file.writeUInt32LE(dataAt, 10);
  file.writeUInt32LE(headerBytes, 14);
  file.writeInt32LE(width, 18);
  file.writeInt32LE(height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(bits, 28);
  file.writeUInt32LE(compression, 30);
  masks.forEach((mask, index) => {
    file.writeUInt32LE(mask, 54 + 4 * index);
  });
  file.set(palette, 14 + headerBytes + extra);
  file.set(data, dataAt);
  return file;
}

/** Blue, green, red, nothing: black, red, green, blue. */
const PALETTE = [0, 0, 0, 0, 0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0, 0];
const R = [255, 0, 0];
const G = [0, 255, 0];
const B = [0, 0, 255];
const K = [0, 0, 0];

/** The same image in every coding: red and green above, blue and black below. */
const BITMAPS: [string, Bmp, number[][]][] = [
  [
    '8 bits, from the bottom up',
    { width: 2, height: 2, bits: 8, palette: PALETTE, data: [3, 0, 0, 0, 1, 2, 0, 0] },
    [R, G, B, K],
  ],
  [
    '4 bits, from the top down',
    { width: 2, height: -2, bits: 4, palette: PALETTE, data: [0x12, 0, 0, 0, 0x30, 0, 0, 0] },
    [R, G, B, K],
  ],
  ['1 bit', { width: 2, height: 1, bits: 1, palette: PALETTE, data: [0x40, 0, 0, 0] }, [K, R]],
  [
    'runs of 8 bits',
    {
      width: 2,
      height: 2,
      bits: 8,
      compression: 1,
      palette: PALETTE,
      data: [1, 3, 1, 0, 0, 0, 1, 1, 1, 2, 0, 1],
    },
    [R, G, B, K],
  ],
  [
    'runs of 8 bits, with plain stretches and leaps',
    {
      width: 4,
      height: 1,
      bits: 8,
      compression: 1,
      palette: PALETTE,
      data: [0, 3, 1, 2, 3, 0, 0, 2, 1, 0, 0, 1],
    },
    [R, G, B, K],
  ],
  [
    'runs of 4 bits',
    { width: 2, height: 2, bits: 4, compression: 2, palette: PALETTE, data: [2, 0x30, 0, 0, 2, 0x12, 0, 1] },
    [R, G, B, K],
  ],
  ['16 bits', { width: 2, height: 1, bits: 16, data: [0x00, 0x7c, 0xe0, 0x03] }, [R, G]],
  [
    '16 bits in fields',
    {
      width: 2,
      height: 1,
      bits: 16,
      compression: 3,
      masks: [0xf800, 0x7e0, 0x1f],
      data: [0x00, 0xf8, 0x1f, 0x00],
    },
    [R, B],
  ],
  ['24 bits', { width: 1, height: 2, bits: 24, data: [255, 0, 0, 0, 0, 0, 255, 0] }, [R, B]],
  [
    '32 bits with opacity',
    {
      width: 2,
      height: 1,
      bits: 32,
      compression: 3,
      masks: [0xff0000, 0xff00, 0xff, 0xff000000],
      data: [0, 0, 255, 255, 255, 0, 0, 128],
    },
    [
      [...R, 255],
      [...B, 128],
    ],
  ],
];

for (const [name, given, pixels] of BITMAPS) {
  test(`a bitmap of ${name} is read`, () => {
    const read = readBmp(bmp(given));
    assert.deepEqual([...(read?.data ?? [])], pixels.flat());
  });
}

test('bitmaps that lie about themselves are not read, and never crash', () => {
  const sound = bmp({ width: 2, height: 2, bits: 8, palette: PALETTE, data: [3, 0, 0, 0, 1, 2, 0, 0] });
  for (let length = 0; length < sound.length; length += 1) readBmp(sound.subarray(0, length));
  for (let at = 0; at < 54; at += 1) {
    for (const value of [0, 1, 127, 255]) {
      const changed = Buffer.from(sound);
      changed[at] = value;
      if (changed.readInt32LE(18) < 5000 && Math.abs(changed.readInt32LE(22)) < 5000) readBmp(changed);
    }
  }
});

const FOLDER = corpusFolder('img');

test('images of the collection have the sizes that another program says', {
  skip: noCorpus(),
}, async () => {
  const rows = readFileSync(new URL('FACTS.tsv', FOLDER), 'utf8').trim().split('\n').slice(1);
  let read = 0;
  for (const row of rows) {
    const [path = '', format = '', , , , , upright] = row.split('\t');
    const file = new URL(path.replace(/^.*\//, ''), FOLDER);
    if (!/^(?:WEBP|GIF|BMP|TIFF|JPEG|PNG)$/.test(format) || /truncated/.test(path) || !existsSync(file))
      continue;
    const input = new InputFile('picture', { bytes: readFileSync(file) });
    const { width, height } = uprightSize(await sharp.read(input, { field: 'imageFile' }));
    assert.equal(`${width}x${height}`, upright, path);
    read += 1;
  }
  assert.ok(read >= 12, String(read));
});

test('each frame of a TIFF can be read', { skip: noCorpus() }, async () => {
  const input = new InputFile('m.tiff', { bytes: readFileSync(new URL('Pillow__multipage.tiff', FOLDER)) });
  const sizes = await Promise.all([0, 1, 2].map((frame) => sharp.read(input, { field: 'f', frame })));
  assert.deepEqual(
    sizes.map(({ width }) => width),
    [10, 10, 20],
  );
});
