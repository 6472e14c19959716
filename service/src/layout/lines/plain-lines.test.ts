// Lines read at once against the same pages read by way of words.
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { after, test } from 'node:test';
import { corpusFolder, noCorpus } from '../../../testing/documents/collection.ts';
import { inMemory, onePagePdf, quiet } from '../../../testing/documents/small-pdf.ts';
import { createPdfium } from '../../engines/pdfium/pdfium.ts';
import { pageText } from '../../writers/text.ts';
import { readPageRegions, readWordRegions } from './page-lines.ts';
import { readPlainLines } from './plain-lines.ts';

const FIXTURES = new URL('../../../../fixtures/', import.meta.url).pathname;
const CORPUS = corpusFolder('pdf').pathname;
const MAX_PAGES = 12;

const pdfium = await createPdfium({ passwords: [], log: quiet });
after(() => pdfium.close());

/** How many pages had plain lines, and how many lines there were in all. */
function compare(path: string): { pages: number; plain: number; lines: number } {
  const found = { pages: 0, plain: 0, lines: 0 };
  let view: ReturnType<typeof pdfium.open>;
  try {
    view = pdfium.open({ name: basename(path), content: { path } });
  } catch {
    return found;
  }
  using opened = view;
  for (let index = 0; index < Math.min(MAX_PAGES, opened.pageCount); index += 1) {
    const drawn = opened.readPage(index, 'text');
    const plain = readPlainLines(drawn)?.lines.length ?? 0;
    const regions = readPageRegions(drawn);
    const text = pageText(regions);
    assert.equal(text, pageText(readWordRegions(drawn)), `${basename(path)}, page ${index + 1}`);
    if (plain > 0) found.pages += 1;
    found.plain += plain;
    found.lines += regions.reduce((sum, { rows }) => sum + rows.flat().length, 0);
  }
  return found;
}

test('plain lines read as they do by way of words', () => {
  const { plain, lines } = compare(`${FIXTURES}text-two-pages.pdf`);
  assert.equal(plain, lines, 'all of them are plain');
  for (const name of globSync('*.pdf', { cwd: FIXTURES })) compare(FIXTURES + name);
});

test('two spaces between words are one', () => {
  using view = pdfium.open(inMemory('x.pdf', onePagePdf('BT /F 12 Tf 10 50 Td (Fund iTransfers) Tj ET')));
  const drawn = view.readPage(0);
  const { codes } = drawn.glyphs;
  codes[codes.indexOf('i'.charCodeAt(0))] = ' '.charCodeAt(0);
  assert.deepEqual(
    readPlainLines(drawn)?.lines.map(({ text }) => text),
    ['Fund Transfers'],
  );
});

test('the same over documents of others', {
  skip: noCorpus(),
}, (t) => {
  const all = globSync('**/*.pdf', { cwd: CORPUS }).map((name) => compare(CORPUS + name));
  const sum = (of: keyof (typeof all)[0]): number => all.reduce((total, found) => total + found[of], 0);
  t.diagnostic(`${sum('plain')} of ${sum('lines')} lines, on ${sum('pages')} pages`);
  assert.ok(sum('plain') > sum('lines') / 4);
});
