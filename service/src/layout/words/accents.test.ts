import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Glyphs } from '../../contract/page-items.ts';
import { attachAccents } from './accents.ts';

/** Letters six points wide, each where it is said to be; accents are small and high, a cedilla low. */
function read(characters: [text: string, x: number][]): string {
  const count = characters.length;
  const high = '¨´`ˆ˜˚ˇ^~\u0301';
  const glyphs: Glyphs = {
    count,
    codes: Uint32Array.from(characters, ([text]) => text.codePointAt(0) ?? 0),
    origins: Float32Array.from(characters.flatMap(([, x]) => [x, 100])),
    ink: Float32Array.from(
      characters.flatMap(([text, x]) => {
        if (high.includes(text)) return [x + 1.5, 90, x + 4.5, 92];
        return text === '¸' ? [x + 2, 100, x + 4, 103] : [x + 0.5, 93, x + 5.5, 100];
      }),
    ),
    advances: new Float32Array(count).fill(6),
    sizes: new Float32Array(count).fill(10),
    turns: new Float32Array(count),
    lookOf: new Uint32Array(count),
    looks: [],
  };
  const marked = attachAccents({ glyphs, indices: Uint32Array.from(characters.keys()) });
  return String.fromCodePoint(...Array.from(marked.indices, (i) => marked.glyphs.codes[i] as number));
}

test('an accent over a letter, drawn before or after it, is the letter with its accent', () => {
  assert.equal(
    read([
      ['n', 0],
      ['a', 6],
      ['¨', 12],
      ['ı', 12],
      ['v', 18],
    ]),
    'naïv',
  );
  assert.equal(
    read([
      ['e', 0],
      ['´', 0.4],
    ]),
    'é',
  );
  assert.equal(
    read([
      ['¸', 0],
      ['c', 0],
      ['a', 6],
    ]),
    'ça',
  );
  assert.equal(
    read([
      ['ˆ', 0],
      ['e', 0],
      ['´', 1],
    ]),
    'ế',
  );
});

test('an accent beside a letter, or over one that cannot have it, stays a sign', () => {
  assert.equal(
    read([
      ['`', 0],
      ['a', 6],
    ]),
    '`a',
  );
  assert.equal(
    read([
      ['x', 0],
      ['^', 6],
      ['2', 12],
    ]),
    'x^2',
  );
  assert.equal(
    read([
      ['ˇ', 0],
      ['7', 0],
    ]),
    'ˇ7',
  );
});
