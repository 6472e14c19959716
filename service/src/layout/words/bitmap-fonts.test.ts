// Fonts of bitmaps, as TeX made them: their sizes say nothing, and they have no names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { made, runHere } from '../../../testing/calls/run-here.ts';
import { pdfOf, streamOf } from '../../../testing/documents/written-pdf.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** Of a letter at 600 dots an inch, for text of so many points. */
const widthOf = (index: number, points: number): number => Math.round((38 + (index % 7) * 4) * (points / 10));

/** A Type 3 font whose letters are boxes, measured in dots. */
function bitmapFont(points: number, procedures: string): string {
  const names = [...LETTERS].map((letter) => `/${letter}`).join(' ');
  const widths = [...LETTERS].map((_, i) => widthOf(i, points)).join(' ');
  return (
    `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 0 0] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 122 ` +
    `/Widths [${widths}] /Encoding << /Type /Encoding /Differences [97 ${names}] >> /Resources << >> /CharProcs << ${procedures} >> >>`
  );
}

/** Words with kerns and with gaps between them, each drawn in one go. */
function lineOf(font: string, y: number, points: number, words: readonly string[]): string {
  const gap = -Math.round(28 * (points / 10));
  return `BT /${font} 0.12 Tf 72 ${y} Td [${words.map((word) => `(${word.slice(0, 2)}) -4 (${word.slice(2)})`).join(` ${gap * 1000} `)}] TJ ET`;
}

test('words of bitmap fonts are whole, no code, and larger ones are headings', async () => {
  const procedure = (points: number, index: number): string => {
    const [width, height] = [widthOf(index, points), Math.round(46 * (points / 10))];
    return streamOf(`${width} 0 0 0 ${width - 4} ${height} d1 2 0 ${width - 6} ${height} re f`);
  };
  const glyphs = (from: number): string =>
    [...LETTERS].map((letter, i) => `/${letter} ${from + i} 0 R`).join(' ');
  const words = ['plain', 'words', 'that', 'are', 'read', 'from', 'dots', 'and', 'nothing', 'more'];
  const content = [
    lineOf('B', 760, 17, ['larger', 'words']),
    ...Array.from({ length: 9 }, (_, i) => lineOf('A', 730 - i * 13, 10, words)),
  ].join('\n');
  const bytes = pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /A 5 0 R /B 6 0 R >> >> /Contents 4 0 R >>',
    streamOf(content),
    bitmapFont(10, glyphs(7)),
    bitmapFont(17, glyphs(33)),
    ...[...LETTERS].map((_, i) => procedure(10, i)),
    ...[...LETTERS].map((_, i) => procedure(17, i)),
  ]);
  const call = { files: { fileInput: { name: 'a.pdf', bytes } } };
  const text = made(await runHere('convert/pdf/markdown', call)).toString();
  assert.match(text, /^# larger words$/m);
  assert.match(text, /^plain words that are read from dots and nothing more plain/m);
  assert.doesNotMatch(text, /`/);
});
