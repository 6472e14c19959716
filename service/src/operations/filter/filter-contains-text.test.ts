import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { runHere } from '../../../testing/calls/run-here.ts';
import { fixture } from '../../../testing/documents/collection.ts';
import { onePage, pdfOf, streamOf } from '../../../testing/documents/written-pdf.ts';
import { missing, pdftotext } from '../../../testing/oracles/programs.ts';

const sound = readFileSync(fixture('text-two-pages.pdf'));
const passes = async (params: Record<string, string>, bytes: Buffer = sound) => {
  const ran = await runHere('filter/filter-contains-text', {
    files: { fileInput: { name: 'a.pdf', bytes } },
    params,
  });
  if (ran.state === 'failed') throw new Error(ran.problem.detail);
  return ran.state === 'made' && ran.bytes.equals(bytes);
};

test('text is found where pdftotext sees it, page by page', { skip: missing('pdftotext') }, async () => {
  const [first = '', second = ''] = [1, 2].map((n) => pdftotext(sound, '-f', String(n), '-l', String(n)));
  const word = first.split(/\s+/).find((each) => /^[A-Za-z]{5,}$/.test(each) && !second.includes(each));
  assert.ok(word, 'the first page has a word the second lacks');
  assert.equal(await passes({ text: word }), true);
  assert.equal(await passes({ text: word, pageNumbers: '1' }), true);
  assert.equal(await passes({ text: word, pageNumbers: '2' }), false);
  const lower = word.toLowerCase();
  assert.equal(await passes({ text: word === lower ? word.toUpperCase() : lower, pageNumbers: '1' }), false);
});

test('text that is nowhere gives nothing', async () => assert.equal(await passes({ text: 'zzqx' }), false));

test('an expression that selects no page finds nothing', async () => {
  assert.equal(await passes({ text: 'a', pageNumbers: '9n' }), false);
});

/** What a browser prints for Thai: signs of no width, and texts that stand for letters with their signs. */
const THAI = onePage({
  page: '/Resources << /Font << /F 5 0 R >> >>',
  content: [
    'BT /F 16 Tf 20 700 Td (A) Tj',
    '/Span << /ActualText <feff0e270e31> >> BDC 9.15 0 Td (B) Tj 8.03 0 Td (C) Tj EMC',
    '-0.16 0 Td (A) Tj',
    '/Span << /ActualText <feff0e140e35> >> BDC 9.15 0 Td (D) Tj 9.86 0 Td (E) Tj EMC ET',
  ].join('\n'),
  more: [
    `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /FirstChar 65 /LastChar 69 /Widths [572 502 0 616 0]
      /ToUnicode 6 0 R >>`,
    streamOf(
      `/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange
      5 beginbfchar <41> <0e2a> <42> <0e27> <43> <0e31> <44> <0e14> <45> <0e35> endbfchar endcmap end`,
    ),
  ],
});

const written = (content: string) =>
  onePage({
    page: '/Resources << /Font << /F 5 0 R >> >>',
    content: `BT /F 16 Tf 20 700 Td ${content} ET`,
    more: ['<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'],
  });

test('words are found whatever stands between their letters', { skip: missing('pdftotext') }, async () => {
  assert.match(pdftotext(THAI), /สวัสดี/);
  assert.equal(await passes({ text: 'สวัสดี' }, THAI), true);
  assert.equal(await passes({ text: 'สดี' }, THAI), true);
  assert.equal(await passes({ text: 'สวดี' }, THAI), false);
  const broken = written('[(Zan) ( ) 278 (zibar and here in)] TJ');
  assert.match(pdftotext(broken), /Zanzibar/);
  assert.equal(await passes({ text: 'Zanzibar' }, broken), true);
  assert.equal(await passes({ text: 'herein' }, broken), false);
  const wide = written('8 Tc (TITLE SET wide) Tj 0 Tc (then not) Tj');
  assert.equal(await passes({ text: 'TITLE' }, wide), true);
  assert.equal(await passes({ text: 'TITLE SET' }, wide), true);
  assert.equal(await passes({ text: 'TITEL' }, wide), false);
});

test('what had to be repaired is searched as it was repaired', { skip: missing('pdftotext') }, async () => {
  const said = (text: string) => streamOf(`BT /F 16 Tf 20 700 Td (${text}) Tj ET`);
  const whole = pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [5 0 R 3 0 R] /Count 2 /MediaBox [0 0 600 800] /Resources << /Font << /F 7 0 R >> >> >>',
    '<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>',
    said('the second'),
    '<< /Type /Page /Parent 2 0 R /Contents 6 0 R >>',
    said('the first'),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]);
  const text = whole.toString('latin1');
  const cut = Buffer.from(text.slice(0, text.lastIndexOf('xref\n0')), 'latin1');
  const endless = Buffer.from(text.replaceAll('endobj', ''), 'latin1');
  for (const broken of [cut, endless]) {
    assert.equal(await passes({ text: 'the first', pageNumbers: '1' }, broken), true);
    assert.equal(await passes({ text: 'the second', pageNumbers: '2' }, broken), true);
    assert.equal(await passes({ text: 'the second', pageNumbers: '1' }, broken), false);
  }
});
