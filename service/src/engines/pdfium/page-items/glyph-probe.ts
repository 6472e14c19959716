// How PDFium is asked what the codes of a font mean: they are written on a page where nothing else is, and it reads that.
import type { Library, Pointer } from '../library.ts';
import { inThousandths, SHOWN_SIZE, writeCodes } from './code-widths.ts';
import { lettersOfGlyph, type Repairs } from './font-repairs.ts';
import type { CachedFont } from './glyph-cache.ts';
import {
  CHAR,
  CHAR_WORDS,
  type CharRecords,
  copyChars,
  isOverhanging,
  letterAt,
  type Words,
  wordsOf,
} from './pdfium-memory.ts';
import { NO_CODE, TextRun } from './text-run.ts';
import { joinHalves } from './to-unicode-repairs.ts';

/** Told and foretold origins differ by less than this, in points. */
const NEAR = 0.01;

let probePage: Pointer = 0;

/** A page of a document of our own, for as long as the process lives. */
function openProbePage({ native }: Library): Pointer {
  if (probePage === 0) {
    const document = native.FPDF_CreateNewDocument();
    probePage = native.FPDFPage_New(document, 0, 1000, 1000);
  }
  return probePage;
}

/** What PDFium tells wrongly is asked for when it has read the codes. */
export function probeGlyphs(
  library: Library,
  font: CachedFont,
  codes: readonly number[],
  repairs: () => Repairs,
): void {
  const { native } = library;
  const page = openProbePage(library);
  const { holder } = font;
  // Once more the last: how wide a glyph is shows in the place of the next.
  const isWritten = writeCodes(library, holder, [...codes, ...codes.slice(-1)]);
  // A font may have no way to write them: PDFium fails on a page of an empty text.
  if (!isWritten || page === 0 || !new TextRun().read(wordsOf(library), holder)) return;
  native.FPDFPage_InsertObject(page, holder);
  const text = native.FPDFText_LoadPage(page);
  if (text !== 0) {
    const count = Math.max(0, native.FPDFText_CountChars(text));
    const records = count > 0 ? copyChars(library, text, count) : undefined;
    if (records) recordGlyphs(library, font, records, count, repairs());
    native.FPDFText_ClosePage(text);
  }
  native.FPDFPage_RemoveObject(page, holder);
}

function recordGlyphs(
  library: Library,
  font: CachedFont,
  { u, f }: CharRecords,
  count: number,
  repairs: Repairs,
): void {
  const words = wordsOf(library);
  const run = new TextRun();
  if (!run.read(words, font.holder)) return;
  let step = 0;
  for (let i = 0; i < count && !font.isOdd; ) {
    const at = i * CHAR_WORDS;
    const next = endOfGlyph(u, f, i, count);
    i = next;
    const code = u[at + CHAR.code] as number;
    // A space that PDFium found between two glyphs.
    if (u[at + CHAR.object] !== font.holder || code === NO_CODE) continue;
    step = stepAt(words, run, code, step, f[at + CHAR.originX] as number, f[at + CHAR.originY] as number);
    const told = joinHalves(lettersOf(u, at, next));
    const hasInk = (f[at + CHAR.right] as number) > (f[at + CHAR.left] as number);
    const letters = lettersOfGlyph(repairs.get(code) ?? told, hasInk);
    if (step < 0 || told.some(isTurnedByPdfium) || letters.some(isTurnedByPdfium)) font.isOdd = true;
    else if (!font.glyphOf[code]) {
      const [told = 0, ...ink] = measuresOf(run, f, at);
      font.add(code, letters, [isOverhanging(f, at) ? widthAt(words.f, run, step) : told, ...ink]);
    }
  }
}

/** Hebrew, Arabic and what else runs to the left: PDFium puts it in the order of reading, and mirrors brackets. */
const isTurnedByPdfium = (letter: number): boolean =>
  (letter >= 0x590 && letter <= 0x8ff) ||
  (letter >= 0xfb1d && letter <= 0xfeff) ||
  (letter >= 0x1_0800 && letter <= 0x1_0fff) ||
  (letter >= 0x1_e800 && letter <= 0x1_efff);

/** A ligature taken apart is several characters of one code in one place. */
function endOfGlyph(u: Uint32Array, f: Float32Array, from: number, count: number): number {
  const first = from * CHAR_WORDS;
  let to = from + 1;
  for (; to < count; to += 1) {
    const at = to * CHAR_WORDS;
    if (
      u[at + CHAR.object] !== u[first + CHAR.object] ||
      u[at + CHAR.code] !== u[first + CHAR.code] ||
      f[at + CHAR.originX] !== f[first + CHAR.originX] ||
      f[at + CHAR.originY] !== f[first + CHAR.originY]
    )
      break;
  }
  return to;
}

function lettersOf(u: Uint32Array, at: number, to: number): number[] {
  const letters: number[] = [];
  for (let k = at; k < to * CHAR_WORDS; k += CHAR_WORDS) letters.push(letterAt(u, k));
  return letters;
}

/** Which code of the run stands there; -1 when it is none that follows. */
function stepAt({ u, f }: Words, run: TextRun, code: number, from: number, x: number, y: number): number {
  if (Math.abs(run.y - y) > NEAR) return -1;
  for (let k = from; k < run.count; k += 1) {
    if (u[run.codes + k] !== code) continue;
    const along = k === 0 ? 0 : (f[run.places + k - 1] as number);
    if (Math.abs(run.x + along * run.a - x) <= NEAR) return k;
  }
  return -1;
}

/** By the place of the next glyph, in parts of the size. */
const widthAt = (f: Float32Array, run: TextRun, step: number): number => {
  const place = (k: number): number => (k === 0 ? 0 : (f[run.places + k - 1] as number));
  return step + 1 < run.count ? inThousandths((place(step + 1) - place(step)) / SHOWN_SIZE) : 0;
};

function measuresOf({ a, d, size }: TextRun, f: Float32Array, at: number): number[] {
  const [across, up] = [a * size, d * size];
  const x = f[at + CHAR.originX] as number;
  const y = f[at + CHAR.originY] as number;
  return [
    ((f[at + CHAR.looseRight] as number) - (f[at + CHAR.looseLeft] as number)) / across,
    ((f[at + CHAR.left] as number) - x) / across,
    ((f[at + CHAR.bottom] as number) - y) / up,
    ((f[at + CHAR.right] as number) - x) / across,
    ((f[at + CHAR.top] as number) - y) / up,
  ].map(inThousandths);
}
