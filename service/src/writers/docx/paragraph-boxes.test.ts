// Boxes drawn around paragraphs are their borders in Word, and nothing is drawn beside them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { made, runHere } from '../../../testing/calls/run-here.ts';
import { type Written, writtenPages } from '../../../testing/documents/plain-text-pages.ts';
import { zipEntries } from '../../../testing/oracles/archives.ts';
import { noOffice, printed } from '../../../testing/oracles/office-documents.ts';
import { missing, pdftotext } from '../../../testing/oracles/programs.ts';

const prose = (from: number, count = 5): Written[] =>
  Array.from(
    { length: count },
    (_, i): Written => [
      72,
      from - i * 12,
      10,
      'words of a text that goes on until the line has come to its end, and then goes on',
    ],
  );

const boxed: Written[] = [
  [80, 640, 10, 'What is said in a box is said with a line around it, all of it, until it'],
  [80, 628, 10, 'has come to its end.'],
  [80, 606, 10, 'Another paragraph stands in the same box.'],
];

async function documentXml(pages: Written[][], behind: string): Promise<{ xml: string; bytes: Buffer }> {
  const call = { files: { fileInput: { name: 'a.pdf', bytes: writtenPages(pages, behind) } } };
  const bytes = made(await runHere('convert/pdf/word', call));
  const entry = (await zipEntries(bytes)).find(({ name }) => name === 'word/document.xml');
  return { bytes, xml: entry?.bytes.toString('utf8') ?? '' };
}

const BOX = '1 0 0 RG 1 w 72 596 400 60 re S';

test('paragraphs in a box have one border, at their place', {
  skip: noOffice() || missing('pdftotext'),
}, async () => {
  const { xml, bytes } = await documentXml([[...prose(760), ...boxed, ...prose(560)]], BOX);
  const borders = xml.match(/<w:pBdr>.*?<\/w:pBdr>/g) ?? [];
  assert.ok(borders.length > 1, xml);
  assert.equal(new Set(borders).size, 1, 'paragraphs with borders that differ have a box each');
  assert.match(borders[0] ?? '', /<w:top w:val="single" w:sz="8" w:space="\d+" w:color="FF0000"\/>/i);
  assert.doesNotMatch(xml, /<wps:wsp>/);
  // As far below what stands above it as before.
  const places = pdftotext(printed(bytes, 'docx'), '-bbox');
  const topOf = (word: string): number =>
    Number(new RegExp(`yMin="([\\d.]+)"[^>]*>${word}</word>`).exec(places)?.[1]);
  assert.ok(Math.abs(topOf('What') - (842 - 648)) < 4, `${topOf('What')}`);
  assert.ok(Math.abs(topOf('Another') - (842 - 614)) < 4, `${topOf('Another')}`);
});

test('boxes that hold something else are drawn as they were', async () => {
  const cut = '1 w 72 596 400 60 re S 200 596 m 200 656 l S';
  const { xml } = await documentXml([[...prose(760), ...prose(560)]], cut);
  assert.doesNotMatch(xml, /<w:pBdr>/);
  const half = '1 w 72 560 400 90 re S';
  const { xml: other } = await documentXml([[...prose(760), ...prose(640, 12)]], half);
  assert.doesNotMatch(other, /<w:pBdr>/);
});
