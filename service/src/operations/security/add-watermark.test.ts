import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failed, made, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { corpus, fixture, noCorpus } from '../../../testing/documents/collection.ts';
import { IMAGES } from '../../../testing/documents/images.ts';
import { onePage } from '../../../testing/documents/written-pdf.ts';
import { AWKWARD_PAGES, assertLooksLike } from '../../../testing/oracles/drawn-pages.ts';
import { askProgram, missing, pdfinfo, pdftotext, qpdfCheck } from '../../../testing/oracles/programs.ts';

const OP = 'security/add-watermark';
const skip = missing('pdftotext', 'pdftoppm', 'qpdf');
const pages = { name: 'pages.pdf', bytes: AWKWARD_PAGES };
const blank = { name: 'blank.pdf', bytes: onePage() };

type Files = Record<string, string | { name: string; bytes: Uint8Array }>;
const run = (params: Record<string, string>, files: Files = {}) =>
  runHere(OP, { files: { fileInput: pages, ...files }, params });
const picture = async (name: string): Promise<Files> => ({
  watermarkImage: { name, bytes: (await IMAGES())[name] ?? Buffer.alloc(0) },
});
const times = (text: string, word: string): number => text.split(word).length - 1;

const LOOKS: [string, Record<string, string>, string?][] = [
  ['watermark-default', { customColor: '#6060c0' }],
  [
    'watermark-turned',
    { rotation: '45', watermarkText: 'DRAFT', fontSize: '28', customColor: '#a04040', opacity: '0.9' },
  ],
  [
    'watermark-lines',
    {
      watermarkText: 'two\\nlines',
      widthSpacer: '10',
      heightSpacer: '0',
      rotation: '-90',
      customColor: '#208040',
    },
  ],
  [
    'watermark-large',
    { watermarkText: 'WIDE', fontSize: '180', rotation: '60', opacity: '0.4', customColor: '#0000ff' },
  ],
  [
    'watermark-many',
    {
      // Larger than 1: poppler draws a pattern tile by tile, and took half a minute.
      watermarkText: 'o',
      fontSize: '3',
      widthSpacer: '1',
      heightSpacer: '0',
      customColor: '#ff0000',
      opacity: '1',
    },
  ],
  ['watermark-png', { watermarkType: 'image', fontSize: '50', rotation: '30' }, 'alpha.png'],
  [
    'watermark-svg',
    { watermarkType: 'image', fontSize: '60', widthSpacer: '20', heightSpacer: '20' },
    'drawing.svg',
  ],
];

for (const [name, params, file] of LOOKS) {
  test(`it looks right on every kind of page: ${name}`, {
    skip: skip || (file === 'drawing.svg' && missing('rsvg-convert')),
  }, async () => {
    const ran = await run(params, file ? await picture(file) : {});
    assert.equal(madeName(ran), 'pages_watermarked.pdf');
    qpdfCheck(made(ran));
    await assertLooksLike(name, made(ran));
  });
}

for (const rotation of ['0', '45', '-30', '90', '180']) {
  test(`the text is found on every page, turned by ${rotation}`, { skip }, async () => {
    const pdf = made(await run({ watermarkText: 'TOP SECRET', rotation }));
    for (const page of ['1', '2', '3', '4']) {
      const text = pdftotext(pdf, '-f', page, '-l', page);
      assert.ok(text.includes('TOP SECRET'), `page ${page}: ${text}`);
    }
  });
}

test('tiles stand the asked gap apart over the whole page', { skip }, async () => {
  const params = { watermarkText: 'x', fontSize: '20', widthSpacer: '90', heightSpacer: '77' };
  const pdf = made(await run(params, { fileInput: blank }));
  const html = askProgram('pdftotext', ['-bbox', '{}', '-'], pdf);
  const words = [...html.matchAll(/xMin="([^"]+)" yMin="([^"]+)"[^>]*>x</g)].map(([, x, y]) => [
    Number(x),
    Number(y),
  ]);
  const xs = [...new Set(words.map(([x]) => Math.round((x ?? 0) * 10) / 10))].sort((a, b) => a - b);
  const ys = [...new Set(words.map(([, y]) => Math.round((y ?? 0) * 10) / 10))].sort((a, b) => a - b);
  assert.equal(words.length, xs.length * ys.length);
  const steps = (list: number[]) => list.slice(1).map((value, index) => value - (list[index] ?? 0));
  // A letter x of 20 points is 10 wide; the line is 23 high.
  assert.ok(
    steps(xs).every((step) => Math.abs(step - 100) < 0.3),
    String(xs),
  );
  assert.ok(
    steps(ys).every((step) => Math.abs(step - 100) < 1),
    String(ys),
  );
  assert.ok((xs[0] ?? 999) < 100 && (xs.at(-1) ?? 0) > 512 && (ys[0] ?? 999) < 100 && (ys.at(-1) ?? 0) > 680);
});

test('more tiles than a page can hold become a pattern, and the text is still found', { skip }, async () => {
  const params = { watermarkText: 'ab', fontSize: '1', widthSpacer: '0', heightSpacer: '0' };
  const pdf = made(await run(params, { fileInput: blank }));
  assert.ok(pdf.length < 30_000, `${pdf.length} bytes`);
  assert.equal(times(pdftotext(pdf), 'ab'), 1);
});

test('pages become pictures where asked: no text is left, sizes and bookmarks are', { skip }, async () => {
  const fileInput = fixture('everything.pdf');
  const pdf = made(await run({ convertPDFToImage: 'true' }, { fileInput }));
  qpdfCheck(pdf);
  assert.equal(pdftotext(pdf).trim(), '');
  const rows = askProgram('pdfimages', ['-list', '{}'], pdf).trim().split('\n').slice(2);
  assert.equal(rows.length, 4);
  assert.match(rows[0] ?? '', /jpeg .* 200 +200 /);
  const before = pdfinfo(made(await run({}, { fileInput })), '-f', '1', '-l', '4');
  const after = pdfinfo(pdf, '-f', '1', '-l', '4');
  for (const key of Object.keys(before).filter((name) => /^Page/.test(name)))
    assert.equal(after[key], before[key], key);
  assert.equal(after.Form, 'none');
});

test('pictures of awkward pages stand where the pages stood', { skip }, async () => {
  const pdf = made(
    await run({ convertPDFToImage: 'true', watermarkText: 'P', fontSize: '60', customColor: '#3030a0' }),
  );
  await assertLooksLike('watermark-pictures', pdf);
});

const REFUSED: [string, Record<string, string>, string, string?][] = [
  ['watermarkText', { watermarkText: '' }, 'invalid_parameter'],
  ['watermarkText', { watermarkText: '\u{10ffff}' }, 'invalid_parameter'],
  ['watermarkImage', { watermarkType: 'image' }, 'invalid_parameter'],
  ['watermarkImage', { watermarkType: 'image' }, 'unsupported_file_type', 'broken.webp'],
];

for (const [field, params, reason, file] of REFUSED) {
  test(`refused, naming ${field}: ${JSON.stringify(params)} ${file ?? ''}`, async () => {
    const problem = failed(await run(params, file ? await picture(file) : {}));
    assert.equal(problem.reason, reason);
    assert.ok(problem.detail.includes(field), problem.detail);
  });
}

test('every page of the documents of the collection gets the text, whatever its content left behind', {
  skip: skip || noCorpus(),
}, async () => {
  const files = corpus('pdf').filter(
    (path, index) => index % 6 === 2 && !/unopenable|password|encrypted/.test(path),
  );
  for (const path of files) {
    const ran = await run({ watermarkText: 'mArK', fontSize: '7' }, { fileInput: path });
    if (ran.state === 'failed' && ran.problem.reason === 'invalid_pdf') continue;
    const pages = pdftotext(made(ran)).split('\f').slice(0, -1);
    for (const [index, text] of pages.entries())
      assert.ok(text.includes('mArK'), `${path} page ${index + 1}`);
  }
});
