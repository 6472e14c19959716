// Which words of a page may belong to formulas: letters in a font that is made for them and signs of mathematics for
// sure, digits, brackets and operators perhaps.
import type { Glyphs } from '../../contract/page-items.ts';
import { mayBeAccent } from '../words/accents.ts';
import type { Word } from '../words/word.ts';
import { isMathFont } from './math-letters.ts';
import { isFunction } from './names.ts';
import { AXIS } from './signs.ts';

export interface MathWords {
  /** Letters and signs that stand in nothing but formulas. */
  sure: ReadonlySet<Word>;
  /** Of these, letters. */
  letters: ReadonlySet<Word>;
  /** What may stand in a formula as well as in text. */
  mayBe(word: Word): boolean;
  glyphsOf(word: Word): number[];
}

/** Signs that are hardly ever used outside of formulas; arrows, bullets, daggers and minus signs are. */
const STRONG = /[∑∏∐∫∬∭∮∂∇√∈∉∋⊂⊃⊆⊇∀∃∅∝≡≈≅≃≪≫∪∩∧∨⊕⊗⋃⋂⋀⋁⨀⨁⨂⎛⎞⎡⎤⎣⎦⎢⎥⎧⎫⎩⎭⎨⎬⎪⎝⎠⎜⎟⎷]|[\u{1d400}-\u{1d7cb}]/u;
const SIGNS = /^[\d.,:;+\-−=()[\]{}|∥/*<>!'′″·∗…⋯×±∓÷≤≥⩽⩾≠∼→←⇒⇔∞∘∅†‖⟨⟩⌊⌋⌈⌉\\~ˆ˜¯˙¨_%]+$/u;
const ACCENT = /^(?:[ˆ˜¯˙¨ˇ˘´`˚]|\p{M})$/u;
/** Accents that are characters of their own are none. */
const LETTER = /[\p{Lu}\p{Ll}\p{Lo}]/u;

/** Whether the page has any font or sign of formulas. */
export function hasMath({ looks, codes, count }: Glyphs): boolean {
  if (looks.some(({ font }) => isMathFont(font))) return true;
  for (let i = 0; i < count; i += 1) {
    const code = codes[i] as number;
    if (code > 0x2200 && STRONG.test(String.fromCodePoint(code))) return true;
  }
  return false;
}

export function readMathWords(glyphs: Glyphs, words: readonly Word[]): MathWords {
  const inMathFont = glyphs.looks.map(({ font }) => isMathFont(font));
  const isMath = (word: Word): boolean => inMathFont[glyphs.lookOf[word.order] as number] === true;
  const letters = new Set(
    words.filter((word) => isMath(word) && LETTER.test(word.text) && !isText(word.text)),
  );
  const sure = new Set(words.filter((word) => letters.has(word) || STRONG.test(word.text)));
  const glyphsByWord = assignGlyphs(glyphs, words);
  return {
    sure,
    letters,
    mayBe: (word) =>
      sure.has(word) ||
      ACCENT.test(word.text) ||
      SIGNS.test(word.text) ||
      isFunction(word.text.replace(/[([]$/, '')) ||
      isBoldLetter(word) ||
      (isMath(word) && !isText(word.text)),
    glyphsOf: (word) => glyphsByWord.get(word) ?? [],
  };
}

/** Vectors and matrices are letters in bold. */
const isBoldLetter = ({ text, style }: Word): boolean => style.bold && /^\p{L}$/u.test(text);

/** Prose may be set in a font for formulas: words of many small upright letters. */
const isText = (text: string): boolean => /^[A-Z]?[a-z]{4,}[.,;:]?$/.test(text);

/** Words are cut from the page's glyphs in their order; accents that were put to a letter stand before or behind it. */
function assignGlyphs(glyphs: Glyphs, words: readonly Word[]): Map<Word, number[]> {
  const byOrder = words.toSorted((a, b) => a.order - b.order);
  const assigned = new Map<Word, number[]>(byOrder.map((word) => [word, []]));
  for (const [k, word] of byOrder.entries()) {
    const next = byOrder[k + 1];
    const end = Math.min(next?.order ?? glyphs.count, word.order + MAX_GLYPHS);
    for (let i = word.order; i < end; i += 1) {
      const isOfNext =
        next && mayBeAccent(glyphs.codes[i] as number) && isOver(glyphs, i, next) && !isOver(glyphs, i, word);
      if (isOfNext) assigned.get(next)?.push(i);
      else if (isNear(glyphs, i, word)) assigned.get(word)?.push(i);
    }
  }
  return assigned;
}

const MAX_GLYPHS = 400;

function isOver({ ink }: Glyphs, i: number, { box }: Word): boolean {
  const middle = ((ink[i * 4] as number) + (ink[i * 4 + 2] as number)) / 2;
  return middle > box.x - 0.5 && middle < box.x + box.width + 0.5;
}

/** Seen from where the word begins. */
function isNear({ origins, sizes }: Glyphs, i: number, { box, order }: Word): boolean {
  const [x, y] = [origins[i * 2] as number, origins[i * 2 + 1] as number];
  const size = sizes[i] as number;
  if (i === order) return true;
  const off = Math.abs(y - (origins[order * 2 + 1] as number));
  return off < size * 1.5 && x > box.x - size && x < box.x + box.width + size;
}

/**
 * The words of a page, each on the line that it belongs to, by the words they stand for. Signs that grow hang from where
 * they begin, or reach below their line; raised and lowered letters and accents stand off it.
 */
export function levelWords(glyphs: Glyphs, words: readonly Word[]): Map<Word, Word> {
  const originals = new Map<Word, Word>();
  let before: { word: Word; size: number } | undefined;
  let accents = 0;
  for (const word of words) {
    if (word.turn !== 0 || word.hidden || word.vertical) continue;
    if (ACCENT.test(word.text) && accents < MAX_ACCENTS) {
      accents += 1;
      originals.set(levelAccent(glyphs, word, words), word);
      continue;
    }
    const grown = levelGrowing(glyphs, word);
    const base: { word: Word; size: number } | undefined = before;
    const hangs = grown === word && base && hangsOn(word, base);
    const levelled = hangs && base ? { ...grown, baseline: base.word.baseline } : grown;
    originals.set(levelled, word);
    before = { word: levelled, size: hangs && base ? base.size : word.style.size };
  }
  return originals;
}

/** Each is looked for among all words. */
const MAX_ACCENTS = 400;

/** An accent stands on the line of the letter below it, wherever its glyph begins. */
function levelAccent(glyphs: Glyphs, word: Word, words: readonly Word[]): Word {
  const [left = 0, top = 0, right = 0, bottom = 0] = glyphs.ink.subarray(word.order * 4, word.order * 4 + 4);
  const middle = (left + right) / 2;
  const { size } = word.style;
  let base: Word | undefined;
  for (const other of words) {
    const below = other.baseline - bottom;
    const isUnder =
      other !== word &&
      other.turn === 0 &&
      middle > other.box.x - size * 0.1 &&
      middle < other.box.x + other.box.width + size * 0.1 &&
      below > -size * 0.1 &&
      below < size * 1.2 &&
      !ACCENT.test(other.text);
    if (isUnder && (!base || other.baseline < base.baseline)) base = other;
  }
  const box = { x: left, y: top, width: right - left, height: bottom - top };
  return { ...word, box, baseline: base?.baseline ?? word.baseline };
}

/** Drawn behind its base, smaller than that and raised or lowered; or an accent over it. */
function hangsOn(word: Word, { word: base, size }: { word: Word; size: number }): boolean {
  const gap = word.box.x - base.box.x - base.box.width;
  const off = Math.abs(word.baseline - base.baseline);
  const isSmall = word.style.size < size * 0.87;
  return isSmall && off < size * 0.9 && gap < size * 0.3 && gap > -Math.max(size * 0.6, word.box.width);
}

function levelGrowing(glyphs: Glyphs, word: Word): Word {
  const i = word.order;
  const code = glyphs.codes[i] as number;
  const { font = '' } = glyphs.looks[glyphs.lookOf[i] as number] ?? {};
  if (!/^cmex|^lmmathext/i.test(font) && !GROWING.test(String.fromCodePoint(code))) return word;
  const [left = 0, top = 0, right = 0, bottom = 0] = glyphs.ink.subarray(i * 4, i * 4 + 4);
  // Accents grow with what is below them.
  if (/^[ˆ˜]$/u.test(word.text)) return word;
  const baseline = (top + bottom) / 2 + AXIS * word.style.size;
  return { ...word, baseline, box: { x: left, y: top, width: right - left, height: bottom - top } };
}

const GROWING = /[∑∏∐∫∮⋃⋂⋀⋁⎛⎞⎡⎤⎣⎦⎢⎥⎧⎫⎩⎭⎨⎬⎪⎝⎠⎜⎟⎷]/;
