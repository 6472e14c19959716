import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { onePage } from '../../../testing/documents/written-pdf.ts';
import { missing, pdftotext, qpdfCheck } from '../../../testing/oracles/programs.ts';
import { fileInMemory } from '../../contract/files.ts';
import { createLog } from '../../contract/log.ts';
import { createPdfium } from '../../engines/pdfium/pdfium.ts';
import { createQpdf } from '../../engines/qpdf/qpdf.ts';
import { plainText, type RecognisedLine, type RecognisedPage, type Turn } from './recognised.ts';
import { layTextOver } from './text-over-pages.ts';
import { visualText } from './visual-text.ts';

const skip = missing('pdftotext', 'qpdf');
const log = createLog('silent');
const WIDTH = 612;
const HEIGHT = 792;
const EM = 20;

interface Given {
  words: string[];
  rightToLeft?: boolean;
  turn?: Turn;
  slope?: number;
}

/** Words one after another, each as wide as its letters would be, as Tesseract tells their places. */
function line({ words, rightToLeft = false, turn = 0, slope = 0 }: Given, row: number): RecognisedLine {
  const down = 60 + row * 40;
  let along = rightToLeft ? 550 : 60;
  const placed = words.map((text) => {
    const width = [...text].length * EM * 0.55;
    const start = rightToLeft ? along - width : along;
    along += (rightToLeft ? -1 : 1) * (width + EM * 0.3);
    const top = down + slope * (start - 60);
    return { text, confidence: 90, box: turnedBox(start, top, start + width, top + EM, turn) };
  });
  const boxes = placed.map(({ box }) => box);
  const box = {
    left: Math.min(...boxes.map(({ left }) => left)),
    top: Math.min(...boxes.map(({ top }) => top)),
    right: Math.max(...boxes.map(({ right }) => right)),
    bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
  };
  return { box, turn, baseline: { slope, rise: 4 }, size: EM, rightToLeft, words: placed };
}

function turnedBox(left: number, top: number, right: number, bottom: number, turn: Turn) {
  if (turn === 90) return { left: top, top: HEIGHT - right, right: bottom, bottom: HEIGHT - left };
  if (turn === 180)
    return { left: WIDTH - right, top: HEIGHT - bottom, right: WIDTH - left, bottom: HEIGHT - top };
  if (turn === 270) return { left: WIDTH - bottom, top: left, right: WIDTH - top, bottom: right };
  return { left, top, right, bottom };
}

async function laid(page: RecognisedPage, kind: 'hocr' | 'sandwich'): Promise<Uint8Array> {
  const { engine, closeAll } = await createQpdf({ passwords: [], newFile: () => '' });
  try {
    const doc = engine.open(fileInMemory('page.pdf', onePage({})));
    layTextOver(doc, new Map([[0, { page, matrix: [1, 0, 0, 1, 0, 0] }]]), kind);
    const content = doc.save();
    return 'bytes' in content ? content.bytes : readFileSync(content.path);
  } finally {
    closeAll();
  }
}

const flat = (text: string): string =>
  text
    .replace(/[\u202a-\u202e]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

const cases: [name: string, lines: Given[]][] = [
  ['Latin', [{ words: ['Plain', 'words,', 'in', 'lines'] }, { words: ['and', 'more'] }]],
  ['words of one letter', [{ words: ['I', 'am', 'a', 'word', '1', '.'] }]],
  [
    'Hebrew',
    [
      { words: ['שלום', 'עולם', 'טוב'], rightToLeft: true },
      { words: ['עוד', 'שורה'], rightToLeft: true },
    ],
  ],
  ['Arabic with vowel signs', [{ words: ['كِتَاب', 'جديد'], rightToLeft: true }]],
  ['Chinese and Japanese', [{ words: ['日本', '語の', 'テキスト'] }, { words: ['中', '文'] }]],
  ['Korean', [{ words: ['한국어', '문장'] }]],
  ['characters beyond the first plane', [{ words: ['𠮷野家', '😀'] }]],
  ['a falling line', [{ words: ['A', 'considerably', 'long', 'line', 'falls'], slope: 0.03 }]],
  ['a steep line', [{ words: ['steep', 'up'], slope: -0.15 }]],
  ['from the bottom up', [{ words: ['Going', 'upwards'], turn: 90 }]],
  ['upside down', [{ words: ['Standing', 'on', 'head'], turn: 180 }]],
  ['from the top down', [{ words: ['Going', 'down'], turn: 270 }]],
];

for (const kind of ['hocr', 'sandwich'] as const) {
  for (const [name, lines] of cases) {
    test(`reads as it was recognised: ${name}, ${kind}`, { skip }, async () => {
      const page = { width: WIDTH, height: HEIGHT, paragraphs: [lines.map(line)] };
      const bytes = await laid(page, kind);
      qpdfCheck(bytes);
      const wanted = flat(plainText(page));
      assert.equal(flat(pdftotext(bytes)), wanted, 'pdftotext');
      const pdfium = await createPdfium({ passwords: [], log });
      try {
        assert.equal(
          flat(pdfium.open({ name: 'page.pdf', content: { bytes } }).pageText(0)),
          wanted,
          'PDFium',
        );
      } finally {
        pdfium.close();
      }
    });
  }
}

test('a hyphen at the end of a line stays a hyphen', { skip }, async () => {
  const page = {
    width: WIDTH,
    height: HEIGHT,
    paragraphs: [[line({ words: ['a', 'well-'] }, 0), line({ words: ['known', 'one'] }, 1)]],
  };
  assert.equal(flat(pdftotext(await laid(page, 'hocr'))), 'a well\u2010 known one');
});

test('words are in the order they are seen', () => {
  assert.equal(visualText('abc', false), 'abc');
  assert.equal(visualText('אבג', true), 'גבא');
  assert.equal(visualText('1,234', true), '1,234');
  assert.equal(visualText('א12', true), '12א');
});
