// Recognised words as text that is not seen, word by word where the picture shows them: it can be selected, searched
// and copied, in the order it is read.
import { addForm } from '../content/drawable.ts';
import type { PdfDocument } from '../document.ts';
import { Dict, type Ref } from '../objects.ts';
import {
  areSpaced,
  linesOf,
  type PixelBox,
  type RecognisedLine,
  type RecognisedPage,
  type RecognisedWord,
} from './recognised.ts';
import { UNSEEN_WIDTH, type UnseenFont } from './unseen-font.ts';
import { visualText } from './visual-text.ts';

/**
 * "construction of the invisible text layer": `hocr` makes each word exactly as wide as it is in the picture,
 * `sandwich` each line one run of equal characters, its words beginning where they do in the picture.
 */
export type LayerKind = 'hocr' | 'sandwich';

export function charactersOf(page: RecognisedPage): Set<string> {
  const found = new Set(' ');
  for (const { words } of linesOf(page))
    for (const { text } of words) for (const character of text) found.add(character);
  return found;
}

/** A form as large as the picture, a unit for each pixel, lower-left corner at the origin. */
export function addTextLayer(doc: PdfDocument, page: RecognisedPage, font: UnseenFont, kind: LayerKind): Ref {
  const lines = linesOf(page).map((line) => lineOperators(line, page, font, kind));
  const operators = `BT\n3 Tr\n${lines.join('\n')}\nET`;
  return addForm(doc, [0, 0, page.width, page.height], operators, { Font: Dict.of({ F: font.ref }) });
}

/** A word in the frame of its line: along the line, and what is drawn there. */
interface Run {
  start: number;
  end: number;
  text: string;
  /** Whether a blank follows. */
  spaced: boolean;
}

function lineOperators(
  line: RecognisedLine,
  page: RecognisedPage,
  font: UnseenFont,
  kind: LayerKind,
): string {
  const { slope, rise } = line.baseline;
  const frame = inFrame(line.box, line, page);
  const size = Math.max(1, round(line.size, 10));
  const length = Math.hypot(1, slope);
  const runs = runsOf(line, page, frame.left, length, size);
  const [first] = runs;
  if (!first) return '';
  const along = frame.left + first.start / length;
  const down = frame.bottom - rise + (slope * first.start) / length;
  const { x, y } = fromFrame(along, down, line, page);
  const angle = (line.turn * Math.PI) / 180 - Math.atan(slope);
  const [cos, sin] = [round(Math.cos(angle), 1e5), round(Math.sin(angle), 1e5)];
  const place = [cos, sin, -sin || 0, cos, round(x, 10), round(y, 10)].join(' ');
  const head = `/F ${size} Tf ${place} Tm`;
  return `${head}\n${kind === 'hocr' ? separateWords(runs, size, font) : oneRun(runs, size, font)}`;
}

/** Words from left to right as they are seen, measured along the baseline from the left end of the line. */
function runsOf(
  line: RecognisedLine,
  page: RecognisedPage,
  left: number,
  length: number,
  size: number,
): Run[] {
  const seen = line.words.map((word) => ({ word, box: inFrame(word.box, line, page) }));
  if (line.rightToLeft) seen.sort((a, b) => a.box.left - b.box.left);
  return seen.map(({ word, box }, index): Run => {
    const next = seen[index + 1];
    const start = (box.left - left) * length;
    const end = Math.max(start + 1, (box.right - left) * length);
    const spaced = next !== undefined && areSpaced(...inOrder(word, next.word, line));
    // A gap would be read as a blank where none belongs.
    const nextStart = next && !spaced ? (next.box.left - left) * length : end;
    const reaches = nextStart > end && nextStart - end < size ? nextStart : end;
    return { start, end: reaches, text: visualText(word.text, line.rightToLeft), spaced };
  });
}

const inOrder = (
  left: RecognisedWord,
  right: RecognisedWord,
  line: RecognisedLine,
): [before: string, after: string] => (line.rightToLeft ? [right.text, left.text] : [left.text, right.text]);

function separateWords(runs: readonly Run[], size: number, font: UnseenFont): string {
  let before = runs[0]?.start ?? 0;
  const moveTo = (at: number): string => {
    const moved = round(at - before, 10);
    before += moved;
    return moved === 0 ? '' : `${moved} 0 Td `;
  };
  return runs
    .map(({ start, end, text, spaced }, index) => {
      const word = `${moveTo(start)}${stretched(text, end - start, size, font)}`;
      const next = runs[index + 1];
      if (!spaced || !next) return word;
      const gap = Math.max(next.start - end, size * LEAST_GAP);
      return `${word} ${moveTo(end)}${stretched(' ', gap, size, font)}`;
    })
    .join('\n');
}

/** In ems. Words may touch or overlap in their boxes. */
const LEAST_GAP = 0.05;

function stretched(text: string, width: number, size: number, font: UnseenFont): string {
  const percent = (100 * width) / (characterCount(text) * UNSEEN_WIDTH * size);
  return `${round(percent, 10)} Tz <${font.codes(text)}> Tj`;
}

function oneRun(runs: readonly Run[], size: number, font: UnseenFont): string {
  const widths = runs.map(({ start, end, text }) => (end - start) / characterCount(text));
  // No character is wider than in the tightest word: words never run into each other.
  const width = Math.min(...widths);
  const scale = width / (UNSEEN_WIDTH * size);
  let at = runs[0]?.start ?? 0;
  const parts = runs.map(({ start, text, spaced }) => {
    // Of a thousandth of an em, to the left; scaled as characters are.
    const back = Math.round((1000 * (at - start)) / (scale * size));
    const word = text + (spaced ? ' ' : '');
    at = start + characterCount(word) * width;
    return `${back === 0 ? '' : `${back} `}<${font.codes(word)}>`;
  });
  return `${round(100 * scale, 10)} Tz [${parts.join(' ')}] TJ`;
}

const characterCount = (text: string): number => Math.max(1, [...text].length);

const round = (value: number, parts: number): number => Math.round(value * parts) / parts;

/** A box as it stands for the reader of a line: along it, and down from above it. */
function inFrame(
  { left, top, right, bottom }: PixelBox,
  { turn }: RecognisedLine,
  { width, height }: RecognisedPage,
): PixelBox {
  if (turn === 90) return { left: height - bottom, top: left, right: height - top, bottom: right };
  if (turn === 180)
    return { left: width - right, top: height - bottom, right: width - left, bottom: height - top };
  if (turn === 270) return { left: top, top: width - right, right: bottom, bottom: width - left };
  return { left, top, right, bottom };
}

/** A point of that frame in the form, whose rows count from the bottom. */
function fromFrame(
  along: number,
  down: number,
  { turn }: RecognisedLine,
  { width, height }: RecognisedPage,
): { x: number; y: number } {
  if (turn === 90) return { x: down, y: along };
  if (turn === 180) return { x: width - along, y: down };
  if (turn === 270) return { x: width - down, y: height - along };
  return { x: along, y: height - down };
}
