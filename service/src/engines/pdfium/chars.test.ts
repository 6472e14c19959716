import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, test } from 'node:test';
import { fixture, inMemory, onePagePdf, quiet } from '../../../testing/documents/small-pdf.ts';
import { NO_LOOK } from './chars.ts';
import { createPdfium } from './pdfium.ts';

const pdfium = await createPdfium({ passwords: [], log: quiet });
after(() => pdfium.close());

test('characters stand where poppler sees their words', () => {
  const file = fixture('text-two-pages.pdf');
  using document = pdfium.open(file);
  const { stdout } = spawnSync('pdftotext', ['-bbox', '-l', '1', file.content.path, '-'], {
    encoding: 'utf8',
  });
  const height = document.pageSize(0).height;
  const words = [
    ...stdout.matchAll(/xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">([^<]*)</g),
  ];
  assert.ok(words.length > 50);
  const chars = document.pageChars(0);
  const at = (x: number, y: number): string => {
    for (let i = 0; i < chars.count; i += 1) {
      const [left = 0, bottom = 0, right = 0, top = 0] = chars.boxes.subarray(i * 4, i * 4 + 4);
      if (x >= left && x <= right && y >= bottom - 3 && y <= top + 3)
        return String.fromCodePoint(chars.codes[i] ?? 0);
    }
    return '';
  };
  let right = 0;
  for (const [, x0, y0, x1, y1, word = ''] of words) {
    const middle = height - (Number(y0) + Number(y1)) / 2;
    const found = at(Number(x0) + (Number(x1) - Number(x0)) / word.length / 2, middle);
    if (word.startsWith(found) && found !== '') right += 1;
  }
  assert.ok(right > words.length * 0.9, `${right} of ${words.length}`);
});

test('fonts, sizes and colours are those of the page', () => {
  const content =
    'BT /F 12 Tf 10 80 Td 1 0 0 rg (ab) Tj ET q 2 0 0 2 0 0 cm BT /F 10 Tf 3 Tr 5 10 Td (c) Tj ET Q';
  using document = pdfium.open(inMemory('x.pdf', onePagePdf(content)));
  const chars = document.pageChars(0);
  const lookOf = (character: string) => {
    const index = chars.codes.indexOf(character.charCodeAt(0));
    return chars.looks[chars.lookOf[index] ?? NO_LOOK];
  };
  assert.equal(lookOf('a'), lookOf('b'), 'one look for one text object');
  assert.deepEqual(
    [lookOf('a')?.size, lookOf('a')?.fill, lookOf('a')?.invisible],
    [12, [255, 0, 0, 255], false],
  );
  assert.deepEqual([lookOf('c')?.size, lookOf('c')?.invisible], [20, true]);
  assert.match(lookOf('a')?.font ?? '', /Helvetica/);
});

test('a page without text has no characters', () => {
  using document = pdfium.open(inMemory('x.pdf', onePagePdf('0 0 9 9 re f')));
  assert.equal(document.pageChars(0).count, 0);
});
