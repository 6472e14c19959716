// Letters that can be trusted: ToUnicode maps of every shape, and characters above U+FFFF, in every format that text
// comes out in, and wherever text is looked for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { made, madeName, runHere } from '../../../../testing/calls/run-here.ts';
import { CMAPS, type FontKind, mappedPage, shown } from '../../../../testing/documents/to-unicode-maps.ts';
import { onePage, streamOf } from '../../../../testing/documents/written-pdf.ts';
import { askProgram, askProgramBytes, missing, pdftotext } from '../../../../testing/oracles/programs.ts';
import { createLog } from '../../../contract/log.ts';
import { createPdfium } from '../../../engines/pdfium/pdfium.ts';

const KINDS: FontKind[] = ['simple', 'composite'];
const quiet = createLog('silent');
const plain = (text: string): string => text.replace(/\s+/g, '');

const once = (kind: FontKind): string => `BT /F 12 Tf 50 700 Td ${shown(kind, 'ABCD')} Tj ET`;

async function textOf(bytes: Uint8Array): Promise<string> {
  const ran = await runHere('convert/pdf/text', { files: { fileInput: { name: 'letters.pdf', bytes } } });
  return plain(made(ran).toString('utf8'));
}

for (const kind of KINDS)
  for (const [shape, { cmap, text }] of Object.entries(CMAPS))
    test(`a ${kind} font whose map has ${shape}`, { skip: missing('pdftotext') }, async () => {
      const bytes = mappedPage(kind, cmap, once(kind));
      assert.equal(plain(pdftotext(bytes)), text, 'poppler');
      assert.equal(await textOf(bytes), text);
      using pdfium = Object.assign(await createPdfium({ passwords: [], log: quiet }), {
        [Symbol.dispose]() {
          pdfium.close();
        },
      });
      using document = pdfium.open({ name: 'letters.pdf', content: { bytes } });
      assert.equal(plain(document.pageText(0)), text);
      assert.equal(plain(String.fromCodePoint(...document.pageChars(0).codes)), text);
    });

/** PDFium reads such pages as text: drawn out of order, turned, within a form. */
const WAYS: Readonly<Record<string, (kind: FontKind, map: string) => Uint8Array>> = {
  'drawn from the right': (kind, map) =>
    mappedPage(
      kind,
      map,
      `BT /F 12 Tf 90 700 Td ${shown(kind, 'CD')} Tj -40 0 Td ${shown(kind, 'AB')} Tj ET`,
    ),
  turned: (kind, map) =>
    mappedPage(kind, map, `BT /F 12 Tf 0 1 -1 0 300 300 Tm ${shown(kind, 'ABCD')} Tj ET`),
  packed: (kind, map) => {
    const packed = deflateSync(map).toString('latin1');
    return mappedPage(kind, map, once(kind), streamOf(packed, '/Filter [/FlateDecode]'));
  },
  encrypted: (kind, map) =>
    askProgramBytes(
      'qpdf',
      ['--encrypt', '', 'owner', '256', '--', '{}', '-'],
      mappedPage(kind, map, once(kind)),
    ),
  'in object streams': (kind, map) =>
    askProgramBytes('qpdf', ['--object-streams=generate', '{}', '-'], mappedPage(kind, map, once(kind))),
};

for (const [way, make] of Object.entries(WAYS))
  test(`letters of a page ${way}`, { skip: missing('pdftotext', 'qpdf') }, async () => {
    for (const kind of KINDS)
      for (const shape of [
        'sections of which the second says too few',
        'characters above U+FFFF',
        'a code twice, the lower first',
        'texts of several letters',
      ]) {
        const { cmap, text } = CMAPS[shape] ?? { cmap: '', text: '' };
        assert.equal(await textOf(make(kind, cmap)), text, `${kind}, ${shape}`);
      }
  });

test('a range of codes goes on over the end of its last byte', { skip: missing('pdftotext') }, async () => {
  const map =
    'begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfrange <0000> <ffff> <0000> endbfrange endcmap';
  const bytes = mappedPage('composite', map, 'BT /F 12 Tf 50 700 Td <0041039103920416> Tj ET');
  assert.equal(plain(pdftotext(bytes)), 'AΑΒЖ');
  assert.equal(await textOf(bytes), 'AΑΒЖ');
});

/** A heading, a line and a ruled table, all in letters that PDFium alone reads wrongly or in halves. */
const sheet = (map: string): Uint8Array => {
  const at = (x: number, y: number, size: number, codes: string): string =>
    `BT /F ${size} Tf ${x} ${y} Td ${shown('composite', codes)} Tj ET`;
  const rules = [500, 530, 560].map((y) => `50 ${y} m 350 ${y} l S`);
  const bars = [50, 200, 350].map((x) => `${x} 500 m ${x} 560 l S`);
  const cells = [
    at(60, 540, 11, 'ABCD'),
    at(210, 540, 11, 'BCDA'),
    at(60, 510, 11, 'CDAB'),
    at(210, 510, 11, 'DABC'),
  ];
  return mappedPage(
    'composite',
    map,
    [at(50, 720, 24, 'ABCD'), at(50, 650, 11, 'DCBA'), ...rules, ...bars, ...cells].join('\n'),
  );
};

/** What the result of each says, as another program reads it. */
const FORMATS: Readonly<
  Record<string, { params?: Record<string, string>; read: (bytes: Buffer) => string }>
> = {
  'convert/pdf/text': { read: (bytes) => bytes.toString('utf8') },
  'convert/pdf/markdown': { read: (bytes) => bytes.toString('utf8') },
  'convert/pdf/html': { read: (bytes) => unzippedOr(bytes) },
  'convert/pdf/xml': { read: (bytes) => bytes.toString('utf8') },
  'convert/pdf/epub': { read: (bytes) => unzippedOr(bytes) },
  'convert/pdf/word': { params: { outputFormat: 'docx' }, read: (bytes) => unzippedOr(bytes) },
  'convert/pdf/csv': { read: (bytes) => bytes.toString('utf8') },
  'convert/pdf/xlsx': { read: (bytes) => unzippedOr(bytes) },
  'convert/pdf/text-editor': {
    read: (bytes) =>
      JSON.parse(bytes.toString('utf8'))
        .pages[0].textElements.map(({ text }: { text: string }) => text)
        .join('\n'),
  },
};

const unzippedOr = (bytes: Buffer): string =>
  bytes.subarray(0, 2).toString() === 'PK'
    ? askProgram('unzip', ['-p', '{}'], bytes)
    : bytes.toString('utf8');

const MISREAD = 'sections of which the second says too few';
for (const [path, { params = {}, read }] of Object.entries(FORMATS))
  test(`${path} has the letters of the page`, { skip: missing('unzip') }, async () => {
    for (const shape of [MISREAD, 'characters above U+FFFF']) {
      const { cmap, text } = CMAPS[shape] ?? { cmap: '', text: '' };
      const [a, b, c, d] = Array.from(text);
      const bytes = sheet(cmap);
      const said = read(
        made(await runHere(path, { files: { fileInput: { name: 'a.pdf', bytes } }, params })),
      );
      for (const word of [`${b}${c}${d}${a}`, `${c}${d}${a}${b}`])
        assert.ok(said.includes(word), `${shape}: ${said}`);
    }
  });

test('text is found by the letters that other readers see', async () => {
  for (const shape of [MISREAD, 'characters above U+FFFF', 'texts of one byte']) {
    const { cmap, text } = CMAPS[shape] ?? { cmap: '', text: '' };
    const fileInput = { name: 'a.pdf', bytes: sheet(cmap) };
    const found = await runHere('filter/filter-contains-text', { files: { fileInput }, params: { text } });
    assert.equal(made(found).length > 0, true, shape);
    const renamed = await runHere('misc/auto-rename', { files: { fileInput } });
    assert.match(madeName(renamed) ?? '', new RegExp(text, 'u'));
    const redacted = await runHere('security/auto-redact', {
      files: { fileInput },
      params: { listOfText: text },
    });
    assert.ok(!pdftotext(made(redacted)).split(/\s+/).includes(text));
  }
});

/** A font of drawings: letters, and an anusvara whose ink stands to the left of where it is drawn. */
const devanagari = (content: string): Uint8Array =>
  onePage({
    page: '/Resources << /Font << /F 5 0 R >> >>',
    content: `BT /F 20 Tf 50 700 Td ${content} ET`,
    more: [
      `<< /Type /Font /Subtype /Type3 /FontBBox [-500 -200 700 900] /FontMatrix [0.001 0 0 0.001 0 0]
        /FirstChar 65 /LastChar 68 /Widths [600 0 600 250] /ToUnicode 6 0 R
        /Encoding << /Differences [65 /A /B /C /D] >>
        /CharProcs << /A 7 0 R /B 8 0 R /C 7 0 R /D 9 0 R >> >>`,
      streamOf('begincmap 4 beginbfchar <41> <0939> <42> <0902> <43> <0926> <44> <0020> endbfchar endcmap'),
      streamOf('600 0 50 0 550 600 d1 50 0 500 600 re f'),
      streamOf('0 0 -300 650 -180 800 d1 -300 650 120 150 re f'),
      streamOf('250 0 0 0 0 0 d1'),
    ],
  });

test('a mark over a letter does not part its word', async () => {
  for (const content of [
    '(ABCDABC) Tj',
    '[(A) 300 (B) -300 (CDA) 300 (B) -300 (C)] TJ',
    '[(A) 500 (B) -500 (CDA) 500 (B) -500 (C)] TJ',
    '(A) Tj 6 3 Td (B) Tj 6 -3 Td (CDA) Tj 23 3 Td (B) Tj 6 -3 Td (C) Tj',
    // Drawn when the line was there, and not in order.
    '(ACDAC) Tj 12 3 Td (B) Tj 29 0 Td (B) Tj',
    '(ACDAC) Tj 41 3 Td (B) Tj -29 0 Td (B) Tj',
  ]) {
    const fileInput = { name: 'a.pdf', bytes: devanagari(content) };
    for (const path of ['convert/pdf/text', 'convert/pdf/markdown'])
      assert.equal(made(await runHere(path, { files: { fileInput } })).toString('utf8'), 'हंद हंद\n', content);
  }
});

test('a letter that hangs over does not take the space behind it', {
  skip: missing('pdftotext', 'mutool'),
}, async () => {
  for (const show of ['[(A) -350 (CA) -350 (C)] TJ', '[(A) -350 (C)] TJ 19 0 Td [(A) -350 (C)] TJ']) {
    const bytes = onePage({
      page: '/Resources << /Font << /F 5 0 R >> >>',
      content: `BT /F 20 Tf 50 700 Td ${show} ET`,
      more: [
        `<< /Type /Font /Subtype /Type3 /FontBBox [0 -200 700 900] /FontMatrix [0.001 0 0 0.001 0 0]
          /FirstChar 65 /LastChar 67 /Widths [300 0 300] /Encoding << /Differences [65 /A /B /C] >>
          /CharProcs << /A 6 0 R /C 7 0 R >> >>`,
        streamOf('300 0 0 0 600 600 d1 0 0 600 600 re f'),
        streamOf('300 0 0 0 300 600 d1 0 0 300 600 re f'),
      ],
    });
    assert.match(pdftotext(bytes), /^A CA C\s/, 'poppler');
    assert.match(askProgram('mutool', ['draw', '-q', '-F', 'txt', '{}'], bytes), /^A CA C\s/, 'MuPDF');
    assert.equal(await rawText(bytes), 'A CA C\n', show);
  }
});

test('a code that means nothing is no hyphen', { skip: missing('mutool') }, async () => {
  const bytes = onePage({
    page: '/Resources << /Font << /F 5 0 R >> >>',
    content: 'BT /F 20 Tf 50 700 Td (AB\\002AB) Tj ET',
    more: [
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [2 /C138 65 /A /B] >> >>',
    ],
  });
  assert.doesNotMatch(askProgram('mutool', ['draw', '-q', '-F', 'txt', '{}'], bytes), /-/);
  assert.equal(await textOf(bytes), 'ABAB');
  const fileInput = { name: 'a.pdf', bytes };
  const filtered = await runHere('filter/filter-contains-text', {
    files: { fileInput },
    params: { text: 'AB-' },
  });
  assert.equal(filtered.state === 'made', false);
});

const rawText = async (bytes: Uint8Array, path = 'convert/pdf/text'): Promise<string> =>
  made(await runHere(path, { files: { fileInput: { name: 'a.pdf', bytes } } })).toString('utf8');

/** The second of three letters has no entry that says anything. */
const WITHOUT_SECOND = {
  'no entry': '2 beginbfchar <0041> <0391> <0043> <0393> endbfchar',
  'an entry of nothing': '3 beginbfchar <0041> <0391> <0042> <0000> <0043> <0393> endbfchar',
  'an entry for unknown': '3 beginbfchar <0041> <0391> <0042> <FFFD> <0043> <0393> endbfchar',
  'half a character': '3 beginbfchar <0041> <0391> <0042> <D835> <0043> <0393> endbfchar',
};

for (const [what, section] of Object.entries(WITHOUT_SECOND))
  test(`the number of a glyph is no letter: ${what}`, { skip: missing('pdftotext', 'mutool') }, async () => {
    const map = `begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange ${section} endcmap`;
    for (const content of [
      'BT /F 12 Tf 50 700 Td <004100420043> Tj ET',
      'BT /F 12 Tf 100 700 Td <004100420043> Tj -40 0 Td <0041> Tj ET',
    ]) {
      const bytes = mappedPage('composite', map, content);
      assert.doesNotMatch(pdftotext(bytes), /B/, 'poppler');
      assert.doesNotMatch(askProgram('mutool', ['draw', '-q', '-F', 'txt', '{}'], bytes), /B/, 'MuPDF');
      for (const path of ['convert/pdf/text', 'convert/pdf/markdown'])
        assert.match(await rawText(bytes, path), /Α\ufffdΓ/, path);
      const ran = await runHere('convert/pdf/text', { files: { fileInput: { name: 'a.pdf', bytes } } });
      assert.equal(ran.state === 'made' && ran.result.headers?.['X-Unknown-Letters'], '1');
    }
  });

test('a code of a simple font that its map leaves out is read by the encoding', {
  skip: missing('pdftotext'),
}, async () => {
  const bytes = mappedPage('simple', `begincmap ${WITHOUT_SECOND['no entry']} endcmap`, once('simple'));
  assert.equal(plain(pdftotext(bytes)), 'ΑBΓD');
  assert.equal(await textOf(bytes), 'ΑBΓD');
});

const helvetica = (content: string): Uint8Array =>
  onePage({
    page: '/Resources << /Font << /F 5 0 R >> >>',
    content,
    more: [
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /BaseEncoding /WinAnsiEncoding /Differences [2 /C138] >> >>',
    ],
  });

test('letters set into each other, one lower than the others, are one word', {
  skip: missing('pdftotext', 'mutool'),
}, async () => {
  const bytes = helvetica(
    'BT /F 10 Tf 50 700 Td [(By T) 167] TJ -2.15 Ts [(E) 125] TJ 0 Ts (X it is set.) Tj 0 -14 Td (A second line of text.) Tj ET',
  );
  const read = 'By TEX it is set.';
  assert.ok(pdftotext(bytes).includes(read), 'poppler');
  assert.ok(askProgram('mutool', ['draw', '-q', '-F', 'txt', '{}'], bytes).includes(read), 'MuPDF');
  for (const path of ['convert/pdf/text', 'convert/pdf/markdown'])
    assert.ok((await rawText(bytes, path)).includes(read), path);
});

test('a glyph that means nothing does not join the words beside it', {
  skip: missing('pdftotext'),
}, async () => {
  const bytes = helvetica(
    'BT /F 20 Tf 50 700 Td (AB) Tj /F 10 Tf 33 -2 Td (\\002) Tj /F 20 Tf 3 2 Td (AB) Tj ET',
  );
  assert.match(pdftotext(bytes), /AB\W*\sAB/);
  assert.equal(await rawText(bytes), 'AB AB\n');
});

/** What browsers and office programs write for an emoji of several parts: signs, and the text that they mean. */
const meaning = (text: string): Uint8Array => {
  const actual = Buffer.from(`\ufeff${text}`, 'utf16le').swap16().toString('hex');
  return mappedPage(
    'simple',
    CMAPS['one section']?.cmap ?? '',
    `BT /F 12 Tf 50 700 Td (A) Tj ET /Span << /ActualText <${actual}> >> BDC BT /F 12 Tf 58 700 Td (B) Tj 8 0 Td (C) Tj ET EMC
      BT /F 12 Tf 74 700 Td (D) Tj ET`,
  );
};

test('characters above U+FFFF in texts that signs mean are told', {
  skip: missing('pdftotext'),
}, async () => {
  for (const text of ['😀', '👨‍👩‍👧', '🇩🇪', 'x𝐀y', '👍🏽']) {
    const bytes = meaning(text);
    assert.equal(plain(pdftotext(bytes)), `Α${text}Δ`);
    assert.equal(await textOf(bytes), `Α${text}Δ`);
    const ran = await runHere('filter/filter-contains-text', {
      files: { fileInput: { name: 'a.pdf', bytes } },
      params: { text: `Α${text}Δ` },
    });
    assert.equal(ran.state, 'made', text);
  }
});
