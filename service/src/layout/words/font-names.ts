// Fonts by name: which family, how heavy, how wide.

const STYLE_WORDS =
  /[-, ]*(Bold|Italic|Oblique|Regular|Roman|Medium|Light|Semi ?Bold|Demi ?Bold|Demi|Black|Heavy|Book|Thin|Extra|Ultra|Condensed|Narrow|Cond|Bd|It|Ital|Obl|Slanted|MT|PS|PSMT|LT|Std|Pro)+$/i;

/** "TimesNewRomanPS-BoldItalicMT" is Times New Roman. */
export function familyOf(font: string): string {
  let name = font
    .replace(/^[A-Z]{6}\+/, '')
    .replace(/#20/g, ' ')
    .replace(/_/g, ' ');
  for (
    let cut = name.replace(STYLE_WORDS, '');
    cut !== name && cut.length > 1;
    cut = name.replace(STYLE_WORDS, '')
  )
    name = cut;
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/\s+/g, ' ')
    .trim();
}

const BOLD =
  /bold|black|heavy|demi(?!light)|[-,_ ]bd\b|^cmbx|^cmb\d|^cmss?bx|^sfbx|^lmbx|NimbusRomNo9L-Medi|NimbusSanL-Bold/i;
const NOT_BOLD = /regular|roman\b|light|book|thin/i;
const MONOSPACE =
  /mono(?!type)|courier|consol|typewriter|^cmtt|^sftt|^lmmono|menlo|inconsolata|fixed|nimbusmon|letter ?gothic|lucida ?sans ?typ|ocr-?[ab]|andale|terminal/i;

/** Families that say in their name which of their fonts are bold. */
const TELLING =
  /^(?:arial|helvetica|times|courier|calibri|cambria|verdana|georgia|tahoma|trebuchet|garamond|palatino|segoe|liberation|dejavu|noto|roboto|opensans|nimbus|cm[a-z]*\d|lm[a-z])/i;

export function isBold(font: string, weight: number): boolean {
  if (BOLD.test(font)) return true;
  // PDFium guesses the weight from the width of stems, which is high for many a plain font.
  return weight >= 700 && !NOT_BOLD.test(font) && !TELLING.test(font);
}

export const isItalicName = (font: string): boolean =>
  /italic|oblique|slanted|^cmti|^cmsl|^cmmi|[-,]it\b/i.test(font);

export const isMonospaceName = (font: string): boolean => MONOSPACE.test(font);
