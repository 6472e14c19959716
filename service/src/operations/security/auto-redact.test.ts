import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { runHere } from '../../../testing/calls/run-here.ts';
import { fixture } from '../../../testing/documents/collection.ts';
import { onePage, streamOf } from '../../../testing/documents/written-pdf.ts';
import { zipEntries } from '../../../testing/oracles/archives.ts';
import {
  askProgram,
  missing,
  pdfinfo,
  pdftotext,
  qpdfCheck,
  qpdfObjects,
} from '../../../testing/oracles/programs.ts';
import { processorMs } from '../../../testing/processor-time.ts';
import { document } from '../../../testing/redaction/redaction-attacks.ts';

const skip = missing('pdfinfo', 'pdftotext', 'qpdf', 'pdfimages');
const TEXT = fixture('text-two-pages.pdf');

type Params = Record<string, string | string[]>;

async function redacted(
  file: string | Uint8Array,
  params: Params,
): Promise<{ bytes: Buffer; count: number }> {
  const fileInput = typeof file === 'string' ? file : { name: 'made.pdf', bytes: file };
  const ran = await runHere('security/auto-redact', { files: { fileInput }, params });
  assert.equal(ran.state, 'made', JSON.stringify(ran));
  if (ran.state !== 'made') throw new Error('not made');
  qpdfCheck(ran.bytes);
  return { bytes: ran.bytes, count: Number(ran.result.headers['X-Redaction-Count']) };
}

/** A page with one line of text each. */
const page = (...lines: string[]): Buffer =>
  document({ content: `BT /F 12 Tf 14 TL 20 270 Td ${lines.map((line) => `(${line}) Tj T*`).join(' ')} ET` });

const words = (bytes: Uint8Array): string[] => pdftotext(bytes).split(/\s+/).filter(Boolean);

/** Where words end, and which comes first, is a matter of opinion once others are gone. */
const letters = (list: readonly string[]): string => [...list.join('')].sort().join('');

interface Case {
  what: string;
  lines: string[];
  params: Params;
  left: string[];
  count: number;
}

const CASES: Case[] = [
  {
    what: 'lines of the field are terms, commas are not',
    lines: ['one,two one two', 'three four'],
    params: { listOfText: 'one,two\r\n\r\nfour\n' },
    left: ['one', 'two', 'three'],
    count: 2,
  },
  {
    what: 'the field may be repeated',
    lines: ['one two three'],
    params: { listOfText: ['one', 'three'] },
    left: ['two'],
    count: 2,
  },
  {
    what: 'letter case counts for nothing',
    lines: ['Stra\\337e STRASSE strasse'],
    params: { listOfText: 'straSSe' },
    left: [],
    count: 3,
  },
  {
    what: 'white space matches any white space, line ends included',
    lines: ['Ms John   Smith', 'Mr John', 'Smith here', 'Johnsmith'],
    params: { listOfText: 'john smith' },
    left: ['Ms', 'Mr', 'here', 'Johnsmith'],
    count: 3,
  },
  {
    what: 'parts of words',
    lines: ['category cat concat'],
    params: { listOfText: 'cat' },
    left: ['egory', 'con'],
    count: 3,
  },
  {
    what: 'whole words',
    lines: ['category cat concat cat_1 \\351cat cat. \\(cat\\)'],
    params: { listOfText: 'cat', wholeWordSearch: 'true' },
    left: ['category', 'concat', 'cat_1', 'écat', '.', '(', ')'],
    count: 3,
  },
  {
    what: 'expressions',
    lines: ['call 555-1234 or 555-98765', 'ABC abc'],
    params: { listOfText: ['\\d{3}-\\d{4}\\b', '(?-i)abc'], useRegex: 'on' },
    left: ['call', 'or', '555-98765', 'ABC'],
    count: 2,
  },
  {
    what: 'expressions over line ends',
    lines: ['IBAN DE89 3704', '0044 0532 0130 00 end'],
    params: { listOfText: 'DE\\d{2} (?:\\d{4} ){4}\\d{2}', useRegex: 'true' },
    left: ['IBAN', 'end'],
    count: 2,
  },
  {
    what: 'characters that mean something in expressions are letters in terms',
    lines: ['a.b a+b axb'],
    params: { listOfText: 'a.b\na+b' },
    left: ['axb'],
    count: 2,
  },
  {
    what: 'no match is no failure',
    lines: ['nothing here'],
    params: { listOfText: 'absent' },
    left: ['nothing', 'here'],
    count: 0,
  },
];

for (const { what, lines, params, left, count } of CASES) {
  test(what, { skip }, async () => {
    const made = await redacted(page(...lines), params);
    assert.equal(letters(words(made.bytes)), letters(left));
    assert.equal(made.count, count);
  });
}

const EVERYWHERE = ['-raw', '-layout'];

test('a term that a line end breaks at its own hyphen', { skip }, async () => {
  const bytes = page('call 555-123-', '4567 or Anna-', 'Lena today');
  const ways: Params[] = [
    { listOfText: '555-123-4567\nAnna-Lena' },
    { listOfText: '\\d{3}-\\d{3}-\\d{4}\nAnna-\\w+', useRegex: 'true' },
  ];
  for (const params of ways) {
    const made = await redacted(bytes, params);
    assert.equal(letters(words(made.bytes)), letters(['call', 'or', 'today']));
    assert.equal(made.count, 4);
  }
});

test('blanks without room part no words', { skip }, async () => {
  const bytes = document({
    content:
      'BT /F 20 Tf 20 250 Td [(keep Zan) ( ) 278 (zibar keep)] TJ ET ' +
      'BT /F 20 Tf 20 200 Td (keep Zan) Tj 0.01 Tz ( ) Tj 100 Tz (zibar here in) Tj ET',
  });
  const made = await redacted(bytes, { listOfText: 'Zanzibar\nherein' });
  for (const way of EVERYWHERE)
    assert.equal(letters(pdftotext(made.bytes, way).split(/\s+/)), letters('keepkeepkeepherein'.split('')));
  assert.equal(made.count, 2);
});

test('boxes on what only another reader joins are counted', { skip }, async () => {
  const bytes = document({
    content: [
      'BT /F 14 Tf 20 250 Td (left col Anna) Tj ET BT /F 14 Tf 200 250 Td (right col) Tj ET',
      'BT /F 14 Tf 20 230 Td (Schmidt left) Tj ET BT /F 14 Tf 200 230 Td (second right) Tj ET',
    ].join(' '),
  });
  const made = await redacted(bytes, { listOfText: 'Anna Schmidt' });
  assert.ok(!/Anna|Schmidt/.test(pdftotext(made.bytes)));
  const drawn = askProgram('qpdf', ['--qdf', '{}', '-'], made.bytes).match(/ re\b|\bh\b/g)?.length;
  assert.deepEqual([made.count, drawn], [2, 2]);
});

test('a wider box takes what is under it', { skip }, async () => {
  const made = await redacted(page('near SECRET near', 'above', 'a line', 'far away'), {
    listOfText: 'SECRET',
    customPadding: '30',
  });
  assert.deepEqual(words(made.bytes), ['far', 'away'].slice(0, words(made.bytes).length));
  assert.ok(!words(made.bytes).includes('near'));
});

test('the box has the colour that is asked for, on the place of the word', { skip }, async () => {
  const made = await redacted(page('x SECRET'), { listOfText: 'secret', redactColor: '#F0A' });
  const dump = askProgram('qpdf', ['--qdf', '{}', '-'], made.bytes);
  assert.match(dump, /1 0 0\.666667 rg/);
  assert.equal(askProgram('pdftotext', ['-bbox', '{}', '-'], made.bytes).match(/<word/g)?.length, 1);
});

test('pixels under recognised text go with it', { skip }, async () => {
  const grey = Buffer.alloc(200 * 150, 0x40);
  const bytes = document({
    content: `q 400 0 0 300 0 0 cm /I Do Q BT 3 Tr /F 20 Tf 100 150 Td (public SECRET public) Tj ET`,
    resources: '/XObject << /I 10 0 R >>',
    more: [
      streamOf(
        deflateSync(grey).toString('latin1'),
        '/Type /XObject /Subtype /Image /Width 200 /Height 150 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode',
      ),
    ],
  });
  const made = await redacted(bytes, { listOfText: 'SECRET' });
  assert.deepEqual(words(made.bytes), ['public', 'public']);
  const raw = Buffer.from(
    askProgram(
      'sh',
      ['-c', 'd=$(mktemp -d) && pdfimages "$0" $d/i && base64 -w0 $d/i-000.p?m; rm -rf $d', '{}'],
      made.bytes,
    ),
    'base64',
  );
  const rgb = raw.subarray(raw.length - 200 * 150 * 3);
  const data = rgb.filter((_, at) => at % 3 === 0);
  const black = data.filter((value) => value === 0).length;
  // 78 by 19 points of a page that is 400 by 300, on 200 by 150 pixels.
  assert.ok(black > 300 && black < 600, `${black} pixels are black`);
  assert.equal(data.length - black, data.filter((value) => value === 0x40).length);
});

test('strings are counted, and terms go from all of them', { skip }, async () => {
  const made = await redacted(
    document({
      content: 'BT /F 12 Tf 20 200 Td (a SECRET) Tj ET',
      trailer: '/Info << /Title (The SECRET) /Author (me) >>',
      catalog: '/PageLabels << /Nums [0 << /P (SECRET ) /S /D >>] >>',
    }),
    { listOfText: 'SECRET' },
  );
  assert.equal(made.count, 3);
  assert.equal(pdfinfo(made.bytes).Title, 'The █');
  assert.equal(pdfinfo(made.bytes).Author, 'me');
});

test('terms go from what names tags and says how to print', { skip }, async () => {
  const bytes = onePage({
    catalog: `/OutputIntents [<< /S /GTS_PDFX /OutputConditionIdentifier (Zanzibar) /OutputCondition (for Zanzibar) >>]
      /StructTreeRoot << /Type /StructTreeRoot /K [5 0 R 6 0 R] /IDTree << /Names [(Zanzibar-1) 5 0 R (after) 6 0 R] >> >>`,
    more: [
      '<< /S /P /P 1 0 R /ID (Zanzibar-1) >>',
      '<< /S /TD /P 1 0 R /ID (after) /A << /O /Table /Headers [(Zanzibar-1)] >> >>',
    ],
  });
  const objects = qpdfObjects((await redacted(bytes, { listOfText: 'Zanzibar' })).bytes);
  assert.doesNotMatch(JSON.stringify(objects), /zanzibar/i);
  const tags = Object.values(objects).flatMap(({ value }) => {
    const dict = (value ?? {}) as Record<string, unknown>;
    return '/S' in dict && '/ID' in dict ? [dict] : [];
  });
  const [first, second] = tags.map((tag) => tag['/ID']);
  assert.equal(second, 'u:after');
  const headers = tags.flatMap(
    (tag) => (tag['/A'] as { '/Headers': string[] } | undefined)?.['/Headers'] ?? [],
  );
  assert.deepEqual(headers, [first]);
  const keys = Object.values(objects).flatMap(({ value }) => {
    const names = (value as { '/Names'?: unknown } | undefined)?.['/Names'];
    return Array.isArray(names) ? names.filter((_, at) => at % 2 === 0) : [];
  });
  assert.deepEqual(new Set(keys), new Set([first, second]));
});

test('digits in dates are no secret', { skip }, async () => {
  const made = await redacted(page('room 2024'), { listOfText: '\\d{4}', useRegex: 'true' });
  assert.deepEqual(words(made.bytes), ['room']);
  assert.equal(made.count, 1);
});

test('an expression for everything leaves nothing, and ends', { skip }, async () => {
  const made = await redacted(TEXT, { listOfText: '\\S+', useRegex: 'true' });
  assert.equal(pdftotext(made.bytes).trim(), '');
});

test('a thousand terms of the longest kind', { skip }, async () => {
  const terms = Array.from({ length: 1000 }, (_, index) => `${'x'.repeat(4090)}${index}`);
  const made = await redacted(page('here'), { listOfText: terms.join('\n') });
  assert.deepEqual(words(made.bytes), ['here']);
});

test('expressions that defeat other engines end in time', { skip }, async () => {
  const started = processorMs();
  const made = await redacted(page(`${'a'.repeat(50)}!`), {
    listOfText: '(a+)+$\n(a|aa)+$',
    useRegex: 'true',
  });
  assert.equal(made.count, 0);
  assert.ok(processorMs() - started < 20_000);
});

test('convertPDFToImage leaves pictures without text', { skip }, async () => {
  const made = await redacted(TEXT, { listOfText: 'lorem', convertPDFToImage: 'true' });
  assert.equal(pdftotext(made.bytes).trim(), '');
  assert.equal(pdfinfo(made.bytes).Pages, '2');
  assert.equal(made.count, 21);
});

test('the report', { skip }, async () => {
  const ran = await runHere('security/auto-redact', {
    files: { fileInput: TEXT },
    params: { listOfText: 'lorem\nipsum', report: 'true' },
  });
  assert.ok(ran.state === 'made');
  const entries = await zipEntries(ran.bytes);
  assert.deepEqual(
    entries.map(({ name }) => name),
    ['text-two-pages_redacted.pdf', 'redaction-report.json'],
  );
  const report = JSON.parse(entries[1]?.bytes.toString('utf8') ?? '');
  assert.deepEqual(report.asked.terms, { count: 2, useRegex: false, wholeWordSearch: false });
  assert.ok(report.found.terms.pdfium >= 21 && report.found.terms.content >= 21);
  assert.equal(
    String(report.removed.boxes + report.removed.strings),
    ran.result.headers['X-Redaction-Count'],
  );
  const digest = (bytes: Uint8Array = new Uint8Array()) => createHash('sha256').update(bytes).digest('hex');
  assert.equal(report.input.sha256, digest(readFileSync(TEXT)));
  assert.equal(report.output.sha256, digest(entries[0]?.bytes));
});

const REFUSED: { what: string; params: Params; names: RegExp }[] = [
  { what: 'no term', params: {}, names: /listOfText/ },
  { what: 'blank lines only', params: { listOfText: '\n \n' }, names: /listOfText/ },
  { what: 'a term too long', params: { listOfText: 'x'.repeat(4097) }, names: /listOfText/ },
  { what: 'too many terms', params: { listOfText: 'x\n'.repeat(1001) }, names: /listOfText/ },
  {
    what: 'no expression',
    params: { listOfText: 'fine\n(open', useRegex: 'true' },
    names: /listOfText.*term 2.*\(open/,
  },
  {
    what: 'an expression of another dialect',
    params: { listOfText: '(?=x)', useRegex: 'true' },
    names: /term 1/,
  },
  {
    what: 'an expression that matches nothing',
    params: { listOfText: 'a*', useRegex: 'true' },
    names: /term 1.*empty/,
  },
  {
    what: 'an expression that matches places',
    params: { listOfText: 'ok\n\\b', useRegex: 'true' },
    names: /term 2.*empty/,
  },
  {
    what: 'expressions whose repetitions would fill the memory',
    params: { listOfText: `${'x{1000}'.repeat(580)}\n`.repeat(255), useRegex: 'true' },
    names: /listOfText.*term 1.*larger than the 500000 steps/,
  },
  {
    what: 'expressions that are too much together',
    params: { listOfText: `${'x{1000}'.repeat(100)}\n`.repeat(10), useRegex: 'true' },
    names: /listOfText.*term 5.*larger than the 500000 steps/,
  },
  { what: 'no flag', params: { listOfText: 'x', useRegex: 'perhaps' }, names: /useRegex/ },
  { what: 'no flag for words', params: { listOfText: 'x', wholeWordSearch: '2' }, names: /wholeWordSearch/ },
  { what: 'no colour', params: { listOfText: 'x', redactColor: 'black' }, names: /redactColor/ },
  { what: 'too wide', params: { listOfText: 'x', customPadding: '100.5' }, names: /customPadding/ },
  { what: 'narrower', params: { listOfText: 'x', customPadding: '-1' }, names: /customPadding/ },
  {
    what: 'no flag for pictures',
    params: { listOfText: 'x', convertPDFToImage: 'maybe' },
    names: /convertPDFToImage/,
  },
  { what: 'no flag for the report', params: { listOfText: 'x', report: 'x' }, names: /report/ },
];

for (const { what, params, names } of REFUSED) {
  test(`refused: ${what}`, async () => {
    const ran = await runHere('security/auto-redact', { files: { fileInput: TEXT }, params });
    assert.ok(ran.state === 'failed');
    assert.equal(ran.problem.reason, 'invalid_parameter');
    assert.match(ran.problem.detail ?? '', names);
  });
}
