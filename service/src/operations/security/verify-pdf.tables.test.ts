import assert from 'node:assert/strict';
import { test } from 'node:test';
import { madeJson, runHere } from '../../../testing/calls/run-here.ts';
import { element, type Tagged, tagged, VIEWED } from '../../../testing/documents/tagged-documents.ts';
import { streamOf } from '../../../testing/documents/written-pdf.ts';
import { processorMs } from '../../../testing/processor-time.ts';

async function failedRules(options: Tagged, standard = 'ua2'): Promise<string[]> {
  const files = { fileInput: { name: 'a.pdf', bytes: tagged(options) } };
  const items = madeJson(await runHere('security/verify-pdf', { files })) as {
    standard: string;
    failures: { ruleId: string }[];
  }[];
  const item = items.find((each) => each.standard === standard);
  assert.ok(item, `declares ${standard}`);
  return [...new Set(item.failures.map(({ ruleId }) => ruleId))];
}

const HEADER = 'TH /Scope /Column';
const XMP =
  '<dc:title><rdf:Alt><rdf:li xml:lang="x-default">A</rdf:li></rdf:Alt></dc:title><pdfuaid:part>PART</pdfuaid:part>';

/** Rows of cells such as "TH /Scope /Column"; what stands behind a bar is of the element, not of its attributes. */
function table(rows: string[][], { groups = [] as [type: string, rows: number][], tree = '' } = {}): Tagged {
  const objects: string[] = [];
  const add = (object: string): number => 10 + objects.push(object) - 1;
  const refs = (numbers: number[]): string => `[${numbers.map((each) => `${each} 0 R`).join(' ')}]`;
  const top = add('');
  const rowOf = (cells: string[], parent: number): number => {
    const row = add('');
    const made = cells.map((cell) => {
      const [type = '', ...words] = cell.split('|')[0]?.trim().split(' ') ?? [];
      const attributes = words.length > 0 ? `/A << /O /Table ${words.join(' ')} >>` : '';
      return add(element(type, row, '', `${attributes} ${cell.split('|')[1] ?? ''}`));
    });
    objects[row - 10] = element('TR', parent, refs(made));
    return row;
  };
  let kids: number[];
  if (groups.length === 0) kids = rows.map((cells) => rowOf(cells, top));
  else {
    let next = 0;
    kids = groups.map(([type, count]) => {
      const group = add('');
      const made = rows.slice(next, next + count).map((cells) => rowOf(cells, group));
      next += count;
      objects[group - 10] = element(type, top, refs(made));
      return group;
    });
  }
  objects[0] = element('Table', 7, refs(kids));
  return { kids: '9 0 R 10 0 R', more: objects, ...(tree ? { tree } : {}) };
}

/** Labels are those of veraPDF: the rule of PDF/UA-1 and that of PDF/UA-2, '' where none is broken. */
const TABLES: readonly [what: string, table: Tagged, one: string, two: string][] = [
  [
    'a regular one',
    table([
      [HEADER, HEADER],
      ['TD', 'TD'],
    ]),
    '',
    '',
  ],
  [
    'a row too wide',
    table([
      [HEADER, HEADER],
      ['TD', 'TD', 'TD'],
    ]),
    '7.2-42',
    '8.2.5.26-3',
  ],
  ['a span too wide', table([[HEADER, HEADER], ['TD /ColSpan 3']]), '7.2-42', '8.2.5.26-3'],
  ['a row too narrow', table([[HEADER, HEADER], ['TD']]), '7.2-43', '8.2.5.26-4'],
  ['a cell of three rows', table([[HEADER, HEADER], ['TD /RowSpan 3', 'TD'], ['TD'], ['TD']]), '', ''],
  [
    'a cell below the last row',
    table([
      [HEADER, HEADER],
      ['TD', 'TD /RowSpan 2'],
    ]),
    '7.2-41',
    '8.2.5.26-2',
  ],
  [
    'a cell over another',
    table([
      [HEADER, HEADER, HEADER],
      ['TD', 'TD /RowSpan 2', 'TD'],
      ['TD /ColSpan 2', 'TD'],
    ]),
    '7.2-15',
    '8.2.5.26-1',
  ],
  [
    'a header reaching into the body',
    table([['TH /Scope /Column /RowSpan 2', HEADER], ['TD'], ['TD', 'TD']], {
      groups: [
        ['THead', 1],
        ['TBody', 2],
      ],
    }),
    '',
    '8.2.5.26-2',
  ],
  [
    'a span from a class',
    table([['TH | /C /wide'], ['TD', 'TD']], {
      tree: '/ClassMap << /wide << /O /Table /ColSpan 2 /Scope /Column >> >>',
    }),
    '',
    '',
  ],
  [
    'headers of the first row without scope',
    table([
      ['TH', 'TH'],
      ['TD', 'TD'],
    ]),
    '7.5-1',
    '',
  ],
  [
    'scopes that are words instead of names',
    table([
      [HEADER, 'TH /Scope (Column)'],
      ['TD', 'TD'],
    ]),
    '7.5-1',
    '',
  ],
  [
    'a header inside, for no cell before it',
    table([
      ['TD', 'TD', 'TD'],
      ['TD', 'TH', 'TD'],
      ['TD', 'TD', 'TD'],
    ]),
    '7.5-1',
    '8.2.5.26-5',
  ],
  [
    'headers that cells name',
    table([
      ['TH | /ID (a)', 'TH | /ID (b)'],
      ['TD /Headers [(a)]', 'TD /Headers [(b)]'],
    ]),
    '',
    '',
  ],
  [
    'a name that is no header',
    table([
      ['TD', 'TD', 'TD'],
      ['TD', 'TH /Scope /Row', 'TD /Headers [(zz)]'],
      ['TH', 'TD', 'TD'],
    ]),
    '7.5-1',
    '8.2.5.26-5',
  ],
  [
    'only a name that is no header',
    table([
      ['TD /Headers [(zz)]', 'TD /Headers [(zz)]'],
      ['TH', 'TD /Headers [(zz)]'],
    ]),
    '7.5-2',
    '8.2.5.26-6',
  ],
];

test('tables are laid out as readers do, for either part of PDF/UA', async (t) => {
  for (const [what, options, one, two] of TABLES)
    await t.test(what, async () => {
      assert.deepEqual(await failedRules(options), two === '' ? [] : [two]);
      const older = { ...options, version: '1.7', xmp: XMP.replace('PART', '1') };
      assert.deepEqual(await failedRules(older, 'ua1'), one === '' ? [] : [one]);
    });
});

test('a table that claims a billion places is no work', async () => {
  const wide = table([['TH /Scope /Column /ColSpan 1000000000'], ['TD /RowSpan 1000000000']]);
  const started = processorMs();
  await failedRules(wide);
  assert.ok(processorMs() - started < 10_000);
});

/** One letter that reads as U+E001, and what stands around it. */
const privately = (content: string, entries = ''): Tagged => ({
  content,
  page: '/Resources << /Font << /F 11 0 R >> >>',
  paragraph: entries,
  kids: '9 0 R',
  more: [
    streamOf(
      '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def 1 ' +
        'begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <61> <E001> endbfchar endcmap end end',
    ),
    '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 97 ' +
      '/LastChar 97 /Widths [1000] /CharProcs << /a 12 0 R >> /Resources << >> /ToUnicode 10 0 R ' +
      '/Encoding << /Type /Encoding /Differences [97 /a] >> >>',
    streamOf('1000 0 0 0 750 750 d1 0 0 750 750 re f'),
  ],
});
const SHOWN = 'BT /F 20 Tf 20 700 Td (a) Tj ET';

test('characters for private use are explained', async () => {
  const wrong = ['8.4.3-1'];
  for (const [content, entries, rules] of [
    [`/P << /MCID 0 >> BDC ${SHOWN} EMC`, '', wrong],
    [`/P << /MCID 0 /ActualText (x) >> BDC ${SHOWN} EMC`, '', []],
    [`/P << /MCID 0 /Alt (x) >> BDC ${SHOWN} EMC`, '', []],
    [`/P << /MCID 0 >> BDC /Span << /Alt (x) >> BDC ${SHOWN} EMC EMC`, '', []],
    [`/P << /MCID 0 >> BDC ${SHOWN} EMC`, '/ActualText (x)', []],
    [`/P << /MCID 0 >> BDC ${SHOWN} EMC`, '/Alt /x', wrong],
  ] as const)
    assert.deepEqual(await failedRules(privately(content, entries)), rules, `${content} ${entries}`);
});

test('images in the appearance of a signature are described', async () => {
  const signature = (appearance: string, entries = ''): Tagged => ({
    page: '/Annots [10 0 R] /Tabs /S',
    catalog: `${VIEWED} /AcroForm << /Fields [10 0 R] >>`,
    kids: '9 0 R 11 0 R',
    parents: '1 11 0 R',
    more: [
      '<< /Type /Annot /Subtype /Widget /FT /Sig /T (s) /Contents (Sign) /Rect [0 0 9 9] /F 4 /StructParent 1 /AP << /N 12 0 R >> >>',
      element('Form', 7, '[<< /Type /OBJR /Obj 10 0 R /Pg 3 0 R >>]', entries),
      streamOf(
        appearance,
        '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /I 13 0 R >> >>',
      ),
      streamOf(
        'x',
        '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8',
      ),
    ],
  });
  for (const [appearance, rules] of [
    ['0 0 9 9 re f', []],
    ['/I Do', ['8.10.3.5-1']],
    ['BI /W 1 /H 1 /CS /G /BPC 8 ID x EI', ['8.10.3.5-1']],
    ['/Span << /Alt (A name) >> BDC /I Do EMC', []],
  ] as const)
    assert.deepEqual(await failedRules(signature(appearance)), rules, appearance);
});

test('standard types are not mapped away', async () => {
  const older = element('P', 7, '', '', '');
  for (const [tree, rules] of [
    ['/RoleMap << /P /Foo >>', ['8.2.4-4']],
    ['/RoleMap << /P /H1 >>', []],
    ['/RoleMap << /P /P >>', ['8.2.4-2']],
  ] as const)
    assert.deepEqual(await failedRules({ kids: '9 0 R 10 0 R', more: [older], tree }), rules, tree);
});
