import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import sharp from 'sharp';
import { failed, made, madeName, runHere } from '../../../../testing/calls/run-here.ts';
import { fixture } from '../../../../testing/documents/collection.ts';
import { onePage, pdfOf, streamOf } from '../../../../testing/documents/written-pdf.ts';
import { zipEntries } from '../../../../testing/oracles/archives.ts';
import { pclPages } from '../../../../testing/oracles/pcl-xl.ts';
import { askProgram, missing, pdfinfo, pdftotext } from '../../../../testing/oracles/programs.ts';
import { sniff } from '../../../contract/kinds.ts';

const skip = missing('pdftocairo', 'pdftops', 'gs');
const EVERYTHING = fixture('everything.pdf');
const vector = (outputFormat: string, file: string | { name: string; bytes: Uint8Array } = EVERYTHING) =>
  runHere('convert/pdf/vector', { files: { fileInput: file }, params: { outputFormat } });

const GS = ['-q', '-dSAFER', '-dBATCH', '-dNOPAUSE', '-dEPSCrop', '-sDEVICE=pdfwrite', '-sOutputFile=-'];
/** A PostScript file as Ghostscript reads it: a PDF again. */
const distilled = (bytes: Buffer): Buffer =>
  Buffer.from(askProgram('sh', ['-c', `gs ${GS.join(' ')} "$0" | base64`, '{}'], bytes), 'base64');

/** A red rectangle in the upper right corner of what is shown. */
const cropped = (rotate: number, box: string) => ({
  name: 'doc.pdf',
  bytes: onePage({
    page: `/CropBox [${box}] /Rotate ${rotate}`,
    content: '1 0 0 rg 200 300 100 100 re f 0 0 1 rg 0 0 90 90 re f',
  }),
});

test('PostScript holds all pages, with their text', { skip }, async () => {
  const ran = await vector('ps');
  assert.equal(madeName(ran), 'everything_converted.ps');
  assert.equal(sniff(made(ran)), 'ps');
  const pdf = distilled(made(ran));
  assert.equal(pdfinfo(pdf).Pages, '4');
  const words = pdftotext(readFileSync(EVERYTHING)).split(/\s+/).slice(0, 20).join(' ');
  assert.equal(pdftotext(pdf).split(/\s+/).slice(0, 20).join(' '), words);
});

for (const [format, kind] of [
  ['svg', 'svg'],
  ['eps', 'eps'],
] as const) {
  test(`several pages as ${format} come as a ZIP`, { skip }, async () => {
    const ran = await vector(format);
    assert.equal(madeName(ran), 'everything_converted.zip');
    const entries = await zipEntries(made(ran));
    assert.deepEqual(
      entries.map(({ name }) => name),
      [1, 2, 3, 4].map((page) => `everything_${page}.${format}`),
    );
    for (const { bytes } of entries) {
      assert.equal(sniff(bytes), kind);
      assert.doesNotMatch(bytes.toString('latin1').slice(0, 3000), /<image|ImageType/);
    }
  });
}

for (const [what, rotate, box, size] of [
  ['upright', 0, '100 100 300 400', [200, 300]],
  ['turned', 90, '100 100 300 400', [300, 200]],
  ['wide', 0, '0 100 300 400', [300, 300]],
] as const) {
  test(`a page ${what} is drawn as it is displayed`, { skip }, async () => {
    const file = cropped(rotate, box);
    const svg = made(await vector('svg', file));
    assert.equal(madeName(await vector('svg', file)), 'doc_converted.svg');
    const { width, height } = await sharp(svg, { density: 72 }).metadata();
    assert.deepEqual([width, height], size);
    const eps = made(await vector('eps', file));
    assert.equal(pdfinfo(distilled(eps))['Page size']?.replace(/ pts.*/, ''), size.join(' x '));
    const corner = async (image: ReturnType<typeof sharp>) => {
      const at = {
        left: rotate === 90 ? size[0] - 20 : size[0] - 20,
        top: rotate === 90 ? size[1] - 20 : 20,
      };
      const area = image
        .flatten({ background: '#fff' })
        .resize(size[0], size[1])
        .extract({ ...at, width: 1, height: 1 });
      return [...(await area.removeAlpha().raw().toBuffer())];
    };
    const png = askProgram(
      'sh',
      ['-c', 'gs -q -dSAFER -dBATCH -dNOPAUSE -dEPSCrop -sDEVICE=png16m -sOutputFile=- "$0" | base64', '{}'],
      eps,
    );
    assert.deepEqual(await corner(sharp(svg, { density: 72 })), [255, 0, 0]);
    assert.deepEqual(await corner(sharp(Buffer.from(png, 'base64'))), [255, 0, 0]);
  });
}

/** Ghostscript leaves blank pages out of an XPS, unless there is paper under them. */
const BLANK = {
  name: 'doc.pdf',
  bytes: pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 4 0 R 5 0 R] /Count 3 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 500] /CropBox [100 100 300 400] /Rotate 90 /Contents 6 0 R >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 842 595] /Contents 7 0 R >>',
    streamOf('1 0 0 rg 200 300 100 100 re f'),
    streamOf('0 1 0 rg 0 0 50 50 re f'),
  ]),
};
const [CUSTOM_SIZE, RECTANGLE] = [0x2f, 0xa0];

test('PCL has every page at its displayed size, with what is drawn there as paths and letters', {
  skip,
}, async () => {
  const ran = await vector('pcl');
  assert.equal(madeName(ran), 'everything_converted.pcl');
  const pages = pclPages(made(ran));
  assert.equal(pages.length, 4);
  const [first, blank, last] = pclPages(made(await vector('pcl', BLANK)));
  const inches = first?.attributes.get(CUSTOM_SIZE)?.map((each) => Math.round(each * 72));
  assert.deepEqual(inches?.sort(), [200, 300]);
  assert.deepEqual(
    [first, blank, last].map((page) => page?.operators.get(RECTANGLE)),
    [1, undefined, 1],
  );
});

const skipXps = skip || missing('mutool');
/** A page of an XPS as MuPDF draws it, which knows such files by their name. */
const drawnXps = (bytes: Buffer, page: number): Buffer => {
  const script = 'cp "$0" "$0.xps"; mutool draw -q -F png -r 72 -o - "$0.xps" "$1" 2>/dev/null | base64';
  return Buffer.from(askProgram('sh', ['-c', script, '{}', String(page)], bytes), 'base64');
};

test('XPS has every page, blank ones too, as another program draws it', { skip: skipXps }, async () => {
  const ran = await vector('xps', BLANK);
  assert.equal(madeName(ran), 'doc_converted.xps');
  const xps = made(ran);
  const names = (await zipEntries(xps)).map(({ name }) => name);
  for (const name of ['[Content_Types].xml', '_rels/.rels', 'FixedDocumentSequence.fdseq'])
    assert.ok(names.includes(name), name);
  assert.equal(names.filter((name) => /\.fpage$/.test(name)).length, 3);
  const colourAt = async (page: number, left: number, top: number): Promise<number[]> => {
    const image = sharp(drawnXps(xps, page)).flatten({ background: '#fff' }).removeAlpha();
    const { data } = await image
      .extract({ left, top, width: 1, height: 1 })
      .raw()
      .toBuffer({ resolveWithObject: true });
    return [...data];
  };
  const sizes = await Promise.all([1, 2, 3].map((page) => sharp(drawnXps(xps, page)).metadata()));
  const expected = [300, 200, 595, 842, 842, 595];
  for (const [at, side] of sizes.flatMap(({ width = 0, height = 0 }) => [width, height]).entries())
    assert.ok(Math.abs(side - (expected[at] ?? 0)) <= 1, `${side}, not ${expected[at]}`);
  assert.deepEqual(await colourAt(1, 290, 190), [255, 0, 0]);
  assert.deepEqual(await colourAt(2, 300, 400), [255, 255, 255]);
  assert.deepEqual(await colourAt(3, 20, 580), [0, 255, 0]);
});

test('a composite font that is not there is named, not drawn as another', { skip }, async () => {
  const font =
    '/Resources << /Font << /F << /Type /Font /Subtype /Type0 /BaseFont /Far /Encoding /Identity-V /DescendantFonts [5 0 R] >> >> >>';
  const far =
    '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Far /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 1 >> >>';
  const bytes = onePage({ page: font, content: 'BT /F 20 Tf 50 500 Td <0400> Tj ET', more: [far] });
  for (const format of ['pcl', 'xps'])
    assert.match(
      failed(await vector(format, { name: 'far.pdf', bytes })).detail,
      /Far is not in the document/,
    );
});
