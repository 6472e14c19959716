// Letters that ToUnicode, the encoding and the names of glyphs do not tell alike: what is read, and what is said of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { made, runHere } from '../../../../testing/calls/run-here.ts';
import { onePage, streamOf } from '../../../../testing/documents/written-pdf.ts';
import { askProgram, missing, pdftotext } from '../../../../testing/oracles/programs.ts';

interface Drawn {
  /** Entries of the font's dictionary beside its map. */
  font: string;
  /** Texts of the codes from 41 on, in hexadecimal. */
  texts: readonly string[];
  more?: readonly string[];
}

const cmapOf = (texts: readonly string[]): string =>
  `begincmap 1 begincodespacerange <00> <ff> endcodespacerange ${texts.length} beginbfchar ${texts
    .map((text, i) => `<${(0x41 + i).toString(16)}> <${text}>`)
    .join(' ')} endbfchar endcmap`;

const drawn = ({ font, texts, more = [] }: Drawn): Buffer =>
  onePage({
    page: '/Resources << /Font << /F 5 0 R >> >>',
    content: `BT /F 12 Tf 50 700 Td (${texts.map((_, i) => String.fromCharCode(0x41 + i)).join('')}) Tj ET`,
    more: [`<< /Type /Font ${font} /ToUnicode 6 0 R >>`, streamOf(cmapOf(texts)), ...more],
  });

const HELVETICA = '/Subtype /Type1 /BaseFont /Helvetica';
const named = (...names: string[]): string =>
  `/Encoding << /Differences [65 ${names.map((name) => `/${name}`).join(' ')}] >>`;
const hex = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('hex');

/** The text, and how many of its letters are said to be doubtful. */
async function read(bytes: Uint8Array, path = 'convert/pdf/text'): Promise<[string, string | undefined]> {
  const ran = await runHere(path, { files: { fileInput: { name: 'a.pdf', bytes } } });
  const text = made(ran).toString('utf8').trim();
  return [text, ran.state === 'made' ? ran.result.headers?.['X-Doubtful-Letters'] : undefined];
}

/** Fonts whose map and names disagree: which is followed, and on how many letters. */
const DISAGREEING: Readonly<Record<string, Drawn & { text: string; count: string }>> = {
  'a map against WinAnsiEncoding': {
    font: `${HELVETICA} /Encoding /WinAnsiEncoding`,
    texts: ['0391', '0392', '0043'],
    text: 'ΑΒC',
    count: '2',
  },
  'a map against Differences': {
    font: `${HELVETICA} ${named('x', 'y', 'z')}`,
    texts: ['0061', '0079', '0063'],
    text: 'ayc',
    count: '2',
  },
  'a map against the names that a standard font has itself': {
    font: HELVETICA,
    texts: ['0042', '0042', '0043'],
    text: 'BBC',
    count: '1',
  },
  'a map that has a blank for a letter': {
    font: `${HELVETICA} /Encoding /WinAnsiEncoding`,
    texts: ['0041', '0020', '0043'],
    text: 'A C',
    count: '1',
  },
  'a map that guesses letters of a formula font of TeX': {
    font: `/Subtype /Type1 /BaseFont /ABCDEF+CMSY10 ${named('lessequal', 'bar', 'element')}`,
    texts: ['0066', '2663', '2208'],
    text: '≤|∈',
    count: '2',
  },
};

for (const [what, { text, count, ...font }] of Object.entries(DISAGREEING))
  test(`letters in doubt: ${what}`, async () => {
    const bytes = drawn(font);
    for (const path of ['convert/pdf/text', 'convert/pdf/markdown']) {
      const [seen, doubtful] = await read(bytes, path);
      // Markdown writes a formula as LaTeX.
      if (path === 'convert/pdf/text') assert.equal(seen, text);
      assert.equal(doubtful, count, path);
    }
  });

/** One name, and the texts that honest programs write for it. */
const ALIKE: Readonly<Record<string, readonly string[]>> = {
  fi: ['fi', '\ufb01'],
  hyphen: ['\u00ad', '\u2010', '\u2212'],
  space: ['\u00a0'],
  mu: ['\u03bc', '\u00b5'],
  Delta: ['\u0394', '\u2206'],
  Omega: ['\u03a9', '\u2126'],
  quoteright: ["'"],
  periodcentered: ['\u2022', '\u2219'],
  fraction: ['/', '\u2215'],
  Tcommaaccent: ['\u0162', '\u021a'],
  phi: ['\u03c6', '\u03d5'],
  bullet: ['\uf0b7', '\u25cf'],
  macron: ['\u00af', '\u02c9'],
  onesuperior: ['1', '\u00b9'],
  period: [' .'],
  A: ['a', '\uff21'],
};

test('two characters for one sign are no disagreement', async () => {
  const pairs = Object.entries(ALIKE).flatMap(([name, texts]) => texts.map((text) => [name, text] as const));
  const bytes = drawn({
    font: `${HELVETICA} ${named(...pairs.map(([name]) => name))}`,
    texts: pairs.map(([, text]) => hex(text)),
  });
  assert.equal((await read(bytes))[1], undefined);
});

test('names that mean nothing disagree with nothing', async () => {
  const symbolic =
    '<< /Type /FontDescriptor /FontName /Arial /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>';
  const box = streamOf('500 0 0 0 500 500 d1 0 0 500 500 re f');
  for (const font of [
    `${HELVETICA} ${named('g1', 'g2', 'C138')}`,
    '/Subtype /TrueType /BaseFont /Arial /Encoding /WinAnsiEncoding /FirstChar 65 /LastChar 67 /Widths [500 500 500] /FontDescriptor 7 0 R',
    `/Subtype /Type3 /FontBBox [0 0 500 500] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 65 /LastChar 67 /Widths [500 500 500] ${named('a', 'b', 'c')} /CharProcs << /a 8 0 R /b 8 0 R /c 8 0 R >>`,
  ])
    assert.deepEqual(await read(drawn({ font, texts: ['0391', '0392', '0393'], more: [symbolic, box] })), [
      'ΑΒΓ',
      undefined,
    ]);
});

/** The second of three letters has an entry that says nothing. */
const SAYING_NOTHING = {
  'U+0000': '0000',
  'U+FFFD': 'FFFD',
  'half a character': 'D835',
  'an empty text': '',
};

for (const [what, entry] of Object.entries(SAYING_NOTHING))
  test(`a simple font whose map has ${what} is read by its encoding`, {
    skip: missing('mutool'),
  }, async () => {
    for (const [font, letter] of [
      [`${HELVETICA} /Encoding /WinAnsiEncoding`, 'B'],
      [`${HELVETICA} ${named('Alpha', 'Beta', 'Gamma')}`, 'Β'],
      [HELVETICA, 'B'],
    ] as const) {
      const bytes = drawn({ font, texts: ['0391', entry, '0393'] });
      const [text, doubtful] = await read(bytes);
      assert.equal(text, `Α${letter}Γ`, font);
      assert.equal(doubtful, font === HELVETICA || font.includes('WinAnsi') ? '2' : undefined);
      assert.match(askProgram('mutool', ['draw', '-q', '-F', 'txt', '{}'], bytes), /Α\ufffd*.?Γ/u, 'MuPDF');
    }
  });

test('a simple font of which neither map nor name says anything has unknown letters', async () => {
  const bytes = drawn({ font: `${HELVETICA} ${named('A', 'g2', 'C')}`, texts: ['0041', '0000', '0043'] });
  const ran = await runHere('convert/pdf/text', { files: { fileInput: { name: 'a.pdf', bytes } } });
  assert.match(made(ran).toString('utf8'), /^A(?:\ufffd| )?C/);
});

/** PDFium reads no CMap that another builds on, nor do most readers: what depends on it is said to be in doubt. */
test('letters of a map that builds on another are in doubt, its own are not', {
  skip: missing('mutool'),
}, async () => {
  const base = cmapOf(['0391', '0392', '0393']);
  const own = 'begincmap /Base usecmap 1 beginbfchar <42> <0416> endbfchar endcmap';
  const bytes = onePage({
    page: '/Resources << /Font << /F 5 0 R >> >>',
    content: 'BT /F 12 Tf 50 700 Td (ABC) Tj ET',
    more: [
      `<< /Type /Font ${HELVETICA} ${named('g1', 'g2', 'g3')} /ToUnicode 6 0 R >>`,
      streamOf(own, '/Type /CMap /CMapName /Own /UseCMap 7 0 R'),
      streamOf(base, '/Type /CMap /CMapName /Base'),
    ],
  });
  assert.match(askProgram('mutool', ['draw', '-q', '-F', 'txt', '{}'], bytes), /ΑЖΓ/, 'MuPDF');
  const [text, doubtful] = await read(bytes);
  assert.match(text, /Ж/);
  assert.equal(doubtful, '2');
  // Looked for, they are found: that is read from the document itself.
  const fileInput = { name: 'a.pdf', bytes };
  const found = await runHere('filter/filter-contains-text', {
    files: { fileInput },
    params: { text: 'ΑЖΓ' },
  });
  assert.equal(found.state, 'made');
});

const composite = (encoding: string, { ordering = 'Identity', shown = '<004100420043>', map = '' }): Buffer =>
  onePage({
    page: '/Resources << /Font << /F 5 0 R >> >>',
    content: `BT /F 12 Tf 50 700 Td ${shown} Tj ET`,
    more: [
      `<< /Type /Font /Subtype /Type0 /BaseFont /Arial /Encoding ${encoding.startsWith('/') ? encoding : '6 0 R'} /DescendantFonts [7 0 R] ${map && '/ToUnicode 9 0 R'} >>`,
      encoding.startsWith('/') ? 'null' : encoding,
      `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Arial /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> /FontDescriptor 8 0 R /DW 700 >>`,
      '<< /Type /FontDescriptor /FontName /Arial /Flags 32 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 /FontFile2 10 0 R >>',
      streamOf(map),
      streamOf('no font program'),
    ],
  });

test('encodings that build on others of two bytes are read; others are said to be in doubt', {
  skip: missing('pdftotext'),
}, async () => {
  const map = cmapOf(['0391', '0392', '0393']);
  const own = 'begincmap /Identity-H usecmap 1 begincidchar <0042> 5 endcidchar endcmap';
  const identity = composite(streamOf(own, '/Type /CMap /CMapName /Own /UseCMap /Identity-H'), { map });
  assert.deepEqual(await read(identity), ['ΑΒΓ', undefined]);
  const japanese = { ordering: 'Japan1', shown: '<304230444E00>' };
  const utf16 = composite(
    streamOf(
      'begincmap /UniJIS-UTF16-H usecmap endcmap',
      '/Type /CMap /CMapName /Own /UseCMap /UniJIS-UTF16-H',
    ),
    japanese,
  );
  assert.deepEqual(await read(utf16), ['あい一', undefined]);
  const mixed = composite(
    streamOf('begincmap /90ms-RKSJ-H usecmap endcmap', '/Type /CMap /CMapName /Own /UseCMap /90ms-RKSJ-H'),
    { ...japanese, shown: '<82A04142>' },
  );
  assert.match(pdftotext(mixed), /あAB/, 'poppler');
  assert.notEqual((await read(mixed))[1], undefined);
  const found = await runHere('filter/filter-contains-text', {
    files: { fileInput: { name: 'a.pdf', bytes: mixed } },
    params: { text: 'あAB' },
  });
  assert.equal(found.state, 'made');
});

/** "Α?ΓABCD", of which the second letter has no entry; the others are in a font that says all. */
const withUnknown = (): Buffer => {
  const map = 'begincmap 2 beginbfchar <0041> <0041> <0043> <0043> endbfchar endcmap';
  return composite('/Identity-H', { map, shown: '<004100420043>' });
};

test('what may stand among unknown letters is not said to be absent', async () => {
  const fileInput = { name: 'a.pdf', bytes: withUnknown() };
  const files = { fileInput };
  const asked = async (text: string) =>
    runHere('filter/filter-contains-text', { files: { fileInput }, params: { text } });
  for (const text of ['ABC', 'AXC', 'AX']) {
    const ran = await asked(text);
    assert.equal(ran.state === 'failed' && ran.problem.reason, 'text_unreadable', text);
    const redacted = await runHere('security/auto-redact', { files, params: { listOfText: text } });
    assert.equal(redacted.state === 'failed' && redacted.problem.reason, 'redaction_unverified', text);
  }
  for (const text of ['ABCD', 'XAB', 'CA']) {
    assert.equal((await asked(text)).state, 'nothing', text);
    assert.equal(
      (await runHere('security/auto-redact', { files, params: { listOfText: text } })).state,
      'made',
    );
  }
  const expression = { listOfText: 'A.C', useRegex: 'true' };
  assert.equal((await runHere('security/auto-redact', { files, params: expression })).state, 'made');
});

test('replacing says how many letters nobody can tell', async () => {
  const files = { fileInput: { name: 'a.pdf', bytes: withUnknown() } };
  const edited = await runHere('general/edit-text', { files, params: { find: 'C', replace: 'A' } });
  assert.equal(edited.state === 'made' && edited.result.headers['X-Unknown-Letters'], '1');
  const none = await runHere('general/edit-text', { files, params: { find: 'Q', replace: 'A' } });
  assert.match(none.state === 'failed' ? none.problem.detail : '', /Of 1 letters there/);
});

test('a font whose codes nothing explains hides no term from redaction', async () => {
  const bytes = composite('/Identity-H', { shown: '<00530065006300720065007400210021>' });
  const files = { fileInput: { name: 'a.pdf', bytes } };
  const ran = await runHere('security/auto-redact', { files, params: { listOfText: 'Missile' } });
  assert.equal(ran.state === 'failed' && ran.problem.reason, 'redaction_unverified');
});

test('letters told in two ways are looked for in both', async () => {
  const bytes = drawn({ font: `${HELVETICA} /Encoding /WinAnsiEncoding`, texts: ['0058', '0059', '005A'] });
  for (const text of ['XYZ', 'ABC'])
    assert.equal(
      (
        await runHere('filter/filter-contains-text', {
          files: { fileInput: { name: 'a.pdf', bytes } },
          params: { text },
        })
      ).state,
      'made',
      text,
    );
});

test('quotation marks beside right-to-left letters are those of the font', {
  skip: missing('mutool'),
}, async () => {
  const letters = ['05DD', '05D5', '05DC', '05E9', '201D', '201C', '0061', '0020'];
  const box = streamOf('500 0 20 0 480 600 d1 20 0 460 600 re f');
  const page = (shown: string): Buffer =>
    onePage({
      page: '/Resources << /Font << /F 5 0 R >> >>',
      content: `BT /F 12 Tf 50 700 Td (${shown}) Tj ET`,
      more: [
        `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 500 700] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 65 /LastChar 72
          /Widths [500 500 500 500 500 500 500 250] ${named('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')} /ToUnicode 6 0 R
          /CharProcs << /a 7 0 R /b 7 0 R /c 7 0 R /d 7 0 R /e 7 0 R /f 7 0 R /g 7 0 R /h 8 0 R >> >>`,
        streamOf(cmapOf(letters)),
        box,
        streamOf('250 0 0 0 0 0 d1'),
      ],
    });
  const seen = page('GGGHFABCDEHGGG');
  assert.match(askProgram('mutool', ['draw', '-q', '-F', 'txt', '{}'], seen), /“.{4}”/u, 'MuPDF');
  assert.equal((await read(seen))[0], 'aaa “שלום” aaa');
  assert.equal((await read(page('EABCDF')))[0], '“שלום”');
});
