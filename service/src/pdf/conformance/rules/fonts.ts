// Rules of fonts: dictionaries, CMaps, embedding, glyphs, widths; encodings and what text reads as stand in files of
// their own.

import { contentOf } from '../../filters/content-data.ts';
import { collectionOf, readEmbeddedCmap } from '../../fonts/cmaps.ts';
import { isSubsetName } from '../../fonts/font-descriptor.ts';
import { isStandard14Name } from '../../fonts/standard-fonts.ts';
import { Name, Ref, Stream } from '../../objects.ts';
import type { FontFacts } from '../fonts/font-under-test.ts';
import { listsAllCids, listsAllNames } from '../fonts/glyph-sets.ts';
import { font, glyph, visible } from './font-rule.ts';
import { READABLE_TEXT_RULES } from './readable-text.ts';
import type { Rule } from './rule.ts';
import { TRUETYPE_RULES } from './truetype.ts';

const SIMPLE = ['Type1', 'MMType1', 'TrueType', 'Type3'];
const SUBTYPES = [...SIMPLE, 'Type0', 'CIDFontType0', 'CIDFontType2'];

export const FONT_RULES: readonly Rule[] = [
  font({ 1: '6.3.2-1', 2: '6.2.11.2-1', 4: '6.2.10.2-1' }, 'Type of fonts is Font.', (facts, { doc }) =>
    [facts.font, facts.descendant].some((dict) => doc.name(dict.get('Type')) !== 'Font'),
  ),
  font(
    { 1: '6.3.2-2', 2: '6.2.11.2-2', 4: '6.2.10.2-2' },
    'Subtype of fonts is one of the standard.',
    ({ subtype, descendant }, { doc }) =>
      [subtype, doc.name(descendant.get('Subtype')) ?? ''].some((each) => !SUBTYPES.includes(each)),
  ),
  font(
    { 1: '6.3.2-3', 2: '6.2.11.2-3', 4: '6.2.10.2-3' },
    'Fonts have a BaseFont.',
    (facts, { doc }) =>
      facts.subtype !== 'Type3' &&
      (facts.baseFont === undefined || doc.name(facts.descendant.get('BaseFont')) === undefined),
  ),
  font(
    { 1: '6.3.2-4', 2: '6.2.11.2-4', 4: '6.2.10.2-4' },
    'Simple fonts have FirstChar.',
    (facts) => needsWidths(facts) && !facts.font.has('FirstChar'),
  ),
  font(
    { 1: '6.3.2-5', 2: '6.2.11.2-5', 4: '6.2.10.2-5' },
    'Simple fonts have LastChar.',
    (facts) => needsWidths(facts) && !facts.font.has('LastChar'),
  ),
  font(
    { 1: '6.3.2-6', 2: '6.2.11.2-6', 4: '6.2.10.2-6' },
    'Widths has one number for each code from FirstChar to LastChar.',
    (facts, { doc }) => {
      if (!needsWidths(facts)) return false;
      const first = doc.number(facts.font.get('FirstChar')) ?? 0;
      const last = doc.number(facts.font.get('LastChar')) ?? 0;
      return doc.array(facts.font.get('Widths'))?.length !== last - first + 1;
    },
  ),
  font(
    { 1: '6.3.2-7', 2: '6.2.11.2-7', 4: '6.2.10.2-7' },
    'Subtype of a font program in FontFile3 is one the part allows.',
    (facts, { doc }, part) => {
      const kind = facts.fontFile && doc.name(facts.fontFile.dict.get('Subtype'));
      if (kind === undefined) return false;
      return !['Type1C', 'CIDFontType0C', ...(part === 1 ? [] : ['OpenType'])].includes(kind);
    },
  ),
  font(
    { 1: '6.3.3.1-1', 2: '6.2.11.3.1-1', 4: '6.2.10.3.1-1', ua1: '7.21.3.1-1', ua2: '8.4.5.3.1-1' },
    'The CIDs of a font and of its CMap are of the same collection.',
    (facts, { doc }, part) => {
      if (facts.subtype !== 'Type0') return false;
      const cmap = collectionOf(doc, facts.font.get('Encoding'));
      const own = doc.dict(facts.descendant.get('CIDSystemInfo'));
      if (cmap === 'identity') return false;
      if (!cmap || doc.text(own?.get('Ordering')) !== cmap.ordering) return true;
      if (doc.text(own?.get('Registry')) !== cmap.registry) return true;
      return (
        part !== 1 &&
        cmap.supplement !== undefined &&
        (doc.number(own?.get('Supplement')) ?? 99) > cmap.supplement
      );
    },
  ),
  font(
    { 1: '6.3.3.2-1', 2: '6.2.11.3.2-1', 4: '6.2.10.3.2-1', ua1: '7.21.3.2-1', ua2: '8.4.5.3.2-1' },
    'Embedded CIDFontType2 fonts have a CIDToGIDMap.',
    (facts, { doc }, part) => {
      if (doc.name(facts.descendant.get('Subtype')) !== 'CIDFontType2') return false;
      if (part === 1 ? !facts.isVisible : !facts.fontFile) return false;
      const map = doc.resolve(facts.descendant.get('CIDToGIDMap'));
      return !(map instanceof Stream || (map instanceof Name && map.value === 'Identity'));
    },
  ),
  font(
    { 1: '6.3.3.3-1', 2: '6.2.11.3.3-1', 4: '6.2.10.3.3-1', ua1: '7.21.3.3-1', ua2: '8.4.5.4-1' },
    'CMaps are embedded, unless they are among those every reader has.',
    (facts, { doc }, part) => {
      const encoding = facts.subtype === 'Type0' ? doc.resolve(facts.font.get('Encoding')) : null;
      if (!(encoding instanceof Name)) return false;
      return part === 1 ? !encoding.value.startsWith('Identity-') : collectionOf(doc, encoding) === undefined;
    },
  ),
  font(
    { 1: '6.3.3.3-2', 2: '6.2.11.3.3-2', 4: '6.2.10.3.3-2', ua1: '7.21.3.3-2', ua2: '8.4.5.4-2' },
    'WMode of a CMap stream says what the CMap in it says.',
    (facts, { doc }) => {
      const cmap = readEmbeddedCmap(doc, facts.font.get('Encoding'));
      return cmap !== undefined && cmap.dictMode !== cmap.mode;
    },
  ),
  font(
    { 2: '6.2.11.3.3-3', 4: '6.2.10.3.3-3', ua1: '7.21.3.3-3', ua2: '8.4.5.4-3' },
    'A CMap builds only on CMaps every reader has.',
    (facts, { doc }) => {
      const cmap = readEmbeddedCmap(doc, facts.font.get('Encoding'));
      const stream = readEmbeddedCmap(doc, cmap?.dict.get('UseCMap'));
      const used = stream ? (doc.name(stream.dict.get('CMapName')) ?? '') : cmap?.uses;
      return used !== undefined && collectionOf(doc, new Name(used)) === undefined;
    },
  ),
  font({ 1: '6.1.12-10', 2: '6.1.13-10' }, 'CIDs are at most 65535.', (facts, { doc }) => {
    const cmap = readEmbeddedCmap(doc, facts.font.get('Encoding'));
    return (cmap?.maxCid ?? 0) > 65_535;
  }),
  font(
    { 1: '6.3.4-1', 2: '6.2.11.4.1-1', 4: '6.2.10.4.1-1', ua1: '7.21.4.1-1', ua2: '8.4.5.5.1-1' },
    'Fonts of visible text are embedded.',
    (facts) => facts.subtype !== 'Type3' && facts.isVisible && facts.program === undefined,
  ),
  glyph(
    { 1: '6.3.5-1', 2: '6.2.11.4.1-2', 4: '6.2.10.4.1-2', ua1: '7.21.4.1-2', ua2: '8.4.5.5.1-2' },
    'Embedded fonts have every glyph that is shown.',
    visible,
    ({ isPresent }) => isPresent === false,
  ),
  font(
    { 1: '6.3.5-2', 2: '6.2.11.4.2-1', ua1: '7.21.4.2-1' },
    'CharSet of a Type 1 subset lists the glyphs of the font program.',
    (facts, { doc }, part) => {
      if (facts.subtype !== 'Type1' || !isSubsetName(facts.baseFont ?? '') || !facts.program) return false;
      const charSet = doc.text(facts.descriptor?.get('CharSet'));
      if (charSet === undefined) return part === 1;
      return !listsAllNames(charSet, facts, part === 1);
    },
  ),
  font(
    { 1: '6.3.5-3', 2: '6.2.11.4.2-2', ua1: '7.21.4.2-2' },
    'CIDSet of a CID font subset lists the glyphs of the font program.',
    (facts, { doc }, part) => {
      if (facts.subtype !== 'Type0' || !isSubsetName(doc.name(facts.descendant.get('BaseFont')) ?? ''))
        return false;
      if (!facts.program) return false;
      const ref = facts.descriptor?.get('CIDSet');
      if (!(ref instanceof Ref) || !(doc.get(ref) instanceof Stream)) return part === 1;
      return !listsAllCids(contentOf(doc, ref), facts, doc, part === 1);
    },
  ),
  glyph(
    { 1: '6.3.6-1', 2: '6.2.11.5-1', 4: '6.2.10.5-1', ua1: '7.21.5-1', ua2: '8.4.5.6-1' },
    'Widths in the dictionary and in the font program agree.',
    visible,
    ({ programWidth, dictWidth }) =>
      programWidth !== undefined && dictWidth !== undefined && Math.abs(programWidth - dictWidth) > 1,
  ),
  ...TRUETYPE_RULES,
  ...READABLE_TEXT_RULES,
];

/** The fourteen standard fonts may go without. */
const needsWidths = ({ subtype, baseFont, program }: FontFacts): boolean =>
  SIMPLE.includes(subtype) && !(subtype === 'Type1' && !program && isStandard14Name(baseFont ?? ''));
