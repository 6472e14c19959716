// What Tesseract writes of a page in hOCR: HTML whose titles hold the places. Its shape is known, so that no parser of
// all HTML is needed; what does not fit is passed over.
import { lookup } from '../../contract/lookup.ts';
import type { PixelBox } from '../../pdf/geometry/boxes.ts';
import type { RecognisedLine, RecognisedPage, RecognisedWord, Turn } from '../../pdf/ocr/recognised.ts';

const ELEMENT = /<(?:div|p|span) class=['"](\w+)['"]([^>]*)>/g;
const LINES = new Set(['ocr_line', 'ocr_header', 'ocr_caption', 'ocr_textfloat']);
const MAX_WORDS = 100_000;
const MAX_SIDE = 1_000_000;

export function parseHocr(hocr: string): RecognisedPage | undefined {
  let page: RecognisedPage | undefined;
  let line: RecognisedLine | undefined;
  let words = 0;
  for (const match of hocr.matchAll(ELEMENT)) {
    const [tag, kind = '', attributes = ''] = match;
    const box = boxOf(attributes);
    if (!box) continue;
    if (kind === 'ocr_page' && !page) page = { width: box.right, height: box.bottom, paragraphs: [] };
    else if (kind === 'ocr_par') page?.paragraphs.push([]);
    else if (LINES.has(kind)) {
      line = lineOf(attributes, box);
      page?.paragraphs.at(-1)?.push(line);
    } else if (kind === 'ocrx_word' && line && words < MAX_WORDS) {
      words += addWord(line, attributes, box, hocr, match.index + tag.length);
    }
  }
  if (!page || page.width <= 0 || page.height <= 0) return undefined;
  const paragraphs = page.paragraphs.map((lines) => lines.filter(({ words }) => words.length > 0));
  return { ...page, paragraphs: paragraphs.filter((lines) => lines.length > 0) };
}

function addWord(
  line: RecognisedLine,
  attributes: string,
  box: PixelBox,
  hocr: string,
  from: number,
): number {
  const end = hocr.indexOf('</span>', from);
  const text = plain(hocr.slice(from, end === -1 ? from : end));
  if (text === '' || box.right <= box.left || box.bottom <= box.top) return 0;
  const word: RecognisedWord = { text, box, confidence: numberAfter(attributes, 'x_wconf') ?? 0 };
  if (/\bdir=['"]rtl['"]/.test(attributes)) line.rightToLeft = true;
  line.words.push(word);
  return 1;
}

function lineOf(attributes: string, box: PixelBox): RecognisedLine {
  const [, slope, offset] = /\bbaseline (-?[\d.]+) (-?[\d.]+)/.exec(attributes) ?? [];
  const turn = turnOf(numberAfter(attributes, 'textangle') ?? 0);
  const lies = turn === 90 || turn === 270;
  const height = lies ? box.right - box.left : box.bottom - box.top;
  const size = numberAfter(attributes, 'x_size') ?? height;
  const steep = Number(slope ?? 0);
  return {
    box,
    turn,
    baseline: {
      slope: Math.abs(steep) <= 1 ? steep : 0,
      // Lines that lie have no baseline told: their descenders say where it would be.
      rise: offset === undefined ? (numberAfter(attributes, 'x_descenders') ?? 0) : -Number(offset),
    },
    size: size > 0 && size <= 4 * Math.max(1, height) ? size : Math.max(1, height),
    rightToLeft: false,
    words: [],
  };
}

const turnOf = (angle: number): Turn => ((((Math.round(angle / 90) * 90) % 360) + 360) % 360) as Turn;

function boxOf(attributes: string): PixelBox | undefined {
  const match = /\bbbox (-?\d+) (-?\d+) (-?\d+) (-?\d+)/.exec(attributes);
  if (!match) return undefined;
  const [left = 0, top = 0, right = 0, bottom = 0] = match.slice(1).map(Number);
  return [left, top, right, bottom].every((value) => Math.abs(value) <= MAX_SIDE)
    ? { left, top, right, bottom }
    : undefined;
}

function numberAfter(attributes: string, word: string): number | undefined {
  const match = new RegExp(`\\b${word} (-?[\\d.]+)`).exec(attributes);
  const value = match ? Number(match[1]) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

const ENTITIES: Readonly<Record<string, string>> = lookup({
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
});

/** Without the tags of bold and slanted words; characters that name nothing go. */
function plain(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, word) => {
      if (word) return ENTITIES[word] ?? whole;
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : '';
    })
    .replace(/[\p{Cc}\p{Cs}\s\ufffe\uffff]+/gu, ' ')
    .trim();
}
