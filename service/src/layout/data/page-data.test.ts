import assert from 'node:assert/strict';
import { test } from 'node:test';
import { smallPage, type Text } from '../../../testing/documents/table-page.ts';
import { findTables } from '../tables/find-tables.ts';
import { amountOf } from './amounts.ts';
import { datesIn } from './dates.ts';
import { readPageData } from './page-data.ts';

const read = (texts: readonly Text[]) => {
  const page = smallPage(texts);
  return readPageData(page, 1, findTables(page, 1));
};
const pairs = (texts: readonly Text[]): [string, string][] =>
  read(texts).pairs.map(({ key, value }) => [key, value]);

test('a label and its value beside each other: colon, white space, dots', () => {
  assert.deepEqual(
    pairs([
      { x: 50, y: 100, text: 'Customer: Mary Jones' },
      { x: 50, y: 130, text: 'Invoice no.' },
      { x: 300, y: 130, text: '4711' },
      { x: 50, y: 160, text: 'Contact:' },
      { x: 300, y: 160, text: 'Peter Miller' },
      { x: 50, y: 190, text: 'Room rent . . . . . . . . 420.00' },
      { x: 50, y: 220, text: 'ID : 12 - Code : 3400' },
    ]),
    [
      ['Customer', 'Mary Jones'],
      ['Invoice no.', '4711'],
      ['Contact', 'Peter Miller'],
      ['Room rent', '420.00'],
      ['ID', '12'],
      ['Code', '3400'],
    ],
  );
});

test('captions, notes, counters of pages, remarks of forms and running text are no pairs', () => {
  assert.deepEqual(
    pairs([
      { x: 50, y: 60, text: 'Table 7.4: Five Firm National Concentration Ratios' },
      { x: 50, y: 90, text: 'Annexe II: Liste des pays' },
      { x: 50, y: 120, text: 'Note: Data are only shown for samples of 25' },
      { x: 50, y: 150, text: '2 sur 7' },
      { x: 300, y: 150, text: '06/12/2023' },
      { x: 50, y: 180, text: 'Last name' },
      { x: 300, y: 180, text: 'Identifying number (see page 8)' },
      { x: 50, y: 210, text: 'Dependents:' },
      { x: 300, y: 210, text: '(see page 9)' },
      { x: 50, y: 240, text: 'Credits from:' },
      { x: 300, y: 240, text: 'Form 8801' },
      { x: 50, y: 270, text: 'Department of the Treasury' },
      { x: 300, y: 270, text: '2007' },
      { x: 50, y: 300, text: 'Gaza & West Bank' },
      { x: 300, y: 300, text: '2.60' },
      { x: 50, y: 330, text: 'Trends: Imports and higher costs continued to challenge producers in the' },
      { x: 50, y: 342, text: 'country, of which there were few to begin with, and fewer were left then.' },
      { x: 50, y: 390, text: 'Table: 12' },
      { x: 50, y: 420, text: 'Caution: none' },
      { x: 50, y: 540, text: 'Section: B12' },
      { x: 50, y: 570, text: 'Date de facture associée: 01/01/2026' },
      { x: 50, y: 600, text: 'Tipo de Mayoría: Más de la mitad' },
      { x: 50, y: 630, text: 'Vitamin A: 12 mg' },
      { x: 50, y: 660, text: 'Issues: Imports and higher costs continued to challenge makers in the' },
      { x: 50, y: 672, text: 'United States, of which there were few to begin with, and fewer left.' },
      { x: 50, y: 450, text: 'Year of birth' },
      { x: 300, y: 450, text: '2007' },
      { x: 50, y: 480, text: 'Subject: Your letter of May, to which we now have the honour to reply' },
      { x: 50, y: 510, text: 'Yours' },
      { x: 50, y: 700, text: 'TITLE I: WIPO TREATY' },
      { x: 50, y: 720, text: 'It proposes:' },
      { x: 50, y: 732, text: '• A standard way' },
      { x: 50, y: 760, text: 'The law has two parts that follow from two of the World Intellectual' },
      { x: 50, y: 772, text: 'Property Organization treaties: the Copyright Treaty and another.' },
    ]),
    [
      ['Year of birth', '2007'],
      ['Subject', 'Your letter of May, to which we now have the honour to reply'],
      ['Section', 'B12'],
      ['Date de facture associée', '01/01/2026'],
      ['Tipo de Mayoría', 'Más de la mitad'],
      ['Vitamin A', '12 mg'],
    ],
  );
});

test("numbers of a form's lines, and what is measured as a total, are no totals", () => {
  const { totals } = read([
    { x: 50, y: 100, text: 'Add lines 44 through 50. These are your total credits' },
    { x: 400, y: 100, text: '51' },
    { x: 50, y: 130, text: 'Phenols (as total C)' },
    { x: 400, y: 130, text: '20' },
    { x: 50, y: 160, text: 'Total' },
    { x: 400, y: 160, text: '217' },
  ]);
  assert.deepEqual(
    totals.map(({ label, value }) => [label, value]),
    [['Total', 217]],
  );
});

test('labels that a form has numbered, and labels right before a code', () => {
  assert.deepEqual(
    pairs([
      { x: 50, y: 100, text: '1. Name of applicant' },
      { x: 300, y: 100, text: 'AB 12345' },
      { x: 50, y: 130, text: '12a Wages' },
      { x: 300, y: 130, text: '48,210.00' },
      { x: 50, y: 160, text: '(b) Date of birth' },
      { x: 300, y: 160, text: '10.12.1985' },
      { x: 50, y: 190, text: 'IBAN DE30 5075 0094 0000 0485 67' },
      { x: 50, y: 220, text: 'Tel. +49 6051 916 44 10' },
      { x: 50, y: 250, text: 'Invoice no. 2022089083' },
      { x: 50, y: 280, text: 'Order 66 was given on a date that nobody knows' },
      { x: 50, y: 310, text: '4 Pears' },
    ]),
    [
      ['1. Name of applicant', 'AB 12345'],
      ['12a Wages', '48,210.00'],
      ['(b) Date of birth', '10.12.1985'],
      ['IBAN', 'DE30 5075 0094 0000 0485 67'],
      ['Tel.', '+49 6051 916 44 10'],
      ['Invoice no.', '2022089083'],
    ],
  );
});

test('the currency of a total may stand before its amount or in its label', () => {
  const { totals } = read([
    { x: 50, y: 100, text: 'Grand Total' },
    { x: 300, y: 100, text: 'Rs 1939' },
    { x: 50, y: 130, text: 'Total EUR' },
    { x: 300, y: 130, text: '34,73' },
    { x: 50, y: 160, text: 'Amount due' },
    { x: 260, y: 160, text: 'CHF' },
    { x: 300, y: 160, text: '12.50' },
  ]);
  assert.deepEqual(
    totals.map(({ kind, value, currency }) => [kind, value, currency]),
    [
      ['total', 1939, 'INR'],
      ['total', 34.73, 'EUR'],
      ['due', 12.5, 'CHF'],
    ],
  );
  assert.deepEqual(
    read([{ x: 50, y: 100, text: 'Issued on August 3 , 2014' }]).dates.map(({ date }) => date),
    ['2014-08-03'],
  );
});

test('a label above its value', () => {
  assert.deepEqual(
    pairs([
      { x: 50, y: 100, text: 'Invoice date' },
      { x: 200, y: 100, text: 'Customer number' },
      { x: 50, y: 112, text: '03.05.2024' },
      { x: 200, y: 112, text: 'K-20991' },
    ]),
    [
      ['Invoice date', '03.05.2024'],
      ['Customer number', 'K-20991'],
    ],
  );
});

test('sentences, times, addresses of the web and contents pages are no pairs', () => {
  const contents = Array.from({ length: 8 }, (_, i) => ({
    x: 50,
    y: 300 + i * 14,
    text: `Chapter ${'abcdefgh'[i]} . . . . . . . . . . ${i * 7 + 3}`,
  }));
  assert.deepEqual(
    pairs([
      { x: 50, y: 100, text: 'what they found was this: nobody had ever asked them for it' },
      { x: 50, y: 130, text: 'It begins at 10:30 in https://example.org/' },
      ...contents,
    ]),
    [],
  );
});

test('totals with what they are, beside or under their labels', () => {
  const { totals } = read([
    { x: 300, y: 100, text: 'Subtotal' },
    { x: 500, y: 100, text: '1,200.00', right: true },
    { x: 300, y: 120, text: 'VAT' },
    { x: 400, y: 120, text: '20%' },
    { x: 500, y: 120, text: '240.00', right: true },
    { x: 300, y: 140, text: 'Amount due' },
    { x: 500, y: 140, text: '€ 1,440.00', right: true },
    { x: 300, y: 200, text: 'Gesamtbetrag' },
    { x: 300, y: 212, text: '1.440,00 EUR' },
  ]);
  assert.deepEqual(
    totals.map(({ kind, value, currency }) => [kind, value, currency]),
    [
      ['subtotal', 1200, undefined],
      ['tax', 240, undefined],
      ['due', 1440, 'EUR'],
      ['total', 1440, 'EUR'],
    ],
  );
});

test('amounts as countries write them', () => {
  for (const [text, value] of [
    ['1,234.56', 1234.56],
    ['1.234,56', 1234.56],
    ["1'234.50", 1234.5],
    ['1 234 567', 1234567],
    ['(12.00)', -12],
    ['-7,5', -7.5],
    ['$ 3,000', 3000],
  ] as const)
    assert.equal(amountOf(text)?.value, value, text);
  for (const text of ['12%', 'A 12', '12 kg', '', '€']) assert.equal(amountOf(text), undefined, text);
});

test('dates as they are written', () => {
  for (const [text, date] of [
    ['2024-05-03', '2024-05-03'],
    ['3.5.2024', '2024-05-03'],
    ['05/23/2024', '2024-05-23'],
    ['3. März 2024', '2024-03-03'],
    ['May 3rd, 2024', '2024-05-03'],
    ['3 de mayo de 2024', '2024-05-03'],
    ['2024年5月3日', '2024-05-03'],
  ] as const)
    assert.deepEqual(
      datesIn(text).map((found) => found.date),
      [date],
      text,
    );
  for (const text of ['31.02.2024', '1.2.3.4', '12/2024', 'version 3.5.20']) {
    assert.ok(
      datesIn(text).every(({ confidence }) => confidence < 0.9),
      text,
    );
  }
});

test('where other dates of a page have the month first, so have those that may have either', () => {
  const { dates } = read([
    { x: 50, y: 100, text: 'Paid 05/03/2019' },
    { x: 50, y: 130, text: 'Sent 05/24/2019' },
  ]);
  assert.deepEqual(
    dates.map(({ date }) => date),
    ['2019-05-03', '2019-05-24'],
  );
});

test('an address with its street, and none where there is no street', () => {
  const { addresses } = read([
    { x: 50, y: 100, text: 'Mary Jones' },
    { x: 50, y: 112, text: 'Hauptstrasse 12' },
    { x: 50, y: 124, text: '10115 Berlin' },
    { x: 50, y: 300, text: '12345 Rotations' },
  ]);
  assert.deepEqual(
    addresses.map(({ lines, postalCode, city }) => ({ lines, postalCode, city })),
    [{ lines: ['Mary Jones', 'Hauptstrasse 12', '10115 Berlin'], postalCode: '10115', city: 'Berlin' }],
  );
});
