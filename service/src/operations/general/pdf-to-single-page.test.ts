import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { made, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { fixture } from '../../../testing/documents/collection.ts';
import { ODD_PAGES } from '../../../testing/documents/odd-pages.ts';
import { pdfOf, streamOf } from '../../../testing/documents/written-pdf.ts';
import { difference, drawnPage, piece } from '../../../testing/oracles/page-images.ts';
import { objectsOf, pageObjects, surveyBytes } from '../../../testing/oracles/pages.ts';
import { askProgram, missing, pdfinfo, pdftotext, qpdfCheck } from '../../../testing/oracles/programs.ts';

const skip = missing('qpdf', 'pdfinfo', 'pdftotext', 'pdftoppm');

const join = (bytes: Uint8Array) =>
  runHere('general/pdf-to-single-page', { files: { fileInput: { name: 'a.pdf', bytes } } });

const pageOf = (bytes: Buffer) => objectsOf(bytes, '/Type', 'Page')[0] ?? {};

test('as wide as the widest, as high as all; pages left-aligned from top to bottom', { skip }, async () => {
  const before = readFileSync(fixture('everything.pdf'));
  const ran = await join(before);
  const bytes = made(ran);
  qpdfCheck(bytes);
  assert.equal(madeName(ran), 'a_singlePage.pdf');
  assert.equal(pdfinfo(bytes).Pages, '1');
  assert.equal(pageObjects(bytes), 1);
  const info = pdfinfo(before, '-f', '1', '-l', '9');
  const sizes = Object.keys(info)
    .filter((key) => /^Page +\d+ size$/.test(key))
    .map((key, index) => {
      const [width = 0, height = 0] = (info[key] ?? '').split(/ x | pts/).map(Number);
      return info[`Page    ${index + 1} rot`] === '90' ? [height, width] : [width, height];
    });
  const [, , width, height] = pageOf(bytes)['/MediaBox'] as number[];
  assert.equal(width, Math.max(...sizes.map(([w = 0]) => w)));
  assert.equal(
    height,
    sizes.reduce((sum, [, h = 0]) => sum + h, 0),
  );
  const whole = drawnPage(bytes);
  let top = 0;
  sizes.forEach(([w = 0, h = 0], index) => {
    const own = piece(whole, 0, Math.round(top), Math.round(w), Math.round(h));
    assert.ok(difference(drawnPage(before, index + 1), own) < 0.005, `page ${index + 1}`);
    top += h;
  });
});

test('pages of other units keep their true size', { skip }, async () => {
  // Units of 4 points on page 4: it is 144 by 96 points; page 5 is 5000 by 7000.
  const page = pageOf(made(await join(ODD_PAGES)));
  assert.deepEqual(page['/MediaBox'], [0, 0, 5000, 792 + 300 + 300 + 96 + 7000]);
  assert.equal(page['/UserUnit'], undefined);
});

const tall = (count: number, unit = 1) =>
  pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${count} /Kids [${'3 0 R '.repeat(count)}] >>`,
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 10000] /UserUnit ${unit} /Contents 4 0 R /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>`,
    streamOf('BT /F 90 Tf 5 9800 Td (x) Tj ET'),
  ]);

test('beyond 14 400 points the unit grows, so that the size stays true', { skip }, async () => {
  const exact = pageOf(made(await join(tall(1))));
  assert.equal(exact['/UserUnit'], undefined);
  const page = pageOf(made(await join(tall(3))));
  assert.deepEqual(page['/MediaBox'], [0, 0, 33.333333, 10000]);
  assert.equal(page['/UserUnit'], 3);
  const units = pageOf(made(await join(tall(2, 2))));
  assert.deepEqual([units['/MediaBox'], units['/UserUnit']], [[0, 0, 50, 10000], 4]);
});

test('links, bookmarks, fields and tags move along', { skip }, async () => {
  const before = readFileSync(fixture('tied-pages.pdf'));
  const bytes = made(await join(before));
  const survey = surveyBytes(before);
  const first = (to: number | null) => (to === null ? null : 0);
  assert.deepEqual(surveyBytes(bytes), {
    ...survey,
    pages: 1,
    pageLabels: null,
    outline: survey.outline.map((entry) => ({ ...entry, to: first(entry.to) })),
    links: survey.links.map(({ to }) => ({ from: 0, to: first(to) })),
  });
  const words = (pdf: Uint8Array) => askProgram('pdfinfo', ['-struct-text', '{}'], pdf).match(/"[^"]*"/g);
  assert.deepEqual(words(bytes), words(before));
  const text = pdftotext(bytes);
  for (const page of [1, 2, 3, 4]) assert.match(text, new RegExp(`Text of page ${page}`));
});
