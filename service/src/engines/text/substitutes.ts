// Fonts that stand in for others: the metric twins of the standard fonts first, then whatever has the characters.
import type { WantedFont } from '../../pdf/pdfa-conversion/font-substitution.ts';
import type { FoundFont } from '../../pdf/pdfa-conversion/substitute-parts.ts';
import type { Font } from './font.ts';
import type { FontIndex } from './font-index.ts';

const FAMILIES: Readonly<Record<WantedFont['look'], readonly string[]>> = {
  helvetica: ['Liberation Sans', 'Arimo', 'DejaVu Sans', 'Noto Sans'],
  times: ['Liberation Serif', 'Tinos', 'DejaVu Serif', 'Noto Serif', 'DejaVu Sans'],
  courier: ['Liberation Mono', 'Cousine', 'DejaVu Sans Mono', 'Noto Sans Mono', 'DejaVu Sans'],
};

/** Symbols that fonts for text do not have. */
const SIGNS = ['DejaVu Sans', 'Symbola', 'Noto Sans Symbols2', 'Noto Sans Math'];

export function substituteFor(
  index: FontIndex,
  wanted: WantedFont,
  characters: readonly string[],
): FoundFont | undefined {
  const { region } = wanted;
  // Ideographs stand in squares, and what is half as wide beside them takes half a square.
  const eastAsian = region ? [`Noto Sans Mono CJK ${region}`, `Noto Sans CJK ${region}`] : [];
  const families = [...eastAsian, ...FAMILIES[wanted.look], ...SIGNS];
  const codes = characters.map((character) => character.codePointAt(0) ?? 0x20);
  const hasAll = (font: Font): boolean => codes.every((code) => code === 0x20 || font.has(code));
  for (const family of families) {
    const font = index.styled(family, wanted);
    if (font && hasAll(font)) return found(font);
  }
  // Whatever has them, if its outlines can be given any width.
  const other = index.all().find((font) => font.outlines === 'glyf' && hasAll(font));
  return other && found(other);
}

const found = (font: Font): FoundFont => ({
  font,
  glyph: (character) => font.glyph(character.codePointAt(0) ?? 0x20),
});
