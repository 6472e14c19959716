// Recognised words as text that is not seen, word by word where the image shows them: it can be selected, searched
// and copied, in the order it is read.
import { addForm } from '../content/drawable.ts';
import type { PdfDocument } from '../document.ts';
import type { PixelBox } from '../geometry/boxes.ts';
import type { Matrix } from '../geometry/matrix.ts';
import { Dict, type Ref } from '../objects.ts';
import { GLYPHLESS_WIDTH, type GlyphlessFont } from './glyphless-font.ts';
import {
  areSpaced,
  linesOf,
  type RecognisedLine,
  type RecognisedPage,
  type RecognisedWord,
} from './recognised.ts';
import { visualText } from './visual-text.ts';

/**
 * "construction of the invisible text layer": `hocr` makes each word exactly as wide as it is in the image,
 * `sandwich` sets each line evenly, its words beginning where they do in the image.
 */
export type LayerKind = 'hocr' | 'sandwich';

export function charactersOf(page: RecognisedPage): Set<string> {
  const found = new Set(' \u2010');
  for (const { words } of linesOf(page))
    for (const { text } of words) for (const character of text) found.add(character);
  return found;
}

/** A form as large as the image, a unit for each pixel, lower-left corner at the origin; `matrix` will place it. */
export function addTextLayer(
  doc: PdfDocument,
  page: RecognisedPage,
  font: GlyphlessFont,
  { kind, matrix }: { kind: LayerKind; matrix: Matrix },
): Ref {
  const lines = linesOf(page).map((line) =>
    standsOnHead(line, matrix) ? headlongOperators(line, page, font) : lineOperators(line, page, font, kind),
  );
  const operators = `BT\n3 Tr\n${lines.join('\n')}\nET`;
  return addForm(doc, [0, 0, page.width, page.height], operators, { Font: Dict.of({ F: font.ref }) });
}

/** A word in the frame of its line. */
interface Run {
  /** Along the line. */
  start: number;
  end: number;
  /** Above the baseline of the first. */
  level: number;
  text: string;
  /** Whether a blank follows. */
  spaced: boolean;
}

/**
 * Up to this, about ten degrees, words stand level and only their line falls: readers take letters of one word that
 * stand on different heights for several words.
 */
const STEEP = 0.18;

function lineOperators(
  line: RecognisedLine,
  page: RecognisedPage,
  font: GlyphlessFont,
  kind: LayerKind,
): string {
  const { slope, rise } = line.baseline;
  const frame = inFrame(line.box, line, page);
  const size = Math.max(1, round(line.size, 10));
  const isSteep = Math.abs(slope) > STEEP;
  const runs = runsOf(line, page, size, isSteep ? Math.hypot(1, slope) : 1);
  const [first] = runs;
  if (!first) return '';
  if (!isSteep) for (const run of runs) run.level = slope * (middle(first) - middle(run));
  const down = frame.bottom - rise + slope * ((isSteep ? first.start : middle(first)) - frame.left);
  const { x, y } = fromFrame(first.start, down, line, page);
  const angle = (line.turn * Math.PI) / 180 - (isSteep ? Math.atan(slope) : 0);
  const [cos, sin] = [round(Math.cos(angle), 1e5), round(Math.sin(angle), 1e5)];
  const place = [cos, sin, -sin || 0, cos, round(x, 10), round(y, 10)].join(' ');
  const words = kind === 'hocr' ? runs : evenRuns(runs, size);
  return `/F ${size} Tf ${place} Tm\n${wordOperators(words, size, font)}`;
}

const standsOnHead = ({ turn }: RecognisedLine, [a, b]: Matrix): boolean => {
  const angle = turn + (Math.atan2(b, a) * 180) / Math.PI;
  return Math.cos((angle * Math.PI) / 180) < -0.7;
};

/** PDFium reads the pieces of a line from left to right even where it stands on its head: this is one piece. */
function headlongOperators(line: RecognisedLine, page: RecognisedPage, font: GlyphlessFont): string {
  const { slope, rise } = line.baseline;
  const frame = inFrame(line.box, line, page);
  const size = Math.max(1, round(line.size, 10));
  const runs = runsOf(line, page, size, 1);
  const [first] = runs;
  if (!first) return '';
  const down = frame.bottom - rise + (slope * (frame.right - frame.left)) / 2;
  const { x, y } = fromFrame(first.start, down, line, page);
  const [cos, sin] = [cosine(line.turn), cosine(line.turn - 90)];
  const width = Math.min(meanWidth(runs), widestApart(runs, size));
  const scale = width / (GLYPHLESS_WIDTH * size);
  let at = first.start;
  const parts = runs.map(({ start, text, spaced }) => {
    // To the left, in thousandths of an em, stretched as characters are.
    const back = Math.round((1000 * (at - start)) / (scale * size));
    const word = text + (spaced ? ' ' : '');
    at = start + characterCount(word) * width;
    return `${back === 0 ? '' : back}<${font.codes(word)}>`;
  });
  const place = [cos, sin, -sin || 0, cos, round(x, 10), round(y, 10)].join(' ');
  return `/F ${size} Tf ${place} Tm ${round(100 * scale, 10)} Tz [${parts.join('')}] TJ`;
}

const cosine = (degrees: number): number => Math.round(Math.cos((degrees * Math.PI) / 180));

const middle = ({ start, end }: Run): number => (start + end) / 2;

/** Words from left to right as they are seen; lengths are those along a baseline that is longer than it is wide. */
function runsOf(line: RecognisedLine, page: RecognisedPage, size: number, length: number): Run[] {
  const seen = line.words.map((word) => ({ word, box: inFrame(word.box, line, page) }));
  if (line.rightToLeft) seen.sort((a, b) => a.box.left - b.box.left);
  const last = line.words.at(-1);
  const origin = seen[0]?.box.left ?? 0;
  const along = (at: number): number => origin + (at - origin) * length;
  return seen.map(({ word, box }, index): Run => {
    const next = seen[index + 1];
    const start = along(box.left);
    const end = Math.max(start + 1, along(box.right));
    const spaced = next !== undefined && areSpaced(...inOrder(word, next.word, line));
    // A gap would be read as a blank where none belongs.
    const nextStart = next && !spaced ? along(next.box.left) : end;
    const reaches = nextStart > end && nextStart - end < size ? nextStart : end;
    const text = word === last ? withLastingHyphen(word.text) : word.text;
    return { start, end: reaches, level: 0, text: visualText(text, line.rightToLeft), spaced };
  });
}

/**
 * Some readers join lines at a hyphen and drop it, which makes one word of "well-known", too. A sign that means nothing
 * but a hyphen stays.
 */
const withLastingHyphen = (text: string): string => text.replace(/(?<=\p{L})-$/u, '\u2010');

const inOrder = (
  left: RecognisedWord,
  right: RecognisedWord,
  line: RecognisedLine,
): [before: string, after: string] => (line.rightToLeft ? [right.text, left.text] : [left.text, right.text]);

/** Of the characters of a line. */
function meanWidth(runs: readonly Run[]): number {
  const characters = runs.reduce((sum, { text }) => sum + characterCount(text), 0);
  return runs.reduce((sum, { start, end }) => sum + end - start, 0) / characters;
}

/** What leaves a gap between words that readers can see. */
const widestApart = (runs: readonly Run[], size: number): number =>
  Math.min(
    ...runs.map(({ start, text, spaced }, index) => {
      const room =
        (runs[index + 1]?.start ?? Number.POSITIVE_INFINITY) - start - (spaced ? SEEN_GAP * size : 0);
      return Math.max(1, room) / characterCount(text);
    }),
  );

/** All characters as wide as they are on average, but for words that would run into the next. */
function evenRuns(runs: readonly Run[], size: number): Run[] {
  const width = meanWidth(runs);
  return runs.map((run, index) => {
    const next = runs[index + 1];
    if (next && !run.spaced) return run;
    const end = run.start + width * characterCount(run.text);
    const most = next ? Math.max(run.end, next.start - size * SEEN_GAP) : end;
    return { ...run, end: Math.min(end, most) };
  });
}

function wordOperators(runs: readonly Run[], size: number, font: GlyphlessFont): string {
  let before = { at: runs[0]?.start ?? 0, level: 0 };
  const moveTo = (at: number, level: number): string => {
    const [right, up] = [round(at - before.at, 10), round(level - before.level, 10)];
    before = { at: before.at + right, level: before.level + up };
    return right === 0 && up === 0 ? '' : `${right} ${up} Td `;
  };
  return runs
    .map(({ start, end, level, text, spaced }, index) => {
      const word = `${moveTo(start, level)}${stretched(text, end - start, size, font)}`;
      const next = runs[index + 1];
      if (!spaced || !next) return word;
      const gap = Math.max(next.start - end, size * LEAST_GAP);
      return `${word} ${moveTo(end, level)}${stretched(' ', gap, size, font)}`;
    })
    .join('\n');
}

/** In ems. Words may touch or overlap in their boxes. */
const LEAST_GAP = 0.05;
const SEEN_GAP = 0.15;

function stretched(text: string, width: number, size: number, font: GlyphlessFont): string {
  const percent = (100 * width) / (characterCount(text) * GLYPHLESS_WIDTH * size);
  return `${round(percent, 10)} Tz <${font.codes(text)}> Tj`;
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
