import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContentReader } from './content-reader.ts';
import { formatValue } from './object-syntax.ts';

function read(content: string): string[] {
  const reader = new ContentReader(Buffer.from(content, 'latin1'));
  const found: string[] = [];
  for (let next = reader.next(); next; next = reader.next())
    found.push([...next.operands.map(formatValue), next.operator].join(' '));
  return found;
}

const CASES: [string, string[]][] = [
  ['q 1 0 0 -1.50 .5 +3 cm Q', ['q', '1 0 0 -1.5 0.5 3 cm', 'Q']],
  ['(a\\)b(c)\\101\\n\\\r\nd) Tj', ['<612962286329410a64> Tj']],
  ['<4 1 4> Tj', ['<4140> Tj']],
  ['[(a) -3 <62>]TJ', ['[<61> -3 <62>] TJ']],
  ['/Span<</MCID 0/Lang(en)>>BDC', ['/Span <</MCID 0 /Lang <656e>>> BDC']],
  ['/a#20b gs % comment Tj\n/G gs', ['/a#20b gs', '/G gs']],
  ['true false null w', ['true false null w']],
  ['0g 1 0 0rg', ['0 g', '1 0 0 rg']],
  ['(a)\'(b)"', ["<61> '", '<62> "']],
  ['--5 w 1.2.3 w 4- w', ['-5 w', '1.2 w', '4 w']],
  [
    'q BI /W 2 /H 2 /CS [/I /RGB 1 <00>] /BPC 8 ID a EI EI Q S',
    ['q', '<</W 2 /H 2 /CS [/I /RGB 1 <00>] /BPC 8>> BI', 'Q', 'S'],
  ],
  ['BI /W 1 ID no end', ['<</W 1>> BI']],
  ['[1 2 Tj (x) Tj', ['[1 2] Tj', '<78> Tj']],
  [') ] >> } q (unclosed', ['q']],
  ['', []],
];

for (const [content, expected] of CASES) {
  test(`${JSON.stringify(content)} is read as ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(read(content), expected);
  });
}

test('binary data of inline images does not end them', () => {
  const data = '\u0001 EI \u00ff\u0000 EI\u0080';
  assert.deepEqual(read(`BI /W 9 ID ${data}\nEI\nQ`), ['<</W 9>> BI', 'Q']);
});

test('operations know where they stand', () => {
  const content = ' 1 w  2 0 m ';
  const reader = new ContentReader(Buffer.from(content));
  const [first, second] = [reader.next(), reader.next()];
  assert.equal(content.slice(first?.start, first?.end), '1 w');
  assert.equal(content.slice(second?.start, second?.end), '2 0 m');
});
