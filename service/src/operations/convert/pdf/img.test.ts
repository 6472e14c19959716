import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import sharp from 'sharp';
import { failed, made, madeName, runHere } from '../../../../testing/calls/run-here.ts';
import { fixture } from '../../../../testing/documents/collection.ts';
import { onePage, pdfOf, streamOf } from '../../../../testing/documents/written-pdf.ts';
import { zipEntries } from '../../../../testing/oracles/archives.ts';
import { askProgram, missing } from '../../../../testing/oracles/programs.ts';

const EVERYTHING = fixture('everything.pdf');
const TEXT = fixture('text-two-pages.pdf');
const img = (
  params: Record<string, string>,
  file: string | { name: string; bytes: Uint8Array } = EVERYTHING,
) => runHere('convert/pdf/img', { files: { fileInput: file }, params });
const facts = (bytes: Buffer) => sharp(bytes, { limitInputPixels: false }).metadata();

/** A page of one colour over its lower half. */
const half = (colour: string, width = 200, height = 100): string[] => [
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents {content} 0 R >>`,
  streamOf(`${colour} rg 0 0 ${width} ${height / 2} re f`),
];
function pagesOf(...pages: string[][]): { name: string; bytes: Buffer } {
  const kids = pages.map((_, index) => `${3 + 2 * index} 0 R`).join(' ');
  const objects = pages.flatMap((page, index) =>
    page.map((text) => text.replace('{content}', String(4 + 2 * index))),
  );
  const tree = `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`;
  return { name: 'doc.pdf', bytes: pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', tree, ...objects]) };
}

test('each page is an image named after its number, in the order asked for', async () => {
  const ran = await img({ pageNumbers: '3,1', imageFormat: 'jpg', dpi: '40' });
  assert.equal(madeName(ran), 'everything_convertedToImages.zip');
  const entries = await zipEntries(made(ran));
  assert.deepEqual(
    entries.map(({ name }) => name),
    ['everything_3.jpg', 'everything_1.jpg'],
  );
  for (const { bytes } of entries) assert.equal((await facts(bytes)).format, 'jpeg');
});

for (const format of ['png', 'jpeg', 'jpg', 'gif', 'webp', 'tif', 'tiff']) {
  test(`one page as ${format} is sent as itself`, async () => {
    const ran = await img({ pageNumbers: '1', imageFormat: format, dpi: '100' }, TEXT);
    assert.equal(madeName(ran), `text-two-pages.${format}`);
    const { width, height, density, format: kind } = await facts(made(ran));
    assert.equal(kind, { jpg: 'jpeg', tif: 'tiff' }[format] ?? format);
    assert.deepEqual([width, height], [827, 1169]);
    if (format !== 'gif' && format !== 'webp') assert.equal(density, 100);
  });
}

for (const [colorType, bits] of [
  ['color', 24],
  ['greyscale', 8],
  ['grayscale', 8],
  ['blackwhite', 1],
] as const) {
  for (const singleOrMultiple of ['multiple', 'single']) {
    test(`a bitmap of a page, ${colorType}, ${singleOrMultiple}, is what Windows and others read`, async () => {
      const file = pagesOf(half('1 0 0', 205, 100));
      const params = { imageFormat: 'bmp', colorType, singleOrMultiple, dpi: '72' };
      const ran = await img(params, file);
      assert.equal(madeName(ran), 'doc.bmp');
      const bytes = made(ran);
      assert.equal(bytes.readUInt32LE(2), bytes.length);
      assert.deepEqual([bytes.readInt32LE(18), bytes.readInt32LE(22)], [205, 100]);
      assert.equal(bytes.readUInt16LE(28), bits);
      assert.equal(bytes.readInt32LE(38), 2835);
      // The lower half comes first in the file; blue stands before red.
      const dataAt = bytes.readUInt32LE(10);
      const below = bytes[dataAt] ?? -1;
      const above = bytes.at(-4 * Math.ceil((205 * bits) / 32)) ?? -1;
      if (bits === 24) assert.deepEqual([...bytes.subarray(dataAt, dataAt + 3)], [0, 0, 255]);
      else assert.equal(below, bits === 8 ? 77 : 0);
      assert.equal(above, 255);
      // Made into a PDF again it is the same image to another reader of bitmaps.
      const again = await runHere('convert/img/pdf', {
        files: { fileInput: { name: 'b.bmp', bytes } },
        params: { fitOption: 'fitDocumentToPage' },
      });
      assert.ok(again.state === 'made', JSON.stringify(again));
    });
  }
}

test('a page looks as poppler draws it', { skip: missing('pdftoppm') }, async () => {
  const soft = (bytes: Buffer) =>
    sharp(bytes).resize(595, 842, { fit: 'fill' }).greyscale().blur(3).raw().toBuffer();
  const ours = await soft(made(await img({ pageNumbers: '1', dpi: '72' }, TEXT)));
  const command = 'pdftoppm -r 72 -f 1 -l 1 -png "$0" | base64';
  const theirs = await soft(
    Buffer.from(askProgram('sh', ['-c', command, '{}'], readFileSync(TEXT)), 'base64'),
  );
  assert.equal(ours.length, theirs.length);
  const difference = ours.reduce((sum, value, at) => sum + Math.abs(value - (theirs[at] ?? 0)), 0);
  assert.ok(difference / ours.length < 3, `differs by ${difference / ours.length}`);
});

test('grey has no colour, black and white no grey, and both keep what is drawn', async () => {
  const file = pagesOf(half('1 0 0'));
  const grey = made(await img({ colorType: 'greyscale', dpi: '72' }, file));
  assert.equal((await facts(grey)).channels, 1);
  const values = await sharp(grey).greyscale().raw().toBuffer();
  assert.deepEqual([values.at(0), values.at(-1)], [255, 77]);
  for (const imageFormat of ['png', 'tiff', 'gif']) {
    const bytes = made(await img({ colorType: 'blackwhite', dpi: '72', imageFormat }, file));
    const { data } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
    assert.deepEqual(new Set(data), new Set([0, 255]), imageFormat);
    assert.deepEqual([data.at(0), data.at(-1)], [255, 0], imageFormat);
    if (imageFormat !== 'gif') assert.ok(bytes.length < 2000, `${imageFormat} of ${bytes.length} bytes`);
  }
});

for (const imageFormat of ['tif', 'tiff']) {
  test(`a tall black and white ${imageFormat} has one bit a pixel, packed as a fax`, async () => {
    const file = pagesOf(half('0 0 0', 200, 100), half('0 0 0', 100, 60));
    const params = { singleOrMultiple: 'single', colorType: 'blackwhite', dpi: '72', imageFormat };
    const bytes = made(await img(params, file));
    const { width, height, bitsPerSample } = await facts(bytes);
    assert.deepEqual([width, height, bitsPerSample], [200, 160, 1]);
    // Its entry 259, compression: one short, 4.
    assert.ok(bytes.includes(Buffer.from('030103000100000004000000', 'hex')));
    const data = await sharp(bytes).greyscale().raw().toBuffer();
    const at = (x: number, y: number) => data[y * 200 + x];
    assert.deepEqual([at(10, 20), at(10, 90), at(10, 150), at(150, 150)], [255, 0, 0, 255]);
  });
}

test('all pages in one tall image stand below each other, left-aligned on white', async () => {
  const file = pagesOf(half('1 0 0', 200, 100), half('0 0 1', 100, 60));
  const ran = await img({ singleOrMultiple: 'single', dpi: '72' }, file);
  assert.equal(madeName(ran), 'doc.png');
  const { data, info } = await sharp(made(ran)).raw().toBuffer({ resolveWithObject: true });
  assert.deepEqual([info.width, info.height, info.channels], [200, 160, 3]);
  const at = (x: number, y: number) => [...data.subarray((y * 200 + x) * 3, (y * 200 + x) * 3 + 3)];
  assert.deepEqual(at(10, 20), [255, 255, 255]);
  assert.deepEqual(at(10, 90), [255, 0, 0]);
  assert.deepEqual(at(10, 150), [0, 0, 255]);
  assert.deepEqual(at(150, 150), [255, 255, 255]);
});

test('a tall image beyond its bounds is refused, naming singleOrMultiple', async () => {
  const tall = pagesOf(...Array.from({ length: 6 }, () => half('0 0 0', 1400, 14000)));
  const cases = [
    { imageFormat: 'png', dpi: '72' },
    { imageFormat: 'webp', dpi: '20' },
  ];
  for (const params of cases) {
    const problem = failed(await img({ singleOrMultiple: 'single', ...params }, tall));
    assert.equal(problem.reason, 'invalid_parameter');
    assert.match(problem.detail, /^singleOrMultiple/);
  }
});

test('a page above 100 megapixels is refused at the dpi sent, and drawn smaller at the default', async () => {
  const file = pagesOf(half('0 0 1', 7000, 7000));
  const problem = failed(await img({ dpi: '150' }, file));
  assert.equal(problem.reason, 'invalid_parameter');
  assert.match(problem.detail, /^dpi/);
  const { width = 0, height = 0 } = await facts(made(await img({ imageFormat: 'jpeg' }, file)));
  assert.ok(width * height <= 100_000_000 && width * height > 95_000_000, `${width} x ${height}`);
});

test('a side longer than WebP can have is refused or shortened alike', async () => {
  const file = pagesOf(half('0 0 1', 14000, 40));
  assert.match(failed(await img({ imageFormat: 'webp', dpi: '150' }, file)).detail, /^dpi/);
  const { width = 0 } = await facts(made(await img({ imageFormat: 'webp' }, file)));
  assert.ok(width <= 16383 && width > 16000, String(width));
});

test('a large page is drawn in strips without a seam', async () => {
  const file = { name: 'doc.pdf', bytes: onePage({ content: '0 0.5 0 rg 0 0 612 792 re f' }) };
  const bytes = made(await img({ imageFormat: 'png', dpi: '600' }, file));
  const { channels } = await sharp(bytes).stats();
  assert.deepEqual(
    channels.map(({ min, max }) => [min, max]),
    [
      [0, 0],
      [128, 128],
      [0, 0],
    ],
  );
});

test('form field values are always drawn, annotations when asked for', async () => {
  const dark = async (file: string, params: Record<string, string>) => {
    const { channels } = await sharp(
      made(await img({ pageNumbers: '1', dpi: '72', ...params }, file)),
    ).stats();
    return channels.some(({ min }) => min < 250);
  };
  assert.equal(await dark(fixture('form-fields.pdf'), {}), true);
  assert.equal(await dark(fixture('annotated-pages.pdf'), {}), false);
  assert.equal(await dark(fixture('annotated-pages.pdf'), { includeAnnotations: 'true' }), true);
});

test('an expression that selects no page is out of range', async () => {
  assert.equal(failed(await img({ pageNumbers: '100n' })).reason, 'page_out_of_range');
});
