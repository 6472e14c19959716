// Files that a document carries, in every place that names one: kept unseen and told so, searched, or taken out. What a
// result holds is told by qpdf and by unpacking it, not by the service.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { deflateSync, gzipSync } from 'node:zlib';
import { made, type Ran, runHere } from '../../../testing/calls/run-here.ts';
import { docx, paragraph } from '../../../testing/documents/office-documents.ts';
import { onePage, streamOf } from '../../../testing/documents/written-pdf.ts';
import { zipEntries, zipOf } from '../../../testing/oracles/archives.ts';
import {
  askProgramBytes,
  missing,
  pdftotext,
  qpdfCheck,
  qpdfObjects,
} from '../../../testing/oracles/programs.ts';

const skip = missing('pdftotext', 'qpdf');
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

const SHOWN = 'BT /F 20 Tf 72 700 Td (Mr SECRET and all the others) Tj ET';
const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
const page = { page: '/Resources << /Font << /F 5 0 R >> >>', content: SHOWN };

/** A document that says SECRET, with one attached file. */
const withFile = (data: string | Uint8Array, name = 'note.txt', more = ''): Buffer =>
  onePage({
    ...page,
    catalog: `/Names << /EmbeddedFiles << /Names [(${name}) 6 0 R] >> >> ${more}`,
    more: [
      FONT,
      `<< /Type /Filespec /F (${name}) /UF (${name}) /EF << /F 7 0 R /UF 7 0 R >> >>`,
      streamOf(
        latin1(deflateSync(Buffer.from(data))),
        `/Type /EmbeddedFile /Filter /FlateDecode /Params << /Size ${Buffer.from(data).length} /CheckSum <${createHash('md5').update(data).digest('hex')}> >>`,
      ),
    ],
  });

const redacted = (bytes: Uint8Array, params: Record<string, string> = {}): Promise<Ran> =>
  runHere('security/auto-redact', {
    files: { fileInput: { name: 'carrier.pdf', bytes } },
    params: { listOfText: 'SECRET', ...params },
  });

const headerOf = (ran: Ran): string | undefined =>
  ran.state === 'made' ? ran.result.headers['X-Redaction-Attachments'] : undefined;

/** Data of the first embedded file, as qpdf unpacks it. */
function attached(bytes: Uint8Array): Buffer | undefined {
  const entry = Object.entries(qpdfObjects(bytes)).find(
    ([, { stream }]) => stream?.dict['/Type'] === '/EmbeddedFile',
  );
  const number = entry && /obj:(\d+)/.exec(entry[0])?.[1];
  return number
    ? askProgramBytes('qpdf', [`--show-object=${number}`, '--filtered-stream-data', '{}'], bytes)
    : undefined;
}

test('kept as they are, which is told', { skip }, async () => {
  const ran = await redacted(withFile('the SECRET note'));
  assert.equal(headerOf(ran), 'not-searched');
  assert.equal(String(attached(made(ran))), 'the SECRET note');
  assert.equal(headerOf(await redacted(onePage({ ...page, more: [FONT] }))), 'none');
});

test('redact tells so as well, and takes them out where that is asked for', { skip }, async () => {
  const call = (params: Record<string, string>): Promise<Ran> =>
    runHere('security/redact', {
      files: { fileInput: { name: 'carrier.pdf', bytes: withFile('the SECRET note') } },
      params: { pageNumbers: '1', ...params },
    });
  assert.equal(headerOf(await call({})), 'not-searched');
  const ran = await call({ attachments: 'remove' });
  assert.equal(headerOf(ran), 'removed');
  assert.equal(attached(made(ran)), undefined);
});

const PINNED = onePage({
  page: '/Resources << /Font << /F 5 0 R >> >> /AF [6 0 R] /Annots [8 0 R 9 0 R]',
  content: SHOWN,
  catalog: '/AF [6 0 R]',
  more: [
    FONT,
    '<< /Type /Filespec /F (a.txt) /EF << /F 7 0 R >> >>',
    streamOf('one SECRET', '/Type /EmbeddedFile'),
    '<< /Type /Annot /Subtype /FileAttachment /Rect [10 10 30 30] /FS << /F (b.txt) /EF << /F 10 0 R >> >> >>',
    '<< /Type /Annot /Subtype /RichMedia /Rect [10 10 30 30] /RichMediaContent << /Assets << /Names [(c) << /F (c) /EF << /F 11 0 R >> /RF << /F [(d) 12 0 R] >> >>] >> >> >>',
    streamOf('two SECRET', '/Type /EmbeddedFile'),
    streamOf('three SECRET', '/Type /EmbeddedFile'),
    streamOf('four SECRET', '/Type /EmbeddedFile'),
  ],
});

test('taken out of every place that names one', { skip }, async () => {
  const ran = await redacted(PINNED, { attachments: 'remove' });
  assert.equal(headerOf(ran), 'removed');
  const result = made(ran);
  qpdfCheck(result);
  assert.equal(attached(result), undefined);
  assert.doesNotMatch(latin1(askProgramBytes('qpdf', ['--qdf', '{}', '-'], result)), /SECRET/);
  assert.match(pdftotext(result), /all the others/);
});

test('searched in every place that names one', { skip }, async () => {
  const result = made(await redacted(PINNED, { attachments: 'search', report: 'true' }));
  const [pdf, report] = await zipEntries(result);
  const { attachments } = JSON.parse(String(report?.bytes));
  assert.deepEqual(
    [attachments.searched, attachments.files.map(({ outcome }: { outcome: string }) => outcome)],
    [true, ['redacted', 'redacted', 'redacted', 'redacted']],
  );
  assert.doesNotMatch(
    latin1(askProgramBytes('qpdf', ['--qdf', '{}', '-'], pdf?.bytes ?? Buffer.of())),
    /SECRET/,
  );
});

const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');
const CLEANED: { what: string; data: string | Uint8Array; name?: string; gives: string | Uint8Array }[] = [
  { what: 'plain text', data: 'the SECRET note, ünd', gives: 'the █ note, ünd' },
  { what: 'text in UTF-16', data: utf16('a secret'), gives: utf16('a █') },
  {
    what: 'text in Windows-1252',
    data: Buffer.from('caf\xe9 SECRET', 'latin1'),
    gives: Buffer.from('caf\xe9 #', 'latin1'),
  },
  { what: 'CSV', data: 'a;SECRET;b\n1;2;3\n', name: 'x.csv', gives: 'a;█;b\n1;2;3\n' },
  { what: 'JSON with escapes', data: '{"a":"\\u0053ECRET"}', name: 'x.json', gives: '{"a":"█"}' },
  { what: 'XML', data: '<a b="SECRET"><c>SECRET</c></a>', name: 'x.xml', gives: '<a b="█"><c>█</c></a>' },
];

for (const { what, data, name, gives } of CLEANED)
  test(`searched: ${what} is cleaned, and its size and checksum are new`, { skip }, async () => {
    const ran = await redacted(withFile(data, name), { attachments: 'search' });
    const result = made(ran);
    assert.equal(headerOf(ran), 'searched');
    const bytes = attached(result) ?? Buffer.of();
    assert.deepEqual(bytes, Buffer.from(gives));
    const old = createHash('md5').update(data).digest('hex');
    const dump = latin1(askProgramBytes('qpdf', ['--qdf', '{}', '-'], result));
    assert.ok(!dump.includes(old) && !dump.includes(latin1(Buffer.from(old, 'hex'))));
    assert.match(dump, new RegExp(`/Size ${bytes.length}\\b`));
  });

test('searched: files that hold no term stay as they are, byte by byte', { skip }, async () => {
  const files: [string, Buffer][] = [
    ['a.txt', Buffer.from('nothing of it')],
    ['a.zip', await zipOf({ 'b/c.txt': 'nothing', 'd.zip': await zipOf({ e: 'nor here' }) })],
    ['a.docx', await docx(paragraph('nothing of it'))],
    ['a.txt.gz', gzipSync('nothing')],
  ];
  for (const [name, data] of files) {
    const ran = await redacted(withFile(data, name), { attachments: 'search' });
    assert.deepEqual(attached(made(ran)), data, name);
  }
});

test('searched: an attached PDF is redacted, with what it carries itself, and loses earlier revisions', {
  skip,
}, async () => {
  const inner = withFile('the SECRET of the SECRET');
  const result = made(await redacted(withFile(inner, 'inner.pdf'), { attachments: 'search' }));
  const pdf = attached(result) ?? Buffer.of();
  qpdfCheck(pdf);
  assert.match(pdftotext(pdf), /all the others/);
  assert.doesNotMatch(latin1(askProgramBytes('qpdf', ['--qdf', '{}', '-'], pdf)), /SECRET/);
  assert.equal(String(attached(pdf)), 'the █ of the █');

  const unused = onePage({
    ...page,
    content: SHOWN.replace('SECRET', 'Nobody'),
    more: [FONT, '(the SECRET)'],
  });
  const ran = await redacted(withFile(unused, 'unused.pdf'), { attachments: 'search', report: 'true' });
  const [carrier, report] = await zipEntries(made(ran));
  assert.equal(JSON.parse(String(report?.bytes)).attachments.files[0].outcome, 'rewritten');
  const written = attached(carrier?.bytes ?? Buffer.of()) ?? Buffer.of();
  assert.match(pdftotext(written), /Nobody/);
  assert.doesNotMatch(latin1(written), /SECRET/);

  const first = latin1(onePage({ ...page, more: [FONT] }));
  const changed = streamOf(SHOWN.replace('SECRET', 'Nobody'));
  const appended = `4 0 obj\n${changed}\nendobj\n`;
  const table = `xref\n4 1\n${String(first.length).padStart(10, '0')} 00000 n \ntrailer\n<< /Size 6 /Root 1 0 R /Prev ${/startxref\n(\d+)/.exec(first)?.[1]} >>\nstartxref\n${first.length + appended.length}\n%%EOF\n`;
  const revised = Buffer.from(first + appended + table, 'latin1');
  assert.match(pdftotext(revised), /Nobody/);
  const cleaned = attached(made(await redacted(withFile(revised, 'r.pdf'), { attachments: 'search' })));
  assert.match(pdftotext(cleaned ?? Buffer.of()), /Nobody/);
  assert.doesNotMatch(
    latin1(askProgramBytes('qpdf', ['--qdf', '{}', '-'], cleaned ?? Buffer.of())),
    /SECRET/,
  );
});

const encrypted = (): Buffer =>
  askProgramBytes(
    'qpdf',
    ['--encrypt', 'pw', 'pw', '256', '--', '{}', '-'],
    onePage({ ...page, more: [FONT] }),
  );
const nested = async (depth: number): Promise<Buffer> =>
  depth === 0 ? Buffer.from('nothing') : zipOf({ 'x.zip': await nested(depth - 1) });
const mail = (coding: string, body: string): string =>
  `From: a@example.org\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: ${coding}\r\n\r\n${body}\r\n`;

const REFUSED: {
  what: string;
  name: string;
  data(): Promise<string | Uint8Array> | string | Uint8Array;
  says: RegExp;
}[] = [
  {
    what: 'an office document',
    name: 'a.docx',
    data: () => docx(paragraph('SECRET')),
    says: /word\/document\.xml/,
  },
  {
    what: 'a word cut by its markup',
    name: 'a.docx',
    data: () => docx('<w:p><w:r><w:t>SEC</w:t></w:r><w:r><w:t>RET</w:t></w:r></w:p>'),
    says: /word\/document\.xml/,
  },
  { what: 'a ZIP', name: 'a.zip', data: () => zipOf({ 'b/c.txt': 'SECRET' }), says: /b\/c\.txt/ },
  {
    what: 'the name of a file in a ZIP',
    name: 'a.zip',
    data: () => zipOf({ 'secret.txt': 'x' }),
    says: /holds a term/,
  },
  {
    what: 'a ZIP in a ZIP',
    name: 'a.zip',
    data: async () => zipOf({ 'b.zip': await zipOf({ 'c.txt': 'SECRET' }) }),
    says: /c\.txt/,
  },
  {
    what: 'a PDF in a ZIP',
    name: 'a.zip',
    data: () => zipOf({ 'b.pdf': onePage({ ...page, more: [FONT] }) }),
    says: /b\.pdf/,
  },
  { what: 'ZIP in ZIP without end', name: 'a.zip', data: () => nested(8), says: /too deep/ },
  { what: 'gzip', name: 'a.gz', data: () => gzipSync('SECRET'), says: /holds a term/ },
  {
    what: 'a bomb',
    name: 'a.gz',
    data: () => gzipSync(Buffer.alloc(600 * 1024 ** 2)),
    says: /unpacked|larger/,
  },
  {
    what: 'HTML that cuts a word',
    name: 'a.html',
    data: () => 'x SEC<b>RET</b> y <br>',
    says: /holds a term/,
  },
  { what: 'RTF that cuts a word', name: 'a.rtf', data: () => '{\\rtf1 SEC{\\b RET}}', says: /holds a term/ },
  { what: 'RTF with escapes', name: 'a.rtf', data: () => "{\\rtf1 SEC\\'52\\u69 ?T}", says: /holds a term/ },
  {
    what: 'a message, quoted',
    name: 'a.eml',
    data: () => mail('quoted-printable', 'SEC=52=\r\nET'),
    says: /holds a term/,
  },
  {
    what: 'a message, Base64',
    name: 'a.eml',
    data: () => mail('base64', Buffer.from('the SECRET').toString('base64')),
    says: /holds a term/,
  },
  {
    what: 'a ZIP in a message',
    name: 'a.eml',
    data: async () => mail('base64', (await zipOf({ 'c.txt': 'SECRET' })).toString('base64')),
    says: /c\.txt/,
  },
  { what: 'a PDF under a password', name: 'a.pdf', data: encrypted, says: /password/ },
  { what: 'a PDF that is none', name: 'a.pdf', data: () => '%PDF-1.7 nothing', says: /cannot be read/ },
  {
    what: 'a ZIP that is none',
    name: 'a.zip',
    data: () => 'PK\x03\x04nothing',
    says: /cannot be read in full/,
  },
  {
    what: 'an old office document',
    name: 'a.doc',
    data: () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]),
    says: /kind that cannot be searched/,
  },
  {
    what: 'a packed text of a PNG file',
    name: 'a.png',
    data: () => pngWith('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync('the SECRET')])),
    says: /holds a term/,
  },
];

function pngWith(type: string, data: Uint8Array): Buffer {
  const chunk = (kind: string, held: Uint8Array): Buffer => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(held.length, 0);
    head.write(kind, 4, 'latin1');
    return Buffer.concat([head, held, Buffer.alloc(4)]);
  };
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', Buffer.from('00000001000000010800000000', 'hex')),
    chunk(type, data),
    chunk('IDAT', deflateSync(Buffer.of(0, 0))),
    chunk('IEND', Buffer.of()),
  ]);
}

for (const { what, name, data, says } of REFUSED)
  test(`searched and refused, by name: ${what}`, { skip }, async () => {
    const ran = await redacted(withFile(await data(), name), { attachments: 'search' });
    assert.equal(ran.state, 'failed', what);
    if (ran.state !== 'failed') return;
    assert.equal(ran.problem.reason, 'redaction_unverified', JSON.stringify(ran));
    assert.match(ran.problem.detail, says);
    assert.ok(ran.problem.detail.includes(`attached file 1 "${name}"`), ran.problem.detail);
    assert.match(ran.problem.hint ?? '', /attachments=remove/);
  });
