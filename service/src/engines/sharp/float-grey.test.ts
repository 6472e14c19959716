import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failed, made, runHere } from '../../../testing/calls/run-here.ts';
import { missing, qpdfCheck } from '../../../testing/oracles/programs.ts';
import { drawnPage } from '../../../testing/oracles/rasters.ts';

const skip = missing('pdftocairo', 'qpdf');
const SHORT = 3;
const LONG = 4;
const FLOAT = 3;
const GREY = 1;

interface Written {
  bits: number;
  samples?: number;
  photometric?: number;
  format?: number;
  more?: [number, number][];
}

/** One row of pixels. */
function tiffOf(
  pixels: ArrayLike<number> & { buffer: ArrayBufferLike },
  { bits, samples = 1, photometric = GREY, format = FLOAT, more = [] }: Written,
): Buffer {
  const data = Buffer.from(pixels.buffer);
  const fields: [number, number, number[]][] = [
    [256, LONG, [pixels.length / samples]],
    [257, LONG, [1]],
    [258, SHORT, new Array(samples).fill(bits)],
    [259, SHORT, [1]],
    [262, SHORT, [photometric]],
    [273, LONG, [8]],
    ...more
      .filter(([tag]) => tag < 277)
      .map(([tag, value]): [number, number, number[]] => [tag, SHORT, [value]]),
    [277, SHORT, [samples]],
    [278, LONG, [1]],
    [279, LONG, [data.length]],
    ...more
      .filter(([tag]) => tag > 277)
      .map(([tag, value]): [number, number, number[]] => [tag, SHORT, [value]]),
    [339, SHORT, new Array(samples).fill(format)],
  ];
  const directoryAt = 8 + data.length + (data.length % 2);
  const farAt = directoryAt + 2 + 12 * fields.length + 4;
  const file = Buffer.alloc(farAt + 32);
  file.write('II*\0', 'latin1');
  file.writeUInt32LE(directoryAt, 4);
  data.copy(file, 8);
  file.writeUInt16LE(fields.length, directoryAt);
  let free = farAt;
  fields.forEach(([tag, type, values], index) => {
    const at = directoryAt + 2 + 12 * index;
    file.writeUInt16LE(tag, at);
    file.writeUInt16LE(type, at + 2);
    file.writeUInt32LE(values.length, at + 4);
    const isFar = values.length > 2;
    if (isFar) file.writeUInt32LE(free, at + 8);
    values.forEach((value, nth) => {
      if (type === LONG) file.writeUInt32LE(value, at + 8);
      else file.writeUInt16LE(value, (isFar ? free : at + 8) + 2 * nth);
    });
    if (isFar) free += 2 * values.length;
  });
  return file;
}

const convert = (bytes: Uint8Array, colorType = 'color') =>
  runHere('convert/img/pdf', {
    files: { fileInput: { name: 'a.tiff', bytes } },
    params: { fitOption: 'fitDocumentToImage', colorType },
  });

/** Shades as poppler draws them on white. */
async function shades(bytes: Uint8Array, colorType?: string): Promise<number[]> {
  const pdf = made(await convert(bytes, colorType));
  qpdfCheck(pdf);
  const { data } = await drawnPage(pdf);
  return [...data].filter((_, at) => at % 3 === 0);
}

const near = (seen: number[], wanted: number[]) => {
  assert.equal(seen.length, wanted.length);
  for (const [at, value] of seen.entries())
    assert.ok(Math.abs(value - (wanted[at] ?? -9)) <= 1, `${seen} not ${wanted}`);
};

test('grey from 0 to 1 is grey', { skip }, async () => {
  const tiff = tiffOf(new Float32Array([0, 0.25, 0.5, 1]), { bits: 32 });
  near(await shades(tiff), [0, 64, 128, 255]);
  near(await shades(tiff, 'greyscale'), [0, 64, 128, 255]);
  near(await shades(tiff, 'blackwhite'), [0, 0, 255, 255]);
});

test('so is half precision', { skip }, async () => {
  near(await shades(tiffOf(new Uint16Array([0, 0x3400, 0x3800, 0x3c00]), { bits: 16 })), [0, 64, 128, 255]);
});

test('opacity from 0 to 1 is kept', { skip }, async () => {
  const tiff = tiffOf(new Float32Array([0, 1, 0.25, 1, 0.5, 0.5, 0, 0]), {
    bits: 32,
    samples: 2,
    more: [[338, 2]],
  });
  near(await shades(tiff), [0, 64, 191, 255]);
});

test('an image that stands on its head is turned', { skip }, async () => {
  const tiff = tiffOf(new Float32Array([0, 0.25, 0.5, 1]), { bits: 32, more: [[274, 3]] });
  near(await shades(tiff), [255, 128, 64, 0]);
});

test('grey from 0 to 255 stays as it is', { skip }, async () => {
  near(await shades(tiffOf(new Float32Array([0, 64, 128, 255]), { bits: 32 })), [0, 64, 128, 255]);
});

const LAB: [string, number][] = [
  ['CIE', 8],
  ['ICC', 9],
  ['ITU', 10],
];
for (const [whose, photometric] of LAB) {
  test(`8 bit Lab as ${whose} writes it is refused by its name`, async () => {
    const tiff = tiffOf(new Uint8Array([128, 0, 0, 200, 100, 156]), {
      bits: 8,
      samples: 3,
      photometric,
      format: 1,
    });
    for (const colours of ['color', 'greyscale', 'blackwhite']) {
      const { reason, detail } = failed(await convert(tiff, colours));
      assert.equal(reason, 'unsupported_file_type');
      assert.match(detail, /^fileInput: a\.tiff is a TIFF in Lab colours/);
    }
  });
}
