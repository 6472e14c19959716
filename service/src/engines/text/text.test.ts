import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { draw, readable, SAMPLES, withoutFonts } from '../../../testing/documents/drawn-page.ts';
import { askProgram, missing, pdftotext, qpdfCheck } from '../../../testing/oracles/programs.ts';
import { createLog } from '../../contract/log.ts';
import { Problem } from '../../contract/problems.ts';
import type { LaidOutText } from '../../pdf/text/drawn-text-shapes.ts';
import { createPdfium } from '../pdfium/pdfium.ts';
import { probe, useFontFolder } from './font-folders.ts';
import { createText } from './text.ts';

const text = await createText();
const pdfium = await createPdfium({ passwords: [], log: createLog('silent') });
after(() => pdfium.close());
const folder = mkdtempSync(join(tmpdir(), 'bindery-text-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const noOracles = missing('pdftotext', 'pdffonts', 'qpdf');
const fontsOf = (laid: LaidOutText): string[] => [
  ...new Set(laid.lines.flatMap((line) => line.runs.map((run) => run.font.postScriptName))),
];

for (const sample of SAMPLES) {
  const skip = withoutFonts(sample.package) || noOracles;
  test(`${sample.name}: reads as it was asked for, in fonts that are embedded and subset`, {
    skip,
  }, async () => {
    const pdf = await draw([text.layout(sample.text, { size: 24 })]);
    assert.equal(readable(pdftotext(pdf)), readable(sample.text));
    using document = pdfium.open({ name: 'drawn.pdf', content: { bytes: pdf } });
    assert.equal(readable(document.pageText(0)), readable(sample.text));
    const fonts = askProgram('pdffonts', ['{}'], pdf).trim().split('\n').slice(2);
    assert(fonts.length > 0);
    for (const row of fonts)
      assert.match(row, /^[A-Z]{6}\+\S+ +CID (?:TrueType|Type 0C) +Identity-H +yes yes yes/);
    qpdfCheck(pdf);
    assert(pdf.length < 20_000, `${pdf.length} bytes`);
  });
}

test('a page of Latin adds less than 60 KB, a page of Chinese less than 150', {
  skip: withoutFonts('Noto CJK fonts'),
}, async () => {
  const alphabet = Array.from({ length: 0x17f - 0x20 }, (_, index) => String.fromCharCode(0x20 + index)).join(
    '',
  );
  const latin = await draw([text.layout(alphabet, { size: 12, maxWidth: 500 })]);
  assert(latin.length < 60_000, `${latin.length} bytes`);
  const characters = Array.from({ length: 300 }, (_, index) => String.fromCharCode(0x4e00 + 17 * index)).join(
    '',
  );
  const chinese = await draw([text.layout(characters, { size: 12, maxWidth: 500 })]);
  assert(chinese.length < 150_000, `${chinese.length} bytes`);
});

test('a thousand texts share one font', { skip: withoutFonts('Liberation fonts') }, async () => {
  const pages = Array.from({ length: 1000 }, (_, index) =>
    text.layout(`Page ${index + 1} of 1000`, { size: 12 }),
  );
  const pdf = await draw(pages);
  assert.equal(askProgram('pdffonts', ['{}'], pdf).trim().split('\n').length, 3);
});

test('the same text gives the same bytes', async () => {
  const make = () => draw([text.layout('Page 1 قال 你好 हि', { size: 12 })]);
  assert.deepEqual(await make(), await make());
});

test('the looks are those of Helvetica, Times and Courier', {
  skip: withoutFonts('Liberation fonts'),
}, () => {
  for (const [family, font] of [
    ['helvetica', 'LiberationSans'],
    ['times', 'LiberationSerif'],
    ['courier', 'LiberationMono'],
  ] as const) {
    assert.deepEqual(fontsOf(text.layout('Look', { size: 10, family })), [font]);
  }
});

test('the alphabet settles whose forms Chinese characters have; without it the text does', {
  skip: withoutFonts('Noto CJK fonts'),
}, () => {
  const drawnBy = (words: string, alphabet?: 'japanese' | 'korean' | 'chinese') =>
    fontsOf(text.layout(words, { size: 10, alphabet }));
  assert.deepEqual(drawnBy('骨', 'japanese'), ['NotoSansCJKjp-Regular']);
  assert.deepEqual(drawnBy('骨', 'korean'), ['NotoSansCJKkr-Regular']);
  assert.deepEqual(drawnBy('骨', 'chinese'), ['NotoSansCJKsc-Regular']);
  assert.deepEqual(drawnBy('骨'), ['NotoSansCJKsc-Regular']);
  assert.deepEqual(drawnBy('骨の'), ['NotoSansCJKjp-Regular']);
  assert.deepEqual(drawnBy('骨 가'), ['NotoSansCJKkr-Regular']);
});

test('characters that no font has are refused by name', () => {
  const refused = (words: string): string => {
    try {
      text.layout(words, { size: 10, field: 'stampText' });
    } catch (error) {
      assert(error instanceof Problem, String(error));
      assert.equal(error.reason, 'invalid_parameter');
      return error.detail;
    }
    throw new Error('not refused');
  };
  assert.equal(refused('a\u0378b'), 'stampText: no font of this server has U+0378.');
  const many = Array.from({ length: 30 }, (_, index) => String.fromCodePoint(0x10e000 + index)).join('');
  assert.match(refused(many), /U\+10E000, .*U\+10E009 and 20 more\.$/);
});

test('the operator\u2019s fonts come first, and what is no font does no harm', {
  skip: withoutFonts('DejaVu fonts'),
}, async () => {
  copyFileSync('/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf', join(folder, 'house.ttf'));
  writeFileSync(join(folder, 'broken.ttf'), 'no font at all');
  writeFileSync(join(folder, 'empty.otf'), '');
  useFontFolder(folder);
  after(() => useFontFolder(null));
  const own = await createText();
  assert.equal(probe().available, true);
  assert.deepEqual(fontsOf(own.layout('House', { size: 10, family: 'times' })), ['DejaVuSerif']);
  // Not where another look was asked for and the system has it.
  assert.notDeepEqual(fontsOf(own.layout('House', { size: 10, family: 'courier' })), ['DejaVuSerif']);
});
