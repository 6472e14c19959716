// TeX's fonts for text drawn as bitmaps: without a map, and with names that mean nothing, only widths tell the encoding.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { inMemory, onePagePdf, quiet, stream } from '../../../../testing/documents/small-pdf.ts';
import { createPdfium } from '../pdfium.ts';

const pdfium = await createPdfium({ passwords: [], log: quiet });
after(() => pdfium.close());

const N = 556;
const LETTERS: Record<number, number> = Object.fromEntries(
  [...'acdefintor'].map((letter) => [letter.charCodeAt(0), letter === 'n' || letter === 'd' ? N : 450]),
);

/** A page that shows codes of a font with these widths, in thousandths; names of its drawings are a1, a2 ... */
function drawn(codes: readonly number[], widths: Record<number, number>): Uint8Array {
  const used = Object.keys(widths).map(Number);
  const list = Array.from({ length: 128 }, (_, code) => widths[code] ?? 0).join(' ');
  const names = used.map((code) => `${code} /a${code}`).join(' ');
  const procs = used.map((code) => `/a${code} 7 0 R`).join(' ');
  const shown = Buffer.from(codes).toString('hex');
  return onePagePdf(`BT /T 12 Tf 20 50 Td <${shown}> Tj ET`, {
    resources: '/Font << /T 6 0 R >>',
    further: [
      `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 0
        /LastChar 127 /Widths [${list}] /Encoding << /Type /Encoding /Differences [${names}] >>
        /CharProcs << ${procs} >> >>`,
      stream('500 0 0 0 400 700 d1 0 0 400 700 re f'),
    ],
  });
}

function textOf(pdf: Uint8Array): string {
  using document = pdfium.open(inMemory('drawn.pdf', pdf));
  const { glyphs } = document.readPage(0, 'text');
  return String.fromCodePoint(...glyphs.codes.subarray(0, glyphs.count));
}

const spelt = (text: string, codes: Record<string, number>): number[] =>
  [...text].map((sign) => codes[sign] ?? sign.charCodeAt(0));

test('ligatures, dashes and quotes of the Cork encoding', () => {
  const codes = { F: 0x1b, I: 0x1c, E: 0x1e, '-': 0x15, '<': 0x10, '>': 0x11 };
  const widths = { ...LETTERS, 27: 583, 28: 556, 30: 833, 21: 500, 16: 500, 17: 500 };
  assert.equal(textOf(drawn(spelt('<diFerent-coeEcient>', codes), widths)), '“different–coefficient”');
});

test('those of the first encoding', () => {
  const codes = { F: 0x0b, I: 0x0c, E: 0x0e, '-': 0x7b, O: 0x1c };
  const widths = { ...LETTERS, 11: 583, 12: 556, 14: 833, 123: 500, 28: 500 };
  assert.equal(textOf(drawn(spelt('diFerent-coeEcient-IO', codes), widths)), 'different–coefficient–fiø');
});

test('a dash alone parts what it stands between', () => {
  assert.equal(textOf(drawn([0x6e, 0x15, 0x6e], { ...LETTERS, 21: 500 })), 'n–n');
});

test('drawings as wide as anything mean nothing', () => {
  const read = textOf(drawn([0x6e, 0x1c, 0x6e], { ...LETTERS, 28: 900 }));
  assert.doesNotMatch(read, /fi|ø/);
});

test('a typewriter font keeps its backslashes and braces', () => {
  const typed = [...'n\\{a|d}'].map((sign) => sign.charCodeAt(0));
  const widths = Object.fromEntries([0x0b, 0x0c, 0x0d, ...typed].map((code) => [code, 525]));
  assert.equal(textOf(drawn(typed, widths)), 'n\\{a|d}');
});
