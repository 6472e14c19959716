// What PDFium makes of the codes of a font: letters, advance, ink. It is learnt from the pages that PDFium reads as
// text; a later page whose fonts and codes are all known needs not be read so again.
import type { Library, Pointer } from '../library.ts';
import { CHAR, CHAR_WORDS, type CharRecords, type Words, wordsOf } from './memory.ts';
import { NO_CODE, type TextRun, textRunOf } from './text-run.ts';

const FEW_CODES = 0x100;
const MANY_CODES = 0x1_0000;
/** Floats of one sign: advance, then left, bottom, right, top of the ink, all in parts of the size. */
export const SIGN_FLOATS = 5;
/** Told and foretold origins differ by less than this, in points. */
const NEAR = 0.01;

/** The codes of one font. */
export class KnownFont {
  /** By code: the number of the sign, from 1; 0 where it is not known. */
  signOf = new Uint16Array(FEW_CODES);
  /** By number; the letters of one sign are several where it is a ligature. */
  readonly letters: number[][] = [[]];
  readonly measures: number[] = [0, 0, 0, 0, 0];
  /** How wide its space is, in parts of the size; undefined before anybody asked. */
  space: number | undefined;
  /** Its characters do not stand where they were foretold: it is written downwards, or has a way of its own. */
  isOdd = false;
  /** A text object that draws nothing: as long as it is there, so is the font, and its address means this font. */
  readonly holder: Pointer;

  constructor(holder: Pointer) {
    this.holder = holder;
  }

  add(code: number, letters: number[], measures: readonly number[]): void {
    if (code >= MANY_CODES || this.letters.length >= MANY_CODES - 1) return;
    if (code >= this.signOf.length) {
      const more = new Uint16Array(MANY_CODES);
      more.set(this.signOf);
      this.signOf = more;
    }
    this.signOf[code] = this.letters.push(letters) - 1;
    this.measures.push(...measures);
  }
}

/** A document of more fonts than this is learnt anew from time to time: each is kept in memory. */
const MAX_FONTS = 48;

export class KnownSigns {
  private readonly library: Library;
  private readonly fonts = new Map<Pointer, KnownFont>();

  constructor(library: Library) {
    this.library = library;
  }

  fontAt(font: Pointer): KnownFont | undefined {
    return this.fonts.get(font);
  }

  /** Before the document is closed. */
  forget(): void {
    for (const { holder } of this.fonts.values()) this.library.native.FPDFPageObj_Destroy(holder);
    this.fonts.clear();
  }

  /** Learns from what PDFium read of the page in hand. */
  learn(document: Pointer, { u, f }: CharRecords, count: number): void {
    let words = wordsOf(this.library);
    let object: Pointer = 0;
    let run: TextRun | undefined;
    let font: KnownFont | undefined;
    let step = 0;
    for (let i = 0; i < count; ) {
      const at = i * CHAR_WORDS;
      const drawnBy = u[at + CHAR.object] as number;
      const next = endOfSign(u, f, i, count);
      i = next;
      if (drawnBy === 0) continue;
      if (drawnBy !== object) {
        object = drawnBy;
        step = 0;
        run = textRunOf(words, object);
        font = run && this.fontOrNew(document, run.font);
        // To hold a font, PDFium may have moved its memory.
        words = wordsOf(this.library);
        // Where a form turns or scales what it holds, or writing is turned, nothing is learnt.
        if (run && !(run.isUpright && isDrawnAs(run, f, at))) run = undefined;
      }
      if (!run || !font || font.isOdd) continue;
      const code = u[at + CHAR.code] as number;
      // A space that PDFium found between two signs.
      if (code === NO_CODE) continue;
      step = stepAt(words, run, code, step, f[at + CHAR.originX] as number, f[at + CHAR.originY] as number);
      if (step < 0) font.isOdd = true;
      else if (!font.signOf[code]) learnSign(font, code, lettersOf(u, at, next), measuresOf(run, f, at));
    }
  }

  private fontOrNew(document: Pointer, address: Pointer): KnownFont | undefined {
    const known = this.fonts.get(address);
    if (known) return known;
    if (this.fonts.size >= MAX_FONTS) this.forget();
    const holder = this.library.native.FPDFPageObj_CreateTextObj(document, address, 1);
    if (holder === 0) return undefined;
    const font = new KnownFont(holder);
    this.fonts.set(address, font);
    return font;
  }
}

function learnSign(font: KnownFont, code: number, letters: number[], measures: number[]): void {
  if (letters.some(isTurnedByPdfium)) font.isOdd = true;
  else font.add(code, letters, measures);
}

/** Hebrew, Arabic and what else runs to the left: PDFium puts it in the order of reading, and mirrors brackets. */
const isTurnedByPdfium = (letter: number): boolean =>
  (letter >= 0x590 && letter <= 0x8ff) || (letter >= 0xfb1d && letter <= 0xfeff) || letter >= 0x1_0800;

/** A ligature taken apart is several characters of one code in one place. */
function endOfSign(u: Uint32Array, f: Float32Array, from: number, count: number): number {
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
  for (let k = at; k < to * CHAR_WORDS; k += CHAR_WORDS) letters.push(u[k + CHAR.unicode] as number);
  return letters;
}

const isDrawnAs = ({ a, d }: TextRun, f: Float32Array, at: number): boolean =>
  f[at + CHAR.a] === a && f[at + CHAR.b] === 0 && f[at + CHAR.c] === 0 && f[at + CHAR.d] === d;

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
  ];
}
