import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { failed, made, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { fixture } from '../../../testing/documents/collection.ts';
import { ODD_PAGES } from '../../../testing/documents/odd-pages.ts';
import { onePage, pdfOf } from '../../../testing/documents/written-pdf.ts';
import { difference, drawnPage, piece } from '../../../testing/oracles/page-images.ts';
import { objectsOf, pageObjects, surveyBytes, zipEntries } from '../../../testing/oracles/pages.ts';
import { missing, pdfinfo, qpdfCheck } from '../../../testing/oracles/programs.ts';

const skip = missing('qpdf', 'pdfinfo', 'pdftoppm');
const TIED = readFileSync(fixture('tied-pages.pdf'));

const cut = (params: Record<string, string>, bytes: Uint8Array = TIED) =>
  runHere('general/split-pdf-by-sections', { files: { fileInput: { name: 'a.pdf', bytes } }, params });

const MODES: [Record<string, string>, number][] = [
  [{}, 8],
  [{ horizontalDivisions: '1' }, 16],
  [{ horizontalDivisions: '0', verticalDivisions: '0' }, 4],
  [{ splitMode: 'SPLIT_ALL_EXCEPT_FIRST' }, 7],
  [{ splitMode: 'SPLIT_ALL_EXCEPT_LAST' }, 7],
  [{ splitMode: 'SPLIT_ALL_EXCEPT_FIRST_AND_LAST' }, 6],
  [{ splitMode: 'CUSTOM', pageNumbers: '2,4', horizontalDivisions: '2' }, 14],
  [{ splitMode: 'CUSTOM', pageNumbers: '9n' }, 4],
];

for (const [params, count] of MODES) {
  test(`${JSON.stringify(params)} makes ${count} pages`, { skip }, async () => {
    const ran = await cut(params);
    const bytes = made(ran);
    qpdfCheck(bytes);
    assert.equal(madeName(ran), 'a_split.pdf');
    assert.equal(pdfinfo(bytes).Pages, String(count));
    assert.equal(pageObjects(bytes), count);
  });
}

test('sections tile back to the page, column by column, each from top to bottom', { skip }, async () => {
  for (const [source, pages] of [
    [readFileSync(fixture('everything.pdf')), [1, 2, 3]],
    [ODD_PAGES, [1, 2, 3]],
  ] as const) {
    const bytes = made(await cut({ horizontalDivisions: '1', verticalDivisions: '2' }, source));
    for (const page of pages) {
      const whole = drawnPage(source, page, 144);
      for (let section = 0; section < 6; section += 1) {
        const drawn = drawnPage(bytes, (page - 1) * 6 + section + 1, 144);
        const [column, row] = [Math.floor(section / 3), section % 3];
        const x = Math.round((whole.width / 2) * column);
        const y = Math.round((whole.height / 3) * row);
        const own = piece(whole, x, y, drawn.width, drawn.height);
        assert.ok(difference(own, drawn) < 0.03, `page ${page}, section ${section + 1}`);
      }
    }
  }
});

/** A link in each quarter; bookmarks and a name to the lower right one. */
const QUARTERS = pdfOf([
  `<< /Type /Catalog /Pages 2 0 R /Outlines << /First 5 0 R /Last 5 0 R /Count 1 >>
      /Names << /Dests << /Names [(low) [3 0 R /FitH 100]] >> >> /PageLabels << /Nums [0 << /P (p) /S /D >>] >> >>`,
  '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /MediaBox [0 0 200 200] >>',
  '<< /Type /Page /Parent 2 0 R /Annots [6 0 R 7 0 R 8 0 R] /TrimBox [10 10 190 190] >>',
  '<< /Type /Page /Parent 2 0 R >>',
  '<< /Title (Lower right) /Parent 1 0 R /Dest [3 0 R /XYZ 150 50 null] >>',
  '<< /Type /Annot /Subtype /Link /Rect [10 110 90 190] /Dest [3 0 R /XYZ 150 100 null] /P 3 0 R >>',
  '<< /Type /Annot /Subtype /Link /Rect [90 10 190 90] /Dest (low) >>',
  '<< /Type /Annot /Subtype /Link /Rect [10 10 90 90] /Dest [4 0 R /Fit] >>',
]);

test('annotations stay where they show, destinations lead to the section that holds them', {
  skip,
}, async () => {
  const params = { horizontalDivisions: '1', splitMode: 'CUSTOM', pageNumbers: '1' };
  const bytes = made(await cut(params, QUARTERS));
  const { links, outline, pageLabels } = surveyBytes(bytes);
  // Sections: 0 upper left, 1 lower left, 2 upper right, 3 lower right; then page 2.
  assert.deepEqual(links, [
    { from: 0, to: 3 },
    { from: 1, to: 4 },
    { from: 3, to: 1 },
  ]);
  assert.deepEqual(
    outline.map(({ to }) => to),
    [3],
  );
  assert.deepEqual(pageLabels, ['p1', 'p1', 'p1', 'p1', 'p2']);
  assert.ok(!objectsOf(bytes, '/Type', 'Page').some((page) => '/TrimBox' in page && page['/TrimBox']));
});

test('what belongs to the document stays', { skip }, async () => {
  const before = surveyBytes(TIED);
  const after = surveyBytes(made(await cut({})));
  assert.deepEqual(
    {
      ...after,
      links: after.links.length,
      outline: after.outline.map(({ title }) => title),
      pageLabels: 0,
      pages: 0,
    },
    {
      ...before,
      links: before.links.length,
      outline: before.outline.map(({ title }) => title),
      pageLabels: 0,
      pages: 0,
    },
  );
});

test('merge=false makes a PDF for each section', { skip }, async () => {
  const ran = await cut({ merge: 'false', splitMode: 'SPLIT_ALL_EXCEPT_FIRST' });
  assert.equal(madeName(ran), 'a_split.zip');
  const entries = await zipEntries(made(ran));
  assert.deepEqual(
    entries.map(({ name }) => name),
    ['1_1', '2_1', '2_2', '3_1', '3_2', '4_1', '4_2'].map((part) => `a_split_${part}.pdf`),
  );
  for (const { bytes } of entries) {
    qpdfCheck(bytes);
    assert.equal(pdfinfo(bytes).Pages, '1');
  }
});

const REFUSED: [Record<string, string>, string, string][] = [
  [{ horizontalDivisions: '51' }, 'invalid_parameter', 'horizontalDivisions'],
  [{ verticalDivisions: '-1' }, 'invalid_parameter', 'verticalDivisions'],
  [{ merge: 'x' }, 'invalid_parameter', 'merge'],
  [{ splitMode: 'SOME' }, 'invalid_parameter', 'splitMode'],
  [{ splitMode: 'CUSTOM' }, 'invalid_parameter', 'pageNumbers'],
  [{ splitMode: 'CUSTOM', pageNumbers: '' }, 'invalid_page_selection', 'pageNumbers'],
  [{ splitMode: 'CUSTOM', pageNumbers: '5' }, 'page_out_of_range', '5'],
];

for (const [params, reason, word] of REFUSED) {
  test(`${JSON.stringify(params)} is refused as ${reason}`, async () => {
    const problem = failed(await cut(params));
    assert.equal(problem.reason, reason);
    assert.ok(problem.detail.includes(word), problem.detail);
  });
}

test('more than 20 000 sections are refused', async () => {
  const pages = `<< /Type /Pages /Count 8 /Kids [${'3 0 R '.repeat(8)}] >>`;
  const many = pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    pages,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>',
  ]);
  const problem = failed(await cut({ horizontalDivisions: '50', verticalDivisions: '50' }, many));
  assert.match(problem.detail, /horizontalDivisions/);
  made(await cut({ horizontalDivisions: '50', verticalDivisions: '50' }, onePage()));
});
