import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failed, made, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { fixture } from '../../../testing/documents/collection.ts';
import { pdfOf } from '../../../testing/documents/written-pdf.ts';
import { objectsOf, pageObjects, plainBytes, surveyBytes } from '../../../testing/oracles/pages.ts';
import { missing, pdfinfo, pdftotext, qpdfCheck } from '../../../testing/oracles/programs.ts';

const TIED = fixture('tied-pages.pdf');
const skip = missing('qpdf', 'pdfinfo', 'pdftotext');

const remove = (pageNumbers: string, file: Parameters<typeof runHere>[1]['files'] = { fileInput: TIED }) =>
  runHere('general/remove-pages', { files: file, params: { pageNumbers } });

test('the result is named after the input', { skip }, async () => {
  const ran = await remove('2');
  assert.equal(madeName(ran), 'tied-pages_removed_pages.pdf');
});

const CASES: [string, number[]][] = [
  ['1', [2, 3, 4]],
  ['2', [1, 3, 4]],
  ['4', [1, 2, 3]],
  ['2-3', [1, 4]],
  ['2n', [1, 3]],
  ['4,1-2', [3]],
  ['9n', [1, 2, 3, 4]],
];

for (const [selection, left] of CASES) {
  test(`removing ${selection} leaves ${left} and no trace of the others`, { skip }, async () => {
    const bytes = made(await remove(selection));
    qpdfCheck(bytes);
    assert.equal(pdfinfo(bytes).Pages, String(left.length));
    const pages = pdftotext(bytes).split('\f').slice(0, -1);
    assert.deepEqual(
      pages.map((page) => Number(/Text of page (\d)/.exec(page)?.[1])),
      left,
    );
    assert.equal(pageObjects(bytes), left.length);
    const plain = plainBytes(bytes);
    for (const page of [1, 2, 3, 4]) {
      assert.equal(plain.includes(`(Form of page ${page})`), left.includes(page), `form of page ${page}`);
    }
  });
}

test('bookmarks, links, names and labels of what is left stay, those of page 2 go', { skip }, async () => {
  const survey = surveyBytes(made(await remove('2')));
  assert.deepEqual(survey.outline, [
    { title: 'Part A', depth: 0, to: 0 },
    { title: 'A two', depth: 1, to: 1 },
    { title: 'Part B', depth: 0, to: null },
    { title: 'B one', depth: 1, to: 2 },
    { title: 'Web', depth: 0, to: null },
  ]);
  // Page 1 keeps its links to page 3 and to the web; that of page 3 counted pages and still leads to page 4.
  assert.deepEqual(survey.links, [
    { from: 0, to: 1 },
    { from: 1, to: 2 },
  ]);
  assert.equal(survey.otherLinks, 1);
  assert.equal(survey.namedDestinations, 2);
  assert.deepEqual(survey.pageLabels, ['i', 'A-1', '5']);
  assert.deepEqual(survey.attachments, ['note.txt']);
  assert.deepEqual(survey.layers, ['Layer one']);
  assert.equal(survey.annotations.Popup, undefined);
});

test('a heading without a target goes with the last entry below it', { skip }, async () => {
  const survey = surveyBytes(made(await remove('4')));
  assert.deepEqual(
    survey.outline.map(({ title }) => title),
    ['Part A', 'A one', 'A two', 'Web', 'By number'],
  );
  assert.equal(survey.outline.at(-1)?.to, 1);
});

test('an entry whose page is gone stays without target while entries below it are left', {
  skip,
}, async () => {
  const survey = surveyBytes(made(await remove('1')));
  assert.deepEqual(survey.outline.slice(0, 2), [
    { title: 'Part A', depth: 0, to: null },
    { title: 'A one', depth: 1, to: 0 },
  ]);
});

const FIELDS: [string, { name: string; value: string | null; widgets: number }[]][] = [
  [
    '1',
    [
      { name: 'name', value: 'Ada', widgets: 1 },
      { name: 'agree', value: 'Yes', widgets: 1 },
      { name: 'grp', value: null, widgets: 0 },
      { name: 'grp.b', value: 'beta', widgets: 1 },
      { name: 'sig', value: null, widgets: 1 },
    ],
  ],
  [
    '3-4',
    [
      { name: 'name', value: 'Ada', widgets: 2 },
      { name: 'grp', value: null, widgets: 0 },
      { name: 'grp.a', value: 'alpha', widgets: 1 },
    ],
  ],
];

for (const [selection, fields] of FIELDS) {
  test(`form fields left after removing ${selection}`, { skip }, async () => {
    assert.deepEqual(surveyBytes(made(await remove(selection))).fields, fields);
  });
}

test('the form loses its signature flag and calculation order with the fields they speak of', {
  skip,
}, async () => {
  const without = made(await remove('3-4'));
  const [catalog] = objectsOf(without, '/Type', 'Catalog');
  const form = catalog?.['/AcroForm'] as Record<string, unknown>;
  assert.equal(form['/SigFlags'], undefined);
  assert.deepEqual(form['/CO'], []);
  assert.equal(form['/DA'], 'u:/Helv 10 Tf 0 g');
});

test('a form without any field left is gone', { skip }, async () => {
  const bytes = pdfOf([
    '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [5 0 R] >> >>',
    '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /MediaBox [0 0 100 100] >>',
    '<< /Type /Page /Parent 2 0 R /Annots [5 0 R] >>',
    '<< /Type /Page /Parent 2 0 R >>',
    '<< /Subtype /Widget /T (only) /FT /Tx /V (value) /Rect [0 0 9 9] >>',
  ]);
  const [left] = objectsOf(
    made(await remove('2', { fileInput: { name: 'a.pdf', bytes } })),
    '/Type',
    'Catalog',
  );
  assert.ok(left?.['/AcroForm']);
  const [without] = objectsOf(
    made(await remove('1', { fileInput: { name: 'a.pdf', bytes } })),
    '/Type',
    'Catalog',
  );
  assert.ok(without && !without['/AcroForm']);
});

test('the structure tree holds what is on the pages left', { skip }, async () => {
  const bytes = made(await remove('2'));
  const elements = objectsOf(bytes, '/Type', 'StructElem');
  const roles = elements.map((element) => element['/S']).sort();
  // The heading and the paragraph of page 1, the paragraphs of pages 3 and 4 and the empty one; the link led to page 2.
  assert.deepEqual(roles, ['/Document', '/H1', '/P', '/P', '/P', '/P']);
  const [root] = objectsOf(bytes, '/Type', 'StructTreeRoot');
  const plain = plainBytes(bytes);
  assert.ok(root?.['/IDTree'] && root['/ParentTree']);
  assert.ok(!plain.includes('/OBJR'));
  assert.ok(!plain.includes('/MCR'));
});

test('article threads are relinked over the pages left', { skip }, async () => {
  const beads = objectsOf(made(await remove('2')), '/Type', 'Bead');
  assert.equal(beads.length, 2);
  assert.ok(beads.every((bead) => bead['/N'] === bead['/V']));
  assert.equal(objectsOf(made(await remove('1,2,4')), '/Type', 'Thread').length, 0);
});

test('the opening action goes with its page, the rest of a chain of actions stays', { skip }, async () => {
  const [withPage] = objectsOf(made(await remove('1')), '/Type', 'Catalog');
  assert.ok(withPage?.['/OpenAction']);
  const [without] = objectsOf(made(await remove('3')), '/Type', 'Catalog');
  assert.equal(without?.['/OpenAction'], undefined);
  assert.match(plainBytes(made(await remove('1'))), /app\.beep\\?\(1/);
});

test('inherited attributes stay with the pages', { skip }, async () => {
  const info = pdfinfo(made(await remove('1')), '-f', '1', '-l', '3');
  assert.equal(info['Page    1 rot'], '90');
  assert.equal(info['Page    2 rot'], '0');
  assert.match(info['Page    3 size'] ?? '', /612 x 792/);
});

const REFUSED: [string, string, RegExp][] = [
  ['all', 'invalid_parameter', /pageNumbers/],
  ['1-4', 'invalid_parameter', /pageNumbers/],
  ['n', 'invalid_parameter', /pageNumbers/],
  ['5', 'page_out_of_range', /5.*4 page/],
  ['2-9', 'page_out_of_range', /9.*4 page/],
  ['', 'invalid_page_selection', /pageNumbers/],
  ['0', 'invalid_page_selection', /pageNumbers/],
  ['3-1', 'invalid_page_selection', /pageNumbers/],
];

for (const [selection, reason, detail] of REFUSED) {
  test(`${JSON.stringify(selection)} is refused as ${reason}`, async () => {
    const problem = failed(await remove(selection));
    assert.equal(problem.reason, reason);
    assert.match(problem.detail, detail);
  });
}

test('pageNumbers is required', async () => {
  const problem = failed(await runHere('general/remove-pages', { files: { fileInput: TIED } }));
  assert.equal(problem.reason, 'invalid_parameter');
  assert.match(problem.detail, /pageNumbers/);
});

/** Everything refers to everything: the page is its own annotation, field, bead and structure element. */
const KNOT = pdfOf([
  `<< /Type /Catalog /Pages 2 0 R /Outlines 5 0 R /StructTreeRoot 6 0 R /AcroForm << /Fields [3 0 R 7 0 R 7 0 R] >>
      /Threads [8 0 R] /Names << /Dests 9 0 R /Pages 9 0 R >> /PageLabels 9 0 R /Dests [1] /OpenAction 10 0 R >>`,
  '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /MediaBox [0 0 100 100] >>',
  '<< /Type /Page /Parent 2 0 R /Annots [3 0 R 7 0 R 7 0 R 1 0 R null 99 0 R] /B [8 0 R] /Resources 3 0 R /Contents 3 0 R >>',
  '<< /Type /Page /Parent 2 0 R /Annots 4 0 R /AA 10 0 R >>',
  '<< /First 5 0 R /Last 5 0 R /Next 5 0 R /Title (x) /A 10 0 R /SE 6 0 R >>',
  '<< /K [6 0 R 3 0 R 0 << /Type /MCR /Pg 4 0 R /MCID (x) >> [6 0 R]] /ParentTree 6 0 R /Kids [6 0 R] /IDTree 6 0 R /Ref [6 0 R] >>',
  '<< /Subtype /Widget /Parent 7 0 R /Kids [7 0 R 3 0 R] /T 5 /A 10 0 R /AP << /N 7 0 R >> >>',
  '<< /F 8 0 R /N 8 0 R /V 8 0 R /P 3 0 R >>',
  '<< /Kids [9 0 R] /Names [(a) 9 0 R (b)] /Nums [0 9 0 R 1 -5] /Limits [1 2] >>',
  '<< /S /GoTo /D [4 0 R] /Next [10 0 R 10 0 R << /S /GoTo /D (a) /Next 10 0 R >>] >>',
]);

test('a document where everything refers to everything gives a result', { skip }, async () => {
  for (const page of ['1', '2']) {
    const bytes = made(await remove(page, { fileInput: { name: 'knot.pdf', bytes: KNOT } }));
    assert.equal(pdfinfo(bytes).Pages, '1');
  }
});
