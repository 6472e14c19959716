import assert from 'node:assert/strict';
import { test } from 'node:test';
import { madeJson, runHere } from '../../../testing/calls/run-here.ts';
import { packetOf, type Sample, sample } from '../../../testing/documents/pdfa-documents.ts';
import { streamOf } from '../../../testing/documents/written-pdf.ts';

interface Item {
  standard: string;
  failures: { ruleId: string; specification: string; location: string }[];
}

const TITLE = '<dc:title><rdf:Alt><rdf:li xml:lang="x-default">A title</rdf:li></rdf:Alt></dc:title>';

interface Spoken {
  /** Structure elements from object 7 on; the first is the root's kid. */
  elements?: string[];
  /** Keys and values of the parent tree. */
  parents?: string;
  catalog?: string;
  xmp?: string;
  page?: string;
  content?: string;
  more?: string[];
}

/** Without changes it conforms to PDF/UA-1: one paragraph, a square. */
function spoken(change: Spoken = {}): Buffer {
  const elements = change.elements ?? ['<< /Type /StructElem /S /P /P 6 0 R /Pg 3 0 R /K 0 >>'];
  const options: Sample = {
    xmp: `<pdfuaid:part>1</pdfuaid:part>${change.xmp ?? TITLE}`,
    catalog: `/MarkInfo << /Marked true >> /ViewerPreferences << /DisplayDocTitle true >> /StructTreeRoot 6 0 R ${change.catalog ?? '/Lang (en)'}`,
    page: `/StructParents 0 ${change.page ?? '/Resources << >>'}`,
    content: change.content ?? '/P << /MCID 0 >> BDC 0 0 9 9 re f EMC',
    more: [
      `<< /Type /StructTreeRoot /K 7 0 R /ParentTree << /Nums [${change.parents ?? '0 [7 0 R]'}] >> >>`,
      ...elements,
      ...(change.more ?? []),
    ],
  };
  return sample(options);
}

async function rulesOf(bytes: Uint8Array, standard = 'ua1'): Promise<string[]> {
  const files = { fileInput: { name: 'a.pdf', bytes } };
  const items = madeJson(await runHere('security/verify-pdf', { files })) as Item[];
  const item = items.find((each) => each.standard === standard);
  assert.ok(item);
  for (const { specification } of item.failures)
    assert.equal(specification, standard === 'ua1' ? 'ISO 14289-1:2014' : 'ISO 19005-2:2011');
  return [...new Set(item.failures.map(({ ruleId }) => ruleId))].sort();
}

const annotated = (annotation: string, type: string, more: string[] = []): Spoken => ({
  page: '/Tabs /S /Resources << >> /Annots [9 0 R]',
  parents: '0 [7 0 R] 1 8 0 R',
  elements: [
    '<< /Type /StructElem /S /P /P 6 0 R /Pg 3 0 R /K [0 8 0 R] >>',
    `<< /Type /StructElem /S /${type} /P 7 0 R /Pg 3 0 R /K << /Type /OBJR /Obj 9 0 R /Pg 3 0 R >> >>`,
  ],
  more: [`<< /Type /Annot /Rect [0 0 9 9] /F 4 /StructParent 1 ${annotation} >>`, ...more],
});
const LINK = '/Subtype /Link /Contents (To the top) /Dest [3 0 R /Fit]';

/** A table whose rows are lists of cells, such as "TH/Column" and "TD". */
function table(...rows: string[][]): Spoken {
  const cells = rows.flat();
  const firstCell = 9 + rows.length;
  let next = firstCell;
  const made = rows.map((row) => {
    const kids = row.map(() => `${next++} 0 R`);
    return `<< /Type /StructElem /S /TR /P 8 0 R /K [${kids.join(' ')}] >>`;
  });
  const kinds = cells.map((cell) => {
    const [type, scope, span] = cell.split('/');
    const attributes = `${scope ? `/Scope /${scope}` : ''} ${span ? `/ColSpan ${span}` : ''}`;
    return `<< /Type /StructElem /S /${type} /P 9 0 R /A << /O /Table ${attributes} >> >>`;
  });
  return {
    elements: [
      '<< /Type /StructElem /S /Sect /P 6 0 R /Pg 3 0 R /K [0 8 0 R] >>',
      `<< /Type /StructElem /S /Table /P 7 0 R /K [${made.map((_, index) => `${9 + index} 0 R`).join(' ')}] >>`,
      ...made,
      ...kinds,
    ],
  };
}

const CASES: readonly [what: string, change: Spoken, rules: readonly string[]][] = [
  ['nothing wrong', {}, []],
  ['no title', { xmp: '' }, ['7.1-9']],
  ['a plain title', { xmp: '<dc:title>Plain</dc:title>' }, ['7.1-9']],
  ['content without a tag', { content: '0 0 9 9 re f' }, ['7.1-3']],
  ['a mark nobody knows', { content: '/P << /MCID 5 >> BDC 0 0 9 9 re f EMC' }, ['7.1-3']],
  ['no language', { catalog: '' }, ['7.2-33']],
  ['an empty language', { catalog: '/Lang ()' }, ['7.2-29']],
  [
    'a packet of the page, in no language',
    {
      catalog: '',
      xmp: TITLE.replace('x-default', 'en'),
      page: '/Resources << >> /Metadata 8 0 R',
      more: [streamOf(packetOf(TITLE), '/Type /Metadata /Subtype /XML')],
    },
    ['7.2-33'],
  ],
  ['a title in a language that is told', { catalog: '', xmp: TITLE.replace('x-default', 'en') }, []],
  ['a link in its place', annotated(LINK, 'Link'), []],
  ['a link in a paragraph', annotated(LINK, 'Span'), ['7.18.5-1']],
  ['a link without words', annotated('/Subtype /Link', 'Link'), ['7.18.1-2', '7.18.5-2']],
  ['a comment in its place', annotated('/Subtype /Text /Contents (Hm)', 'Annot'), []],
  ['a comment elsewhere', annotated('/Subtype /Text /Contents (Hm)', 'Note'), ['7.18.1-1', '7.9-1']],
  ['an unseen comment elsewhere', annotated('/Subtype /Text /F 2', 'Span'), []],
  ['a field in its place', annotated('/Subtype /Widget /FT /Tx /T (a) /TU (Name)', 'Form'), []],
  ['a field elsewhere', annotated('/Subtype /Widget /FT /Tx /T (a) /TU (Name)', 'Span'), ['7.18.4-1']],
  ['a field without words', annotated('/Subtype /Widget /FT /Tx /T (a)', 'Form'), ['7.18.1-3']],
  ['a table with headers', table(['TH/Column', 'TH/Column'], ['TD', 'TD']), []],
  ['a table whose headers have no scope', table(['TH', 'TH'], ['TD', 'TD']), ['7.5-1']],
  ['rows of other lengths', table(['TH/Column', 'TH/Column'], ['TD']), ['7.2-43']],
  ['a cell over two columns', table(['TH/Column', 'TH/Column'], ['TD//2']), []],
];

test('PDF/UA: each broken rule is found, and nothing else', async (t) => {
  for (const [what, change, rules] of CASES)
    await t.test(what, async () => assert.deepEqual(await rulesOf(spoken(change)), rules));
});

test('the data of a signature holds one signer and a certificate', async () => {
  const der = (tag: number, ...parts: string[]): string => {
    const body = parts.join('');
    return Buffer.from([tag, body.length / 2]).toString('hex') + body;
  };
  const certificate = der(0x30, '0500');
  const signer = der(0x30, '020101');
  const signed = (certificates: string, ...signers: string[]): string =>
    der(
      0x30,
      '06092a864886f70d010702',
      der(0xa0, der(0x30, '020101', '3100', der(0x30, '0500'), certificates, der(0x31, ...signers))),
    );
  const rules = (contents: string): Promise<string[]> =>
    rulesOf(
      sample({
        catalog: '/AcroForm << /Fields [6 0 R] /SigFlags 3 >>',
        more: [
          '<< /FT /Sig /T (s) /V 7 0 R >>',
          `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /ByteRange [0 0 0 0] /Contents <${contents}> >>`,
        ],
      }),
      '2b',
    );
  // The range of these is wrong in any case.
  assert.deepEqual(await rules(signed(der(0xa0, certificate), signer)), ['6.4.3-1']);
  assert.deepEqual(await rules(signed('', signer)), ['6.4.3-1', '6.4.3-2']);
  assert.deepEqual(await rules(signed(der(0xa0, certificate), signer, signer)), ['6.4.3-1', '6.4.3-3']);
  assert.deepEqual(await rules('00'), ['6.4.3-1', '6.4.3-2', '6.4.3-3']);
});
