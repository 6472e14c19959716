// Invoices and key-value sheets of several makes: a label and its value stay on one line, in text and in Markdown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { made, runHere } from '../../../../testing/calls/run-here.ts';
import { writtenPage } from '../../../../testing/oracles/reading.ts';

const at = (x: number, y: number, text: string): string => `BT /F 10 Tf ${x} ${y} Td (${text}) Tj ET\n`;

type Pairs = readonly (readonly [string, string])[];
const SHEET: Pairs = [
  ['Name', 'Ada Lovelace'],
  ['Born', '10 December 1815'],
  ['Place of birth', 'London'],
  ['Occupation', 'Mathematician'],
  ['Reference', 'AL-1815-77'],
];
const HEADER: Pairs = [
  ['Invoice number', '4711'],
  ['Invoice date', '3 May 2024'],
  ['Customer number', '88213'],
  ['Due date', '2 June 2024'],
];
const TOTALS: Pairs = [
  ['Subtotal', '310.00'],
  ['VAT 20 %', '62.00'],
  ['Amount due', '372.00'],
];

const block = (pairs: Pairs, [label, value]: readonly [number, number], top: number, step: number): string =>
  pairs.map(([k, v], i) => at(label, top - i * step, k) + at(value, top - i * step, v)).join('');

const ADDRESS = ['Lovelace and Sons', 'Mrs Ada Lovelace', '12 St James Square', 'London SW1Y 4JH']
  .map((text, i) => at(60, 740 - i * 13, text))
  .join('');
const PROSE = [
  'Dear Madam, we thank you for the order that you have placed with us in the last month and',
  'send you this invoice for the goods that were delivered to your house on the second of May,',
  'which we hope have found your favour, as all our goods do that leave the house in time.',
]
  .map((text, i) => at(60, 660 - i * 13, text))
  .join('');

const MAKES: { what: string; content: string; pairs: Pairs }[] = [
  { what: 'a sheet of labels and values', content: block(SHEET, [60, 200], 700, 16), pairs: SHEET },
  { what: 'with much space between its lines', content: block(SHEET, [60, 200], 700, 30), pairs: SHEET },
  {
    what: 'the address at the left, labels and values at the right',
    content: ADDRESS + block(HEADER, [330, 440], 740, 13) + PROSE,
    pairs: HEADER,
  },
  {
    what: 'totals at the right, under running text',
    content: PROSE + block(TOTALS, [360, 500], 560, 15),
    pairs: TOTALS,
  },
  {
    what: 'two sheets side by side',
    content: PROSE + block(SHEET, [60, 150], 500, 16) + block(HEADER, [320, 430], 500, 16),
    pairs: [...SHEET, ...HEADER],
  },
];

for (const { what, content, pairs } of MAKES) {
  test(`a label and its value stay together: ${what}`, async () => {
    const fileInput = { name: 'sheet.pdf', bytes: writtenPage(content) };
    for (const operation of ['convert/pdf/text', 'convert/pdf/markdown']) {
      const lines = made(await runHere(operation, { files: { fileInput } }))
        .toString('utf8')
        .split('\n');
      for (const [label, value] of pairs)
        assert.ok(
          lines.some((line) => new RegExp(`${label}[\\s|]+${value}`).test(line)),
          `${operation}: ${label} ${value}`,
        );
    }
  });
}
