// A dropped letter is the first of its word, and in Word it is dropped again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { made, runHere } from '../../../testing/calls/run-here.ts';
import { markdown, type Written, writtenPages } from '../../../testing/documents/plain-text-pages.ts';
import { zipEntries } from '../../../testing/oracles/archives.ts';
import { noOffice, printed } from '../../../testing/oracles/office-documents.ts';
import { missing, pdftotext } from '../../../testing/oracles/programs.ts';

const LINE = 'words that go on over the whole line until the column has come to its end';

/** A letter of two or three lines, the lines beside it, and those below. */
function dropped(letter: string, first: string, lines: number, gap = 0): Written[] {
  const size = 10 + (lines - 1) * 17;
  const width = size * (letter.startsWith('"') ? 1.3 : 0.72);
  return [
    [72, 700 - (lines - 1) * 12, size, letter],
    ...Array.from({ length: 6 }, (_, i): Written => {
      const x = i < lines ? 72 + width + 2 : 72;
      if (i === 0) return [x + gap, 700, 10, `${first} ${LINE.slice(0, 50)}`];
      return [x, 700 - i * 12, 10, i < lines ? LINE.slice(0, 58) : LINE];
    }),
  ];
}

for (const lines of [2, 3]) {
  test(`a letter of ${lines} lines joins its word, and its paragraph stays whole`, async () => {
    const text = await markdown([dropped('T', 'he first', lines)]);
    assert.match(text, /^The first words that go on/m);
    assert.equal(text.trim().split('\n\n').length, 1, text);
  });
}

test('a word of one letter stays one, and a quotation mark comes along', async () => {
  assert.match(await markdown([dropped('A', 'dog says', 2, 2.8)]), /^A dog says words/m);
  assert.match(await markdown([dropped('"W', 'here is', 2)]), /^"Where is words/m);
});

test('plain text has the word whole', async () => {
  const call = {
    files: { fileInput: { name: 'a.pdf', bytes: writtenPages([dropped('T', 'he first', 3)]) } },
    params: { outputFormat: 'txt' },
  };
  assert.match(made(await runHere('convert/pdf/text', call)).toString(), /^The first words/m);
});

test('large letters of a drawing or of a list of letters are left alone', async () => {
  const letters = 'ABCDEFGH'.split('').map((letter, i): Written => [72 + i * 50, 600, 30, letter]);
  const text = await markdown([[...letters, [72, 700, 10, `${LINE} and`], [72, 688, 10, LINE]]]);
  assert.match(text, /A B C D E F G H/);
});

test('in Word the letter is a dropped cap, and is printed before its word', {
  skip: noOffice() || missing('pdftotext'),
}, async () => {
  const call = {
    files: { fileInput: { name: 'a.pdf', bytes: writtenPages([dropped('T', 'he first', 3)]) } },
  };
  const bytes = made(await runHere('convert/pdf/word', call));
  const body = (await zipEntries(bytes))
    .find(({ name }) => name === 'word/document.xml')
    ?.bytes.toString('utf8');
  assert.match(body ?? '', /<w:framePr w:dropCap="drop" w:lines="3" /);
  assert.match(body ?? '', />T<\/w:t>.*<w:t[^>]*>he first words/s);
  const places = pdftotext(printed(bytes, 'docx'), '-bbox');
  const placeOf = (word: string): number[] =>
    [...(new RegExp(`<word ([^>]*)>${word}</word>`).exec(places)?.[1] ?? '').matchAll(/"([\d.]+)"/g)].map(
      ([, number]) => Number(number),
    );
  const [[left = 0, top = 0, right = 0, bottom = 0], [next = 0, above = 0, , below = 0]] = [
    placeOf('T'),
    placeOf('he'),
  ] as [number[], number[]];
  assert.ok(left < right && right < next + 1 && next < right + 6, `${left} ${right} ${next}`);
  assert.ok(top < above + 6 && bottom > below + 12, `${top} ${bottom} beside ${above} ${below}`);
});
