// The characters of a page with the letters that their fonts mean (`font-repairs.ts`) where PDFium tells others.
import type { Library, Pointer } from '../library.ts';
import type { PageObjects } from '../page-objects.ts';
import { insertAstralTexts, readAstralTexts } from './astral-actual-text.ts';
import { lettersOfGlyph, NO_REPAIRS, type Repairs } from './font-repairs.ts';
import type { GlyphCache } from './glyph-cache.ts';
import { readLostGlyphs } from './lost-glyphs.ts';
import { restoreQuotes } from './mirrored-quotes.ts';
import {
  askChars,
  CHAR,
  CHAR_WORDS,
  type CharRecords,
  copyChars,
  OBJECT,
  someChar,
  TEXT_STATE,
  wordsOf,
} from './pdfium-memory.ts';
import { SplitLigatures } from './split-ligatures.ts';
import { NO_CODE, TextRun } from './text-run.ts';

const isHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdfff;
const isHighHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isLowHalf = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** The character of two halves, in whichever order: PDFium turns right-to-left text. */
function joined(one: number, other: number): number | undefined {
  if (isLowHalf(one) && isHighHalf(other)) return joined(other, one);
  if (!isHighHalf(one) || !isLowHalf(other)) return undefined;
  return 0x1_0000 + (one - 0xd800) * 0x400 + (other - 0xdc00);
}

export function joinHalves(letters: readonly number[]): number[] {
  const whole: number[] = [];
  for (let i = 0; i < letters.length; i += 1) {
    const letter = letters[i] as number;
    const pair = isHalf(letter) ? joined(letter, letters[i + 1] ?? 0) : undefined;
    if (pair !== undefined) i += 1;
    whole.push(pair ?? letter);
  }
  return whole;
}

/** Characters of a page; which of PDFium's each comes from, where they are not the same. */
export interface RepairedChars extends CharRecords {
  count: number;
  from: Uint32Array | undefined;
}

/** The page in hand, and what is known of the fonts of its document. */
export interface LetterSource {
  document: Pointer;
  glyphCache: GlyphCache;
  /** Undefined where there are too many to be looked at. */
  objects: PageObjects | undefined;
}

/** All characters of a page as they are to be read. */
export function readChars(
  library: Library,
  source: LetterSource,
  text: Pointer,
  count: number,
): RepairedChars {
  const copied = copyChars(library, text, count);
  // The calls tell no codes: nothing can be repaired then.
  const chars: RepairedChars = copied
    ? repairChars(library, source, copied, count)
    : { ...askChars(library, text, count), count, from: undefined };
  const repairsBy = readRepairsByObject(library, source);
  restoreQuotes(chars, (object, code) => repairsBy(object).text?.(code));
  const { objects } = source;
  if (!objects) return chars;
  const texts = new Map([
    ...readAstralTexts(library, objects),
    ...readLostGlyphs(library, objects, chars, (font, code) =>
      source.glyphCache.readRepairs(source.document, font).get(code),
    ),
  ]);
  return texts.size > 0 ? insertAstralTexts(library, objects, texts, chars) : chars;
}

/** Whether PDFium's own text of a page is the text. */
export function isReadAsMapped(
  library: Library,
  source: LetterSource,
  text: Pointer,
  count: number,
): boolean {
  const { objects } = source;
  if (objects && readAstralTexts(library, objects).size > 0) return false;
  return !someChar(library, text, count, needsRepair(library, readRepairsByObject(library, source)));
}

/** Almost always the records as they are. */
function repairChars(
  library: Library,
  source: LetterSource,
  records: CharRecords,
  count: number,
): RepairedChars {
  const repairsBy = readRepairsByObject(library, source);
  const isSuch = needsRepair(library, repairsBy);
  const { u } = records;
  for (let at = 0; at < count * CHAR_WORDS; at += CHAR_WORDS)
    if (isSuch(u[at + CHAR.unicode] as number, u[at + CHAR.object] as number))
      return new RepairSource(
        records,
        count,
        repairsBy,
        new SplitLigatures(library, source.document, source.glyphCache),
      ).repair();
  return { ...records, count, from: undefined };
}

type RepairsByObject = (object: Pointer) => Repairs;

function readRepairsByObject(library: Library, { document, glyphCache }: LetterSource): RepairsByObject {
  const fonts = new Map<Pointer, Repairs>();
  return (object) => {
    const { u } = wordsOf(library);
    const state = u[(object >> 2) + OBJECT.textState] as number;
    const font = state === 0 ? 0 : (u[(state >> 2) + TEXT_STATE.font] as number);
    let repairs = fonts.get(font);
    if (!repairs) {
      repairs = font === 0 ? NO_REPAIRS : glyphCache.readRepairs(document, font);
      fonts.set(font, repairs);
    }
    return repairs;
  };
}

/** Asked of one character after the other. */
function needsRepair(
  library: Library,
  repairsBy: RepairsByObject,
): (letter: number, object: Pointer) => boolean {
  let latest: Pointer = 0;
  const run = new TextRun();
  const drawsSuch = (object: Pointer, repairs: Repairs): boolean => {
    const words = wordsOf(library);
    if (!run.read(words, object)) return true;
    for (const code of words.u.subarray(run.codes, run.codes + run.count))
      if (code !== NO_CODE && repairs.get(code)) return true;
    return false;
  };
  return (letter, object) => {
    // PDFium's text has a hyphen where a map says that a code means nothing.
    if (letter === 0 || isHalf(letter)) return true;
    if (object === latest || object === 0) return false;
    latest = object;
    const repairs = repairsBy(object);
    return !repairs.isNone && drawsSuch(object, repairs);
  };
}

class RepairSource {
  private readonly records: CharRecords;
  private readonly count: number;
  private readonly repairsBy: RepairsByObject;
  private readonly parted: SplitLigatures;
  private made: Uint32Array;
  private from: Uint32Array;
  private kept = 0;

  constructor(records: CharRecords, count: number, repairsBy: RepairsByObject, parted: SplitLigatures) {
    this.records = records;
    this.count = count;
    this.repairsBy = repairsBy;
    this.parted = parted;
    this.made = new Uint32Array(count * CHAR_WORDS);
    this.from = new Uint32Array(count);
  }

  repair(): RepairedChars {
    const { count } = this;
    // What stays as it is is kept in stretches.
    let unchanged = 0;
    let object: Pointer = 0;
    let repairs = NO_REPAIRS;
    for (let i = 0; i < count; ) {
      const drawnBy = this.word(i, CHAR.object);
      if (drawnBy !== object) {
        object = drawnBy;
        repairs = object === 0 ? NO_REPAIRS : this.repairsBy(object);
      }
      const letters = (repairs.isNone ? undefined : this.repaired(i, repairs)) ?? this.halvesAt(i);
      if (!letters) {
        i += 1;
        continue;
      }
      this.keep(unchanged, i);
      for (const letter of letters) {
        this.keep(i, i + 1);
        const at = (this.kept - 1) * CHAR_WORDS;
        this.made[at + CHAR.unicode] = letter;
        this.made[at + CHAR.kind] = 0;
      }
      i = this.glyphEnd(i);
      unchanged = i;
    }
    this.keep(unchanged, count);
    const { made, kept, from } = this;
    return { u: made, f: new Float32Array(made.buffer), count: kept, from };
  }

  private repaired(i: number, repairs: Repairs): readonly number[] | undefined {
    const { f } = this.records;
    const at = i * CHAR_WORDS;
    const hasInk = (f[at + CHAR.right] as number) > (f[at + CHAR.left] as number);
    // A space that PDFium found before a glyph has the code of that glyph.
    if (!hasInk && this.word(i, CHAR.unicode) === 0x20) return undefined;
    const code = this.word(i, CHAR.code);
    if (code !== NO_CODE) {
      const letters = repairs.get(code);
      return letters && lettersOfGlyph(letters, hasInk);
    }
    const [x, y] = [f[at + CHAR.originX] as number, f[at + CHAR.originY] as number];
    const drawn = this.parted.codeOf(this.word(i, CHAR.object), x, y);
    return drawn === undefined ? undefined : repairs.get(drawn);
  }

  /** All letters of the glyph here, where the first is half of one. */
  private halvesAt(i: number): readonly number[] | undefined {
    if (!isHalf(this.word(i, CHAR.unicode))) return undefined;
    const letters: number[] = [];
    for (let k = i; k < this.glyphEnd(i); k += 1) letters.push(this.word(k, CHAR.unicode));
    return joinHalves(letters);
  }

  private keep(from: number, to: number): void {
    if (to <= from) return;
    while (this.kept + to - from > this.from.length) this.makeRoom();
    this.made.set(this.records.u.subarray(from * CHAR_WORDS, to * CHAR_WORDS), this.kept * CHAR_WORDS);
    for (let i = from; i < to; i += 1) this.from[this.kept + i - from] = i;
    this.kept += to - from;
  }

  private makeRoom(): void {
    const { made, from } = this;
    this.made = new Uint32Array(made.length * 2);
    this.made.set(made);
    this.from = new Uint32Array(from.length * 2);
    this.from.set(from);
  }

  private glyphEnd(i: number): number {
    let end = i + 1;
    while (this.isSameGlyph(i, end)) end += 1;
    return end;
  }

  /** Several letters of one glyph are told with one code in one place. */
  private isSameGlyph(i: number, other: number): boolean {
    return (
      other < this.count &&
      [CHAR.object, CHAR.code, CHAR.originX, CHAR.originY].every(
        (word) => this.word(i, word) === this.word(other, word),
      )
    );
  }

  private word(i: number, word: number): number {
    return this.records.u[i * CHAR_WORDS + word] as number;
  }
}
