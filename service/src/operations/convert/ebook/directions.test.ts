import assert from 'node:assert/strict';
import { test } from 'node:test';
import { made } from '../../../../testing/calls/run-here.ts';
import { epubOf, xhtml } from '../../../../testing/documents/books.ts';
import { callsOf, noBrowser } from '../../../../testing/oracles/printing.ts';
import { askProgram, pdfinfo } from '../../../../testing/oracles/programs.ts';

const skip = await noBrowser('pdfinfo', 'pdftotext');
const convert = callsOf('convert/ebook/pdf', 'book.epub');

/** Words and where they stand, as poppler reads them. */
const places = (pdf: Uint8Array) =>
  Array.from(
    askProgram('pdftotext', ['-bbox', '{}', '-'], pdf).matchAll(
      /xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">([^<]*)</g,
    ),
    ([, left, top, right, bottom, word = '']) => ({
      word,
      left: Number(left),
      top: Number(top),
      right: Number(right),
      bottom: Number(bottom),
    }),
  );

const PARAGRAPHS = Array.from({ length: 60 }, (_, at) => `<p>mark${at} ${'words run on '.repeat(20)}</p>`);
const LINK = '<link rel="stylesheet" href="a.css"/>';
/** How books say that their lines run down: by the root, the body, or a class of either. */
const VERTICAL: [string, string, string][] = [
  ['the root', '', 'html{-epub-writing-mode:vertical-rl}'],
  ['the body', '', 'p{margin:0} body{writing-mode:vertical-rl}'],
  ['a class of the root', ' class="vrtl"', '.vrtl{-webkit-writing-mode:vertical-rl}'],
];
for (const [what, attribute, sheet] of VERTICAL) {
  test(`lines that run down by ${what} go on from page to page, as large as others`, { skip }, async () => {
    const chapter = xhtml(PARAGRAPHS.join(''), LINK).replace('<html', `<html${attribute}`);
    const pdf = made(
      await convert(await epubOf({ chapters: { 'a.xhtml': chapter }, files: { 'a.css': sheet } })),
    );
    assert.ok(Number(pdfinfo(pdf).Pages) > 2);
    const marks = places(pdf).filter(({ word }) => word.startsWith('mark'));
    assert.equal(marks.length, 60);
    const [first] = marks;
    assert.ok(first && first.bottom - first.top > 2 * (first.right - first.left), JSON.stringify(first));
    assert.ok(first.right - first.left > 8 && first.left > 400, JSON.stringify(first));
  });
}

test('a vertical chapter in a book across the page is set across, too', { skip }, async () => {
  const chapters = {
    'a.xhtml': xhtml(PARAGRAPHS.join('')),
    'b.xhtml': xhtml('<p>down</p>', '<style>html{writing-mode:vertical-rl}</style>'),
  };
  const found = places(made(await convert(await epubOf({ chapters }))));
  const down = found.find(({ word }) => word === 'down');
  assert.ok(down && down.right - down.left > down.bottom - down.top, JSON.stringify(down));
});

test('words of a document from right to left begin at the right', { skip }, async () => {
  const chapter = xhtml('<p>אחת</p>').replace('<html', '<html dir="rtl" lang="he"');
  const [word] = places(made(await convert(await epubOf({ chapters: { 'a.xhtml': chapter } }))));
  assert.ok(word && word.right > 500, JSON.stringify(word));
});
