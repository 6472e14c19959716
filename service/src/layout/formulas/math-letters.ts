// Letters of formulas: which letter a glyph is and in which face, by its character (𝑥 is one of its own) or its font.
import { lookup } from '../../contract/lookup.ts';
import type { GlyphLook } from '../../contract/page-items.ts';
import { isBold, isMonospaceName } from '../words/font-names.ts';
import type { Face } from './formula.ts';

/** Fonts that are made for formulas and hardly used for anything else. */
const MATH_FONT =
  /^(?:cm(?:mi|mib|sy|bsy|ex)\d|lmmath|msam|msbm|eu[fs][mb]\d|eur[bm]\d|rsfs|stmary|wasy|esint|txmi|txsy|txex|pxmi|pxsy|pxex|ntxmi|newtxmi|ntxsy|ntxex|zptmcm|fourier-m|mathpi|mt-?extra|mtmi|mtsy|mtex|euclid(?:math|extra|symbol|fraktur)|stixsiz|stixmath|stixgeneral|stixnonuni)|math(?:-?(?:regular|bold|italic))?$|mathjax|katex_/i;

export const isMathFont = (font: string): boolean => MATH_FONT.test(font.replace(/\s/g, ''));

const ITALIC_FONT = /^(?:cmmi|lmmathitalic|txmi|pxmi|ntxmi|newtxmi|mtmi|zptmcm7m|katex_math|mathjax_math)/i;

/** The alphabets of Mathematical Alphanumeric Symbols, each twice 26 letters long. */
const ALPHABETS: readonly (readonly [number, Face])[] = [
  [0x1d400, 'bold'],
  [0x1d434, 'italic'],
  [0x1d468, 'bold italic'],
  [0x1d49c, 'script'],
  [0x1d4d0, 'script'],
  [0x1d504, 'fraktur'],
  [0x1d538, 'blackboard'],
  [0x1d56c, 'fraktur'],
  [0x1d5a0, 'sans'],
  [0x1d5d4, 'sans'],
  [0x1d608, 'sans'],
  [0x1d63c, 'sans'],
  [0x1d670, 'monospace'],
];
const LAST_LATIN = 0x1d6a3;
/** Five Greek alphabets of 58 characters. */
const FIRST_GREEK = 0x1d6a8;
const LAST_GREEK = 0x1d7cb;
const GREEK_LENGTH = 58;
const GREEK = 'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡϴΣΤΥΦΧΨΩ∇αβγδεζηθικλμνξοπρςστυφχψω∂ϵϑϰϕϱϖ';
const GREEK_FACES: readonly Face[] = ['bold', 'italic', 'bold italic', 'sans', 'sans'];
/** Digits in five faces. */
const FIRST_DIGIT = 0x1d7ce;
const LAST_DIGIT = 0x1d7ff;
const DIGIT_FACES: readonly Face[] = ['bold', 'blackboard', 'sans', 'sans', 'monospace'];

/** Letters that had a place of their own before. */
const EARLIER: Readonly<Record<string, readonly [string, Face]>> = lookup({
  ℎ: ['h', 'italic'],
  ℬ: ['B', 'script'],
  ℰ: ['E', 'script'],
  ℱ: ['F', 'script'],
  ℋ: ['H', 'script'],
  ℐ: ['I', 'script'],
  ℒ: ['L', 'script'],
  ℳ: ['M', 'script'],
  ℛ: ['R', 'script'],
  ℂ: ['C', 'blackboard'],
  ℍ: ['H', 'blackboard'],
  ℕ: ['N', 'blackboard'],
  ℙ: ['P', 'blackboard'],
  ℚ: ['Q', 'blackboard'],
  ℝ: ['R', 'blackboard'],
  ℤ: ['Z', 'blackboard'],
  ℭ: ['C', 'fraktur'],
});

/** Signs that are written in more ways than one. */
const SAME: Readonly<Record<string, string>> = lookup({
  '\u2010': '−',
  '-': '−',
  '\u2032': '′',
  '\u2217': '∗',
  '⋅': '·',
  '\u2215': '/',
  '\u2223': '|',
  '\u2016': '∥',
  '\u2225': '∥',
  '〈': '⟨',
  '〉': '⟩',
  '\u2329': '⟨',
  '\u232a': '⟩',
  '\u0302': 'ˆ',
  '\u0303': '˜',
  '\u0304': '¯',
  '\u0305': '¯',
  '\u0307': '˙',
  '\u0308': '¨',
  '\u030c': 'ˇ',
  '\u0306': '˘',
  '\u0301': '´',
  '\u0300': '`',
  '\u02c9': '¯',
  '\u2126': 'Ω',
  '\u2206': 'Δ',
  '\u00b5': 'μ',
  '\u2113': 'ℓ',
  '◦': '∘',
});

/** The letter as it is without a face, and its face. Empty where the glyph has no meaning that is known. */
export function faceOf(code: number, look: GlyphLook): { text: string; face: Face } {
  const known = alphanumeric(code);
  if (known) return known;
  const text = String.fromCodePoint(code);
  const earlier = EARLIER[text];
  if (earlier) return { text: earlier[0], face: earlier[1] };
  if (code < 0x20 || (code >= 0xe000 && code <= 0xf8ff) || code === 0xfffd)
    return { text: '', face: 'upright' };
  const face = faceByFont(text, look);
  // Small letters are not written so: the glyph is another than its code says.
  if (face === 'script' && /^[a-z]$/.test(text) && /^cmb?sy/i.test(look.font)) return { text: '', face };
  return { text: SAME[text] ?? text, face };
}

function alphanumeric(code: number): { text: string; face: Face } | undefined {
  if (code < 0x1d400 || code > LAST_DIGIT) return undefined;
  if (code >= FIRST_DIGIT) {
    const face = DIGIT_FACES[Math.floor((code - FIRST_DIGIT) / 10)] ?? 'bold';
    return { text: String((code - FIRST_DIGIT) % 10), face };
  }
  if (code >= FIRST_GREEK && code <= LAST_GREEK) {
    const at = code - FIRST_GREEK;
    const face = GREEK_FACES[Math.floor(at / GREEK_LENGTH)] ?? 'italic';
    return { text: [...GREEK][at % GREEK_LENGTH] ?? '', face };
  }
  if (code > LAST_LATIN) return { text: code === 0x1d6a4 ? 'ı' : 'ȷ', face: 'italic' };
  const [first, face] = ALPHABETS.findLast(([from]) => from <= code) ?? [0, 'italic'];
  const at = code - first;
  return { text: String.fromCharCode(at < 26 ? 0x41 + at : 0x61 + at - 26), face };
}

function faceByFont(text: string, { font, weight, italic }: GlyphLook): Face {
  const name = font.replace(/\s/g, '');
  if (!/\p{L}/u.test(text)) return isBold(font, weight) && /\d/.test(text) ? 'bold' : 'upright';
  if (/^msbm|^bbm|^bbold|^dsrom/i.test(name)) return 'blackboard';
  if (/^euf|fraktur/i.test(name)) return 'fraktur';
  if (/^cmb?sy\d|^lmmathsymbols|^rsfs|^eus[mb]\d|script|calli/i.test(name)) return 'script';
  const bold = isBold(font, weight) || /^cmmib|^lmmathitalic\d+-bold/i.test(name);
  const slanted = italic || ITALIC_FONT.test(name) || /italic|oblique|^cmti|^cmsl/i.test(name);
  if (isMonospaceName(name)) return 'monospace';
  if (/^cmss|^lmsans|sans/i.test(name) && !/liberation|dejavu|notosans/i.test(name)) return 'sans';
  // Capital Greek letters of TeX are upright; others are written as they are meant.
  if (bold) return slanted ? 'bold italic' : 'bold';
  return slanted ? 'italic' : 'upright';
}
