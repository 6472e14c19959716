// Glyphs to words: by the gaps between them, measured by the font, and by the spaces that were drawn.
import type { GlyphLook, Glyphs } from '../../contract/page-items.ts';
import { isRightToLeft, logicalText, mayBeRightToLeft, pairBracketsOfWords } from './direction.ts';
import { readStyles, type Styles } from './glyph-styles.ts';
import { isMark, isMarkOf } from './marks.ts';
import { isPlain, plainText } from './plain-text.ts';
import { isSpace, type VisibleGlyphs } from './visible-glyphs.ts';
import type { Word } from './word.ts';
import { boxLevel, boxUpright, placeWord, widthOf } from './word-place.ts';

/** A gap wider than this part of the size parts words. */
export const WORD_GAP = 0.145;
/** A drawn space that takes less than this part of the size is none. */
export const SPACE_ROOM = 0.09;
/** Spaces that are drawn over a ligature begin so many times as far before its end. */
const DEEP = 2.5;
/** Below this, the ink must be apart too: fonts lie about widths. */
const SURE_GAP = 0.19;
const INK_GAP = 0.16;
/** Letters may overlap by so much of the size and still follow one another. */
export const OVERLAP = 0.45;
/** Two pieces stand on one line when their baselines differ by less than this part of the size. */
const SAME_LINE = 0.08;

export function readWords(visible: VisibleGlyphs): Word[] {
  const { glyphs, indices } = visible;
  const chain = new Chain(glyphs, readStyles(visible));
  for (let k = 0; k < indices.length; ) {
    chain.take(indices[k] as number);
    k = chain.takeOn(indices, k + 1);
  }
  chain.end();
  return chain.leftwards ? pairBracketsOfWords(chain.words) : chain.words;
}

/** Glyphs that follow one another on one line, cut into words as they come. */
class Chain {
  readonly words: Word[] = [];
  private readonly glyphs: Glyphs;
  private readonly styles: Styles;
  private readonly text: string;
  /** There may be writing to the left on this page. */
  readonly leftwards: boolean;
  /** The glyphs of the word at hand: the first `count` of these. */
  private readonly piece: Uint32Array;
  private count = 0;
  /** They stand on one line, each farther right than the one before; how far they reach is known then. */
  private isLevel = false;
  private reach = 0;
  private isPlain = true;
  private last = -1;
  private glued = false;
  private spaced = false;
  /** A space that was drawn since the last glyph; -1 without. */
  private space = -1;
  private vertical = false;

  constructor(glyphs: Glyphs, styles: Styles) {
    this.glyphs = glyphs;
    this.styles = styles;
    this.text = plainText(glyphs);
    this.leftwards = mayBeRightToLeft(this.text);
    this.piece = new Uint32Array(glyphs.count);
  }

  take(i: number): void {
    const code = this.glyphs.codes[i] as number;
    if (isSpace(code)) {
      this.space = i;
      return;
    }
    if (this.space >= 0) {
      if (this.isRealSpace(i)) {
        this.end();
        this.spaced = true;
      }
      this.space = -1;
    }
    if (this.last >= 0) {
      if (isMark(code) && !this.vertical && isMarkOf(this.glyphs, i, this.last)) {
        // What follows is measured from the letter, wherever the mark stands.
        this.add(i, code);
        return;
      }
      const step = this.step(i);
      if (step === 'below') {
        // The first character said nothing about the direction; the second does.
        if (!this.vertical && this.count > 1) this.keepOnly(this.last);
        this.vertical = true;
      } else if (step === 'apart' || this.vertical) this.end();
      else if (step === 'restyled' && this.flush()) this.glued = true;
    }
    this.add(i, code);
    this.last = i;
  }

  /** Takes on while letters follow one another as most do, without asking more of them; where it stopped. */
  takeOn(indices: Uint32Array, from: number): number {
    const { codes, origins, advances, sizes, turns, lookOf } = this.glyphs;
    const { piece } = this;
    let { last, count, reach } = this;
    if (last < 0 || this.space >= 0 || this.vertical || turns[last] !== 0) return from;
    const look = lookOf[last];
    const size = sizes[last] as number;
    const y = origins[last * 2 + 1];
    const widest = size * WORD_GAP;
    const narrowest = -size * OVERLAP;
    let k = from;
    for (; k < indices.length; k += 1) {
      const i = indices[k] as number;
      const code = codes[i] as number;
      const isLetter = (code > 0x20 && code < 0x7f) || (isPlain(code) && !isSpace(code) && !isMark(code));
      if (!isLetter || lookOf[i] !== look || sizes[i] !== size || origins[i * 2 + 1] !== y || turns[i] !== 0)
        break;
      const x = origins[i * 2] as number;
      const advance = advances[i] as number;
      const before = advances[last] as number;
      const dx = x - (origins[last * 2] as number);
      const gap = dx - before;
      if (!(dx > 0 && before > 0 && advance > 0 && gap <= widest && gap >= narrowest)) break;
      if (x + advance > reach) reach = x + advance;
      piece[count] = i;
      count += 1;
      last = i;
    }
    this.last = last;
    this.count = count;
    this.reach = reach;
    return k;
  }

  end(): void {
    this.flush();
    this.glued = false;
    this.last = -1;
  }

  private add(i: number, code: number): void {
    const advance = this.glyphs.advances[i] as number;
    this.isLevel = this.count === 0 && advance > 0;
    this.reach = (this.glyphs.origins[i * 2] as number) + advance;
    this.piece[this.count] = i;
    this.count += 1;
    if (!isPlain(code)) this.isPlain = false;
  }

  /** Some programs draw spaces within words and take the pen back, or over a ligature: a space must have left room. */
  private isRealSpace(i: number): boolean {
    const { origins, sizes } = this.glyphs;
    const dx = (origins[i * 2] as number) - (origins[this.space * 2] as number);
    const dy = (origins[i * 2 + 1] as number) - (origins[this.space * 2 + 1] as number);
    const room = SPACE_ROOM * (sizes[i] as number);
    if (this.last < 0) return true;
    if ((dy === 0 ? Math.abs(dx) : Math.hypot(dx, dy)) > room) return !this.isOverLetter(i, dx, room);
    return this.gap(i, (origins[i * 2] as number) - (origins[this.last * 2] as number)) > room;
  }

  /** The space begins in the middle of the ligature before it, and the next letter where that ends. */
  private isOverLetter(i: number, dx: number, room: number): boolean {
    const { origins, turns } = this.glyphs;
    const { last, count } = this;
    if (count < 2 || origins[last * 2] !== origins[(this.piece[count - 2] as number) * 2]) return false;
    const end = (origins[last * 2] as number) + this.width(last);
    const [x, space] = [origins[i * 2] as number, origins[this.space * 2] as number];
    if (dx < 0 || turns[i] !== 0 || space > end - room * DEEP) return false;
    return origins[i * 2 + 1] === origins[last * 2 + 1] && Math.abs(x - end) < room;
  }

  /** What was taken to be one word ends before its last character. */
  private keepOnly(i: number): void {
    this.count -= 1;
    this.isLevel = false;
    this.flush();
    this.add(i, this.glyphs.codes[i] as number);
  }

  /** False where there was no letter: what stood before it is as far from what follows. */
  private flush(): boolean {
    if (this.count === 0) return false;
    const isWord = this.makeWord();
    this.count = 0;
    this.isPlain = true;
    if (isWord) this.spaced = false;
    this.vertical = false;
    return isWord;
  }

  private makeWord(): boolean {
    const { glyphs, styles, vertical, count } = this;
    const { piece } = this;
    const first = piece[0] as number;
    const look = glyphs.looks[glyphs.lookOf[first] as number] as GlyphLook;
    let text: string;
    let direction: Word['direction'] = 'ltr';
    let visual: Word['visual'];
    if (this.isPlain && (piece[count - 1] as number) - first === count - 1 && !this.leftwards)
      text = this.text.slice(first, first + count);
    else ({ text, direction, visual } = logicalText(glyphs, piece.subarray(0, count)));
    if (text === '') return false;
    const turn = Math.round(glyphs.turns[first] as number);
    const size = styles.sizeOf(first);
    const place =
      turn === 0 && !vertical
        ? undefined
        : placeWord(glyphs, piece.subarray(0, count), vertical ? 'down' : turn, size);
    const [x, y] = [glyphs.origins[first * 2] as number, glyphs.origins[first * 2 + 1] as number];
    const word: Word = {
      text,
      box: place
        ? place.box
        : this.isLevel
          ? boxLevel(x, this.reach, y, size)
          : boxUpright(glyphs, piece, count, size),
      baseline: place ? place.baseline : y,
      style: styles.styleOf(first),
      turn: vertical ? 90 : turn,
      glued: this.glued,
      spaced: this.spaced,
      direction,
      vertical,
      markedContent: look.markedContent,
      hidden: look.paint === 'none',
      order: first,
    };
    if (visual) word.visual = visual;
    this.words.push(word);
    return true;
  }

  private step(i: number): 'next' | 'restyled' | 'apart' | 'below' {
    const { origins, sizes, turns, lookOf } = this.glyphs;
    const last = this.last;
    const size = Math.max(sizes[i] as number, sizes[last] as number);
    const turn = turns[i] as number;
    if (turn !== turns[last] && Math.abs(turn - (turns[last] as number)) > 1) return 'apart';
    const dx = (origins[i * 2] as number) - (origins[last * 2] as number);
    const dy = (origins[i * 2 + 1] as number) - (origins[last * 2 + 1] as number);
    // A ligature taken apart: its letters stand in one place.
    if (dx === 0 && dy === 0 && lookOf[i] === lookOf[last]) return 'next';
    if (turn === 0 && this.isBelow(i, dx, dy, size)) return 'below';
    let [along, across] = [dx, dy];
    if (turn !== 0) {
      const radians = (turn * Math.PI) / 180;
      along = dx * Math.cos(radians) + dy * Math.sin(radians);
      across = dy * Math.cos(radians) - dx * Math.sin(radians);
    }
    const restyled =
      lookOf[i] !== lookOf[last] || Math.abs((sizes[i] as number) - (sizes[last] as number)) > 0.2;
    const lift = Math.abs(across);
    if (lift > size * (restyled ? RAISED : LOGO)) return 'apart';
    const gap = this.gap(i, along);
    // Letters set into each other, higher and lower in turns, are a name written as TeX's is.
    if (lift > size * SAME_LINE && !restyled)
      return gap < -size * KERNED_INTO && gap > -size * OVERLAP ? 'next' : 'apart';
    if (lift > size * SAME_LINE) return gap < size * WORD_GAP && along > 0 ? 'restyled' : 'apart';
    if (gap > size * SURE_GAP || gap < -size * OVERLAP) return 'apart';
    if (gap > size * WORD_GAP && (turn !== 0 || this.inkGap(i) > size * INK_GAP)) return 'apart';
    return restyled ? 'restyled' : 'next';
  }

  /** Chinese, Japanese and Korean characters may follow one another downwards. */
  private isBelow(i: number, dx: number, dy: number, size: number): boolean {
    const { codes } = this.glyphs;
    if (dy < size * 0.5 || dy > size * 1.6 || Math.abs(dx) > size * 0.6) return false;
    if (!isIdeographic(codes[i] as number) || !isIdeographic(codes[this.last] as number)) return false;
    return this.vertical || Math.abs(dx) < size * 0.3;
  }

  private inkGap(i: number): number {
    const { ink } = this.glyphs;
    return (ink[i * 4] as number) - (ink[this.last * 4 + 2] as number);
  }

  /** Free space between the glyph before and this one, on whichever side it follows. */
  private gap(i: number, along: number): number {
    if (along >= 0 || !this.goesLeft(i)) return along - this.width(this.last);
    return -along - this.width(i);
  }

  /** Characters go with the writing they stand in. */
  private goesLeft(i: number): boolean {
    const { codes } = this.glyphs;
    const code = codes[i] as number;
    if (isRightToLeft(code)) return true;
    return (
      this.leftwards &&
      isPunctuation(code) &&
      (isRightToLeft(codes[this.last] as number) || isPunctuation(codes[this.last] as number))
    );
  }

  private width(i: number): number {
    return widthOf(this.glyphs, i);
  }
}

/** Letters of one look and size that reach into each other by so much, and are so much higher or lower at most. */
const KERNED_INTO = 0.08;
const LOGO = 0.3;

/** Raised and lowered letters (H₂O) still belong to their word. */
const RAISED = 0.6;

const isPunctuation = (code: number): boolean => !/[\p{L}\p{N}\p{M}]/u.test(String.fromCodePoint(code));

export const isIdeographic = (code: number): boolean =>
  (code >= 0x2e80 && code <= 0x9fff) ||
  (code >= 0xac00 && code <= 0xd7af) ||
  (code >= 0xf900 && code <= 0xfaff) ||
  (code >= 0xfe30 && code <= 0xfe4f) ||
  (code >= 0xff00 && code <= 0xffef) ||
  (code >= 0x20000 && code <= 0x3ffff) ||
  (code >= 0x2014 && code <= 0x2026);
