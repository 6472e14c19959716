// Letters that PDFium tells wrongly. Which text a code stands for is decided by the font's ToUnicode map as we read it
// (`pdf/text/to-unicode.ts`), wherever that says something; where it does not, by the font's encoding and the names of
// its glyphs as PDFium reads them. PDFium leaves out sections of the map whose number of entries is wrong, takes the
// lowest of two entries for one code, and tells characters above U+FFFF in halves.
import { parseToUnicode } from '../../../pdf/fonts/to-unicode.ts';
import type { Library, Pointer } from '../library.ts';
import type { PageObjects } from '../page-objects.ts';
import { leftOutTexts, withLeftOut } from './astral-actual-text.ts';
import type { KnownSigns } from './glyph-cache.ts';
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
import { PartedSigns } from './split-ligatures.ts';
import { NO_CODE } from './text-run.ts';
import { FontMemory } from './to-unicode-memory.ts';

/** The codes of a font whose letters PDFium tells otherwise than its map. */
export interface Mends {
  readonly isNone: boolean;
  /** The letters that a code stands for; undefined where PDFium tells them. */
  get(code: number): readonly number[] | undefined;
}

export const NO_MENDS: Mends = { isNone: true, get: () => undefined };

/** Undefined as long as PDFium has not read the map. */
export function mendsOf(library: Library, document: Pointer, font: Pointer): Mends | undefined {
  const memory = new FontMemory(library, document, font);
  if (!memory.isMapRead()) return undefined;
  const cmap = memory.toUnicode();
  if (!cmap) return NO_MENDS;
  const [map, told] = [parseToUnicode(cmap), memory.readByPdfium()];
  const isOther = (code: number, text: string): boolean => told.get(code) !== text && saysSomething(text);
  const known = new Map<number, readonly number[] | undefined>();
  const get = (code: number): readonly number[] | undefined => {
    if (known.has(code)) return known.get(code);
    const text = map.get(code);
    const letters = text !== undefined && isOther(code, text) ? lettersOf(text) : undefined;
    known.set(code, letters);
    return letters;
  };
  // PDFium cuts long ranges short.
  if (map.hasLongRanges) return { isNone: false, get };
  for (const [code, text] of map.singles()) if (isOther(code, text)) return { isNone: false, get };
  return NO_MENDS;
}

/** Neither marks for "unknown" alone nor halves of characters. */
const saysSomething = (text: string): boolean => text.isWellFormed() && /[^\0\ufeff\ufffd-\uffff]/.test(text);

/** Ligatures and forms that letters take within words are told as the letters, as PDFium does. */
const FORMS = /[\ufb00-\ufdff\ufe70-\ufefc]/g;
const lettersOf = (text: string): number[] =>
  Array.from(
    text.replace(FORMS, (form) => form.normalize('NFKC')),
    (letter) => letter.codePointAt(0) ?? 0,
  );

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
export interface MendedChars extends CharRecords {
  count: number;
  from: Uint32Array | undefined;
}

/** The page in hand, and what is known of the fonts of its document. */
export interface LetterSource {
  document: Pointer;
  signs: KnownSigns;
  /** Undefined where there are too many to be looked at. */
  objects: PageObjects | undefined;
}

/** All characters of a page as they are to be read. */
export function readChars(library: Library, source: LetterSource, text: Pointer, count: number): MendedChars {
  const copied = copyChars(library, text, count);
  // The calls tell no codes: nothing can be mended then.
  const chars: MendedChars = copied
    ? mendChars(library, source, copied, count)
    : { ...askChars(library, text, count), count, from: undefined };
  const { objects } = source;
  const texts = objects && leftOutTexts(library, objects);
  return texts && texts.size > 0 ? withLeftOut(library, objects, texts, chars) : chars;
}

/** Whether PDFium's own text of a page is the text. */
export function isToldRightly(library: Library, source: LetterSource, text: Pointer, count: number): boolean {
  const { objects } = source;
  if (objects && leftOutTexts(library, objects).size > 0) return false;
  return !someChar(library, text, count, needsMending(mendsByObject(library, source)));
}

/** Almost always the records as they are. */
function mendChars(library: Library, source: LetterSource, records: CharRecords, count: number): MendedChars {
  const mendsBy = mendsByObject(library, source);
  const isSuch = needsMending(mendsBy);
  const { u } = records;
  for (let at = 0; at < count * CHAR_WORDS; at += CHAR_WORDS)
    if (isSuch(u[at + CHAR.unicode] as number, u[at + CHAR.object] as number))
      return new Mending(
        records,
        count,
        mendsBy,
        new PartedSigns(library, source.document, source.signs),
      ).mend();
  return { ...records, count, from: undefined };
}

type MendsByObject = (object: Pointer) => Mends;

function mendsByObject(library: Library, { document, signs }: LetterSource): MendsByObject {
  const fonts = new Map<Pointer, Mends>();
  return (object) => {
    const { u } = wordsOf(library);
    const state = u[(object >> 2) + OBJECT.textState] as number;
    const font = state === 0 ? 0 : (u[(state >> 2) + TEXT_STATE.font] as number);
    let mends = fonts.get(font);
    if (!mends) {
      mends = font === 0 ? NO_MENDS : signs.mendsOf(document, font);
      fonts.set(font, mends);
    }
    return mends;
  };
}

/** Asked of one character after the other. */
function needsMending(mendsBy: MendsByObject): (letter: number, object: Pointer) => boolean {
  let latest: Pointer = 0;
  return (letter, object) => {
    // PDFium's text has a hyphen where a map says that a code means nothing.
    if (letter === 0 || isHalf(letter)) return true;
    if (object === latest || object === 0) return false;
    latest = object;
    return !mendsBy(object).isNone;
  };
}

class Mending {
  private readonly records: CharRecords;
  private readonly count: number;
  private readonly mendsBy: MendsByObject;
  private readonly parted: PartedSigns;
  private made: Uint32Array;
  private from: Uint32Array;
  private kept = 0;

  constructor(records: CharRecords, count: number, mendsBy: MendsByObject, parted: PartedSigns) {
    this.records = records;
    this.count = count;
    this.mendsBy = mendsBy;
    this.parted = parted;
    this.made = new Uint32Array(count * CHAR_WORDS);
    this.from = new Uint32Array(count);
  }

  mend(): MendedChars {
    const { count } = this;
    // What stays as it is is kept in stretches.
    let unchanged = 0;
    let object: Pointer = 0;
    let mends = NO_MENDS;
    for (let i = 0; i < count; ) {
      const drawnBy = this.word(i, CHAR.object);
      if (drawnBy !== object) {
        object = drawnBy;
        mends = object === 0 ? NO_MENDS : this.mendsBy(object);
      }
      const letters = (mends.isNone ? undefined : this.mended(i, mends)) ?? this.halvesAt(i);
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
      i = this.signEnd(i);
      unchanged = i;
    }
    this.keep(unchanged, count);
    const { made, kept, from } = this;
    return { u: made, f: new Float32Array(made.buffer), count: kept, from };
  }

  private mended(i: number, mends: Mends): readonly number[] | undefined {
    const code = this.word(i, CHAR.code);
    if (code !== NO_CODE) return mends.get(code);
    const { f } = this.records;
    const at = i * CHAR_WORDS;
    const [x, y] = [f[at + CHAR.originX] as number, f[at + CHAR.originY] as number];
    const drawn = this.parted.codeOf(this.word(i, CHAR.object), x, y);
    return drawn === undefined ? undefined : mends.get(drawn);
  }

  /** All letters of the sign here, where the first is half of one. */
  private halvesAt(i: number): readonly number[] | undefined {
    if (!isHalf(this.word(i, CHAR.unicode))) return undefined;
    const letters: number[] = [];
    for (let k = i; k < this.signEnd(i); k += 1) letters.push(this.word(k, CHAR.unicode));
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

  private signEnd(i: number): number {
    let end = i + 1;
    while (this.isSameSign(i, end)) end += 1;
    return end;
  }

  /** Several letters of one sign are told with one code in one place. */
  private isSameSign(i: number, other: number): boolean {
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
