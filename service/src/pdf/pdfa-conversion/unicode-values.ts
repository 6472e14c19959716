// Levels u and a: every glyph shown has a Unicode value. Where a font does not tell one, its program is asked. Glyphs
// that nothing explains keep what readers take them for, which is their code, so that no text is lost; those that have
// no reading either get a value for private use, which the standard allows at level u.

import type { FontFacts, ShownGlyph } from '../conformance/fonts/font-under-test.ts';
import type { Standard } from '../conformance/standards.ts';
import type { Subject } from '../conformance/validation-context.ts';
import type { PdfDocument } from '../document.ts';
import { writeToUnicode } from '../fonts/cmap-writer.ts';
import { charactersOf } from '../fonts/glyph-names.ts';
import type { TrueTypeFont } from '../fonts/programs/truetype.ts';
import { MAC_ROMAN } from '../fonts/simple-encodings.ts';
import { Dict } from '../objects.ts';

/** Values that mean nothing (6.2.11.7.2). */
const MEANINGLESS = /[\0\ufeff\ufffe]/;

export function completeToUnicode(doc: PdfDocument, { fonts }: Subject, { level }: Standard): void {
  if (level !== 'a' && level !== 'u') return;
  for (const facts of fonts) {
    const shown = facts.allGlyphs();
    const missing = shown.filter(
      ({ code, unicode }) =>
        unicode === undefined || MEANINGLESS.test(unicode) || (code === 0 && isUntold(facts, code)),
    );
    if (missing.length === 0) continue;
    const characters = programCharacters(facts);
    const texts = new Map(facts.toUnicode?.all());
    for (const glyph of missing) {
      const text =
        characterOf(facts, glyph, characters) ??
        readingOf(glyph) ??
        (level === 'u' ? privateValue(glyph) : undefined);
      if (text !== undefined) texts.set(glyph.code, text);
    }
    const length = Math.max(1, ...shown.map((glyph) => glyph.codeLength));
    const codes = [...texts].map(([code, text]) => ({ code, length, text }));
    const font = facts.use.ref ? doc.edit(facts.use.ref) : facts.font;
    font.set('ToUnicode', doc.addStream(new Dict(), writeToUnicode(codes)));
  }
}

/** Some validators take the code 0 of a built-in encoding for no character; TeX has its minus there. */
const isUntold = ({ subtype, encoding, toUnicode }: FontFacts, code: number): boolean =>
  subtype === 'Type1' && encoding.nameOf(code) === undefined && toUnicode?.get(code) === undefined;

function characterOf(
  { program, encoding }: FontFacts,
  { code, glyph, glyphName }: ShownGlyph,
  characters: ReadonlyMap<number, string>,
): string | undefined {
  const name = encoding.nameOf(code) ?? glyphName;
  const named = name === undefined ? undefined : charactersOf(name);
  if (named !== undefined) return named;
  return program && glyph !== undefined ? characters.get(glyph) : undefined;
}

/** What the program itself calls its glyphs, by their numbers. */
function programCharacters({ program }: FontFacts): Map<number, string> {
  const found = new Map<number, string>();
  const names = program?.kind === 'cff' ? program.font.names : undefined;
  names?.forEach((name, glyph) => {
    const character = charactersOf(name);
    if (character !== undefined) found.set(glyph, character);
  });
  if (program?.kind === 'truetype') readCmaps(program.font, found);
  return found;
}

const LAST_OF_PLANE = 0xffff;

/** Tables of Unicode come first; one of Mac codes says which letter of that set a glyph is, as readers take it. */
function readCmaps(font: TrueTypeFont, found: Map<number, string>): void {
  const note = (glyph: number, text: string): void => {
    if (glyph > 0 && !found.has(glyph) && !MEANINGLESS.test(text) && !/\p{Co}/u.test(text))
      found.set(glyph, text);
  };
  for (const cmap of font.cmaps) {
    const isUnicode = cmap.platform === 0 || (cmap.platform === 3 && cmap.encoding !== 0);
    for (let point = 0x20; isUnicode && point <= LAST_OF_PLANE; point += 1)
      if (point < 0xd800 || point > 0xdfff) note(cmap.glyph(point), String.fromCharCode(point));
  }
  for (const [name, glyph] of font.glyphNames) note(glyph, charactersOf(name) ?? '\0');
  for (const cmap of font.cmaps)
    if (cmap.platform === 1 && cmap.encoding === 0)
      for (const [character, code] of MAC_ROMAN) note(cmap.glyph(code), character);
}

function readingOf({ code }: ShownGlyph): string | undefined {
  const character = code <= LAST_OF_PLANE ? String.fromCharCode(code) : '';
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(character) ? character : undefined;
}

/** By the code: equal codes of one font read equal. */
function privateValue({ code }: ShownGlyph): string {
  const point = code <= 0x18ff ? 0xe000 + code : 0xf0000 + (code & LAST_OF_PLANE);
  return String.fromCodePoint((point & LAST_OF_PLANE) >= 0xfffe ? 0x100000 : point);
}
