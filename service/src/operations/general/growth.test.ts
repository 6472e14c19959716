// Splitting and merging take time by what there is to write, not by parts times the document: four times as much takes
// about four times as long. Processor time is compared, of the best of some runs: machines are noisy.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type GivenFile, made, runHere } from '../../../testing/calls/run-here.ts';
import { pdfOf, streamOf } from '../../../testing/documents/written-pdf.ts';
import { zipEntries } from '../../../testing/oracles/pages.ts';
import { missing, pdfinfo, pdftotext, qpdfCheck } from '../../../testing/oracles/programs.ts';

const skip = missing('qpdf', 'pdfinfo', 'pdftotext');
/** Linear is 4, by parts times the document 16. */
const MOST = 9;
const RUNS = 8;

/** Pages with a line of text, a bookmark and a field each. */
function pagesOf(count: number): Buffer {
  const at = (index: number): number => 5 + 4 * index;
  const each = (of: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => of(index)).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /Outlines 3 0 R /AcroForm << /Fields [' +
      `${each((index) => `${at(index) + 2} 0 R`)}] >> >>`,
    `<< /Type /Pages /Count ${count} /Kids [${each((index) => `${at(index)} 0 R`)}] >>`,
    `<< /Type /Outlines /Count ${count} /First ${at(0) + 3} 0 R /Last ${at(count - 1) + 3} 0 R >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  for (let index = 0; index < count; index += 1) {
    const page = at(index);
    const previous = index > 0 ? `/Prev ${page - 1} 0 R` : '';
    const next = index + 1 < count ? `/Next ${page + 7} 0 R` : '';
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents ${page + 1} 0 R ` +
        `/Annots [${page + 2} 0 R] /Resources << /Font << /F 4 0 R >> >> >>`,
      streamOf(`BT /F 12 Tf 20 150 Td (Page ${index + 1}) Tj ET`),
      `<< /Type /Annot /Subtype /Widget /FT /Tx /T (field ${index}) /Rect [20 20 90 40] /P ${page} 0 R >>`,
      `<< /Title (Entry ${index}) /Parent 3 0 R ${previous} ${next} /Dest [${page} 0 R /Fit] >>`,
    );
  }
  return pdfOf(objects);
}

/** Processor time of the best run, in milliseconds. */
async function best(work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

const split = (bytes: Buffer) =>
  runHere('general/split-pages', { files: { fileInput: { name: 'pages.pdf', bytes } }, params: {} });

const merge = (files: GivenFile[]) => runHere('general/merge-pdfs', { files: { fileInput: files } });

const copies = (count: number, bytes: Buffer): GivenFile[] =>
  Array.from({ length: count }, (_, index) => ({ name: `${index}.pdf`, bytes }));

test('splitting four times the pages takes about four times as long', { skip }, async () => {
  const [few, many] = [pagesOf(150), pagesOf(600)];
  const parts = await zipEntries(made(await split(many)));
  assert.equal(parts.length, 600);
  const part = parts[421]?.bytes ?? Buffer.alloc(0);
  qpdfCheck(part);
  assert.equal(pdftotext(part).trim(), 'Page 422');
  const growth = (await best(() => split(many))) / (await best(() => split(few)));
  assert.ok(growth < MOST, `${growth.toFixed(1)} times as long`);
});

test('merging four times the files takes about four times as long', { skip }, async () => {
  const bytes = pagesOf(3);
  const merged = made(await merge(copies(100, bytes)));
  qpdfCheck(merged);
  assert.equal(pdfinfo(merged).Pages, '300');
  const growth = (await best(() => merge(copies(100, bytes)))) / (await best(() => merge(copies(25, bytes))));
  assert.ok(growth < MOST, `${growth.toFixed(1)} times as long`);
});
