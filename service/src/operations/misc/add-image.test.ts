import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failed, made, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { hugePng, IMAGES } from '../../../testing/documents/images.ts';
import { onePage } from '../../../testing/documents/written-pdf.ts';
import { AWKWARD_PAGES, assertLooksLike } from '../../../testing/oracles/drawn-pages.ts';
import { askProgram, missing, pdftotext, qpdfCheck } from '../../../testing/oracles/programs.ts';
import { createLog } from '../../contract/log.ts';
import { createPdfium } from '../../engines/pdfium/pdfium.ts';

const OP = 'misc/add-image';
const skip = missing('pdfimages', 'pdftoppm', 'qpdf');
const pages = { name: 'pages.pdf', bytes: AWKWARD_PAGES };
const blank = { name: 'blank.pdf', bytes: onePage() };
const noSvg = missing('rsvg-convert');

async function add(image: string, params: Record<string, string> = {}, fileInput = pages) {
  const bytes = (await IMAGES())[image];
  assert.ok(bytes, image);
  return runHere(OP, { files: { fileInput, imageFile: { name: image, bytes } }, params });
}

/** Colours of the middles of the four quarters of the image, when drawn 96 by 64 points at 100, 200. */
async function quartersOf(pdf: Buffer): Promise<string[]> {
  const pdfium = await createPdfium({ passwords: [], log: createLog('silent') });
  using opened = pdfium.open({ name: 'result.pdf', content: { bytes: pdf } });
  const { width, rgba } = opened.render(0, { dpi: 72, maxPixels: 1e7 });
  const at = (x: number, y: number): string => {
    const from = ((792 - y) * width + x) * 4;
    return [...rgba.subarray(from, from + 3)].map((value) => Math.round(value / 32)).join(' ');
  };
  return [at(124, 248), at(172, 248), at(124, 216), at(172, 216)];
}

const COLOURS = ['8 0 0', '0 5 0', '0 0 8', '8 7 0'];
const CLEARER = '8 8 5';

const KINDS: [string, { filter: string; space: string; bits?: string }, string?][] = [
  ['plain.png', { filter: 'image', space: 'rgb' }],
  ['alpha.png', { filter: 'image', space: 'rgb' }, CLEARER],
  ['interlaced.png', { filter: 'image', space: 'rgb' }],
  ['palette.png', { filter: 'image', space: 'index', bits: '4' }],
  ['palette-alpha.png', { filter: 'image', space: 'rgb' }, CLEARER],
  ['deep.png', { filter: 'image', space: 'rgb', bits: '16' }],
  ['plain.jpg', { filter: 'jpeg', space: 'rgb' }],
  ['progressive.jpg', { filter: 'jpeg', space: 'rgb' }],
  ['cmyk.jpg', { filter: 'jpeg', space: 'cmyk' }],
  // Its maker puts a profile in.
  ['turned.jpg', { filter: 'jpeg', space: 'icc' }],
  ['plain.gif', { filter: 'image', space: 'rgb' }],
  ['plain.webp', { filter: 'image', space: 'rgb' }],
  ['alpha.webp', { filter: 'image', space: 'rgb' }, CLEARER],
  ['plain.tiff', { filter: 'image', space: 'rgb' }],
  ['plain.bmp', { filter: 'image', space: 'rgb' }],
  ['grey.png', { filter: 'image', space: 'gray' }],
  ['grey.jpg', { filter: 'jpeg', space: 'gray' }],
  ['fax.tiff', { filter: 'ccitt', space: 'gray', bits: '1' }],
];

for (const [image, { filter, space, bits = '8' }, last] of KINDS) {
  test(`${image} is embedded as ${filter} in ${space} and shows its colours upright`, {
    skip,
  }, async () => {
    const pdf = made(await add(image, { x: '100', y: '200', width: '96', height: '64' }, blank));
    qpdfCheck(pdf);
    const rows = askProgram('pdfimages', ['-list', '{}'], pdf)
      .trim()
      .split('\n')
      .slice(2)
      .map((row) => row.trim().split(/\s+/));
    const [, , type, , , colour, , depth, coding] = rows[0] ?? [];
    assert.deepEqual([type, colour, depth, coding], ['image', space, bits, filter]);
    assert.equal(rows.length, last === undefined ? 1 : 2, 'opacity is a soft mask');
    if (space === 'gray') return;
    const seen = await quartersOf(pdf);
    const wanted = last === undefined ? COLOURS : [...COLOURS.slice(0, 3), last];
    seen.forEach((colour, index) => {
      const [a, b] = [colour, wanted[index] ?? ''].map((text) => text.split(' ').map(Number)) as [
        number[],
        number[],
      ];
      const near = a.every(
        (value, channel) => Math.abs(value - (b[channel] ?? 0)) <= (space === 'cmyk' ? 3 : 1),
      );
      assert.ok(near, `${image} quarter ${index}: ${colour} instead of ${wanted[index]}`);
    });
  });
}

test('JPEG data is embedded byte for byte', { skip }, async () => {
  const pdf = made(await add('turned.jpg', {}, blank));
  assert.ok(pdf.includes((await IMAGES())['turned.jpg'] as Buffer));
});

test('an SVG stays vector and its text stays text', { skip: skip || noSvg }, async () => {
  const pdf = made(await add('drawing.svg', { x: '10', y: '10' }, blank));
  qpdfCheck(pdf);
  assert.equal(askProgram('pdfimages', ['-list', '{}'], pdf).trim().split('\n').length, 2);
  assert.match(pdftotext(pdf), /vector/);
});

test('an SVG reads no file and no address', { skip: skip || noSvg }, async () => {
  const secret = new URL('../../../../fixtures/text-two-pages.pdf', import.meta.url).pathname;
  const svg = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY leak SYSTEM "file://${secret}">]>
    <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="200" height="100">
    <image xlink:href="file://${secret}" width="50" height="50"/><image xlink:href="http://127.0.0.1:9/x.png" width="9" height="9"/>
    <image xlink:href="fixtures/golden/stamp-svg.png" width="50" height="50"/><text y="20">&leak;</text><text y="60">seen</text></svg>`;
  const ran = await runHere(OP, {
    files: { fileInput: blank, imageFile: { name: 'leak.svg', bytes: Buffer.from(svg) } },
  });
  if (ran.state === 'failed') {
    assert.equal(ran.problem.reason, 'unsupported_file_type');
    return;
  }
  const pdf = made(ran);
  assert.equal(pdftotext(pdf).trim(), 'seen');
  assert.equal(askProgram('pdfimages', ['-list', '{}'], pdf).trim().split('\n').length, 2);
});

const LOOKS: [string, string, Record<string, string>][] = [
  ['image-at-its-size', 'alpha.png', { everyPage: 'true', x: '100', y: '150' }],
  ['image-wide', 'turned.jpg', { everyPage: 'true', x: '0', y: '0', width: '150' }],
  ['image-stretched', 'plain.bmp', { everyPage: 'true', x: '-20', y: '340', width: '100', height: '100' }],
  ['image-svg', 'drawing.svg', { everyPage: 'true', x: '110', y: '120', height: '150' }],
];

for (const [name, image, params] of LOOKS) {
  test(`it looks right on every kind of page: ${name}`, {
    skip: skip || (image.endsWith('.svg') && noSvg),
  }, async () => {
    const ran = await add(image, params);
    assert.equal(madeName(ran), 'pages_overlayed.pdf');
    await assertLooksLike(name, made(ran));
  });
}

test('only the first page, unless asked; every page shares one image', { skip }, async () => {
  const count = (pdf: Buffer) =>
    askProgram('pdfimages', ['-list', '{}'], pdf)
      .split('\n')
      .filter((row) => / 48 +32 /.test(row));
  assert.equal(count(made(await add('plain.png'))).length, 1);
  const rows = count(made(await add('plain.png', { everyPage: 'true' })));
  assert.equal(rows.length, 4);
  assert.equal(new Set(rows.map((row) => row.trim().split(/\s+/)[10])).size, 1);
});

for (const name of [
  'broken.png',
  'broken.jpg',
  'broken.gif',
  'broken.webp',
  'broken.tiff',
  'broken.bmp',
  'broken.svg',
]) {
  test(`${name} is refused, naming imageFile`, { skip: name === 'broken.svg' && noSvg }, async () => {
    const { reason, detail } = failed(await add(name));
    assert.equal(reason, 'unsupported_file_type', detail);
    assert.match(detail, /imageFile/);
  });
}

test('more than 200 megapixels are refused before anything is decoded', async () => {
  const huge = Buffer.from((await IMAGES())['plain.bmp'] as Buffer);
  huge.writeInt32LE(20_000, 18);
  huge.writeInt32LE(20_000, 22);
  for (const imageFile of [
    { name: 'huge.bmp', bytes: huge },
    { name: 'huge.png', bytes: hugePng(15_000, 14_000) },
  ]) {
    const { reason, detail } = failed(await runHere(OP, { files: { fileInput: pages, imageFile } }));
    assert.equal(reason, 'invalid_parameter');
    assert.match(detail, /imageFile.*200 megapixels/);
  }
});
