import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { failed, made, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { fixture } from '../../../testing/documents/collection.ts';
import { ODD_PAGES, ODD_SIZES } from '../../../testing/documents/odd-pages.ts';
import { onePage } from '../../../testing/documents/written-pdf.ts';
import { difference, drawnPage, inkBox, piece } from '../../../testing/oracles/page-images.ts';
import { objectsOf, pageObjects, surveyBytes } from '../../../testing/oracles/pages.ts';
import { askProgram, missing, pdfinfo, qpdfCheck } from '../../../testing/oracles/programs.ts';

const skip = missing('qpdf', 'pdfinfo', 'pdftoppm');
const TIED = fixture('tied-pages.pdf');

const scale = (params: Record<string, string>, bytes: Uint8Array = readFileSync(TIED)) =>
  runHere('general/scale-pages', { files: { fileInput: { name: 'a.pdf', bytes } }, params });

const SIZES: [Record<string, string>, string][] = [
  [{ pageSize: 'A0' }, '2383.94 x 3370.39'],
  [{ pageSize: 'a4' }, '595.276 x 841.89'],
  [{ pageSize: 'A6', orientation: 'landscape' }, '419.528 x 297.638'],
  [{ pageSize: 'LETTER' }, '612 x 792'],
  [{ pageSize: 'LEGAL', orientation: 'LANDSCAPE' }, '1008 x 612'],
];

for (const [params, size] of SIZES) {
  test(`${JSON.stringify(params)} makes pages of ${size}`, { skip }, async () => {
    const ran = await scale(params);
    const bytes = made(ran);
    qpdfCheck(bytes);
    assert.equal(madeName(ran), 'a_scaled.pdf');
    const info = pdfinfo(bytes, '-f', '1', '-l', '4');
    for (const page of [1, 2, 3, 4]) {
      assert.ok(info[`Page    ${page} size`]?.startsWith(`${size} pts`), info[`Page    ${page} size`]);
      assert.equal(info[`Page    ${page} rot`], '0');
    }
    assert.equal(pageObjects(bytes), 4);
  });
}

test('KEEP takes the size of the first page as displayed, and the unit it counts in', { skip }, async () => {
  const page = '/MediaBox [10 10 310 210] /Rotate 90 /UserUnit 2';
  const bytes = made(await scale({ pageSize: 'KEEP', orientation: 'LANDSCAPE' }, onePage({ page })));
  assert.deepEqual(objectsOf(bytes, '/Type', 'Page')[0]?.['/MediaBox'], [0, 0, 200, 300]);
  assert.equal(objectsOf(bytes, '/Type', 'Page')[0]?.['/UserUnit'], 2);
});

test('every page is fitted, upright and centred, wherever its boxes lie', { skip }, async () => {
  const bytes = made(await scale({ pageSize: 'A4' }, ODD_PAGES));
  qpdfCheck(bytes);
  for (const [index, [width, height]] of ODD_SIZES.entries()) {
    const factor = Math.min(595.276 / width, 841.89 / height);
    const sheet = inkBox(drawnPage(bytes, index + 1)) ?? [];
    const page = inkBox(drawnPage(ODD_PAGES, index + 1, index === 3 ? 720 : index === 4 ? 20 : 72)) ?? [];
    const pixels = index === 3 ? 10 : index === 4 ? 20 / 72 : 1;
    const [x, y] = [(595.276 - width * factor) / 2, (841.89 - height * factor) / 2];
    const expected = page.map((at, side) => (at / pixels) * factor + (side % 2 === 0 ? x : y));
    expected.forEach((at, side) => {
      assert.ok(Math.abs(at - (sheet[side] ?? -1000)) < 6, `page ${index + 1}: ${sheet} is not ${expected}`);
    });
  }
});

test('scaled by 1 onto its own size a page looks as before', { skip }, async () => {
  for (const file of ['everything.pdf', 'text-two-pages.pdf', 'form-fields.pdf']) {
    const before = readFileSync(fixture(file));
    const after = made(await scale({ pageSize: 'KEEP' }, before));
    // At most one pixel in 500 clearly differs.
    assert.ok(difference(drawnPage(before), drawnPage(after)) < 0.002, file);
  }
});

test('scaleFactor comes on top of the fit, what passes the edge is clipped', { skip }, async () => {
  const content = '0 0 612 792 re f';
  const half = drawnPage(made(await scale({ pageSize: 'LETTER', scaleFactor: '0.5' }, onePage({ content }))));
  assert.deepEqual(inkBox(half), [153, 198, 458, 593]);
  const large = made(await scale({ pageSize: 'LETTER', scaleFactor: '10' }, onePage({ content })));
  assert.match(pdfinfo(large)['Page size'] ?? '', /^612 x 792/);
  assert.deepEqual(inkBox(drawnPage(large)), [0, 0, 611, 791]);
});

test('bookmarks, links, fields, annotations, labels, tags and attachments stay', { skip }, async () => {
  for (const file of ['tied-pages.pdf', 'everything.pdf', 'annotated-pages.pdf']) {
    const before = readFileSync(fixture(file));
    const after = made(await scale({ pageSize: 'A5' }, before));
    assert.deepEqual(surveyBytes(after), surveyBytes(before), file);
  }
});

test('tags lead to the same text', { skip }, async () => {
  const words = (bytes: Uint8Array) => askProgram('pdfinfo', ['-struct-text', '{}'], bytes).match(/"[^"]*"/g);
  const before = words(readFileSync(TIED));
  assert.ok((before?.length ?? 0) > 0);
  assert.deepEqual(words(made(await scale({ pageSize: 'A5' }))), before);
});

/** Half the size: everything the annotations and the outline say in coordinates is halved. */
const LINKED = onePage({
  catalog: `/Outlines << /First 5 0 R /Last 5 0 R /Count 1 >> /Dests << /There [3 0 R /FitR 100 200 300 400] >>
    /OpenAction [0 /FitH 600] /AcroForm << /Fields [7 0 R] /DA (/Helv 12 Tf 0 g) >>`,
  page: '/Annots [6 0 R 7 0 R 8 0 R 9 0 R] /MediaBox [0 0 600 800]',
  more: [
    '<< /Title (There) /Parent 1 0 R /A << /S /GoTo /D [3 0 R /XYZ 100 700 2] /Next << /S /GoTo /D [3 0 R /Fit] >> >> >>',
    '<< /Type /Annot /Subtype /Link /Rect [100 100 200 120] /QuadPoints [100 120 200 120 100 100 200 100] /Border [0 0 2] /Dest [3 0 R /XYZ null 400 null] /P 3 0 R >>',
    '<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /Rect [300 300 400 320] /BS << /W 4 >> /P 3 0 R >>',
    '<< /Type /Annot /Subtype /Ink /Rect [0 0 10 10] /InkList [[0 0 10 10] [2 4]] /F 4 >>',
    '<< /Type /Annot /Subtype /Line /Rect [700 0 800 10] /L [700 0 800 10] /LL 6 /F 4 >>',
  ],
});

test('coordinates of annotations and destinations follow', { skip }, async () => {
  const bytes = made(await scale({ pageSize: 'KEEP', scaleFactor: '0.5' }, LINKED));
  // Half as large and centred: x becomes x / 2 + 150, y becomes y / 2 + 200.
  const of = (kind: string) => objectsOf(bytes, '/Subtype', kind)[0] ?? {};
  assert.deepEqual(of('Link')['/Rect'], [200, 250, 250, 260]);
  assert.deepEqual(of('Link')['/QuadPoints'], [200, 260, 250, 260, 200, 250, 250, 250]);
  assert.deepEqual(of('Link')['/Border'], [0, 0, 1]);
  assert.deepEqual((of('Link')['/Dest'] as unknown[]).slice(1), ['/XYZ', 150, 400, null]);
  assert.deepEqual(of('Widget')['/Rect'], [300, 350, 350, 360]);
  assert.deepEqual(of('Widget')['/BS'], { '/W': 2 });
  assert.equal(of('Widget')['/DA'], 'u:/Helv 6 Tf 0 g');
  assert.deepEqual(of('Ink')['/InkList'], [
    [150, 200, 155, 205],
    [151, 202],
  ]);
  assert.equal(of('Line')['/LL'], 3);
  assert.equal(of('Line')['/F'], 4 | 2, 'what lay beside the page is hidden');
  const catalog = objectsOf(bytes, '/Type', 'Catalog')[0] ?? {};
  assert.deepEqual((catalog['/OpenAction'] as unknown[]).slice(1), ['/FitH', 500]);
  const dests = catalog['/Dests'] as Record<string, unknown[]>;
  assert.deepEqual(dests['/There']?.slice(1), ['/FitR', 200, 300, 300, 400]);
  const action = outlineEntry(bytes);
  assert.deepEqual((action['/A'] as Record<string, unknown[]>)['/D']?.slice(1), ['/XYZ', 200, 550, 4]);
});

const outlineEntry = (bytes: Buffer): Record<string, unknown> => {
  const objects = JSON.parse(askProgram('qpdf', ['--json', '--json-key=qpdf', '{}'], bytes)) as {
    qpdf: [unknown, Record<string, { value?: Record<string, unknown> }>];
  };
  return Object.values(objects.qpdf[1]).find(({ value }) => value?.['/Title'] === 'u:There')?.value ?? {};
};

test('fields of a turned page stand upright with it', { skip }, async () => {
  const document = onePage({
    catalog: '/AcroForm << /Fields [5 0 R] >>',
    page: '/MediaBox [0 0 200 400] /Rotate 90 /Annots [5 0 R]',
    more: [
      '<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /MK << /R 90 >> /Rect [20 40 60 140] /F 4 /AP << /N 6 0 R >> >>',
      '<< /Type /XObject /Subtype /Form /BBox [0 0 40 100] /Length 36 >>\nstream\n0 0 1 rg 0 0 40 100 re f 0 0 20 9 re\nendstream',
    ],
  });
  const bytes = made(await scale({ pageSize: 'KEEP' }, document));
  const [widget] = objectsOf(bytes, '/Subtype', 'Widget');
  assert.deepEqual(widget?.['/Rect'], [40, 140, 140, 180]);
  assert.deepEqual(widget?.['/MK'], { '/R': 0 });
  assert.ok(difference(drawnPage(document), drawnPage(bytes)) < 0.002);
  assert.ok(difference(drawnPage(document), piece(drawnPage(bytes), 0, 0, 400, 190)) < 0.05);
});

const REFUSED: [Record<string, string>, string][] = [
  [{}, 'pageSize'],
  [{ pageSize: 'A7' }, 'pageSize'],
  [{ pageSize: 'A4', orientation: 'SQUARE' }, 'orientation'],
  [{ pageSize: 'A4', scaleFactor: '0' }, 'scaleFactor'],
  [{ pageSize: 'A4', scaleFactor: '10.1' }, 'scaleFactor'],
  [{ pageSize: 'A4', scaleFactor: 'large' }, 'scaleFactor'],
];

for (const [params, field] of REFUSED) {
  test(`${JSON.stringify(params)} is refused, naming ${field}`, async () => {
    const problem = failed(await scale(params));
    assert.equal(problem.reason, 'invalid_parameter');
    assert.ok(problem.detail.includes(field), problem.detail);
  });
}
