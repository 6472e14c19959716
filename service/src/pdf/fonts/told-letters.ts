// What a code of a font is read as. Two things may tell: the ToUnicode map, and the name of the glyph, which the
// encoding gives or the font program itself. Where they disagree this is the rule, in this order:
// 1. Of a map that says nothing of a code (no entry, an empty one, U+0000, U+FFFD, half a character) nothing is taken:
//    the name decides.
// 2. In fonts whose names are known, those of TeX for formulas, the name decides: maps guess by the code there.
// 3. Else the map decides (ISO 32000-1, 9.10.2), as in other readers: fonts of other scripts often have Latin names.
// A code on which they disagree is doubtful, whichever is followed, and counted in what is told of the result.
import { areSameLetters } from './same-letters.ts';

/** Neither marks for "unknown" alone nor halves of characters. */
export const saysSomething = (text: string | undefined): text is string =>
  text?.isWellFormed() === true && /[^\0\ufeff\ufffd-\uffff]/.test(text);

export interface ToldLetters {
  /** Undefined where nothing tells. */
  text: string | undefined;
  /** What the one that was not followed says, where it is another letter. */
  otherwise: string | undefined;
}

/** `named`: by the name of the glyph, undefined where that says nothing. */
export function decideLetters(
  mapped: string | undefined,
  named: string | undefined,
  hasKnownNames = false,
): ToldLetters {
  if (!saysSomething(mapped)) return { text: named, otherwise: undefined };
  if (!saysSomething(named) || areSameLetters(mapped, named)) return { text: mapped, otherwise: undefined };
  return hasKnownNames ? { text: named, otherwise: mapped } : { text: mapped, otherwise: named };
}
