import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { failed, made, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { corpus, fixture, noCorpus } from '../../../testing/documents/collection.ts';
import { onePage, pdfOf, streamOf } from '../../../testing/documents/written-pdf.ts';
import {
  type Area,
  difference,
  formPdf,
  pdfiumRaster,
  popplerInk,
  survey,
} from '../../../testing/oracles/forms.ts';
import {
  askProgram,
  missing,
  pdfinfo,
  pdftotext,
  qpdfCheck,
  qpdfObjects,
} from '../../../testing/oracles/programs.ts';

const NO_TOOLS = missing('pdftotext', 'pdftoppm', 'pdfinfo', 'qpdf');
/** In thousandths of the pixels. */
const TOLERANCE = 3;

const flatten = (bytes: Uint8Array | string, params: Record<string, string> = {}) =>
  runHere('misc/flatten', {
    files: { fileInput: typeof bytes === 'string' ? bytes : { name: 'a.pdf', bytes } },
    params,
  });

async function looksTheSame(before: Uint8Array, after: Uint8Array, pages = 1): Promise<void> {
  for (let page = 0; page < pages; page += 1) {
    const apart = difference(await pdfiumRaster(before, page, 72), await pdfiumRaster(after, page, 72));
    assert.ok(apart <= TOLERANCE, `page ${page + 1} differs in ${apart} of 1000 pixels`);
  }
}

test('fields become text of the page; links, bookmarks, labels and attachments stay', {
  skip: NO_TOOLS,
}, async () => {
  for (const name of ['everything.pdf', 'tied-pages.pdf']) {
    const before = readFileSync(fixture(name));
    const ran = await flatten(fixture(name));
    const after = made(ran);
    assert.equal(madeName(ran), name);
    qpdfCheck(after);
    await looksTheSame(before, after, 4);
    const [had, has] = [await survey(before), await survey(after)];
    assert.ok(had.fields.length > 0);
    const { Link } = had.annotations;
    const links = Link === undefined ? {} : { Link };
    assert.deepEqual(has, { ...had, fields: [], annotations: links }, name);
  }
  assert.match(pdftotext(made(await flatten(fixture('everything.pdf')))), /Ada/);
});

test('annotations become content that looks as they did', { skip: NO_TOOLS }, async () => {
  const before = readFileSync(fixture('annotated-pages.pdf'));
  const after = made(await flatten(fixture('annotated-pages.pdf')));
  await looksTheSame(before, after, 3);
  assert.deepEqual((await survey(after)).annotations, {});
});

const box = '/Rect [100 150 300 180]';
const AREA: Area = [100, 120, 200, 30];
const quad = '/QuadPoints [100 180 300 180 100 150 300 150]';
const withoutLook: Record<string, string> = {
  Highlight: `/C [1 0.5 0] ${quad}`,
  Underline: quad,
  StrikeOut: `/C [1 0 0] ${quad}`,
  Squiggly: quad,
  Square: '/IC [0 1 0] /BS << /W 2 /S /D /D [3 2] >>',
  Circle: '/C [0 0 1] /Border [0 0 3]',
  Line: '/L [105 155 295 175] /C [0 0 1]',
  PolyLine: '/Vertices [105 155 200 175 295 155]',
  Polygon: '/Vertices [105 155 200 175 295 155] /IC [0.5]',
  Ink: '/InkList [[105 155 200 175 295 155] [110 160 120 165]]',
  FreeText: '/DA (/Helv 12 Tf 1 0 0 rg) /Contents (Typed text)',
  Text: '/Contents (A note)',
  Caret: '/C [0 0.5 0] /RD [1 1 1 1]',
  FileAttachment: '/FS << /Type /Filespec /F (a.txt) >> /Name /Paperclip',
  Sound: '/Name /Mic',
};
for (const [subtype, entries] of Object.entries(withoutLook)) {
  test(`a ${subtype} annotation without a look is drawn`, { skip: NO_TOOLS }, async () => {
    const after = made(
      await flatten(formPdf({ fields: [`/Subtype /${subtype} ${box} ${entries}`], listed: '' })),
    );
    qpdfCheck(after);
    assert.deepEqual((await survey(after)).annotations, {});
    assert.ok(popplerInk(after, AREA) > 0);
    if (subtype === 'FreeText') assert.match(pdftotext(after), /Typed text/);
  });
}

const ENDINGS = [
  'OpenArrow',
  'ClosedArrow',
  'ROpenArrow',
  'RClosedArrow',
  'Butt',
  'Slash',
  'Square',
  'Circle',
  'Diamond',
];
for (const ending of ENDINGS) {
  test(`a line ends in a ${ending}`, { skip: NO_TOOLS }, async () => {
    const line = (styles: string) =>
      formPdf({
        fields: [`/Subtype /Line ${box} /L [120 165 280 165] /C [0 0 1] /BS << /W 2 >> /LE [${styles}]`],
        listed: '',
      });
    const at = async (styles: string): Promise<number[]> => {
      const after = made(await flatten(line(styles)));
      qpdfCheck(after);
      return [105, 265].map((x) => popplerInk(after, [x, 122, 30, 26]));
    };
    const [[left = 0, right = 0], [start = 0, end = 0]] = [
      await at('/None /None'),
      await at(`/None /${ending}`),
    ];
    assert.equal(start, left);
    assert.ok(end > right, `${end} and ${right}`);
  });
}

test('a callout is drawn with its line, beyond the rectangle too', { skip: NO_TOOLS }, async () => {
  const entries = '/DA (/Helv 12 Tf 1 0 0 rg) /Contents (Typed) /LE /OpenArrow';
  const bytes = formPdf({
    fields: [`/Subtype /FreeText ${box} ${entries} /CL [20 20 60 165 100 165]`],
    listed: '',
  });
  const after = made(await flatten(bytes));
  qpdfCheck(after);
  assert.match(pdftotext(after), /Typed/);
  assert.ok(popplerInk(after, [10, 260, 30, 30]) > 0, 'the arrow');
  assert.ok(popplerInk(after, [55, 130, 40, 10]) > 0, 'the line');
});

test('the cells of a comb are divided, filled or not', { skip: NO_TOOLS }, async () => {
  for (const value of ['', '/V (12)']) {
    const bytes = formPdf({
      fields: [
        `/FT /Tx /T (a) /Ff 16777216 /MaxLen 4 /MK << /BC [0 0 1] >> /DA (/Helv 12 Tf 0 g) ${value} ${box}`,
      ],
    });
    const after = made(await flatten(bytes));
    for (const x of [150, 200, 250]) assert.ok(popplerInk(after, [x - 2, 125, 4, 20]) > 0, `${x}`);
    assert.equal(popplerInk(after, [270, 125, 20, 20]), 0);
  }
});

const APPEARANCE = streamOf(
  'BT /F 20 Tf 5 5 Td (SEEN) Tj ET',
  '/Type /XObject /Subtype /Form /BBox [0 0 200 30] /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>',
);
const stamp = (entries: string, page = '', content = '') =>
  formPdf({
    fields: [`/Subtype /Stamp ${box} /AP << /N 7 0 R >> ${entries}`],
    more: [APPEARANCE],
    listed: '',
    page,
    content,
  });

test('hidden annotations and comment windows leave nothing behind', { skip: NO_TOOLS }, async () => {
  for (const entries of ['/F 2', '/F 36', '/Subtype /Popup']) {
    const bytes = stamp(entries);
    const after = made(await flatten(bytes));
    assert.doesNotMatch(pdftotext(after), /SEEN/);
    assert.deepEqual((await survey(after)).annotations, {});
    assert.doesNotMatch(askProgram('qpdf', ['--qdf', '{}', '-'], after), /SEEN/);
  }
});

for (const turn of [0, 90, 180, 270]) {
  test(`looks stay in place on a cropped page turned by ${turn}, whatever its content leaves open`, {
    skip: NO_TOOLS,
  }, async () => {
    for (const content of ['', 'q 2 0 0 2 30 30 cm q', 'Q Q 0.5 0 0 0.5 0 0 cm']) {
      const bytes = stamp('', `/Rotate ${turn} /CropBox [50 100 350 250] /UserUnit 2`, content);
      const after = made(await flatten(bytes));
      qpdfCheck(after, { tolerant: true });
      await looksTheSame(bytes, after);
      assert.match(pdftotext(after), /SEEN/);
    }
  });
}

test('flattenOnlyForms leaves annotations as they are', { skip: NO_TOOLS }, async () => {
  const bytes = formPdf({
    fields: [`/FT /Tx /T (a) /V (a value) ${box}`, '/Subtype /Square /Rect [10 10 50 50]'],
    listed: '6 0 R',
  });
  const after = made(await flatten(bytes, { flattenOnlyForms: 'true' }));
  assert.match(pdftotext(after), /a value/);
  const { annotations, fields } = await survey(after);
  assert.deepEqual([annotations, fields], [{ Square: 1 }, []]);
});

test('a document without annotations keeps its look', { skip: NO_TOOLS }, async () => {
  const before = readFileSync(fixture('text-two-pages.pdf'));
  const after = made(await flatten(fixture('text-two-pages.pdf')));
  await looksTheSame(before, after, 2);
  assert.equal(pdftotext(after), pdftotext(before));
});

test('a file pinned to a page becomes a file of the document', {
  skip: NO_TOOLS || missing('pdfdetach'),
}, async () => {
  const bytes = formPdf({
    fields: [`/Subtype /FileAttachment ${box} /FS 7 0 R /AP << /N 9 0 R >>`],
    more: [
      '<< /Type /Filespec /F (notes.txt) /UF (notes.txt) /EF << /F 8 0 R >> >>',
      streamOf('hello', '/Type /EmbeddedFile'),
      APPEARANCE,
    ],
    listed: '',
  });
  const after = made(await flatten(bytes));
  assert.match(askProgram('pdfdetach', ['-list', '{}'], after), /notes\.txt/);
  assert.match(pdftotext(after), /SEEN/);
});

test('what a tag named stays named', { skip: NO_TOOLS }, async () => {
  const bytes = formPdf({
    fields: [`/FT /Tx /T (a) /V (a value) /StructParent 0 ${box}`],
    more: [
      '<< /Type /StructTreeRoot /K 8 0 R /ParentTree << /Nums [0 8 0 R] >> >>',
      '<< /Type /StructElem /S /Form /P 7 0 R /K << /Type /OBJR /Obj 6 0 R /Pg 3 0 R >> >>',
    ],
    catalog: '/MarkInfo << /Marked true >> /StructTreeRoot 7 0 R',
  });
  const after = made(await flatten(bytes));
  const element = Object.values(qpdfObjects(after))
    .map(({ value }) => value as Record<string, unknown> | undefined)
    .find((value) => value?.['/S'] === '/Form');
  assert.deepEqual(
    ((element?.['/K'] ?? []) as Record<string, unknown>[]).map((kid) => [kid['/Type'], kid['/MCID']]),
    [['/MCR', 0]],
  );
  assert.match(askProgram('pdfinfo', ['-struct-text', '{}'], after), /Form[\s\S]*a value/);
});

test('rasterize: each page one image of the size it was, without text, links active', {
  skip: NO_TOOLS || missing('pdfimages'),
}, async () => {
  const before = readFileSync(fixture('everything.pdf'));
  const after = made(await flatten(fixture('everything.pdf'), { rasterize: 'true', renderDpi: '72' }));
  qpdfCheck(after);
  assert.equal(pdftotext(after).trim(), '');
  for (let page = 1; page <= 4; page += 1) {
    const label = `Page    ${page} size`;
    const args = ['-f', String(page), '-l', String(page)];
    assert.equal(pdfinfo(after, ...args)[label], pdfinfo(before, ...args)[label]);
  }
  assert.equal(askProgram('pdfimages', ['-list', '{}'], after).trim().split('\n').length, 2 + 4);
  await looksTheSame(before, after, 4);
  const [had, has] = [await survey(before), await survey(after)];
  assert.deepEqual(
    [has.links, has.otherLinks, has.outline, has.pageLabels, has.attachments],
    [had.links, had.otherLinks, had.outline, had.pageLabels, had.attachments],
  );
});

test('rasterize draws fields and annotations, on turned and cropped pages too', {
  skip: NO_TOOLS,
}, async () => {
  for (const turn of [0, 90, 180, 270]) {
    const bytes = stamp('', `/Rotate ${turn} /CropBox [50 100 350 250]`);
    const after = made(await flatten(bytes, { rasterize: 'true', renderDpi: '72' }));
    await looksTheSame(bytes, after);
  }
});

test('a page too large for the resolution is refused when it was sent, else drawn smaller', {
  skip: NO_TOOLS || missing('pdfimages'),
}, async () => {
  const page = (side: number) =>
    pdfOf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${side} ${side}] >>`,
    ]);
  const { reason, detail } = failed(await flatten(page(2000), { rasterize: 'true', renderDpi: '600' }));
  assert.equal(reason, 'invalid_parameter');
  assert.match(detail, /renderDpi 600.*page 1/);
  const after = made(await flatten(page(14400), { rasterize: 'true' }));
  const [, , image] = askProgram('pdfimages', ['-list', '{}'], after).trim().split('\n');
  const [, , , width, height] = image?.trim().split(/\s+/) ?? [];
  assert.ok(Number(width) * Number(height) <= 100_000_000 && Number(width) > 9000, image);
});

test('rasterize with flattenOnlyForms is refused', async () => {
  const both = { rasterize: 'true', flattenOnlyForms: 'true' };
  const { reason, detail } = failed(await flatten(onePage(), both));
  assert.equal(reason, 'invalid_parameter');
  assert.match(detail, /rasterize.*flattenOnlyForms/);
});

test('documents of the collection are flattened and look as before', {
  skip: noCorpus() || NO_TOOLS,
}, async () => {
  for (const path of corpus('pdf/annots', 'pdf/rotated', 'pdf/layers').slice(0, 40)) {
    const before = readFileSync(path);
    const after = made(await flatten(path));
    const apart = difference(await pdfiumRaster(before, 0, 72), await pdfiumRaster(after, 0, 72));
    // Where viewers are asked to draw fields themselves, they do so in their own ways.
    const ownLook =
      /NeedAppearances true/.test(before.toString('latin1')) || /resource-from-dr|AlignmentTests/.test(path);
    assert.ok(apart <= (ownLook ? 10 : TOLERANCE), `${basename(path)} differs in ${apart} of 1000 pixels`);
    assert.deepEqual((await survey(after)).fields, []);
  }
});
