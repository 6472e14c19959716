import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import sharp from 'sharp';
import { made, madeName, runHere } from '../../../../testing/calls/run-here.ts';
import { fixture } from '../../../../testing/documents/collection.ts';
import { onePage } from '../../../../testing/documents/written-pdf.ts';
import { zipEntries } from '../../../../testing/oracles/archives.ts';
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
