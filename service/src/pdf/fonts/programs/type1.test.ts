import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encryptType1, type1Font } from '../../../../testing/documents/type1-font.ts';
import { charstringNamed, nameOfCode, readType1, type Type1Font, type1Width } from './type1.ts';
import { Type1Program } from './type1-subset.ts';

const MADE = type1Font({
  matrix: '0.0005 0 0 0.0005 0 0',
  encoding: '256 array\n0 1 255 {1 index exch /.notdef put} for\ndup 65 /odd put\ndup 8#102 /A put\n',
  glyphs: {
    '.notdef': '0 500 hsbw endchar',
    A: '50 1400 hsbw 0 hmoveto 5 callsubr endchar',
    odd: '0 0 1401 2 div 0 sbw endchar',
    late: '6 callsubr endchar',
  },
  subrs: ['300 hlineto return', '50 700 hsbw return'],
});
const ENCRYPTED = MADE.indexOf('eexec') + 'eexec\n'.length;

const widthOf = (font: Type1Font | undefined, name: string): number | undefined => {
  const charstring = font && charstringNamed(font, name);
  return charstring && type1Width(font, charstring);
};

test('names, codes and widths of a font', () => {
  const font = readType1(MADE);
  assert.deepEqual(
    font?.charstrings.map(({ name }) => name),
    ['.notdef', 'A', 'odd', 'late'],
  );
  assert.deepEqual(
    ['.notdef', 'A', 'odd', 'late'].map((name) => widthOf(font, name)),
    // The last one leaves its width to a subroutine, which is not followed.
    [250, 700, 350.25, undefined],
  );
  assert.deepEqual(
    [65, 66, 67].map((code) => font && nameOfCode(font, code)),
    ['odd', 'A', undefined],
  );
  assert.deepEqual(font?.faults, []);
  assert.equal(font?.subrs.size, 7);
});

test('a font without codes of its own has those of StandardEncoding', () => {
  const font = readType1(type1Font({ glyphs: { A: '0 500 hsbw endchar' } }));
  assert.deepEqual(
    [65, 39].map((code) => font && nameOfCode(font, code)),
    ['A', 'quoteright'],
  );
});

const hex = Buffer.concat([
  MADE.subarray(0, ENCRYPTED),
  Buffer.from(MADE.subarray(ENCRYPTED).toString('hex').replace(/.{64}/g, '$&\n')),
]);
const segment = (kind: number, data: Buffer): Buffer => {
  const head = Buffer.from([0x80, kind, 0, 0, 0, 0]);
  head.writeUInt32LE(data.length, 2);
  return Buffer.concat([head, data]);
};
const segments = Buffer.concat([
  segment(1, MADE.subarray(0, ENCRYPTED)),
  segment(2, MADE.subarray(ENCRYPTED)),
  Buffer.from([0x80, 3]),
]);
const twice = type1Font({
  glyphs: { A: '0 500 hsbw endchar' },
  secret: '/CharStrings 1 dict dup begin end',
});

for (const [name, file, fault] of [
  ['in hexadecimal digits', hex, /hexadecimal/],
  ['in the segments of a PFB file', segments, /segments/],
  ['with two lists of charstrings', twice, /twice/],
  ['that does not end', MADE.subarray(0, MADE.length - 620), /does not end/],
] as const) {
  test(`a font ${name} is read, and is not written anew`, () => {
    const font = readType1(Buffer.from(file));
    assert.notEqual(widthOf(font, 'A'), undefined);
    assert.match(font?.faults.join() ?? '', fault);
    assert.equal(Type1Program.read(Buffer.from(file)), undefined);
  });
}

test('what is encrypted may begin with a byte that is a blank elsewhere', () => {
  // 0x0b, a vertical tab: of the four bytes before the font the first decides.
  const clear = MADE.subarray(0, ENCRYPTED);
  const plain = readType1(MADE)?.plain.subarray(4) ?? Buffer.of();
  const lead = Buffer.from([0x0b ^ (55665 >> 8), 1, 2, 3]);
  // The maker puts four bytes before what it encrypts: these take their place.
  let state = 55665;
  const cipher = Buffer.concat([lead, plain]).map((byte) => {
    const made = byte ^ (state >> 8);
    state = ((made + state) * 52845 + 22719) & 0xffff;
    return made;
  }) as Buffer;
  assert.equal(cipher[0], 0x0b);
  const font = readType1(Buffer.concat([clear, cipher, Buffer.from('0'.repeat(512))]));
  assert.equal(widthOf(font, 'A'), 700);
  assert.ok(Type1Program.read(Buffer.concat([clear, cipher, Buffer.from('0'.repeat(512))])));
});

test('charstrings that are not encrypted have a lenIV below 0', () => {
  const bare = type1Font({ glyphs: { A: '0 500 hsbw endchar' }, secret: '/lenIV -1 def' });
  // The maker encrypts all the same: what is read is no charstring, and no width.
  assert.equal(readType1(bare)?.lenIV, -1);
  assert.equal(widthOf(readType1(bare), 'A'), undefined);
  assert.equal(encryptType1(Buffer.of(1), 4330).length, 5);
});

test('a file that is no font, or ends early, is none', () => {
  assert.equal(readType1(Buffer.from('%!PS no font')), undefined);
  assert.equal(readType1(MADE.subarray(0, ENCRYPTED + 20)), undefined);
});
