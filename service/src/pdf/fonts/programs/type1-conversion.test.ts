// Fonts made here, by the book, drawn by FreeType from either kind of program.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MadeType1, type1Font } from '../../../../testing/documents/type1-font.ts';
import { onePage, streamOf } from '../../../../testing/documents/written-pdf.ts';
import { askProgramBytes, missing } from '../../../../testing/oracles/programs.ts';
import { unlessDamaged } from './damage.ts';
import { readFontProgram } from './font-program.ts';
import type { SubsetProgram } from './subset.ts';

const skip = missing('pdftoppm');

function cut(font: Buffer): SubsetProgram | undefined {
  const program = readFontProgram(font);
  const glyphs = new Set(Array.from({ length: 20 }, (_, glyph) => glyph));
  return unlessDamaged(() => program?.select(glyphs)?.cut({ tight: true }));
}

/** A page that shows `text` in the font, large enough for every point to count. */
const page = (program: Uint8Array, key: 'FontFile' | 'FontFile3', text: string): Buffer =>
  onePage({
    content: `BT /F 150 Tf 20 60 Td (${text}) Tj ET`,
    page: '/CropBox [0 0 500 220] /Resources << /Font << /F 5 0 R >> >>',
    more: [
      `<< /Type /Font /Subtype /Type1 /BaseFont /Made /FirstChar 65 /LastChar 67 /Widths [700 700 700]
/FontDescriptor 6 0 R >>`,
      `<< /Type /FontDescriptor /FontName /Made /Flags 4 /FontBBox [0 -200 1000 800] /${key} 7 0 R >>`,
      streamOf(Buffer.from(program).toString('latin1'), key === 'FontFile3' ? '/Subtype /Type1C' : ''),
    ],
  });

const picture = (bytes: Buffer): Buffer =>
  askProgramBytes('pdftoppm', ['-gray', '-cropbox', '-r', '150', '{}'], bytes);

const BOX = '300 hlineto 400 vlineto -300 hlineto closepath';
const BLANK = '0 250 hsbw endchar';

const FONTS: [name: string, made: MadeType1, text?: string][] = [
  ['lines', { glyphs: { A: `50 700 hsbw 0 60 hstem 50 80 vstem 10 20 rmoveto ${BOX} endchar` } }],
  [
    'curves of every direction',
    {
      glyphs: {
        A: `50 700 hsbw 100 hmoveto 100 50 50 100 hvcurveto 100 -50 50 -100 vhcurveto -80 10 -20 30 10 40 rrcurveto
-30 0 -20 20 -10 0 rrcurveto -10 5 -20 -5 -30 0 rrcurveto 0 -40 10 -20 5 -30 rrcurveto closepath
200 300 rmoveto 30 40 rlineto 50 -10 rlineto 20 30 40 50 60 -70 rrcurveto -30 -20 rlineto closepath endchar`,
      },
    },
  ],
  [
    'numbers that are divided',
    { glyphs: { A: `50 1401 2 div hsbw 31 3 div 20 7 div rmoveto ${BOX} endchar` } },
  ],
  [
    'a flex',
    {
      glyphs: {
        A: `50 700 hsbw 0 100 rmoveto 1 callsubr 200 8 rmoveto 2 callsubr -150 -8 rmoveto 2 callsubr
50 8 rmoveto 2 callsubr 100 0 rmoveto 2 callsubr 100 0 rmoveto 2 callsubr 50 -8 rmoveto 2 callsubr
50 0 rmoveto 2 callsubr 50 450 100 0 callsubr 300 vlineto -400 hlineto closepath endchar`,
      },
    },
  ],
  [
    'stems that are exchanged for others',
    {
      glyphs: {
        A: `50 700 hsbw 0 60 hstem 10 20 rmoveto ${BOX} 5 4 callsubr 50 50 rmoveto 200 hlineto 6 4 callsubr
100 vlineto -200 hlineto closepath endchar`,
      },
      subrs: ['30 60 hstem 40 70 vstem return', '0 20 100 20 200 20 vstem3 return'],
    },
  ],
  [
    'a letter and its accent',
    {
      glyphs: {
        '.notdef': BLANK,
        A: `50 700 hsbw 0 60 hstem ${BOX.replace('300', '0 hmoveto 300')} endchar`,
        acute: `80 300 hsbw 450 30 hstem 450 vmoveto 90 hlineto 120 vlineto closepath endchar`,
        B: '70 700 hsbw 30 200 110 65 194 seac',
      },
    },
    'BA',
  ],
  [
    'a matrix and codes of its own',
    {
      matrix: '.0005 0 .0001 0.0005 0 0',
      encoding:
        '256 array\n0 1 255 {1 index exch /.notdef put} for\ndup 65 /odd put\ndup 8#102 /odd put\ndup 67 /B put\n',
      glyphs: {
        '.notdef': BLANK,
        odd: `50 1400 hsbw dotsection 0 hmoveto ${BOX} dotsection endchar`,
        B: `0 0 1000 0 sbw 200 200 rmoveto ${BOX} endchar`,
      },
    },
    'ABC',
  ],
  [
    'outlines in subroutines',
    {
      glyphs: { A: `5 callsubr 6 callsubr` },
      subrs: ['50 700 hsbw 0 hmoveto return', `7 callsubr endchar`, `${BOX} return`],
    },
  ],
];

for (const [name, made, text = 'A'] of FONTS) {
  test(`as a CFF font it looks the same: ${name}`, { skip }, () => {
    const font = type1Font(made);
    const converted = cut(font);
    assert.equal(converted?.kind, 'Type1C');
    const before = picture(page(font, 'FontFile', text));
    const dark = before.subarray(64).filter((grey) => grey < 64).length;
    assert.ok(dark > 3000, 'something is drawn');
    assert.ok(before.equals(picture(page(converted.bytes, 'FontFile3', text))));
  });
}

const drawn = (program: string, rest: Partial<MadeType1> = {}): MadeType1 => ({
  glyphs: { '.notdef': BLANK, A: program },
  ...rest,
});
const BEGIN = '0 500 hsbw 0 hmoveto';

const NOT_UNDERSTOOD: [name: string, made: MadeType1][] = [
  ['subroutines that call themselves', drawn(`${BEGIN} 5 callsubr`, { subrs: ['5 callsubr return'] })],
  [
    'subroutines that call each other time and again',
    drawn(`${BEGIN} 5 callsubr endchar`, {
      subrs: [6, 7, 8, 9, 10, 11, 12]
        .map((next) => `${next} callsubr `.repeat(9).concat('return'))
        .concat(['return']),
    }),
  ],
  ['numbers without end', drawn(`${BEGIN} ${'1 '.repeat(5000)}rlineto endchar`)],
  ['numbers that are missing', drawn(`${BEGIN} 1 rlineto endchar`)],
  ['numbers too many', drawn(`${BEGIN} 1 2 3 rlineto endchar`)],
  ['a number too large', drawn(`${BEGIN} 100000 hlineto endchar`)],
  ['a division by nothing', drawn(`${BEGIN} 1 0 div hlineto endchar`)],
  ['no end', drawn(`${BEGIN} 5 hlineto closepath`)],
  ['no beginning', drawn('0 hmoveto 5 hlineto closepath endchar')],
  ['no place to draw from', drawn('0 500 hsbw 5 hlineto closepath endchar')],
  ['a subroutine that is not there', drawn(`${BEGIN} 99 callsubr endchar`)],
  ['a program that nobody knows', drawn(`${BEGIN} 1 1 14 callothersubr pop hlineto endchar`)],
  ['a flex of one curve', drawn(`${BEGIN} 1 callsubr 5 hmoveto 2 callsubr 50 5 5 0 callsubr endchar`)],
  ['a flex that does not end', drawn(`${BEGIN} 1 callsubr 5 hmoveto endchar`)],
  ['a point set anew', drawn(`${BEGIN} 5 hlineto 7 7 setcurrentpoint endchar`)],
  ['an accent upon itself', drawn('0 500 hsbw 0 0 0 65 65 seac')],
  [
    'stems beyond number',
    drawn(`0 500 hsbw ${range(97, (edge) => `${edge} 5 hstem`)} 0 hmoveto ${BOX} endchar`),
  ],
  ['stems exchanged without end', drawn(`${BEGIN} ${range(3000, () => '3 4 callsubr 5 hlineto')} endchar`)],
  ['text that runs downwards', drawn('0 0 500 500 sbw endchar')],
  ['a matrix of words', drawn(BLANK, { matrix: '1 2 3 4 5 six' })],
  ['an encoding by name', drawn(BLANK, { encoding: 'ISOLatin1Encoding' })],
  ['a list twice', drawn(BLANK, { secret: '/BlueValues [0 1] def' })],
  ['a list too long', drawn(BLANK, { secret: `/OtherBlues [${range(12, String)}] def` })],
  ['subroutines twice', drawn(BLANK, { secret: '/Subrs 1 array pop' })],
];

function range(count: number, text: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => text(index)).join(' ');
}

for (const [name, made] of NOT_UNDERSTOOD) {
  test(`a font stays as it is: ${name}`, () => {
    const result = cut(type1Font(made));
    assert.ok(result);
    assert.equal(result.kind, undefined);
  });
}

test('a font stays as it is: cut off anywhere', () => {
  const font = type1Font(FONTS[0]?.[1] ?? drawn(BLANK));
  for (let length = 0; length < font.length - 513; length += 1)
    assert.equal(cut(font.subarray(0, length))?.kind, undefined);
});

test('what is understood in a font is told from what is not', () => {
  assert.equal(cut(type1Font(drawn(`${BEGIN} ${BOX} endchar`)))?.kind, 'Type1C');
});
