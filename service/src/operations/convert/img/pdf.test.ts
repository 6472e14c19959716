import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import sharp from 'sharp';
import { failed, made, madeName, runHere } from '../../../../testing/calls/run-here.ts';
import { corpusFolder, noCorpus } from '../../../../testing/documents/collection.ts';
import { hugePng, IMAGES, withoutAdobeMark } from '../../../../testing/documents/images.ts';
import { askProgram, missing, pdfinfo, qpdfCheck } from '../../../../testing/oracles/programs.ts';
import { drawnPage, meanDifference, rasterOf, resized } from '../../../../testing/oracles/rasters.ts';

const skip = missing('pdfimages', 'pdftocairo', 'qpdf', 'pdfinfo');
const PIXELS = { fitOption: 'fitDocumentToImage' };

const convert = (
  files: { name: string; bytes: Uint8Array } | string | { name: string; bytes: Uint8Array }[],
  params: Record<string, string> = {},
) => runHere('convert/img/pdf', { files: { fileInput: files }, params });

interface Listed {
  type: string;
  width: number;
  height: number;
  colour: string;
  bits: number;
  coding: string;
}

/** What pdfimages tells of each image. */
function images(pdf: Uint8Array): Listed[] {
  const rows = askProgram('pdfimages', ['-list', '{}'], pdf).trim().split('\n').slice(2);
  return rows.map((row) => {
    const [, , type = '', width, height, colour = '', , bits, coding = ''] = row.trim().split(/\s+/);
    return { type, width: Number(width), height: Number(height), colour, bits: Number(bits), coding };
  });
}

/** Name, colour, bits and coding in the PDF, difference from the image itself, opacity. */
const KEPT: [string, string, number, string, number, boolean?][] = [
  ['plain.png', 'rgb', 8, 'image', 0],
  ['alpha.png', 'rgb', 8, 'image', 1, true],
  ['interlaced.png', 'rgb', 8, 'image', 0],
  ['palette.png', 'index', 4, 'image', 0],
  ['grey.png', 'gray', 8, 'image', 0],
  ['deep.png', 'rgb', 16, 'image', 1],
  ['plain.jpg', 'rgb', 8, 'jpeg', 2],
  ['grey.jpg', 'gray', 8, 'jpeg', 2],
  ['progressive.jpg', 'rgb', 8, 'jpeg', 4],
  ['turned.jpg', 'icc', 8, 'jpeg', 4],
  ['plain.gif', 'rgb', 8, 'image', 0],
  ['plain.webp', 'rgb', 8, 'image', 0],
  ['alpha.webp', 'rgb', 8, 'image', 1, true],
  ['plain.tiff', 'rgb', 8, 'image', 0],
  ['fax.tiff', 'gray', 1, 'ccitt', 0],
];
for (const [name, colour, bits, coding, tolerance, clear] of KEPT) {
  test(`${name} is kept as ${colour} of ${bits} bits, ${coding}, and looks as before`, { skip }, async () => {
    const bytes = (await IMAGES())[name] as Buffer;
    const pdf = made(await convert({ name, bytes }, PIXELS));
    qpdfCheck(pdf);
    const [image, mask] = images(pdf);
    assert.deepEqual([image?.colour, image?.bits, image?.coding], [colour, bits, coding]);
    assert.equal(mask?.type, clear ? 'smask' : undefined);
    assert.ok(meanDifference(await drawnPage(pdf), await rasterOf(bytes)) <= tolerance);
    assert.match(pdfinfo(pdf)['Page size'] ?? '', /^48 x 32 pts/);
  });
}

test('JPEG data is embedded byte for byte, turned or not', { skip }, async () => {
  for (const name of ['plain.jpg', 'turned.jpg', 'cmyk.jpg']) {
    const bytes = (await IMAGES())[name] as Buffer;
    assert.ok(made(await convert({ name, bytes })).includes(bytes), name);
  }
});

test('inks in a JPEG are the same whether or not it names Adobe, in colour and in grey', {
  skip,
}, async () => {
  const named = (await IMAGES())['cmyk.jpg'] as Buffer;
  const bytes = withoutAdobeMark(named);
  for (const colorType of ['color', 'greyscale', 'blackwhite']) {
    const [one, other] = await Promise.all(
      [named, bytes].map(async (file) =>
        drawnPage(made(await convert({ name: 'a.jpg', bytes: file }, { ...PIXELS, colorType }))),
      ),
    );
    assert.ok(one && other && meanDifference(one, other) < 1, colorType);
  }
  const pdf = made(await convert({ name: 'a.jpg', bytes }, PIXELS));
  assert.ok(pdf.includes(bytes));
  assert.ok(meanDifference(await drawnPage(pdf), await rasterOf(bytes)) < 30);
});

test('a CMYK TIFF stays CMYK, a profile stays with its image', { skip }, async () => {
  const source = sharp((await IMAGES())['plain.png']);
  const cmyk = await source.clone().toColourspace('cmyk').tiff({ compression: 'lzw' }).toBuffer();
  const pdf = made(await convert({ name: 'inks.tiff', bytes: cmyk }, PIXELS));
  assert.match(images(pdf)[0]?.colour ?? '', /cmyk|icc/);
  assert.ok(meanDifference(await drawnPage(pdf), await rasterOf(cmyk)) < 30);
  for (const format of ['png', 'jpeg', 'tiff', 'webp'] as const) {
    const bytes = await source.clone().withIccProfile('p3').toFormat(format).toBuffer();
    const kept = made(await convert({ name: `wide.${format}`, bytes }, PIXELS));
    assert.equal(images(kept)[0]?.colour, 'icc', format);
  }
});

test('opaque images with an opacity channel get no mask', { skip }, async () => {
  const bytes = await sharp((await IMAGES())['plain.png'])
    .ensureAlpha()
    .png()
    .toBuffer();
  assert.equal(images(made(await convert({ name: 'a.png', bytes }))).length, 1);
});

/** fitOption, autoRotate, wide image, page, where the image lies (left, top, right, bottom; points). */
const LAYOUTS: [string, string, boolean, string, number[]][] = [
  ['fillPage', 'false', true, '595.276 x 841.89', [0, 0, 595, 842]],
  ['fillPage', 'true', true, '841.89 x 595.276', [0, 0, 842, 595]],
  ['fillPage', 'true', false, '595.276 x 841.89', [0, 0, 595, 842]],
  ['maintainAspectRatio', 'false', true, '595.276 x 841.89', [0, 272, 595, 570]],
  ['maintainAspectRatio', 'true', true, '841.89 x 595.276', [0, 87, 842, 508]],
  ['fitDocumentToImage', 'true', true, '200 x 100', [0, 0, 200, 100]],
  ['fitDocumentToImage', 'false', false, '100 x 200', [0, 0, 100, 200]],
];
for (const [fitOption, autoRotate, wide, page, place] of LAYOUTS) {
  const what = `${fitOption}, autoRotate ${autoRotate}, ${wide ? 'wide' : 'high'} picture`;
  test(`${what}: the page is ${page} and the picture where it belongs`, { skip }, async () => {
    const size = wide ? { width: 200, height: 100 } : { width: 100, height: 200 };
    const bytes = await sharp({ create: { ...size, channels: 3, background: '#ff0000' } })
      .png()
      .toBuffer();
    const pdf = made(await convert({ name: 'red.png', bytes }, { fitOption, autoRotate }));
    assert.ok((pdfinfo(pdf)['Page size'] ?? '').startsWith(page), pdfinfo(pdf)['Page size']);
    const { width, height, data } = await drawnPage(pdf);
    let [left, top, right, bottom] = [width, height, 0, 0];
    for (let y = 0; y < height; y += 1)
      for (let x = 0; x < width; x += 1) {
        if ((data[3 * (y * width + x) + 1] ?? 0) > 128) continue;
        [left, top] = [Math.min(left, x), Math.min(top, y)];
        [right, bottom] = [Math.max(right, x + 1), Math.max(bottom, y + 1)];
      }
    for (const [index, edge] of [left, top, right, bottom].entries())
      assert.ok(Math.abs(edge - (place[index] ?? 0)) <= 1, `${[left, top, right, bottom]}`);
  });
}

for (const [colorType, bits, coding] of [
  ['greyscale', 8, 'jpeg'],
  ['blackwhite', 1, 'ccitt'],
] as const) {
  test(`${colorType} makes grey images of ${bits} bits, upright`, { skip }, async () => {
    const bytes = (await IMAGES())['turned.jpg'] as Buffer;
    const pdf = made(await convert({ name: 'a.jpg', bytes }, { ...PIXELS, colorType }));
    assert.deepEqual(
      images(pdf).map((image) => [image.colour, image.bits, image.coding]),
      [['gray', bits, coding]],
    );
    const grey = sharp(bytes).autoOrient().greyscale();
    const expected = await (colorType === 'blackwhite' ? grey.threshold(128) : grey).png().toBuffer();
    assert.ok(meanDifference(await drawnPage(pdf), await rasterOf(expected)) < 2);
  });
}

test('a grey JPEG asked for in grey is not touched', async () => {
  const bytes = (await IMAGES())['grey.jpg'] as Buffer;
  assert.ok(made(await convert({ name: 'a.jpg', bytes }, { colorType: 'greyscale' })).includes(bytes));
});

test('noise of any width survives the coding of faxes', { skip }, async () => {
  for (const [width, density] of [
    [1, 0.5],
    [7, 0.1],
    [33, 0.9],
    [641, 0.02],
    [6000, 0.001],
  ] as const) {
    const height = 24;
    let seed = width;
    const noise = Uint8Array.from({ length: width * height }, () => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed / 2147483648 < density ? 0 : 255;
    });
    const bytes = await sharp(noise, { raw: { width, height, channels: 1 } })
      .toColourspace('b-w')
      .png()
      .toBuffer();
    const pdf = made(await convert({ name: 'noise.png', bytes }, { ...PIXELS, colorType: 'blackwhite' }));
    assert.ok(meanDifference(await drawnPage(pdf), await rasterOf(bytes)) < 0.01, `${width}`);
  }
});

test('several images make pages in order, named after the first', { skip }, async () => {
  const pictures = await IMAGES();
  const names = ['plain.png', 'fax.tiff', 'plain.jpg', 'alpha.webp', 'plain.bmp'];
  const ran = await convert(
    names.map((name) => ({ name, bytes: pictures[name] as Buffer })),
    PIXELS,
  );
  assert.equal(madeName(ran), 'plain_converted.pdf');
  const pdf = made(ran);
  assert.equal(pdfinfo(pdf).Pages, '5');
  assert.deepEqual(
    images(pdf)
      .filter(({ type }) => type === 'image')
      .map(({ coding }) => coding),
    ['image', 'ccitt', 'jpeg', 'image', 'image'],
  );
});

test('hundreds of images larger than memory would like are laid on disk on the way', { skip }, async () => {
  const noise = await sharp({
    create: {
      width: 900,
      height: 900,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', sigma: 60 },
    },
  })
    .png({ compressionLevel: 1 })
    .toBuffer();
  const pdf = made(await convert(Array(16).fill({ name: 'noise.png', bytes: noise })));
  assert.equal(pdfinfo(pdf).Pages, '16');
  qpdfCheck(pdf);
});

test('an image of more than 200 megapixels is refused before it is decoded', async () => {
  const problem = failed(await convert({ name: 'huge.png', bytes: hugePng(60_000, 60_000) }));
  assert.equal(problem.reason, 'invalid_parameter');
  assert.match(problem.detail, /fileInput.*huge\.png.*200 megapixels/);
});

for (const name of ['broken.png', 'broken.jpg', 'broken.gif', 'broken.webp', 'broken.tiff', 'broken.bmp']) {
  test(`${name} is refused as unreadable`, async () => {
    const bytes = (await IMAGES())[name] as Buffer;
    for (const colorType of ['color', 'greyscale', 'blackwhite']) {
      const { reason, detail } = failed(await convert({ name, bytes }, { colorType }));
      assert.equal(reason, 'unsupported_file_type', colorType);
      assert.ok(detail.includes(name));
    }
  });
}

const FOLDER = corpusFolder('img');
const FACTS = existsSync(new URL('FACTS.tsv', FOLDER))
  ? readFileSync(new URL('FACTS.tsv', FOLDER), 'utf8').trim().split('\n').slice(1)
  : [];
const NOT_TAKEN = /\.(heic|heif|jp2)$/;

test('the facts of the collection hold', { skip: skip || noCorpus() }, async (t) => {
  assert.ok(FACTS.length > 0);
  for (const row of FACTS) {
    const [path = '', , , , frames = '1', , upright = ''] = row.split('\t');
    const name = path.split('/').at(-1) ?? '';
    await t.test(name, async () => {
      const file = new URL(name, FOLDER).pathname;
      const ran = await convert(file, PIXELS);
      if (NOT_TAKEN.test(name) || name.includes('truncated')) {
        assert.equal(failed(ran).reason, 'unsupported_file_type');
        return;
      }
      const pdf = made(ran);
      qpdfCheck(pdf);
      assert.equal(pdfinfo(pdf).Pages, name.endsWith('.tiff') ? frames : '1');
      const size = /^\d+x\d+$/.test(upright) ? upright.replace('x', ' x ') : '128 x 128';
      assert.ok((pdfinfo(pdf)['Page size'] ?? '').startsWith(`${size} pts`), pdfinfo(pdf)['Page size']);
      // Inks are mixed by each reader in its own way.
      const tolerance = name.includes('cmyk') ? 10 : 0.2;
      const truth = await looksLike(file);
      // Large ones are held against each other in small: drawing them takes seconds.
      const scale = Math.max(1, Math.floor(truth.width / 300));
      const small = await resized(truth, {
        width: Math.round(truth.width / scale),
        height: Math.round(truth.height / scale),
      });
      const difference = meanDifference(await drawnPage(pdf, { dpi: 72 / scale }), small);
      assert.ok(difference <= (scale > 1 ? 12 : tolerance), `${difference}`);
    });
  }
});

/** libvips reads no bitmaps; their own test holds them against other images. */
async function looksLike(file: string) {
  if (!file.endsWith('.bmp')) return rasterOf(file);
  const bytes = readFileSync(file);
  const at = bytes.readUInt32LE(10);
  const [width, height] = [bytes.readInt32LE(18), bytes.readInt32LE(22)];
  const row = Math.ceil((width * 3) / 4) * 4;
  const data = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      for (let channel = 0; channel < 3; channel += 1)
        data[3 * (y * width + x) + channel] = bytes[at + (height - 1 - y) * row + 3 * x + 2 - channel] ?? 0;
  return { width, height, data };
}
