import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import sharp from 'sharp';
import { failed, made, madeName, runHere } from '../../../../testing/calls/run-here.ts';
import { corpusFolder, noCorpus } from '../../../../testing/documents/collection.ts';
import { IMAGES } from '../../../../testing/documents/images.ts';
import { zipEntries, zipOf } from '../../../../testing/oracles/archives.ts';
import { askProgram, missing, pdfinfo, qpdfCheck } from '../../../../testing/oracles/programs.ts';
import { drawnPage, meanDifference, rasterOf } from '../../../../testing/oracles/rasters.ts';

const skip = missing('pdfinfo', 'qpdf', 'pdfimages', 'pdftocairo');

const convert = (bytes: Uint8Array, params: Record<string, string> = {}, name = 'comic.cbz') =>
  runHere('convert/cbz/pdf', { files: { fileInput: { name, bytes } }, params });

const block = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();

function pageSizes(pdf: Uint8Array): string[] {
  const pages = pdfinfo(pdf, '-f', '1', '-l', '999');
  return Object.keys(pages)
    .filter((key) => /^Page\s+\d+ size$/.test(key))
    .map((key) => (pages[key] ?? '').split(' pts')[0] ?? '');
}

test('pages follow in natural order, folder by folder, and are as large as their pixels', {
  skip,
}, async () => {
  const zip = await zipOf({
    'b/p1.png': await block(50, 10),
    'a/p10.png': await block(40, 10),
    'a/P2.PNG': await block(30, 10),
    'a/p1.png': await block(20, 10),
    'cover 1.png': await block(60, 10),
  });
  const ran = await convert(zip);
  assert.equal(madeName(ran), 'comic_converted.pdf');
  qpdfCheck(made(ran));
  assert.deepEqual(pageSizes(made(ran)), ['20 x 10', '30 x 10', '40 x 10', '50 x 10', '60 x 10']);
});

test('what is no page is skipped: notes, junk of systems, broken and foreign images', {
  skip,
}, async () => {
  const images = await IMAGES();
  const zip = await zipOf({
    '__MACOSX/._p1.png': await block(9, 9),
    '.hidden.png': await block(9, 9),
    'a/.DS_Store': 'x',
    'Thumbs.db': 'x',
    'ComicInfo.xml': '<ComicInfo/>',
    'p0.jpg': images['broken.jpg'] as Buffer,
    'p1.png': 'no picture at all',
    'p2.tiff': images['plain.tiff'] as Buffer,
    'p3.jpg': images['plain.png'] as Buffer,
    'p4.gif': images['plain.gif'] as Buffer,
    'p5.bmp': images['plain.bmp'] as Buffer,
    'p6.webp': images['alpha.webp'] as Buffer,
  });
  assert.equal(pdfinfo(made(await convert(zip))).Pages, '4');
});

test('JPEG data is embedded as it is', async () => {
  const jpeg = (await IMAGES())['plain.jpg'] as Buffer;
  assert.ok(made(await convert(await zipOf({ 'a.jpg': jpeg }))).includes(jpeg));
});

test('optimizeForEbook makes smaller files of the same pages', { skip }, async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 8 } as const;
  const photo = await sharp({ create: { width: 300, height: 400, channels: 3, background: '#000', noise } })
    .png()
    .toBuffer();
  const zip = await zipOf({ '1.png': photo, '2.png': await block(30, 20) });
  const plain = made(await convert(zip));
  const lean = made(await convert(zip, { optimizeForEbook: 'true' }));
  assert.ok(lean.length < plain.length / 2, `${lean.length} of ${plain.length}`);
  assert.deepEqual(pageSizes(lean), pageSizes(plain));
  const densities = askProgram('pdfimages', ['-list', '{}'], lean)
    .trim()
    .split('\n')
    .slice(2)
    .map((row) => Number(row.trim().split(/\s+/)[12]));
  assert.ok(densities.every((dpi) => dpi <= 150));
  assert.ok(meanDifference(await drawnPage(lean), await drawnPage(plain)) < 12);
});

const REFUSED: [string, () => Promise<Uint8Array>, RegExp][] = [
  ['an archive without pictures', () => zipOf({ 'a.txt': 'x', 'b.png': 'x' }), /no picture/],
  ['an empty archive', () => zipOf({}), /no picture/],
  ['a RAR archive', async () => Buffer.from('Rar!\x1a\x07\x01\x00rest', 'latin1'), /ZIP/],
  ['a 7-Zip archive', async () => Buffer.from("7z\xbc\xaf'\x1crest", 'latin1'), /ZIP/],
  ['a broken archive', async () => (await zipOf({ 'a.png': 'x' })).subarray(0, 60), /not a ZIP/],
  ['a bomb', () => zipOf({ 'a.png': Buffer.alloc(64 * 1024 ** 2) }), /times its size/],
  [
    'a path that leads out',
    async () =>
      Buffer.from(
        (await zipOf({ 'aa/bb.png': 'x' })).toString('latin1').replaceAll('aa/bb', '../bb'),
        'latin1',
      ),
    /leads out of the archive/,
  ],
  [
    'more than 5000 files',
    () => zipOf(Object.fromEntries(Array.from({ length: 5001 }, (_, index) => [`${index}.txt`, '']))),
    /5000/,
  ],
];
for (const [what, bytes, words] of REFUSED) {
  test(`${what} is refused`, async () => {
    const { reason, detail } = failed(await convert(await bytes()));
    assert.equal(reason, 'unsupported_file_type');
    assert.match(detail, words);
  });
}

const corpus = (name: string) => readFileSync(new URL(name, corpusFolder('cbz')));

test('comics of the collection convert, page for page', { skip: skip || noCorpus() }, async () => {
  for (const [name, order] of [
    ['natural_order.cbz', ['p1', 'p2', 'p10']],
    ['subdir_webp.cbz', undefined],
  ] as const) {
    const bytes = corpus(name);
    const pdf = made(await convert(bytes, {}, name));
    qpdfCheck(pdf);
    const entries = (await zipEntries(bytes)).filter((entry) => /\.(jpg|png|webp)$/.test(entry.name));
    assert.equal(pdfinfo(pdf).Pages, String(entries.length));
    for (const [index, stem] of (order ?? []).entries()) {
      const source = entries.find((entry) => entry.name.includes(`${stem}.`));
      assert.ok(source, stem);
      const drawn = await drawnPage(pdf, { page: index + 1 });
      assert.ok(meanDifference(drawn, await rasterOf(source.bytes)) < 1, stem);
    }
  }
});
