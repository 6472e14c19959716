// Fonts a document only names, embedded: another font that looks alike takes their place. Codes, widths and what the
// text reads as stay; only the shapes of the letters are those of the other font.
import { lookup } from '../../contract/lookup.ts';
import type { FontFacts } from '../conformance/fonts/font-under-test.ts';
import type { Subject } from '../conformance/validation-context.ts';
import type { PdfDocument } from '../document.ts';
import { type FontLook, fontLook } from '../fonts/font-look.ts';
import type { Ref } from '../objects.ts';
import { type MeantCode, meantCodes } from './code-characters.ts';
import { embedComposite } from './composite-substitute.ts';
import { embedSimple } from './simple-substitute.ts';
import { drawn, type FoundFont } from './substitute-parts.ts';

export interface WantedFont extends FontLook {
  /** For ideographs: whose forms. */
  region: 'JP' | 'KR' | 'SC' | 'TC' | undefined;
}

/** A font with all of these characters, as near to the wanted look as there is one. */
export type FindFont = (wanted: WantedFont, characters: readonly string[]) => FoundFont | undefined;

const BLANK: MeantCode = { code: 32, length: 1, character: ' ', width: 250 };

/** Fonts for which nothing fitting was found stay as they are. */
export function substituteFonts(doc: PdfDocument, subject: Subject, find: FindFont): void {
  for (const facts of subject.fonts) {
    const { ref } = facts.use;
    if (!ref || facts.subtype === 'Type3' || facts.program || !facts.isVisible) continue;
    const shown = meantCodes(doc, facts);
    // A font that shows an empty text is asked for all the same.
    const codes = shown?.length === 0 && facts.subtype !== 'Type0' ? [BLANK] : shown;
    if (!codes || codes.length === 0) continue;
    const characters = [...new Set(codes.map(({ character }) => drawn(character)))];
    const found = find(wantedFor(doc, facts), characters);
    if (found) embed(doc, ref, facts, codes, found);
  }
}

function embed(
  doc: PdfDocument,
  ref: Ref,
  facts: FontFacts,
  codes: readonly MeantCode[],
  found: FoundFont,
): void {
  if (facts.subtype === 'Type0') embedComposite(doc, ref, facts, codes, found);
  else if (found.font.outlines === 'glyf') embedSimple(doc, ref, codes, found);
}

function wantedFor(doc: PdfDocument, facts: FontFacts): WantedFont {
  return {
    ...fontLook(doc, facts.baseFont ?? '', facts.descriptor),
    region: regionOf(doc, facts),
  };
}

const REGIONS: Readonly<Record<string, WantedFont['region']>> = lookup({
  Japan1: 'JP',
  Korea1: 'KR',
  KR: 'KR',
  GB1: 'SC',
  CNS1: 'TC',
});

function regionOf(doc: PdfDocument, facts: FontFacts): WantedFont['region'] {
  const info = doc.dict(facts.descendant.get('CIDSystemInfo'));
  return facts.subtype === 'Type0' ? REGIONS[doc.text(info?.get('Ordering')) ?? ''] : undefined;
}
