import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failed, made, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { fixture } from '../../../testing/documents/collection.ts';
import { pdfOf, streamOf } from '../../../testing/documents/written-pdf.ts';
import { AWKWARD_PAGES, assertLooksLike } from '../../../testing/oracles/drawn-pages.ts';
import {
  askProgram,
  missing,
  pdfinfo,
  pdftotext,
  qpdfCheck,
  qpdfObjects,
} from '../../../testing/oracles/programs.ts';

const OP = 'misc/add-page-numbers';
const skip = missing('pdftotext', 'pdftoppm', 'qpdf');
const EVERYTHING = fixture('everything.pdf');
const pages = { name: 'Ünïcode name.pdf', bytes: AWKWARD_PAGES };

const number = async (params: Record<string, string>, fileInput: typeof pages | string = pages) =>
  made(await runHere(OP, { files: { fileInput }, params }));
const textOf = (pdf: Buffer, page: number): string => pdftotext(pdf, '-f', String(page), '-l', String(page));

const CASES: { params: Record<string, string>; says: (string | undefined)[] }[] = [
  { params: {}, says: ['1', '2', '3', '4'] },
  { params: { startingNumber: '0', zeroPad: '3' }, says: ['000', '001', '002', '003'] },
  { params: { startingNumber: '1000000000', zeroPad: '20' }, says: ['00000000001000000000'] },
  { params: { pagesToNumber: '4,2' }, says: [undefined, '1', undefined, '2'] },
  { params: { pagesToNumber: '9n' }, says: [undefined, undefined, undefined, undefined] },
  { params: { customText: 'Seite {n} von {total}' }, says: ['Seite 1 von 4', 'Seite 2 von 4'] },
  { params: { customText: '{filename}: {n}{n} {N} {' }, says: ['Ünïcode name: 11 {N} {'] },
  { params: { customText: 'one\\ntwo {n}', position: '1' }, says: ['two 1', 'two 2', 'two 3', 'two 4'] },
  { params: { customText: 'страница {n} 第{n}页 صفحة', fontType: 'times' }, says: ['страница 1 第1页 صفحة'] },
];

for (const { params, says } of CASES) {
  test(`numbers as asked: ${JSON.stringify(params)}`, { skip }, async () => {
    const pdf = await number(params);
    qpdfCheck(pdf);
    says.forEach((words, index) => {
      const lines = textOf(pdf, index + 1)
        .split('\n')
        .map((line) => line.replace(/[\u202a-\u202e\f]/g, '').trim());
      if (words === undefined) assert.ok(!lines.some((line) => /^\d+$/.test(line)), String(lines));
      else assert.ok(lines.includes(words), `${JSON.stringify(lines)} lacks ${words}`);
    });
  });
}

/** Box of the word, in points of the page as displayed, y downwards. */
function placeOf(pdf: Buffer, page: number, word: string) {
  const html = askProgram(
    'pdftotext',
    ['-bbox', '-cropbox', '-f', String(page), '-l', String(page), '{}', '-'],
    pdf,
  );
  const found = new RegExp(`xMin="([^"]+)" yMin="([^"]+)" xMax="([^"]+)" yMax="([^"]+)">${word}<`).exec(html);
  assert.ok(found, `${word} is not on page ${page}`);
  const [left = 0, top = 0, right = 0, bottom = 0] = found.slice(1).map(Number);
  return { left, top, right, bottom };
}

const GAP = 0.05 * 350;
const PLACES: [string, (box: ReturnType<typeof placeOf>) => [number, number]][] = [
  ['1', ({ left, top }) => [left - GAP, top - GAP]],
  ['2', ({ left, right, top }) => [(left + right) / 2 - 150, top - GAP]],
  ['3', ({ right, top }) => [300 - right - GAP, top - GAP]],
  ['4', ({ left, top, bottom }) => [left - GAP, (top + bottom) / 2 - 200]],
  ['5', ({ left, right, top, bottom }) => [(left + right) / 2 - 150, (top + bottom) / 2 - 200]],
  ['6', ({ right, top, bottom }) => [300 - right - GAP, (top + bottom) / 2 - 200]],
  ['7', ({ left, bottom }) => [left - GAP, 400 - bottom - GAP]],
  ['8', ({ left, right, bottom }) => [(left + right) / 2 - 150, 400 - bottom - GAP]],
  ['9', ({ right, bottom }) => [300 - right - GAP, 400 - bottom - GAP]],
];

for (const [position, off] of PLACES) {
  test(`position ${position} is ${GAP} points from the edges, on every kind of page`, { skip }, async () => {
    const pdf = await number({ position, customMargin: 'large', customText: 'No{n}' });
    for (const page of [1, 2, 4]) {
      const [x, y] = off(placeOf(pdf, page, `No${page}`));
      // The box of a word is a little lower than that of its line.
      assert.ok(Math.abs(x) < 1 && Math.abs(y) < 4, `page ${page}: ${x} ${y}`);
    }
  });
}

test('they look right, in every corner of every kind of page', { skip }, async () => {
  let bytes: Buffer = AWKWARD_PAGES;
  for (const position of ['1', '2', '3', '4', '5', '6', '7', '8', '9']) {
    const params = {
      position,
      customText: `${position}: {n}/{total}`,
      fontColor: '#aa0000',
      fontSize: '20',
      customMargin: 'x-large',
    };
    bytes = await number(
      { ...params, fontType: ['helvetica', 'courier', 'times'][Number(position) % 3] ?? '' },
      { ...pages, bytes },
    );
  }
  await assertLooksLike('page-numbers', bytes);
});

test('what the document holds stays, and its name tells what was done', { skip }, async () => {
  const ran = await runHere(OP, { files: { fileInput: EVERYTHING } });
  assert.equal(madeName(ran), 'everything_page_numbers_added.pdf');
  const before = pdfinfo(await (await import('node:fs/promises')).readFile(EVERYTHING));
  const after = pdfinfo(made(ran));
  for (const key of ['Title', 'Pages', 'Page size', 'Form', 'Tagged', 'JavaScript'])
    assert.equal(after[key], before[key], key);
});

test('many pages share their fonts and what wraps their content', { skip }, async () => {
  const kids = Array.from({ length: 50 }, (_, index) => `${index + 4} 0 R`).join(' ');
  const bytes = pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count 50 /MediaBox [0 0 200 200] /Resources << >> >>`,
    streamOf('q 1 0 0 1 0 0 cm Q'),
    ...Array.from({ length: 50 }, () => '<< /Type /Page /Parent 2 0 R /Contents 3 0 R >>'),
  ]);
  const pdf = await number({}, { name: 'many.pdf', bytes });
  const fonts = Object.values(qpdfObjects(pdf)).filter(({ stream }) => stream && '/Length1' in stream.dict);
  assert.equal(fonts.length, 1);
  assert.ok(pdf.length < 60_000, `${pdf.length} bytes`);
});

test('characters that no font has are refused, naming them and the field', async () => {
  const { reason, detail } = failed(
    await runHere(OP, { files: { fileInput: pages }, params: { customText: 'a\u{10ffff}' } }),
  );
  assert.equal(reason, 'invalid_parameter');
  assert.match(detail, /customText/);
});
