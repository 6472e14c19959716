import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failed, made, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { onePage, streamOf } from '../../../testing/documents/written-pdf.ts';
import { askProgram, missing, pdfinfo, qpdfCheck, qpdfObjects } from '../../../testing/oracles/programs.ts';

const PATH = 'misc/update-metadata';
const skip = missing('pdfinfo', 'qpdf');

const XMP = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
 xmlns:ours="http://example.org/ns/" ours:shelf="2" xmp:ModifyDate="2020-01-01T00:00:00Z">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Old title</rdf:li></rdf:Alt></dc:title>
<dc:subject><rdf:Bag><rdf:li>old</rdf:li></rdf:Bag></dc:subject>
</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;

const INFO =
  '<< /Title (Old title) /Author (Old author) /Keywords (old) /CreationDate (D:20200101000000Z) /ModDate (D:20200101000000Z) /Mine (kept) >>';

const WITH_INFO = onePage({
  catalog: '/Metadata 6 0 R /PieceInfo << /X << >> >>',
  page: '/PieceInfo << /Y << >> >>',
  more: [INFO, streamOf(XMP, '/Type /Metadata /Subtype /XML')],
  trailer: '/Info 5 0 R',
});
const WITHOUT_INFO = onePage();

const update = async (params: Record<string, string>, bytes = WITH_INFO) => {
  const ran = await runHere(PATH, { files: { fileInput: { name: 'doc.pdf', bytes } }, params });
  assert.equal(madeName(ran), 'doc_metadata.pdf');
  const result = made(ran);
  qpdfCheck(result);
  return result;
};
const meta = (bytes: Uint8Array) => askProgram('pdfinfo', ['-meta', '{}'], bytes);
const custom = (bytes: Uint8Array) => askProgram('pdfinfo', ['-custom', '{}'], bytes);

test('sent entries are set, others kept, the modification date included', { skip }, async () => {
  const result = await update({ title: 'New', producer: 'P', author: 'undefined' });
  const info = pdfinfo(result);
  assert.equal(info.Title, 'New');
  assert.equal(info.Author, 'Old author');
  assert.equal(info.Producer, 'P');
  assert.match(info.ModDate ?? '', /^2020-01-01/);
  assert.match(info.CreationDate ?? '', /^2020-01-01/);
});

test('nothing sent changes nothing', { skip }, async () => {
  const result = await update({});
  assert.equal(pdfinfo(result).Title, 'Old title');
  assert.match(meta(result), /Old title/);
});

test('empty clears', { skip }, async () => {
  const result = await update({ title: '', creationDate: '', keywords: '' });
  const info = pdfinfo(result);
  assert.equal(info.Title ?? '', '');
  assert.equal(info.CreationDate, undefined);
  assert.equal(info.Author, 'Old author');
  assert.doesNotMatch(meta(result), /Old title|<dc:subject>/);
});

const UNICODE = [
  'Gr\u00fc\u00dfe \u{1f600}',
  '\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627',
  '\u65e5\u672c\u8a9e',
  'a (b) \\ <c> & "d"',
  '\u00fe\u00ff',
];
for (const title of UNICODE) {
  test(`text survives: ${title}`, { skip }, async () => {
    for (const bytes of [WITH_INFO, WITHOUT_INFO]) {
      const result = await update({ title, author: title }, bytes);
      const info = pdfinfo(result);
      assert.equal(info.Title, title);
      assert.equal(info.Author, title);
    }
  });
}

test('XMP is kept in step, and what else it holds stays', { skip }, async () => {
  const xmp = meta(
    await update({
      title: 'New & <b>',
      author: 'Ann',
      subject: 'S',
      keywords: 'one, two',
      creator: 'C',
      producer: 'P',
      creationDate: '2021-02-03T04:05:06+01:00',
      modificationDate: '2022/03/04 05:06:07',
      trapped: 'true',
    }),
  );
  assert.match(xmp, /x-default">New &amp; &lt;b&gt;</);
  assert.match(xmp, /<rdf:Seq><rdf:li>Ann<\/rdf:li><\/rdf:Seq>/);
  assert.match(xmp, /<rdf:li>one<\/rdf:li><rdf:li>two<\/rdf:li>/);
  for (const value of [
    '>S<',
    '>one, two<',
    '>C<',
    '>P<',
    '2021-02-03T04:05:06+01:00',
    '2022-03-04T05:06:07Z',
    '>True<',
  ]) {
    assert.ok(xmp.includes(value), value);
  }
  assert.match(xmp, /ours:shelf="2"/);
});

test('a document without XMP gets none', { skip }, async () => {
  const result = await update({ title: 'T' }, WITHOUT_INFO);
  assert.equal(pdfinfo(result)['Metadata Stream'], 'no');
});

const DATES: [sent: string, told: string][] = [
  ['2024/01/02 15:04:05', 'D:20240102150405Z'],
  ['2024-01-02T15:04:05Z', 'D:20240102150405Z'],
  ['2024-01-02T15:04:05+05:30', "D:20240102150405+05'30'"],
  ['2024-01-02', 'D:20240102000000Z'],
];
for (const [sent, told] of DATES) {
  test(`the date ${sent} is written as ${told}`, { skip }, async () => {
    const result = await update({ creationDate: sent, modificationDate: sent });
    const raw = askProgram('pdfinfo', ['-rawdates', '{}'], result);
    assert.equal(raw.split(told).length, 3);
  });
}

test('trapped is a name', { skip }, async () => {
  const result = await update({ trapped: 'UNKNOWN' });
  assert.ok(JSON.stringify(qpdfObjects(result)).includes('"/Trapped":"/Unknown"'));
});

const CUSTOM: Record<string, Record<string, string>> = {
  JSON: { allRequestParams: '{"customKey1":"Department","customValue1":"Sales","Number":7,"Mine":""}' },
  brackets: {
    'allRequestParams[customKey1]': 'Department',
    'allRequestParams[customValue1]': 'Sales',
    'allRequestParams[Number]': '7',
    'allRequestParams[Mine]': '',
  },
};
for (const [how, params] of Object.entries(CUSTOM)) {
  test(`custom entries by ${how}`, { skip }, async () => {
    const told = custom(await update(params));
    assert.match(told, /^Department:\s+Sales$/m);
    assert.match(told, /^Number:\s+7$/m);
    assert.doesNotMatch(told, /Mine/);
  });
}

test('custom keys may hold any characters', { skip }, async () => {
  const result = await update({
    allRequestParams: JSON.stringify({ 'a b#/\u00fc': 'x', ['k'.repeat(127)]: 'y' }),
  });
  const keys = JSON.stringify(qpdfObjects(result));
  assert.ok(keys.includes('"/a b#/\u00fc":"u:x"'), 'escaped as UTF-8');
});

test('standard keys among custom ones are the entries themselves, named fields win', { skip }, async () => {
  const result = await update({
    allRequestParams: '{"Title":"custom","Author":"A","Trapped":"false"}',
    title: 'field',
  });
  assert.equal(pdfinfo(result).Title, 'field');
  assert.equal(pdfinfo(result).Author, 'A');
  assert.match(meta(result), />A</);
});

test('deleteAll wipes info, XMP and PieceInfo and ignores all else', { skip }, async () => {
  const result = await update({ deleteAll: 'true', title: 'T', creationDate: 'nonsense' });
  const objects = qpdfObjects(result);
  const trailer = JSON.stringify(objects.trailer);
  assert.doesNotMatch(trailer, /Info/);
  assert.doesNotMatch(JSON.stringify(objects), /PieceInfo|Metadata|Old/);
  assert.equal(pdfinfo(result).Title, undefined);
});

for (const trailer of [
  '/Info 1 0 R',
  '/Info 3 0 R',
  '/Info 99 0 R',
  '/Info << /Title (direct) /Author (d) >>',
  '/Info [1]',
]) {
  test(`a trailer with ${trailer} gets a sound info dictionary`, { skip }, async () => {
    const result = await update({ title: 'T' }, onePage({ trailer }));
    assert.equal(pdfinfo(result).Title, 'T');
    assert.equal(pdfinfo(result).Pages, '1');
    assert.equal(pdfinfo(result).Author, trailer.includes('direct') ? 'd' : undefined);
  });
}

test('a packet that is no XMP stays as it is', { skip }, async () => {
  const bytes = onePage({
    catalog: '/Metadata 5 0 R',
    more: [streamOf('<broken', '/Type /Metadata /Subtype /XML')],
  });
  const result = await update({ title: 'T' }, bytes);
  assert.equal(pdfinfo(result).Title, 'T');
  assert.match(result.toString('latin1'), /<broken/);
});

const REFUSED: [params: Record<string, string | string[]>, says: RegExp][] = [
  [{ creationDate: 'yesterday' }, /^creationDate/],
  [{ modificationDate: '2024/13/01 00:00:00' }, /^modificationDate/],
  [{ modificationDate: '2024-02-30' }, /^modificationDate/],
  [{ title: 'x'.repeat(10_001) }, /^title/],
  [{ title: ['a', 'b'] }, /^title/],
  [{ trapped: 'maybe' }, /^trapped.*True, False, Unknown/],
  [{ deleteAll: 'perhaps' }, /^deleteAll/],
  [{ allRequestParams: 'no json' }, /^allRequestParams/],
  [{ allRequestParams: '[1]' }, /^allRequestParams/],
  [{ allRequestParams: '{"a":{"b":1}}' }, /^allRequestParams/],
  [{ allRequestParams: '{"":"x"}' }, /^allRequestParams/],
  [{ allRequestParams: JSON.stringify({ ['k'.repeat(128)]: 'x' }) }, /^allRequestParams.*127/],
  [{ allRequestParams: JSON.stringify({ customKey1: 'k'.repeat(128) }) }, /^allRequestParams.*127/],
  [{ allRequestParams: JSON.stringify({ 'a\u0000b': 'x' }) }, /^allRequestParams/],
  [{ allRequestParams: JSON.stringify({ a: 'x'.repeat(10_001) }) }, /^allRequestParams/],
  [
    {
      allRequestParams: JSON.stringify(
        Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`k${i}`, 'v'])),
      ),
    },
    /^allRequestParams.*200/,
  ],
  [{ allRequestParams: '{"Trapped":"maybe"}' }, /^allRequestParams\.Trapped/],
  [{ allRequestParams: '{"ModDate":"maybe"}' }, /^allRequestParams\.ModDate/],
];
for (const [params, says] of REFUSED) {
  test(`refused: ${JSON.stringify(params).slice(0, 70)}`, async () => {
    const problem = failed(
      await runHere(PATH, { files: { fileInput: { name: 'a.pdf', bytes: WITH_INFO } }, params }),
    );
    assert.equal(problem.reason, 'invalid_parameter');
    assert.match(problem.detail, says);
  });
}
