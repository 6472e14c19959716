import assert from 'node:assert/strict';
import { test } from 'node:test';
import { madeJson, runHere } from '../../../testing/calls/run-here.ts';
import {
  element,
  olderElement,
  type Tagged,
  tagged,
  VIEWED,
} from '../../../testing/documents/tagged-documents.ts';

async function failedRules(options: Tagged): Promise<string[]> {
  const files = { fileInput: { name: 'a.pdf', bytes: tagged(options) } };
  const items = madeJson(await runHere('security/verify-pdf', { files })) as {
    standard: string;
    failures: { ruleId: string }[];
  }[];
  const item = items.find(({ standard }) => standard === 'ua2');
  assert.ok(item, 'declares PDF/UA-2');
  return [...new Set(item.failures.map(({ ruleId }) => ruleId))];
}

/** Elements from 10 on; the first stands in the Document. */
const holding = (...more: string[]): Tagged => ({ kids: '9 0 R 10 0 R', more });

/** An annotation in an element, or in none. */
const annotated = (annotation: string, type: string | undefined, entries = '', catalog = ''): Tagged => ({
  page: '/Annots [10 0 R] /Tabs /S',
  catalog: `${VIEWED} ${catalog}`,
  kids: type === undefined ? '9 0 R' : '9 0 R 11 0 R',
  parents: type === undefined ? '' : '1 11 0 R',
  more: [
    `<< /Type /Annot /Rect [0 0 20 20] /F 4 ${type === undefined ? '' : '/StructParent 1'} ${annotation} >>`,
    ...(type === undefined ? [] : [element(type, 7, '[<< /Type /OBJR /Obj 10 0 R /Pg 3 0 R >>]', entries)]),
  ],
});

const outlined = (entries: string): Tagged => ({
  catalog: `${VIEWED} /Outlines 10 0 R`,
  more: [
    '<< /Type /Outlines /First 11 0 R /Last 11 0 R /Count 1 >>',
    `<< /Title (a) /Parent 10 0 R ${entries} >>`,
  ],
});

const FIELDS = '/AcroForm << /Fields [10 0 R] >>';
const TITLE = '<dc:title><rdf:Alt><rdf:li xml:lang="x-default">A</rdf:li></rdf:Alt></dc:title>';
const CELL = [element('TR', 10, '[12 0 R]'), element('TD', 11)] as const;

const CONFORM: Record<string, Tagged> = {
  'an empty page with a paragraph': {},
  'a list whose items are grouped': holding(
    element('L', 7, '[11 0 R]'),
    element('NonStruct', 10, '[12 0 R]'),
    element('LI', 11),
  ),
  'types of PDF 1.7': holding(olderElement('Art', 7, '[11 0 R]'), olderElement('P', 10)),
  'a type mapped to PDF 2.0': holding(
    element('Para', 7, '', '', '/NS 11 0 R'),
    '<< /Type /Namespace /NS (http://example.org/) /RoleMapNS << /Para [/P 8 0 R] >> >>',
  ),
  'a type mapped to PDF 1.7': { ...holding(olderElement('Para', 7)), tree: '/RoleMap << /Para /P >>' },
  'a heading of level 7': holding(element('H7', 7)),
  'a note and its citation': {
    kids: '9 0 R 10 0 R 11 0 R',
    more: [element('FENote', 7, '', '/Ref [11 0 R]'), element('P', 7, '', '/Ref [10 0 R]')],
  },
  'a table': holding(element('Table', 7, '[11 0 R]'), ...CELL),
  'MathML in a formula': holding(
    element('Formula', 7, '[12 0 R]', '/Alt (x)'),
    '<< /Type /Namespace /NS (http://www.w3.org/1998/Math/MathML) >>',
    element('math', 10, '', '', '/NS 11 0 R'),
  ),
  'a link': annotated('/Subtype /Link /A << /S /URI /URI (http://x/) >>', 'Link'),
  'a comment': annotated('/Subtype /Text /Contents (x)', 'Annot', '/Alt (x)'),
  'a field': annotated('/Subtype /Widget /FT /Tx /T (a) /Contents (x)', 'Form', '', FIELDS),
  'a bookmark to an element': outlined('/Dest [9 0 R /Fit]'),
  'an action to an element': outlined('/A << /S /GoTo /D [3 0 R /Fit] /SD [9 0 R /Fit] >>'),
};

const BREAK: [rule: string, options: Tagged][] = [
  ['5-5', { xmp: `${TITLE}<pdfuaid:part>2</pdfuaid:part>` }],
  ['8.11.1-1', { xmp: '<pdfuaid:part>2</pdfuaid:part><pdfuaid:rev>2024</pdfuaid:rev>' }],
  ['8.11.2-1', { catalog: '/Lang (en)' }],
  ['8.4.4-1', { catalog: '/ViewerPreferences << /DisplayDocTitle true >>' }],
  ['8.4.4-2', { catalog: VIEWED.replace('(en)', '(en_US!)') }],
  ['8.2.2-1', { content: '/P << /MCID 0 >> BDC 0 0 10 10 re f EMC 0 0 5 5 re f' }],
  ['8.2.4-1', holding(element('Para', 7))],
  ['8.2.4-2', { ...holding(olderElement('A', 7)), tree: '/RoleMap << /A /B /B /A >>' }],
  [
    '8.2.4-3',
    holding(
      element('Para', 7, '', '', '/NS 11 0 R'),
      '<< /Type /Namespace /NS (http://example.org/) /RoleMapNS << /Para [/Text 11 0 R] /Text [/P 8 0 R] >> >>',
    ),
  ],
  ['8.2.5.2-2', { document: olderElement('Document', 6, '[9 0 R]') }],
  ['8.2.5.8-1', holding(olderElement('TOC', 7, '[11 0 R]'), olderElement('TOCI', 10))],
  ['8.2.5.12-1', holding(olderElement('H', 7))],
  ['8.2.5.14-1', holding(olderElement('Note', 7))],
  [
    '8.2.5.14-2',
    { kids: '9 0 R 10 0 R 11 0 R', more: [element('FENote', 7), element('P', 7, '', '/Ref [10 0 R]')] },
  ],
  [
    '8.2.5.14-3',
    { kids: '9 0 R 10 0 R 11 0 R', more: [element('FENote', 7, '', '/Ref [11 0 R]'), element('P', 7)] },
  ],
  ['8.2.5.14-4', holding(element('FENote', 7, '', '/A << /O /FENote /NoteType /Other >>'))],
  ['8.2.5.23-1', holding(element('P', 7, '[11 0 R]'), element('Ruby', 10, '[12 0 R]'), element('RB', 11))],
  [
    '8.2.5.25-1',
    holding(
      element('L', 7, '[11 0 R]'),
      element('LI', 10, '[12 0 R 13 0 R]'),
      element('Lbl', 11),
      element('LBody', 11),
    ),
  ],
  [
    '8.2.5.27-1',
    holding(
      element('Sect', 7, '[11 0 R 12 0 R 13 0 R]'),
      element('P', 10),
      element('Caption', 10),
      element('P', 10),
    ),
  ],
  ['8.2.5.28.2-1', holding(element('Figure', 7))],
  [
    '8.2.5.29-1',
    holding(
      element('math', 7, '', '', '/NS 11 0 R'),
      '<< /Type /Namespace /NS (http://www.w3.org/1998/Math/MathML) >>',
    ),
  ],
  ['8.4.3-3', holding(element('Figure', 7, '', '/Alt <FEFFE001>'))],
  [
    '8.4.3-2',
    { content: '/P << /MCID 0 >> BDC /Span << /ActualText <FEFFE001> >> BDC 0 0 9 9 re f EMC EMC' },
  ],
  ['8.6-1', outlined('/Dest [9 0 R /Fit] /Title <FEFFE001>')],
  ['8.8-1', outlined('/Dest [3 0 R /Fit]')],
  ['8.8-2', outlined('/A << /S /GoTo /D [3 0 R /Fit] >>')],
  ['8.2.5.20-1', annotated('/Subtype /Link /A << /S /URI /URI (http://x/) >>', 'P')],
  ['8.9.2.3-1', annotated('/Subtype /Text /Contents (x)', undefined)],
  ['8.9.2.3-2', annotated('/Subtype /FreeText /Contents (x) /RC (<body><p>y</p></body>)', 'Annot')],
  ['8.9.2.4.8-1', annotated('/Subtype /Ink', 'Annot')],
  ['8.9.2.4.9-1', annotated('/Subtype /Popup', 'Annot')],
  ['8.9.2.4.11-1', annotated('/Subtype /Sound /Contents (x)', 'Annot')],
  ['8.9.2.4.16-1', annotated('/Subtype /Watermark', 'P')],
  ['8.9.3.3-1', { ...annotated('/Subtype /Popup', undefined), page: '/Annots [10 0 R] /Tabs /R' }],
  ['8.9.4.2-1', annotated('/Subtype /Text /Contents (x)', 'Annot', '/Alt (y)')],
  ['8.10.1-1', annotated('/Subtype /Widget /FT /Tx /T (a) /Contents (x)', 'P', '', FIELDS)],
  ['8.10.2.3-1', annotated('/Subtype /Widget /FT /Tx /T (a) /TU (x)', 'Form', '', FIELDS)],
  ['8.10.1-3', { catalog: `${VIEWED} /AcroForm << /Fields [] /XFA [] >>` }],
  ['Table 5. Document-1', holding(element('Div', 7, '[11 0 R]'), element('LI', 10))],
  ['Table 5. P-1', holding(element('P', 7, '[11 0 R]'), element('P', 10))],
  ['Table 5. Sect-1', holding(element('Sect', 7, '[1]', '/Pg 3 0 R'))],
  [
    'Table 5. Table-1',
    holding(
      element('Table', 7, '[11 0 R 13 0 R 14 0 R]'),
      ...CELL,
      element('THead', 10),
      element('THead', 10),
    ),
  ],
];

test('documents that conform to PDF/UA-2 are told to', async () => {
  for (const [name, options] of Object.entries(CONFORM))
    assert.deepEqual(await failedRules(options), [], name);
});

test('each rule of PDF/UA-2 is told where it is broken, and alone', async () => {
  for (const [rule, options] of BREAK) assert.deepEqual(await failedRules(options), [rule], rule);
});
