// The glyphs of one run after the other, written into the room for those of the page.
import type { Glyphs } from '../../../contract/page-items.ts';
import { baseSpace, kernAt, smallestSpace } from './gap-spaces.ts';
import { type CachedFont, GLYPH_FLOATS, SEVERAL } from './glyph-cache.ts';
import { turnOf } from './glyph-looks.ts';
import type { PageSpace } from './page-space.ts';
import type { Words } from './pdfium-memory.ts';
import { NO_CODE, type TextRun } from './text-run.ts';

export const SPACE = 0x20;
const LINE_END = 0x0a;

/** Runs on one line, by their baselines, in parts of the size. */
export const SAME_LINE = 0.7;

/** There are hundreds of thousands of glyphs in a long document: plain statements, nothing made on the way. */
export class RunPlacer {
  private readonly room: Glyphs;
  private readonly toDisplay: PageSpace['toDisplay'];
  private readonly isUpright: boolean;
  private readonly turn: number;
  private kept = 0;
  private latest = SPACE;
  /** The gap before the next glyph of a run, in parts of its size. */
  private kern = 0;
  /** The baseline of the run before. */
  private line = 0;
  /** Most runs are of one look and size, which are written for all of them at once: for those from here on. */
  private from = 0;
  private look = 0;
  private size = 0;

  constructor(room: Glyphs, { toDisplay }: PageSpace) {
    const [A, B, C, D] = toDisplay;
    this.room = room;
    this.toDisplay = toDisplay;
    this.isUpright = B === 0 && C === 0 && A > 0 && D < 0;
    this.turn = turnOf(A, B);
  }

  /** False where a code is not known. */
  place(words: Words, run: TextRun, known: CachedFont, look: number): boolean {
    const up = run.d * run.size;
    const slant = run.c * run.size;
    this.begin(run.y, up, slant === 0 ? up : Math.hypot(slant, up), look);
    const isPlain = this.isUpright && slant === 0;
    const from = isPlain && run.charSpace === 0 ? this.placePlain(words, run, known) : 0;
    return from === run.count || this.placeRest(words, run, known, from);
  }

  /** How many there are. */
  end(): number {
    this.writeSame();
    this.room.turns.fill(this.turn, 0, this.kept);
    return this.kept;
  }

  private begin(y: number, up: number, size: number, look: number): void {
    if (Math.abs(y - this.line) > SAME_LINE * up) {
      // PDFium does not read a space at the end of a line.
      if (this.latest === SPACE && this.kept > 0) this.kept -= 1;
      this.from = Math.min(this.from, this.kept);
      this.latest = LINE_END;
    }
    this.line = y;
    this.kern = 0;
    if (size === this.size && look === this.look) return;
    this.writeSame();
    this.size = size;
    this.look = look;
  }

  private writeSame(): void {
    const { room, from, kept } = this;
    room.sizes.fill(this.size, from, kept);
    room.lookOf.fill(this.look, from, kept);
    this.from = kept;
  }

  /**
   * As `placeRest`, for what most runs consist of: upright glyphs of one letter each. Where that ends. The compiler makes
   * little of a loop in which there is any call.
   */
  private placePlain({ u, f }: Words, run: TextRun, known: CachedFont): number {
    const { codes, origins, ink, advances } = this.room;
    const { glyphOf, letter, measures, space = 0 } = known;
    const { x, y, a, count, codes: codesAt, places } = run;
    const [A, , , D, E, F] = this.toDisplay;
    const across = a * run.size;
    const wide = A * across;
    const high = D * (run.d * run.size);
    const placeY = D * y + F;
    let placeX = A * x + E;
    let { kept, latest } = this;
    let kern = 0;
    let k = 0;
    for (; k < count; k += 1) {
      const code = u[codesAt + k] as number;
      if (code === NO_CODE) {
        if (latest !== SPACE) kern = kernAt(f, run, k);
        continue;
      }
      const cached = code < glyphOf.length ? (glyphOf[code] as number) : 0;
      const told = letter[cached] as number;
      // Codes that are not known tell nothing, those of several letters less than nothing.
      if (told <= 0) break;
      const at = cached * GLYPH_FLOATS;
      const advance = measures[at] as number;
      if (k > 0) placeX = A * (x + (f[places + k - 1] as number) * a) + E;
      if (kern > 0 && k > 0 && kern >= smallestSpace(space, advance)) {
        latest = SPACE;
        codes[kept] = SPACE;
        origins[kept * 2] = placeX;
        origins[kept * 2 + 1] = placeY;
        ink[kept * 4] = 0;
        ink[kept * 4 + 1] = 0;
        ink[kept * 4 + 2] = 0;
        ink[kept * 4 + 3] = 0;
        advances[kept] = 0;
        kept += 1;
      }
      kern = 0;
      // Of spaces in a row PDFium reads the first.
      if (told === SPACE && latest === SPACE) continue;
      latest = told;
      codes[kept] = told;
      origins[kept * 2] = placeX;
      origins[kept * 2 + 1] = placeY;
      ink[kept * 4] = placeX + (measures[at + 1] as number) * wide;
      ink[kept * 4 + 1] = placeY + (measures[at + 4] as number) * high;
      ink[kept * 4 + 2] = placeX + (measures[at + 3] as number) * wide;
      ink[kept * 4 + 3] = placeY + (measures[at + 2] as number) * high;
      advances[kept] = Math.abs(advance * across);
      kept += 1;
    }
    this.kept = kept;
    this.latest = latest;
    this.kern = kern;
    return k;
  }

  private placeRest(words: Words, run: TextRun, known: CachedFont, from: number): boolean {
    const { u, f } = words;
    const { codes, origins, ink, advances } = this.room;
    const { glyphOf, letter, measures, space = 0 } = known;
    const { x: startX, y, a, count, codes: codesAt, places } = run;
    const [A, B, C, D, E, F] = this.toDisplay;
    const across = a * run.size;
    const up = run.d * run.size;
    const slant = run.c * run.size;
    const isPlain = this.isUpright && slant === 0;
    const wide = A * across;
    const high = D * up;
    const toX = C * y + E;
    const toY = D * y + F;
    const apart = run.charSpace === 0 ? 0 : run.charSpace / run.size - baseSpace(words, run);
    let { kept, latest, kern } = this;
    for (let k = from; k < count; k += 1) {
      const code = u[codesAt + k] as number;
      if (code === NO_CODE) {
        if (latest !== SPACE) kern = kernAt(f, run, k);
        continue;
      }
      const cached = code < glyphOf.length ? (glyphOf[code] as number) : 0;
      if (cached === 0) return false;
      const x = k === 0 ? startX : startX + (f[places + k - 1] as number) * a;
      const placeX = A * x + toX;
      const placeY = B * x + toY;
      const at = cached * GLYPH_FLOATS;
      const advance = measures[at] as number;
      const gap = kern + apart;
      kern = 0;
      if (gap > 0 && k > 0 && gap >= smallestSpace(space, advance)) {
        latest = SPACE;
        this.placeSpace(kept, placeX, placeY);
        kept += 1;
      }
      const told = letter[cached] as number;
      // Of spaces in a row PDFium reads the first.
      if (told === 0 || (told === SPACE && latest === SPACE)) continue;
      codes[kept] = told;
      origins[kept * 2] = placeX;
      origins[kept * 2 + 1] = placeY;
      if (isPlain) {
        ink[kept * 4] = placeX + (measures[at + 1] as number) * wide;
        ink[kept * 4 + 1] = placeY + (measures[at + 4] as number) * high;
        ink[kept * 4 + 2] = placeX + (measures[at + 3] as number) * wide;
        ink[kept * 4 + 3] = placeY + (measures[at + 2] as number) * high;
      } else {
        const low = measures[at + 2] as number;
        const top = measures[at + 4] as number;
        const left = (measures[at + 1] as number) * across + Math.min(low * slant, top * slant);
        const right = (measures[at + 3] as number) * across + Math.max(low * slant, top * slant);
        const x1 = A * left + C * low * up;
        const y1 = B * left + D * low * up;
        const x2 = A * right + C * top * up;
        const y2 = B * right + D * top * up;
        ink[kept * 4] = placeX + Math.min(x1, x2);
        ink[kept * 4 + 1] = placeY + Math.min(y1, y2);
        ink[kept * 4 + 2] = placeX + Math.max(x1, x2);
        ink[kept * 4 + 3] = placeY + Math.max(y1, y2);
      }
      advances[kept] = Math.abs(advance * across);
      if (told === SEVERAL) {
        kept = this.tellSeveral(known.letters[cached] as readonly number[], kept, latest);
        latest = this.latest;
      } else {
        kept += 1;
        latest = told;
      }
    }
    this.kept = kept;
    this.latest = latest;
    return true;
  }

  /** One that is not drawn, but seen as a gap. */
  private placeSpace(at: number, x: number, y: number): void {
    const { codes, origins, ink, advances } = this.room;
    codes[at] = SPACE;
    origins[at * 2] = x;
    origins[at * 2 + 1] = y;
    ink.fill(0, at * 4, at * 4 + 4);
    advances[at] = 0;
  }

  /** The letters of a glyph that has several, all where the first was placed; how many glyphs there are then. */
  private tellSeveral(letters: readonly number[], first: number, before: number): number {
    const { codes, origins, ink, advances } = this.room;
    let kept = first;
    let latest = before;
    for (const told of letters) {
      if (told === 0 || (told === SPACE && latest === SPACE)) continue;
      latest = told;
      codes[kept] = told;
      origins.copyWithin(kept * 2, first * 2, first * 2 + 2);
      ink.copyWithin(kept * 4, first * 4, first * 4 + 4);
      advances[kept] = advances[first] as number;
      kept += 1;
    }
    this.latest = latest;
    return kept;
  }
}
