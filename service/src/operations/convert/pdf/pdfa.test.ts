import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { failed, made, madeName } from '../../../../testing/calls/run-here.ts';
import { fixture } from '../../../../testing/documents/collection.ts';
import { onePage, pdfOf, streamOf } from '../../../../testing/documents/written-pdf.ts';
import {
  assertEmbedded,
  differingPart,
  lettersOf,
  outcomeOf,
  toArchive,
  validArchive,
} from '../../../../testing/oracles/pdfa-likeness.ts';
import {
  askProgram,
  missing,
  pdfinfo,
  pdftotext,
  qpdfCheck,
  qpdfObjects,
} from '../../../../testing/oracles/programs.ts';

const skip = missing('gs', 'pdftoppm', 'pdffonts', 'pdftotext', 'qpdf');
const EVERYTHING = readFileSync(fixture('everything.pdf'));
const TAGGED = readFileSync(fixture('tied-pages.pdf'));

const HELVETICA = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>';
const words = (content: string, extra = '') =>
  onePage({
    content,
    page: `/Resources << /Font << /F 5 0 R >> ${extra} >>`,
    more: [HELVETICA],
  });

const TARGETS: readonly [format: string | undefined, suffix: string, part: string, level: string][] = [
  [undefined, '2b', '2', 'B'],
  ['pdfa', '2b', '2', 'B'],
  ['pdfa-2', '2b', '2', 'B'],
  ['PDFA-2B', '2b', '2', 'B'],
  ['pdfa-1', '1b', '1', 'B'],
  ['pdfa-3', '3b', '3', 'B'],
  ['pdfa-3b', '3b', '3', 'B'],
  ['pdfa-1a', '1a', '1', 'A'],
  ['pdfa-2a', '2a', '2', 'A'],
  ['pdfa-3a', '3a', '3', 'A'],
  ['pdfa-2u', '2u', '2', 'U'],
  ['pdfa-3u', '3u', '3', 'U'],
  ['pdfa-4', '4', '4', ''],
  ['pdfa-4e', '4e', '4', 'E'],
  ['pdfa-4f', '4f', '4', 'F'],
];

const VERSIONS: Record<string, string> = { 1: '1.4', 2: '1.7', 3: '1.7', 4: '2.0' };

test('every target conforms, keeps text and look, and is named after itself', { skip }, async (t) => {
  for (const [format, id, part, level] of TARGETS)
    await t.test(format ?? 'no outputFormat', async () => {
      const source = level === 'A' ? TAGGED : EVERYTHING;
      const ran = await toArchive(source, format === undefined ? {} : { outputFormat: format });
      assert.equal(madeName(ran), `paper_PDFA-${id}.pdf`);
      const bytes = await validArchive(ran, id);
      qpdfCheck(bytes);
      assertEmbedded(bytes);
      const info = pdfinfo(bytes);
      assert.equal(info['PDF version'], VERSIONS[part]);
      assert.equal(info.Pages, pdfinfo(source).Pages);
      assert.equal(info.Tagged, pdfinfo(source).Tagged);
      const xmp = askProgram('pdfinfo', ['-meta', '{}'], bytes);
      assert.match(xmp, new RegExp(`<pdfaid:part>${part}</pdfaid:part>`));
      if (level === '') assert.doesNotMatch(xmp, /pdfaid:conformance/);
      else assert.match(xmp, new RegExp(`<pdfaid:conformance>${level}</pdfaid:conformance>`));
      assert.equal(lettersOf(bytes), lettersOf(source));
      assert.ok(differingPart(source, bytes) < 0.02);
    });
});

/** How many objects of the file are of this kind. */
const count = (bytes: Uint8Array, isKind: (dict: Record<string, unknown>) => boolean): number =>
  Object.values(qpdfObjects(bytes)).filter(({ value, stream }) => {
    const dict = stream?.dict ?? value;
    return typeof dict === 'object' && dict !== null && isKind(dict as Record<string, unknown>);
  }).length;

test('bookmarks, links, fields and page labels stay', { skip }, async () => {
  for (const source of [EVERYTHING, TAGGED]) {
    const bytes = made(await toArchive(source));
    const kinds: ((dict: Record<string, unknown>) => boolean)[] = [
      (dict) => dict['/Subtype'] === '/Link',
      (dict) => dict['/Subtype'] === '/Widget',
      (dict) => '/Title' in dict && '/Parent' in dict,
      (dict) => '/PageLabels' in dict,
      (dict) => dict['/Type'] === '/StructElem',
    ];
    assert.deepEqual(
      kinds.map((kind) => count(bytes, kind)),
      kinds.map((kind) => count(source, kind)),
    );
  }
});

test('scripts go, attachments stay in part 3 alone', { skip }, async () => {
  const source = onePage({
    catalog:
      '/OpenAction << /S /JavaScript /JS (app.alert) >> /AA << /WC 7 0 R >> ' +
      '/Names << /EmbeddedFiles << /Names [(a.txt) 5 0 R] >> /JavaScript << /Names [(x) 7 0 R] >> >>',
    more: [
      '<< /Type /Filespec /F (a.txt) /EF << /F 6 0 R >> >>',
      streamOf('hello', '/Type /EmbeddedFile'),
      '<< /S /JavaScript /JS (app.alert) >>',
    ],
  });
  for (const [outputFormat, id, files] of [
    ['pdfa-1', '1b', 0],
    ['pdfa-2', '2b', 0],
    ['pdfa-3', '3b', 1],
    ['pdfa-4', '4', 0],
    ['pdfa-4e', '4e', 1],
    ['pdfa-4f', '4f', 1],
  ] as const) {
    const bytes = await validArchive(await toArchive(source, { outputFormat }), id);
    assert.match(askProgram('pdfdetach', ['-list', '{}'], bytes), new RegExp(`^${files} embedded file`));
    assert.equal(
      count(bytes, (dict) => '/JS' in dict),
      0,
    );
  }
});

test('part 4 has no information dictionary: what it said stands in the metadata', { skip }, async () => {
  const source = onePage({
    trailer: '/Info 5 0 R',
    more: [
      '<< /Title (A title) /Author (Somebody) /Company (A company) /CreationDate (D:20200102030405Z) >>',
    ],
  });
  const bytes = await validArchive(await toArchive(source, { outputFormat: 'pdfa-4' }), '4');
  const xmp = askProgram('pdfinfo', ['-meta', '{}'], bytes);
  for (const said of ['A title', 'Somebody', 'A company', '2020-01-02T03:04:05'])
    assert.ok(xmp.includes(said), said);
  assert.doesNotMatch(askProgram('qpdf', ['--show-object=trailer', '{}'], bytes), /\/Info/);
});

test('PDF/A-4f is for documents with attachments', async () => {
  const problem = failed(await toArchive(onePage(), { outputFormat: 'pdfa-4f' }));
  assert.equal(problem.reason, 'invalid_parameter');
  assert.match(problem.detail, /pdfa-4f needs a document with attachments \(ISO 19005-4, 6\.9\)/);
});

test('at level u glyphs that nothing explains keep what readers take them for', { skip }, async () => {
  const type3 = (codes: string, first: number): Buffer => {
    const source = onePage({
      content: `BT /F 20 Tf 20 700 Td <${codes}> Tj ET`,
      page: '/Resources << /Font << /F 5 0 R >> >>',
      more: [
        '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] ' +
          `/FirstChar ${first} /LastChar ${first} /Widths [1000] /CharProcs << /square 6 0 R >> /Resources << >> ` +
          `/Encoding << /Type /Encoding /Differences [${first} /g1] >> >>`,
        streamOf('1000 0 0 0 750 750 d1 0 0 750 750 re f'),
      ],
    });
    return Buffer.from(source.toString('latin1').replace('/square', '/g1    '), 'latin1');
  };
  const letter = await toArchive(type3('61', 97), { outputFormat: 'pdfa-2u' });
  assert.equal(lettersOf(await validArchive(letter, '2u')), 'a');
  assert.ok(letter.state === 'made' && !('X-Lost-Text' in letter.result.headers));
  // A control character is no reading: it gets a value for private use, which level a does not allow.
  const sign = await validArchive(await toArchive(type3('04', 4), { outputFormat: 'pdfa-3u' }), '3u');
  assert.match(askProgram('pdftotext', ['{}', '-'], sign), /\ue004/);
});

test('transparency is flattened in part 1 and stays in part 2', { skip }, async () => {
  const source = words(
    'BT /F 24 Tf 100 700 Td (Words below) Tj ET 1 0 0 rg 100 100 200 200 re f /G gs 0 0 1 rg 200 200 200 200 re f',
    '/ExtGState << /G << /ca 0.5 >> >>',
  );
  const isSeeThrough = (dict: Record<string, unknown>) => '/ca' in dict || '/SMask' in dict;
  const flat = await validArchive(await toArchive(source, { outputFormat: 'pdfa-1' }), '1b');
  assert.equal(count(flat, isSeeThrough), 0);
  assert.ok(differingPart(source, flat) < 0.02);
  assert.equal(pdftotext(flat).trim(), 'Words below');
  const later = await validArchive(await toArchive(source), '2b');
  assert.ok(askProgram('qpdf', ['--qdf', '--object-streams=disable', '{}', '-'], later).includes('/ca 0.5'));
});

test('pages without transparency are not drawn anew in part 1', { skip }, async () => {
  const page = (contents: number): string =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents ${contents} 0 R /Resources << /Font << /F 7 0 R >> /ExtGState << /G << /ca 0.5 >> >> >> >>`;
  const source = pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
    page(5),
    page(6),
    streamOf('BT /F 20 Tf 20 200 Td (Kept as it is) Tj ET'),
    streamOf('BT /F 20 Tf 20 200 Td (Drawn anew) Tj ET /G gs 1 0 0 rg 20 20 200 200 re f'),
    HELVETICA,
  ]);
  const bytes = await validArchive(await toArchive(source, { outputFormat: 'pdfa-1' }), '1b');
  assert.ok(differingPart(source, bytes) < 0.02);
  const written = askProgram('qpdf', ['--qdf', '--object-streams=disable', '{}', '-'], bytes);
  assert.ok(written.includes('(Kept as it is) Tj'));
  // A page that was drawn anew is a picture here, with its text unseen above it.
  assert.equal(
    askProgram('pdfimages', ['-list', '{}'], bytes)
      .match(/^ +\d+ /gm)
      ?.join()
      .trim(),
    '2',
  );
  assert.match(pdftotext(bytes), /Kept as it is\s+Drawn anew/);
});

test('a page is not drawn anew for what an annotation shows', { skip }, async () => {
  const source = onePage({
    content: 'BT /F 20 Tf 20 700 Td (Kept as it is) Tj ET',
    page: '/Resources << /Font << /F 5 0 R >> >> /Annots [6 0 R]',
    more: [
      HELVETICA,
      '<< /Type /Annot /Subtype /Stamp /F 4 /Rect [100 100 300 300] /AP << /N 7 0 R >> >>',
      streamOf(
        '/G gs 0 0.5 0 rg 0 0 200 200 re f',
        '/Type /XObject /Subtype /Form /BBox [0 0 200 200] /Resources << /ExtGState << /G << /ca 0.5 >> >> >>',
      ),
    ],
  });
  const bytes = await validArchive(await toArchive(source, { outputFormat: 'pdfa-1' }), '1b');
  assert.ok(differingPart(source, bytes) < 0.02);
  const written = askProgram('qpdf', ['--qdf', '--object-streams=disable', '{}', '-'], bytes);
  assert.ok(written.includes('(Kept as it is) Tj') && !written.includes('3 Tr'));
});

test('text that is not seen stays unseen, and text', { skip }, async () => {
  const scan = '0.9 g 50 50 500 600 re f BT 3 Tr /F 30 Tf 60 400 Td (Recognised words) Tj ET';
  const isSeeThrough = '/ExtGState << /G << /ca 0.4 >> >>';
  for (const [content, outputFormat, id] of [
    [scan, 'pdfa-2', '2b'],
    [scan, 'pdfa-1', '1b'],
    [`${scan} /G gs 1 0 0 rg 100 100 99 99 re f`, 'pdfa-1', '1b'],
  ] as const) {
    const source = words(content, isSeeThrough);
    const bytes = await validArchive(await toArchive(source, { outputFormat }), id);
    assert.equal(pdftotext(bytes).trim(), 'Recognised words');
    assert.ok(differingPart(source, bytes, { dpi: 72 }) < 0.001);
  }
});

test('colours of printing presses look the same, and tags stay', { skip }, async () => {
  const tagged = (content: string) =>
    onePage({
      catalog: '/MarkInfo << /Marked true >> /StructTreeRoot 6 0 R /Lang (en)',
      page: '/StructParents 0 /Resources << /Font << /F 5 0 R >> >>',
      content: `/P << /MCID 0 >> BDC ${content} EMC`,
      more: [
        HELVETICA,
        '<< /Type /StructTreeRoot /K 7 0 R /ParentTree << /Nums [0 [7 0 R]] >> >>',
        '<< /Type /StructElem /S /P /P 6 0 R /Pg 3 0 R /K 0 >>',
      ],
    });
  const source = tagged(
    'BT /F 12 Tf 72 700 Td (Inks) Tj ET 1 0 0 0 k 0 0 150 300 re f 0 1 0 0 k 150 0 150 300 re f ' +
      '0 0 1 0 k 300 0 150 300 re f 0.3 0.2 0.1 0.4 k 450 0 150 300 re f 0 0 1 rg 0 400 100 100 re f',
  );
  for (const [outputFormat, id] of [
    ['pdfa-2a', '2a'],
    ['pdfa-1a', '1a'],
  ] as const) {
    const bytes = await validArchive(await toArchive(source, { outputFormat }), id);
    assert.equal(pdfinfo(bytes).Tagged, 'yes');
    assert.ok(differingPart(source, bytes) < 0.001);
  }
  const spoken = await toArchive(source, { outputFormat: 'pdfa-2a', pdfUa: 'true' }, 'Ink tests.pdf');
  const bytes = await validArchive(spoken, 'ua1');
  assert.equal(pdfinfo(bytes).Title, 'Ink tests');
  assert.match(askProgram('pdfinfo', ['-meta', '{}'], bytes), /<pdfuaid:part>1<\/pdfuaid:part>/);
});

/** A font that is only named, with codes nobody can read: no program can embed it. */
const UNREADABLE = onePage({
  content: 'BT /F 20 Tf 72 700 Td <00010002> Tj ET',
  page: '/Resources << /Font << /F 5 0 R >> >>',
  more: [
    '<< /Type /Font /Subtype /Type0 /BaseFont /Nowhere /Encoding /Identity-H /DescendantFonts [6 0 R] >>',
    '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Nowhere /FontDescriptor 7 0 R ' +
      '/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>',
    '<< /Type /FontDescriptor /FontName /Nowhere /Flags 4 /FontBBox [0 0 1 1] /ItalicAngle 0 /Ascent 1 /Descent 0 /CapHeight 1 /StemV 1 >>',
  ],
});

test('what cannot conform is refused by the clauses in its way, for every target', { skip }, async () => {
  for (const [outputFormat, clause] of [
    ['pdfa-1', '6.3.4-1'],
    ['pdfa-2b', '6.2.11.4.1-1'],
    ['pdfa-2u', '6.2.11.4.1-1'],
    ['pdfa-3b', '6.2.11.4.1-1'],
    ['pdfa-4', '6.2.10.4.1-1'],
  ] as const) {
    const refusal = failed(await toArchive(UNREADABLE, { outputFormat }));
    assert.equal(refusal.reason, 'conformance_failed');
    assert.ok(refusal.detail.includes(clause), refusal.detail);
    assert.match(refusal.detail, /PDF\/A-.* At font Nowhere .*page 1/);
  }
  const problem = failed(await toArchive(UNREADABLE, { strict: 'true' }));
  assert.equal(problem.reason, 'invalid_parameter');
  assert.match(problem.detail, /^strict: .*PDF\/A-2b.*6\.2\.11\.4\.1-1/);
  assert.equal(outcomeOf(await toArchive(EVERYTHING, { strict: 'true' })), 'valid');
});

test('level a and PDF/UA need tags, PDF/UA a target of level a', async () => {
  for (const [params, source, pattern] of [
    [{ outputFormat: 'pdfa-2a' }, EVERYTHING, /outputFormat pdfa-2a .*paper\.pdf has no tags/],
    [
      { outputFormat: 'pdfa-1a', pdfUa: 'true' },
      onePage({ catalog: '/StructTreeRoot << /K [] >>' }),
      /no tags/,
    ],
    [{ pdfUa: 'true' }, TAGGED, /pdfUa .*pdfa-1a, pdfa-2a or pdfa-3a/],
    [{ outputFormat: 'pdfa-5' }, TAGGED, /outputFormat .*pdfa-2b/],
    [{ strict: 'perhaps' }, TAGGED, /strict/],
  ] as const) {
    const problem = failed(await toArchive(source, params));
    assert.equal(problem.reason, 'invalid_parameter');
    assert.match(problem.detail, pattern);
  }
});

test('a claim of PDF/UA that does not hold is told', { skip }, async () => {
  const refusal = failed(await toArchive(TAGGED, { outputFormat: 'pdfa-2a', pdfUa: 'true' }));
  assert.equal(refusal.reason, 'conformance_failed');
  assert.match(refusal.detail, /PDF\/A-2a and PDF\/UA-1.*7\.18/);
  const problem = failed(await toArchive(TAGGED, { outputFormat: 'pdfa-2a', pdfUa: 'true', strict: 'true' }));
  assert.match(problem.detail, /PDF\/UA-1.*7\.18/);
});

test('what was locked is open', { skip }, async () => {
  const ran = await toArchive(readFileSync(fixture('everything-locked.pdf')), {
    inputPassword: 'open-sesame',
  });
  const bytes = await validArchive(ran, '2b');
  assert.equal(pdfinfo(bytes).Encrypted, 'no');
});
