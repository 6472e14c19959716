import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CffFont } from './cff.ts';
import { readCffDict, readCharset, readFdSelect, readIndex } from './cff-structures.ts';
import { writeCff } from './cff-writer.ts';
import { type2Number } from './type2-numbers.ts';

/** Numbers of charstrings are counted in parts of 65536. */
const charstring = (...words: (number | 'op')[]): Buffer => {
  const bytes: number[] = [];
  let isOperator = false;
  for (const word of words) {
    if (word === 'op') isOperator = true;
    else {
      bytes.push(...(isOperator ? [word] : type2Number(word * 65536)));
      isOperator = false;
    }
  }
  return Buffer.from(bytes);
};
const [MOVE, HSTEM, END, LINE] = [21, 1, 14, 6];

const NAMED = writeCff({
  name: 'Made',
  matrix: [0.0005, 0, 0, 0.0005, 0, 0],
  box: [0, -200, 1000, 800],
  private: new Map([
    [20, [1000]],
    [21, [1200]],
  ]),
  hasStandardEncoding: false,
  glyphs: [
    { name: '.notdef', codes: [], outline: charstring('op', END) },
    { name: 'A', codes: [65, 66], outline: charstring(200, 10, 20, 'op', MOVE, 5, 'op', LINE, 'op', END) },
    { name: 'odd.one', codes: [67], outline: charstring(-100, 0, 50, 'op', HSTEM, 'op', END) },
    { name: 'space', codes: [], outline: charstring(800.5, 'op', END) },
  ],
});

test('names, codes and widths of a font whose glyphs have names', () => {
  const font = new CffFont(NAMED);
  assert.equal(font.isCid, false);
  assert.deepEqual(font.names, ['.notdef', 'A', 'odd.one', 'space']);
  assert.equal(font.glyphNamed('odd.one'), 2);
  assert.equal(font.glyphNamed('B'), undefined);
  // The second code of a glyph is told by its name.
  assert.deepEqual(
    [65, 66, 67, 68].map((code) => font.glyphOfCode(code)),
    [1, 1, 2, undefined],
  );
  // The default width, or the nominal one and what the charstring says, in half units.
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((glyph) => font.width(glyph)),
    [500, 700, 550, 1000.25, undefined],
  );
});

test('codes of StandardEncoding where the font has none of its own', () => {
  const made = writeCff({
    name: 'Made',
    matrix: undefined,
    box: [0, 0, 0, 0],
    private: new Map(),
    hasStandardEncoding: true,
    glyphs: [
      { name: '.notdef', codes: [], outline: charstring('op', END) },
      { name: 'quoteright', codes: [], outline: charstring(5, 'op', END) },
    ],
  });
  const font = new CffFont(made);
  assert.deepEqual(
    [39, 40].map((code) => font.glyphOfCode(code)),
    [1, undefined],
  );
  assert.equal(font.width(1), 5);
});

const word = (value: number): number[] => [value >> 8, value & 0xff];
const index = (...entries: readonly (readonly number[])[]): number[] => {
  if (entries.length === 0) return [0, 0];
  const ends = [1];
  for (const { length } of entries) ends.push((ends.at(-1) ?? 1) + length);
  return [...word(entries.length), 1, ...ends, ...entries.flat()];
};
const long = (value: number): number[] => [29, 0, 0, ...word(value)];

/** Two fonts of an FDArray, each with a default width and a subroutine of its own. */
function cidFont(fdSelect: readonly number[]): Buffer {
  const head = [1, 0, 4, 1, ...index([77])];
  const call = [type2Number(-107 * 65536), [10]].flat();
  const charstrings = index([END], call, call, [END]);
  const privates = [100, 107].map((width) => {
    const subrs = index([...type2Number(width * 65536), END]);
    return [width + 139, 20, 139, 21, 139 + 6, 19, ...subrs];
  });
  const make = (start: number): Record<'top' | 'rest', number[]> => {
    const charset = [0, ...word(7), ...word(20), ...word(300)];
    const at = { charset: start, select: start + charset.length, charstrings: 0, privates: [0, 0], fonts: 0 };
    at.charstrings = at.select + fdSelect.length;
    at.privates = [at.charstrings + charstrings.length];
    at.privates.push((at.privates[0] ?? 0) + (privates[0]?.length ?? 0));
    at.fonts = (at.privates[1] ?? 0) + (privates[1]?.length ?? 0);
    const fonts = index(...at.privates.map((offset) => [139 + 6, ...long(offset), 18]));
    const top = [139, 139, 139, 12, 30, ...long(at.charset), 15, ...long(at.charstrings), 17];
    return {
      top: [...top, ...long(at.fonts), 12, 36, ...long(at.select), 12, 37],
      rest: [...charset, ...fdSelect, ...charstrings, ...privates.flat(), ...fonts],
    };
  };
  const before = (top: number[]): number[] => [...head, ...index(top), ...index(), ...index()];
  const start = before(make(0).top).length;
  const { top, rest } = make(start);
  return Buffer.from([...before(top), ...rest]);
}

for (const [format, fdSelect] of [
  ['0', [0, 0, 0, 1, 1]],
  ['3', [3, ...word(2), ...word(0), 0, ...word(2), 1, ...word(4)]],
] as const) {
  test(`a font with CIDs takes widths and subroutines from its FDArray, by FDSelect of format ${format}`, () => {
    const font = new CffFont(cidFont(fdSelect));
    assert.equal(font.isCid, true);
    assert.equal(font.names, undefined);
    assert.deepEqual(
      [...font.byCid],
      [
        [0, 0],
        [7, 1],
        [20, 2],
        [300, 3],
      ],
    );
    assert.deepEqual(
      [0, 1, 2, 3].map((glyph) => font.width(glyph)),
      [100, 100, 107, 107],
    );
    const select = readFdSelect(Buffer.from(fdSelect), 0);
    assert.deepEqual([0, 1, 2, 3].map(select), [0, 0, 1, 1]);
  });
}

test('numbers of dictionaries', () => {
  const bytes = [28, 0xff, 0x00, 29, 0, 1, 0, 0, 30, 0xe2, 0xa2, 0x5c, 0x3f, 247, 0, 251, 0, 239, 5];
  assert.deepEqual(readCffDict(Buffer.from(bytes)).get(5), [-256, 65536, -0.00225, 108, -108, 100]);
});

test('charsets of ranges', () => {
  assert.deepEqual([...readCharset(Buffer.from([1, 0, 10, 1, 0, 99, 0]), 0, 4)], [0, 10, 11, 99]);
  assert.deepEqual([...readCharset(Buffer.from([2, 0, 10, 0, 2]), 0, 4)], [0, 10, 11, 12]);
  assert.throws(() => readCharset(Buffer.from([9, 0, 0]), 0, 2), RangeError);
});

test('what lies outside of the font is damage', () => {
  for (let length = 0; length < NAMED.length; length += 1)
    assert.throws(() => new CffFont(NAMED.subarray(0, length)), RangeError, String(length));
  assert.throws(() => readIndex(Buffer.from([0, 1, 1, 9, 1]), 0), RangeError);
});
