import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { failed, made, madeName } from '../../../../testing/calls/run-here.ts';
import { corpus, fixture, noCorpus } from '../../../../testing/documents/collection.ts';
import { onePage, streamOf } from '../../../../testing/documents/written-pdf.ts';
import {
  assertEmbedded,
  differingPart,
  lettersOf,
  outcomeOf,
  toArchive,
} from '../../../../testing/oracles/pdfa-likeness.ts';
import {
  askProgram,
  missing,
  pdfinfo,
  qpdfCheck,
  qpdfObjects,
} from '../../../../testing/oracles/programs.ts';

const skip = missing('gs', 'pdftoppm', 'pdffonts', 'pdftotext', 'qpdf');
const EVERYTHING = readFileSync(fixture('everything.pdf'));
const HELVETICA = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>';

type Entries = Record<string, unknown>;

const toPress = (bytes: Uint8Array, params: Record<string, string> = {}) =>
  toArchive(bytes, { outputFormat: 'pdfx', ...params });

/** Every dictionary that is an object of the file. */
const dicts = (bytes: Uint8Array): Entries[] =>
  Object.values(qpdfObjects(bytes)).flatMap(({ value, stream }) => {
    const dict = stream?.dict ?? value;
    return typeof dict === 'object' && dict !== null && !Array.isArray(dict) ? [dict as Entries] : [];
  });

async function pressed(bytes: Uint8Array): Promise<Buffer> {
  const ran = await toPress(bytes, { strict: 'true' });
  const result = made(ran);
  assert.equal(outcomeOf(ran), 'valid');
  qpdfCheck(result);
  assertEmbedded(result);
  return result;
}

const pageOf = (bytes: Uint8Array): Entries => {
  const page = dicts(bytes).find((dict) => dict['/Type'] === '/Page');
  assert.ok(page);
  return page;
};

test('a document for the press says what it is, and has nothing that acts', { skip }, async () => {
  const ran = await toPress(EVERYTHING, { strict: 'true' });
  assert.equal(madeName(ran), 'paper_PDFX.pdf');
  const bytes = await pressed(EVERYTHING);
  const info = pdfinfo(bytes);
  assert.equal(info['PDF version'], '1.6');
  assert.equal(info.Encrypted, 'no');
  assert.equal(info.Pages, pdfinfo(EVERYTHING).Pages);
  for (const key of ['Title', 'CreationDate', 'ModDate']) assert.ok(info[key], key);
  const xmp = askProgram('pdfinfo', ['-meta', '{}'], bytes);
  assert.match(xmp, /xmlns:pdfxid="http:\/\/www\.npes\.org\/pdfx\/ns\/id\/"/);
  assert.match(xmp, /<pdfxid:GTS_PDFXVersion>PDF\/X-4<\/pdfxid:GTS_PDFXVersion>/);
  for (const property of [
    'pdf:Trapped',
    'xmp:CreateDate',
    'xmp:ModifyDate',
    'xmp:MetadataDate',
    'xmpMM:DocumentID',
    'xmpMM:VersionID',
    'xmpMM:RenditionClass',
  ])
    assert.match(xmp, new RegExp(`<${property}>[^<]+</${property}>`), property);
  assert.doesNotMatch(xmp, /pdfaid|pdfuaid/);
  const all = dicts(bytes);
  assert.ok(all.some((dict) => dict['/Trapped'] === '/False'));
  for (const key of ['/Annots', '/AcroForm', '/JS', '/OpenAction', '/AA'])
    assert.ok(!all.some((dict) => key in dict), key);
  assert.ok(all.filter((dict) => dict['/Type'] === '/Page').every((dict) => '/TrimBox' in dict));
  assert.ok(differingPart(EVERYTHING, bytes) < 0.02);
});

test('the output intent is one press, with a profile', { skip }, async () => {
  const bytes = await pressed(EVERYTHING);
  const catalog = dicts(bytes).find((dict) => dict['/Type'] === '/Catalog');
  const [intent, ...others] = (catalog?.['/OutputIntents'] ?? []) as Entries[];
  assert.equal(others.length, 0);
  assert.equal(intent?.['/S'], '/GTS_PDFX');
  assert.equal(intent['/OutputConditionIdentifier'], 'u:CGATS TR 001');
  const number = /^(\d+) 0 R$/.exec(String(intent['/DestOutputProfile']))?.[1];
  const profile = askProgram('qpdf', [`--show-object=${number}`, '--filtered-stream-data', '{}'], bytes);
  assert.equal(profile.slice(12, 24), 'prtrCMYKLab ');
  const again = await pressed(bytes);
  const idOf = (file: Uint8Array) =>
    /DocumentID>([^<]+)</.exec(askProgram('pdfinfo', ['-meta', '{}'], file))?.[1];
  assert.equal(idOf(again), idOf(bytes));
});

test('colours stay what they are: those of screens say what they mean, those of inks go as they are', {
  skip,
}, async () => {
  const source = onePage({
    content:
      'BT /F 24 Tf 100 700 Td (Words below) Tj ET 1 0 0 rg 100 100 200 200 re f /G gs 0 0 1 rg ' +
      '200 200 200 200 re f 0 0.5 1 0 k 350 350 99 99 re f',
    page:
      '/Group << /S /Transparency /CS /DeviceRGB >> ' +
      '/Resources << /Font << /F 5 0 R >> /ExtGState << /G << /ca 0.5 >> >> >>',
    more: [HELVETICA],
  });
  const bytes = await pressed(source);
  const resources = pageOf(bytes)['/Resources'] as Entries;
  const spaces = resources['/ColorSpace'] as Entries;
  assert.deepEqual(Object.keys(spaces), ['/DefaultRGB']);
  assert.equal((spaces['/DefaultRGB'] as unknown[])[0], '/ICCBased');
  assert.equal(((pageOf(bytes)['/Group'] as Entries)['/CS'] as unknown[])[0], '/ICCBased');
  assert.ok(askProgram('qpdf', ['--qdf', '--object-streams=disable', '{}', '-'], bytes).includes('/ca 0.5'));
  assert.equal(lettersOf(bytes), 'Wordsbelow');
  assert.ok(differingPart(source, bytes) < 0.02);
});

test('boxes lie inside each other', { skip }, async () => {
  for (const [boxes, expected] of [
    ['', { '/TrimBox': [0, 0, 612, 792] }],
    ['/CropBox [10 10 700 700]', { '/TrimBox': [10, 10, 612, 700], '/CropBox': [10, 10, 612, 700] }],
    ['/ArtBox [20 20 -9 900]', { '/TrimBox': [0, 20, 20, 792], '/ArtBox': undefined }],
    [
      '/TrimBox [30 30 500 500] /ArtBox [40 40 50 50] /BleedBox [20 20 510 510]',
      { '/TrimBox': [30, 30, 500, 500], '/BleedBox': [20, 20, 510, 510], '/ArtBox': undefined },
    ],
    [
      '/TrimBox [30 30 500 500] /BleedBox [40 40 510 510]',
      { '/TrimBox': [30, 30, 500, 500], '/BleedBox': undefined },
    ],
  ] as const) {
    const page = pageOf(await pressed(onePage({ page: boxes })));
    for (const [key, box] of Object.entries(expected)) assert.deepEqual(page[key], box, `${boxes}: ${key}`);
  }
});

test('bookmarks lead to their pages without actions; links, scripts and files go', { skip }, async () => {
  const bytes = await pressed(
    onePage({
      catalog:
        '/Outlines 5 0 R /OpenAction << /S /JavaScript /JS (app.alert) >> ' +
        '/Names << /EmbeddedFiles << /Names [(a.txt) 8 0 R] >> >>',
      page: '/Annots [<< /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (http://a.b/) >> >>]',
      more: [
        '<< /Type /Outlines /First 6 0 R /Last 7 0 R /Count 2 >>',
        '<< /Title (One) /Parent 5 0 R /Next 7 0 R /A << /S /GoTo /D [3 0 R /Fit] >> >>',
        '<< /Title (Two) /Parent 5 0 R /Prev 6 0 R /A << /S /URI /URI (http://a.b/) >> >>',
        '<< /Type /Filespec /F (a.txt) /EF << /F 9 0 R >> >>',
        streamOf('hello', '/Type /EmbeddedFile'),
      ],
    }),
  );
  const entries = dicts(bytes).filter((dict) => '/Title' in dict && '/Parent' in dict);
  assert.deepEqual(entries.map((entry) => Array.isArray(entry['/Dest'])).sort(), [false, true]);
  for (const key of ['/A', '/JS', '/Annots', '/EF'])
    assert.ok(!dicts(bytes).some((dict) => key in dict), key);
});

test('fonts nobody can embed are told, and refused where asked', { skip }, async () => {
  const source = onePage({
    content: 'BT /F 20 Tf 72 700 Td <00010002> Tj ET',
    page: '/Resources << /Font << /F 5 0 R >> >>',
    more: [
      '<< /Type /Font /Subtype /Type0 /BaseFont /Nowhere /Encoding /Identity-H /DescendantFonts [6 0 R] >>',
      '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Nowhere /FontDescriptor 7 0 R ' +
        '/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>',
      '<< /Type /FontDescriptor /FontName /Nowhere /Flags 4 /FontBBox [0 0 1 1] /ItalicAngle 0 /Ascent 1 ' +
        '/Descent 0 /CapHeight 1 /StemV 1 >>',
    ],
  });
  assert.equal(outcomeOf(await toPress(source)), 'invalid');
  const problem = failed(await toPress(source, { strict: 'true' }));
  assert.equal(problem.reason, 'invalid_parameter');
  assert.match(problem.detail, /^strict: .*PDF\/X-4.*embedded/);
});

/** Documents whose text became other letters when they were drawn anew; the last part: whether all fonts can be there. */
const OF_OTHER_SCRIPTS: readonly [path: string, isValid: boolean][] = [
  ['pdf/cjk/pdf-js__issue8570.pdf', true],
  ['pdf/cjk/pypdf__issue-914-xmp-data.pdf', true],
  ['pdf/cjk/pdfminer-six__jo.pdf', false],
  ['pdf/rtl/pdf-js__issue5874.pdf', true],
  ['pdf/cyrillic/pdfium__bug_921.pdf', true],
  ['pdf/outline/pdfcpu__BuildingWebappsWithGo.pdf', true],
];

test('text of every script reads and looks the same for the press', {
  skip: skip || noCorpus(),
}, async (t) => {
  for (const [path, isValid] of OF_OTHER_SCRIPTS)
    await t.test(path, async () => {
      const found = corpus('pdf').find((each) => each.endsWith(path));
      assert.ok(found, basename(path));
      const source = readFileSync(found);
      const ran = await toPress(source);
      const bytes = made(ran);
      assert.equal(outcomeOf(ran), isValid ? 'valid' : 'invalid');
      assert.equal(lettersOf(bytes), lettersOf(source));
      assert.ok(differingPart(source, bytes) < 0.05);
      assert.ok(bytes.length < source.length + 150_000, String(bytes.length));
    });
});
