import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { made, madeJson, runHere } from '../../../testing/calls/run-here.ts';
import { corpusFolder, fixture, noCorpus } from '../../../testing/documents/collection.ts';
import { packetOf, type Sample, sample } from '../../../testing/documents/pdfa-documents.ts';
import { onePage, streamOf } from '../../../testing/documents/written-pdf.ts';

interface Finding {
  ruleId: string;
  message: string;
  location: string;
  specification: string;
  clause: string;
  testNumber: string;
}
interface Item {
  standard: string;
  standardName: string;
  validationProfile: string;
  validationProfileName: string;
  complianceSummary: string;
  declaredPdfa: boolean;
  compliant: boolean;
  totalFailures: number;
  totalWarnings: number;
  failures: Finding[];
  warnings: Finding[];
}

const verify = async (bytes: Uint8Array): Promise<Item[]> =>
  madeJson(
    await runHere('security/verify-pdf', { files: { fileInput: { name: 'a.pdf', bytes } } }),
  ) as Item[];

const only = async (bytes: Uint8Array): Promise<Item> => {
  const items = await verify(bytes);
  assert.equal(items.length, 1, JSON.stringify(items));
  return items[0] as Item;
};

const rulesOf = ({ failures }: Item): string[] => [...new Set(failures.map(({ ruleId }) => ruleId))].sort();

test('what conforms is told so', async () => {
  for (const [options, standard, name] of [
    [{}, '2b', 'PDF/A-2b'],
    [{ part: '3' }, '3b', 'PDF/A-3b'],
    [{ part: '1', version: '1.4' }, '1b', 'PDF/A-1b'],
    [{ part: '2', conformance: 'U' }, '2u', 'PDF/A-2u'],
    [{ part: '4', conformance: '', xmp: '<pdfaid:rev>2020</pdfaid:rev>' }, '4', 'PDF/A-4'],
  ] as const) {
    assert.deepEqual(await only(sample(options)), {
      standard,
      standardName: `${name} compliant`,
      validationProfile: standard,
      validationProfileName: name,
      complianceSummary: `The document conforms to ${name} as far as it was examined.`,
      declaredPdfa: true,
      compliant: true,
      totalFailures: 0,
      totalWarnings: 0,
      failures: [],
      warnings: [],
    });
  }
});

test('a document that declares nothing is not PDF/A', async () => {
  for (const bytes of [
    onePage(),
    sample({ part: '', conformance: '' }),
    readFileSync(fixture('everything.pdf')),
  ]) {
    const item = await only(bytes);
    assert.equal(item.standard, 'not-pdfa');
    assert.equal(item.compliant, false);
    assert.equal(item.declaredPdfa, false);
    assert.equal(item.totalFailures, 1);
    assert.equal(item.failures.length, 1);
    assert.match(item.standardName, /with errors$/);
  }
});

test('each declared standard has its item', async () => {
  const both = await verify(sample({ xmp: '<pdfuaid:part>1</pdfuaid:part>' }));
  assert.deepEqual(
    both.map(({ standard, declaredPdfa }) => [standard, declaredPdfa]),
    [
      ['2b', true],
      ['ua1', false],
    ],
  );
  // A level nobody knows is judged by the lowest of its part.
  const odd = await only(sample({ conformance: 'C' }));
  assert.equal(odd.standard, '2b');
  assert.deepEqual(rulesOf(odd), ['6.6.4-3']);
});

const FONT =
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /FirstChar 65 /LastChar 65 /Widths [667] /Encoding /WinAnsiEncoding >>';
const text = {
  content: 'BT /F1 12 Tf 3 Tr (A) Tj ET',
  page: '/Resources << /Font << /F1 6 0 R >> >>',
  more: [FONT],
};
const annotated = (annotation: string): Sample => ({
  page: '/Resources << >> /Annots [6 0 R]',
  more: [annotation],
});
const LINK = '<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /F 4 >>';
const extension = (schema: string): string =>
  `<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">${schema}</rdf:li></rdf:Bag></pdfaExtension:schemas>`;
const SCHEMA =
  '<pdfaSchema:schema>Mine</pdfaSchema:schema><pdfaSchema:namespaceURI>http://example.org/my/</pdfaSchema:namespaceURI>' +
  '<pdfaSchema:prefix>my</pdfaSchema:prefix>';
const property = (type: string, category = 'external'): string =>
  '<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource"><pdfaProperty:name>size</pdfaProperty:name>' +
  `<pdfaProperty:valueType>${type}</pdfaProperty:valueType><pdfaProperty:category>${category}</pdfaProperty:category>` +
  '<pdfaProperty:description>How large</pdfaProperty:description></rdf:li></rdf:Seq></pdfaSchema:property>';

const BREAKS: readonly [what: string, broken: Sample | Buffer, rules: readonly string[]][] = [
  ['a version of the header', { version: '2.0' }, ['6.1.2-1']],
  ['junk before the header', Buffer.concat([Buffer.from('junk\n'), sample()]), ['6.1.2-1']],
  ['junk behind the end', Buffer.concat([sample(), Buffer.from('more')]), ['6.1.3-3']],
  ['no ID', { trailer: '/X 1' }, ['6.1.3-1']],
  ['an odd hexadecimal string', { catalog: '/X <123>' }, ['6.1.6-1']],
  ['letters in a hexadecimal string', { catalog: '/X <12xy>' }, ['6.1.6-2']],
  ['a wrong length', { more: ['<< /Length 7 >>\nstream\n12345\nendstream'] }, ['6.1.7.1-1']],
  ['data in another file', { more: [streamOf('x', '/F (other)')] }, ['6.1.7.1-3']],
  ['LZW', { more: [streamOf('\x80\x0b\x60\x50\x22\x0c\x0c\x85\x01', '/Filter /LZWDecode')] }, ['6.1.7.2-1']],
  ['a long name', { catalog: `/X /${'n'.repeat(128)}` }, ['6.1.13-4']],
  ['a large integer', { catalog: '/X 2147483648' }, ['6.1.13-1']],
  ['a small page', { page: '/Resources << >> /CropBox [0 0 2 2]' }, ['6.1.13-11']],
  ['an unknown operator', { content: 'xyz' }, ['6.2.2-1']],
  ['device colours', { content: '1 0 0 rg 0 0 9 9 re f' }, ['6.2.4.3-2']],
  ['gray by default', { content: '0 0 9 9 re f' }, ['6.2.4.3-4']],
  ['a rendering intent', { content: '/Best ri' }, ['6.2.6-1']],
  ['q too deep', { content: `${'q '.repeat(29)}${'Q '.repeat(29)}` }, ['6.1.13-8']],
  [
    'a transfer function',
    { content: '/G gs', page: '/Resources << /ExtGState << /G << /TR /Identity >> >> >>' },
    ['6.2.5-1'],
  ],
  [
    'transparency without a space',
    { content: '/G gs', page: '/Resources << /ExtGState << /G << /ca 0.5 >> >> >>' },
    ['6.2.10-2'],
  ],
  ['a font that is not there', { ...text, content: 'BT /F1 12 Tf 7 Tr (A) Tj ET' }, ['6.2.11.4.1-1']],
  ['no flags', annotated(LINK.replace('/F 4', '')), ['6.3.2-1']],
  ['a hidden annotation', annotated(LINK.replace('/F 4', '/F 6')), ['6.3.2-2']],
  ['a sound', annotated(LINK.replace('/Link', '/Sound')), ['6.3.1-1', '6.3.3-1']],
  ['a script', { catalog: '/OpenAction << /S /JavaScript /JS (x) >>' }, ['6.5.1-1']],
  ['an action on opening', { catalog: '/AA << >>' }, ['6.5.2-1']],
  ['a named action', annotated(LINK.replace('/F 4', '/F 4 /A << /S /Named /N /Print >>')), ['6.5.1-2']],
  ['XFA', { catalog: '/AcroForm << /Fields [] /XFA (x) >>' }, ['6.4.2-1']],
  ['appearances to be made', { catalog: '/AcroForm << /Fields [] /NeedAppearances true >>' }, ['6.4.1-3']],
  ['requirements', { catalog: '/Requirements []' }, ['6.11-1']],
  ['a property nobody defined', { xmp: '<my:size>1</my:size>' }, ['6.6.2.3.1-1']],
  ['a value of another type', { xmp: '<xmp:CreateDate>yesterday</xmp:CreateDate>' }, ['6.6.2.3.1-2']],
  ['a plain title', { xmp: '<dc:title>Plain</dc:title>' }, ['6.6.2.3.1-2']],
  ['an unknown value type', { xmp: extension(SCHEMA + property('Colour')) }, ['6.6.2.3.3-8']],
  ['an unknown category', { xmp: extension(SCHEMA + property('Integer', 'mine')) }, ['6.6.2.3.3-9']],
  [
    'a value against its own schema',
    { xmp: `${extension(SCHEMA + property('Integer'))}<my:size>big</my:size>` },
    ['6.6.2.3.1-2'],
  ],
  ['the wrong part', { part: '2', conformance: 'X' }, ['6.6.4-3']],
  ['layers without a name', { catalog: '/OCProperties << /OCGs [] /D << >> >>' }, ['6.9-1']],
  [
    'an attachment that is no PDF/A',
    {
      more: [
        '<< /Type /Filespec /F (a.txt) /UF (a.txt) /EF << /F 7 0 R >> >>',
        streamOf('x', '/Type /EmbeddedFile /Subtype /text#2Fplain'),
      ],
    },
    ['6.8-5'],
  ],
];

test('each broken rule is found, and nothing else', async (t) => {
  for (const [what, broken, rules] of BREAKS)
    await t.test(what, async () => {
      const item = await only(Buffer.isBuffer(broken) ? broken : sample(broken));
      assert.deepEqual(rulesOf(item), rules, JSON.stringify(item.failures));
      assert.equal(item.compliant, false);
      assert.match(item.standardName, /^PDF\/A-2b with errors$/);
      for (const failure of item.failures) {
        assert.equal(failure.specification, 'ISO 19005-2:2011');
        assert.equal(failure.ruleId, `${failure.clause}-${failure.testNumber}`);
        assert.notEqual(failure.message, '');
        assert.notEqual(failure.location, '');
      }
    });
});

const FINE: readonly [what: string, sound: Sample][] = [
  ['invisible text needs no font', text],
  [
    'a property of an extension schema',
    { xmp: `${extension(SCHEMA + property('Integer'))}<my:size>7</my:size>` },
  ],
  ['a plain link', annotated(LINK)],
  [
    'calibrated colours',
    {
      content: '/C cs 1 0 0 sc 0 0 9 9 re f',
      page: '/Resources << /ColorSpace << /C [/CalRGB << /WhitePoint [0.95 1 1.09] >>] >> >>',
    },
  ],
  [
    'a prefix bound where it is used',
    {
      xmp:
        '<when:ModifyDate xmlns:when="http://ns.adobe.com/xap/1.0/">2026-11-15T10:40:30Z</when:ModifyDate>' +
        '<pub:creator xmlns:pub="http://purl.org/dc/elements/1.1/"><rdf:Seq xmlns:x="x:y"><rdf:li xmlns:z="z:z">A</rdf:li></rdf:Seq></pub:creator>',
    },
  ],
  [
    'a history',
    {
      xmp: '<xmpMM:History><rdf:Seq><rdf:li rdf:parseType="Resource"/></rdf:Seq></xmpMM:History>',
    },
  ],
];

test('what is allowed is not blamed', async (t) => {
  for (const [what, sound] of FINE)
    await t.test(what, async () => {
      const item = await only(sample(sound));
      assert.deepEqual(item.failures, []);
    });
});

test('a document that conforms does so after it was changed', async () => {
  for (const part of ['2', '3']) {
    const files = { fileInput: { name: 'a.pdf', bytes: sample({ part }) } };
    const turned = made(await runHere('general/rotate-pdf', { files, params: { angle: '90' } }));
    assert.deepEqual((await only(turned)).failures, []);
  }
});

test('part 1 asks for more, level a for tags, PDF/UA for a title', async () => {
  const info = '/Info 6 0 R /ID [<00> <00>]';
  const one = await only(
    sample({
      part: '1',
      version: '1.4',
      trailer: info,
      more: ['<< /Title (Other) >>'],
      catalog: '/OCProperties << /D << /Name (x) >> >>',
    }),
  );
  assert.deepEqual(rulesOf(one), ['6.1.13-1', '6.7.3-2']);
  const tagged = await only(sample({ conformance: 'A' }));
  assert.deepEqual(rulesOf(tagged), ['6.7.2.2-1', '6.7.3.3-1']);
  const [, accessible] = await verify(sample({ xmp: '<pdfuaid:part>1</pdfuaid:part>' }));
  assert.ok(accessible && rulesOf(accessible).includes('7.1-9'), JSON.stringify(accessible));
});

test('at most 1000 failures are listed, all are counted', async () => {
  const links = Array.from({ length: 1500 }, (_, index) => `${index + 6} 0 R`);
  const item = await only(
    sample({
      page: `/Resources << >> /Annots [${links.join(' ')}]`,
      more: links.map(() => '<< /Type /Annot /Subtype /Sound /Rect [0 0 9 9] >>'),
    }),
  );
  assert.equal(item.totalFailures, 4500);
  assert.ok(item.failures.length <= 1000 && item.failures.length >= 300, String(item.failures.length));
  assert.equal(new Set(rulesOf(item)).size, 3);
});

test('faults of the structure are warnings, in our own words', async () => {
  const broken = Buffer.from(
    sample()
      .toString('latin1')
      .replace(/startxref\n\d+/, 'startxref\n99999'),
    'latin1',
  );
  const item = await only(broken);
  assert.ok(item.totalWarnings > 0);
  assert.equal(item.warnings.length, item.totalWarnings);
  const messages = item.warnings.map(({ message }) => message);
  assert.ok(messages.includes('The cross-reference table or trailer is damaged.'), messages.join());
});

test('metadata that is no XMP claims nothing', async () => {
  for (const packet of ['', 'no xml', '<a><b></a>', packetOf('<pdfaid:part>9</pdfaid:part>')]) {
    const [item] = await verify(
      onePage({ catalog: '/Metadata 5 0 R', more: [streamOf(packet, '/Type /Metadata /Subtype /XML')] }),
    );
    assert.equal(item?.standard, 'not-pdfa');
  }
});

const EXPECTED = new URL('EXPECTED.tsv', corpusFolder('pdfa'));

test('verdicts agree with the labels of the collection', {
  skip: noCorpus(),
}, async () => {
  const rows = readFileSync(EXPECTED, 'utf8').trim().split('\n').slice(1);
  const differing: string[] = [];
  for (const row of rows) {
    const [path = '', flavour = '', expected = ''] = row.split('\t');
    const items = await verify(readFileSync(new URL(path.replace(/^shared\/pdfa\//, ''), EXPECTED)));
    const item = items.find(({ standard }) => standard === flavour) ?? items[0];
    const verdict = item?.compliant && item.standard === flavour ? 'pass' : 'fail';
    if (verdict !== expected) differing.push(`${path}: ${JSON.stringify(item?.failures.slice(0, 3))}`);
  }
  assert.ok(differing.length <= rows.length * 0.1, differing.join('\n'));
});
