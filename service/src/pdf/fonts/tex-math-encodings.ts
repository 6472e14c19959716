// The encodings of TeX's fonts for formulas. Their glyphs have names of their own ("summationdisplay",
// "parenleftbigg") that no list of glyph names knows, but each font is always encoded in the one way that TeX knows it
// by. Delimiters of all sizes are the one character; the pieces that large ones are put together of are those of
// Unicode's block Miscellaneous Technical.

/** By code, from 0; a space where there is nothing to say. */
type Encoding = readonly string[];

const LATIN_UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LATIN_LOWER = LATIN_UPPER.toLowerCase();

/** OML: letters. */
const LETTERS: Encoding = [
  ...'ΓΔΘΛΞΠΣΥΦΨΩαβγδϵζηθικλμνξπρστυϕχψωεϑϖϱςφ↼↽⇀⇁  ▹◃0123456789.,</>⋆∂',
  ...LATIN_UPPER,
  ...'♭♮♯⌣⌢ℓ',
  ...LATIN_LOWER,
  ...'ıȷ℘\u20d7⁀',
];

/** OMS: signs, and capitals as they are written by hand. */
const SIGNS: Encoding = [
  ...'−·×∗÷⋄±∓⊕⊖⊗⊘⊙◯∘•≍≡⊆⊇≤≥≼≽∼≈⊂⊃≪≫≺≻←→↑↓↔↗↘≃⇐⇒⇑⇓⇔↖↙∝′∞∈∋△▽\u0338↦∀∃¬∅ℜℑ⊤⊥ℵ',
  ...LATIN_UPPER,
  ...'∪∩⊎∧∨⊢⊣⌊⌋⌈⌉{}⟨⟩|∥↕⇕\\≀√⨿∇∫⊔⊓⊑⊒§†‡¶♣♦♥♠',
];

/** OMX: what grows. */
const GROWING: Encoding = [
  ...'()[]⌊⌋⌈⌉{}⟨⟩|∥/\\()()[]⌊⌋⌈⌉{}⟨⟩/\\()[]⌊⌋⌈⌉{}⟨⟩/\\/\\',
  ...'⎛⎞⎡⎤⎣⎦⎢⎥⎧⎫⎩⎭⎨⎬⎪⏐⎝⎠⎜⎟⟨⟩⨆⨆∮∮⨀⨀⨁⨁⨂⨂∑∏∫⋃⋂⨄⋀⋁∑∏∫⋃⋂⨄⋀⋁∐∐ˆˆˆ˜˜˜[]⌊⌋⌈⌉{}√√√√⎷⏐\u23ba∥↑↓',
  // Four pieces of level braces, of which Unicode has the whole only.
  ...'⏞⏞⏟⏟⇑⇓',
];

/** The first of the two fonts of the American Mathematical Society; the second has names that are known. */
const MORE_SIGNS: Encoding = [...'⊡⊞⊠□■·◇◆↻↺⇌⇋⊟⊩⊪⊨↠↞⇇⇉⇈⇊↾⇂↿⇃↣↢⇆⇄↰↱⇝↭↫↬≗≿≳⪆⊸∴∵≑≜≾≲⪅⪕⪖⋞⋟≼≦⩽≶‵ ≓≒≽≧⩾≷'];

const FONTS: readonly (readonly [RegExp, Encoding])[] = [
  [/^(?:cm(?:mi|mib)|eur[bm])\d+$|^lmmathitalic\d+-/i, LETTERS],
  [/^cmb?sy\d+$|^lmmathsymbols\d+-/i, SIGNS],
  [/^cmex\d+$|^lmmathextension\d+-/i, GROWING],
  [/^msam\d+$/i, MORE_SIGNS],
];

/** How the codes of such a font are read; undefined for all other fonts. */
export function texMathEncoding(font: string): Encoding | undefined {
  return FONTS.find(([name]) => name.test(font))?.[1];
}
