import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  failed,
  type GivenFile,
  made,
  madeName,
  runHere,
  runPipelineHere,
} from '../../../testing/calls/run-here.ts';
import { fixture } from '../../../testing/documents/collection.ts';
import { ODD_PAGES, ODD_SIZES } from '../../../testing/documents/odd-pages.ts';
import { onePage, pdfOf, streamOf } from '../../../testing/documents/written-pdf.ts';
import { difference, drawnPage, inkBox } from '../../../testing/oracles/page-images.ts';
import { objectsOf, surveyBytes } from '../../../testing/oracles/pages.ts';
import { missing, pdftotext, qpdfCheck } from '../../../testing/oracles/programs.ts';

const skip = missing('qpdf', 'pdfinfo', 'pdftotext', 'pdftoppm');

/** Pages that say their letter and number, `a1`, below one another per letter. */
function lettered(letter: string, count: number, y: number): { name: string; bytes: Buffer } {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const bytes = pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${count} /MediaBox [0 0 300 300] /Kids [${numbers.map((n) => `${3 + n} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...numbers.map(
      (n) =>
        `<< /Type /Page /Parent 2 0 R /Resources << /Font << /F 3 0 R >> >> /Contents ${3 + count + n} 0 R >>`,
    ),
    ...numbers.map((n) => streamOf(`BT /F 20 Tf 20 ${y} Td (${letter}${n}) Tj ET`)),
  ]);
  return { name: `${letter}.pdf`, bytes };
}

const overlay = (
  base: GivenFile,
  overlayFiles: GivenFile[],
  params: Record<string, string | string[]> = {},
) => runHere('general/overlay-pdfs', { files: { fileInput: base, overlayFiles }, params });

const words = (bytes: Buffer): string[] =>
  pdftotext(bytes)
    .split('\f')
    .slice(0, -1)
    .map((page) => page.split(/\s+/).filter(Boolean).sort().join(' '));

const A = lettered('a', 2, 50);
const B = lettered('b', 3, 100);

const MODES: [number, Record<string, string | string[]>, string[]][] = [
  [7, {}, ['a1', 'a2', 'b1', 'b2', 'b3', 'a1', 'a2']],
  [7, { overlayMode: 'InterleavedOverlay' }, ['a1', 'b1', 'a2', 'b2', 'a1', 'b3', 'a2']],
  [
    9,
    { overlayMode: 'fixedrepeatoverlay', counts: '2,1' },
    ['a1', 'a2', 'a1', 'a2', 'b1', 'b2', 'b3', '', ''],
  ],
  [4, { overlayMode: 'FixedRepeatOverlay', counts: ['1', '10000'] }, ['a1', 'a2', 'b1', 'b2']],
];

for (const [count, params, expected] of MODES) {
  for (const overlayPosition of ['0', '1']) {
    test(`${JSON.stringify({ ...params, overlayPosition })} draws ${expected}`, { skip }, async () => {
      const ran = await overlay(lettered('x', count, 200), [A, B], { ...params, overlayPosition });
      const bytes = made(ran);
      qpdfCheck(bytes);
      assert.equal(madeName(ran), 'x_overlayed.pdf');
      assert.deepEqual(
        words(bytes),
        expected.map((word, index) => `${word} x${index + 1}`.trim()),
      );
      // Each overlay page is one form, however often it is drawn.
      const forms = objectsOf(bytes, '/Subtype', 'Form');
      assert.equal(forms.length, new Set(expected.filter(Boolean)).size);
    });
  }
}

const RED = onePage({ content: '1 0 0 rg 0 0 100 100 re f', page: '/MediaBox [0 0 100 100]' });
const BLUE = onePage({ content: '0 0 1 rg 0 0 100 100 re f', page: '/MediaBox [0 0 100 100]' });

test('the foreground covers the page, the background lies below it', { skip }, async () => {
  const base = { name: 'r.pdf', bytes: RED };
  const [over, under] = await Promise.all(
    ['0', '1'].map(async (overlayPosition) =>
      drawnPage(made(await overlay(base, [{ name: 'b.pdf', bytes: BLUE }], { overlayPosition }))),
    ),
  );
  assert.deepEqual([...(over?.rgb.subarray(15_000, 15_003) ?? [])], [0, 0, 255]);
  assert.deepEqual([...(under?.rgb.subarray(15_000, 15_003) ?? [])], [255, 0, 0]);
});

/** A turned page with its box away from the origin: 40 by 20 as displayed, black. */
const STAMP = onePage({ content: '0 0 500 500 re f', page: '/MediaBox [100 100 120 140] /Rotate 270' });

test('lower-left corners of the displayed pages are matched, unscaled, whatever state pages leave', {
  skip,
}, async () => {
  const base = { name: 'odd.pdf', bytes: ODD_PAGES };
  const bytes = made(await overlay(base, [{ name: 's.pdf', bytes: STAMP }]));
  qpdfCheck(bytes);
  for (const [index, [, height]] of ODD_SIZES.entries()) {
    if (index > 2) break;
    const image = drawnPage(bytes, index + 1);
    const [left = 0, top = 0, right = 0, bottom = 0] = inkBox({
      ...image,
      // Only the corner: pages show text above it.
      height: image.height,
      rgb: Buffer.from(
        image.rgb.map((value, at) =>
          Math.floor(at / 3) % image.width < 40 && Math.floor(at / 3 / image.width) >= height - 20
            ? value
            : 255,
        ),
      ),
    }) ?? [-1, -1, -1, -1];
    assert.deepEqual([left, top, right, bottom], [0, height - 20, 39, height - 1], `page ${index + 1}`);
  }
});

test('an empty overlay changes neither looks nor anything that belongs to the pages', { skip }, async () => {
  for (const file of ['tied-pages.pdf', 'everything.pdf', 'images-in-forms.pdf']) {
    const before = readFileSync(fixture(file));
    const empty = { name: 'e.pdf', bytes: onePage() };
    for (const overlayPosition of ['0', '1']) {
      const bytes = made(await overlay(fixture(file), [empty], { overlayPosition }));
      assert.deepEqual(surveyBytes(bytes), surveyBytes(before), file);
      assert.ok(difference(drawnPage(before), drawnPage(bytes)) < 0.002, file);
    }
  }
});

test('layers of overlays are listed, hidden ones stay hidden', { skip }, async () => {
  const layered = onePage({
    catalog: '/OCProperties << /OCGs [5 0 R] /D << /OFF [5 0 R] /Order [5 0 R] >> >>',
    page: '/Resources << /Properties << /L 5 0 R >> >> /MediaBox [0 0 100 100]',
    content: '/OC /L BDC 0 0 100 100 re f EMC',
    more: ['<< /Type /OCG /Name (Secret) >>'],
  });
  const base = { name: 'x.pdf', bytes: onePage({ page: '/MediaBox [0 0 100 100]' }) };
  const bytes = made(await overlay(base, [{ name: 'l.pdf', bytes: layered }]));
  assert.deepEqual(surveyBytes(bytes).layers, ['Secret']);
  assert.equal(inkBox(drawnPage(bytes)), undefined);
});

test('annotations and fields of overlays are drawn, with and without a look of their own', {
  skip,
}, async () => {
  const look = (text: string) =>
    streamOf(
      `BT /F 12 Tf 2 5 Td (${text}) Tj ET`,
      '/Type /XObject /Subtype /Form /BBox [0 0 100 20] /Resources << /Font << /F 4 0 R >> >>',
    );
  const widget = '/Type /Annot /Subtype /Widget /FT /Tx /F 4 /DA (/F 12 Tf 0 g)';
  const bytes = pdfOf([
    '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [5 0 R 6 0 R] /DR << /Font << /F 4 0 R >> >> >> >>',
    '<< /Type /Pages /Count 1 /MediaBox [0 0 300 300] /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /Annots [5 0 R 6 0 R 7 0 R 8 0 R] >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< ${widget} /T (a) /V (typed) /Rect [20 20 120 40] /AP << /N 9 0 R >> >>`,
    `<< ${widget} /T (b) /V (bare) /Rect [20 60 120 80] >>`,
    '<< /Type /Annot /Subtype /Stamp /F 4 /Rect [20 100 120 120] /AP << /N 10 0 R >> >>',
    '<< /Type /Annot /Subtype /Stamp /F 2 /Rect [20 140 120 160] /AP << /N 11 0 R >> >>',
    look('typed'),
    look('stamped'),
    look('hidden'),
  ]);
  const base = lettered('x', 1, 200);
  const result = made(await overlay(base, [{ name: 'form.pdf', bytes }]));
  qpdfCheck(result);
  assert.deepEqual(words(result), ['bare stamped typed x1']);
  assert.deepEqual(surveyBytes(result).fields, []);
});

test('in a pipeline the files after the first are the overlays', { skip }, async () => {
  const ran = await runPipelineHere({
    files: { fileInput: [lettered('x', 3, 200), A, B] },
    params: { steps: JSON.stringify([{ op: 'general/overlay-pdfs' }]) },
  });
  assert.deepEqual(words(made(ran)), ['a1 x1', 'a2 x2', 'b1 x3']);
  const counted = await runPipelineHere({
    files: { fileInput: [lettered('x', 3, 200), A, B] },
    params: {
      steps: JSON.stringify([
        { op: 'general/overlay-pdfs', params: { overlayMode: 'FixedRepeatOverlay', counts: [1] } },
      ]),
    },
  });
  assert.match(failed(counted).detail, /counts/);
});

const REFUSED: [Record<string, string | string[]>, string][] = [
  [{ overlayMode: 'Sideways' }, 'overlayMode'],
  [{ overlayPosition: '2' }, 'overlayPosition'],
  [{ overlayMode: 'FixedRepeatOverlay' }, 'counts'],
  [{ overlayMode: 'FixedRepeatOverlay', counts: '1' }, 'counts'],
  [{ overlayMode: 'FixedRepeatOverlay', counts: '1,2,3' }, 'counts'],
  [{ overlayMode: 'FixedRepeatOverlay', counts: '0,1' }, 'counts'],
  [{ overlayMode: 'FixedRepeatOverlay', counts: '10001,1' }, 'counts'],
  [{ overlayMode: 'FixedRepeatOverlay', counts: 'many' }, 'counts'],
];

for (const [params, field] of REFUSED) {
  test(`${JSON.stringify(params)} is refused, naming ${field}`, async () => {
    const problem = failed(await overlay(lettered('x', 1, 1), [A, B], params));
    assert.equal(problem.reason, 'invalid_parameter');
    assert.ok(problem.detail.includes(field), problem.detail);
  });
}

test('101 overlays are too many', async () => {
  const problem = failed(await overlay(A, Array(101).fill(B)));
  assert.equal(problem.reason, 'invalid_parameter');
  assert.match(problem.detail, /overlayFiles/);
});
