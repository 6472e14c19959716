// Rules of TrueType fonts: how codes lead to glyphs.

import { charactersOf } from '../../fonts/glyph-names.ts';
import type { FontFacts } from '../fonts/font-under-test.ts';
import { font } from './font-rule.ts';
import type { Rule } from './rule.ts';

export const TRUETYPE_RULES: readonly Rule[] = [
  font(
    { 2: '6.2.11.6-1', ua1: '7.21.6-1' },
    'Non-symbolic TrueType fonts have a cmap for their encoding.',
    (facts) => {
      const cmaps = trueTypeCmaps(facts);
      if (!cmaps || facts.isSymbolic) return false;
      return cmaps.some(isSymbolCmap) ? cmaps.length < 2 : cmaps.length < 1;
    },
  ),
  font(
    { 4: '6.2.10.6-1', ua2: '8.4.5.7-1' },
    'Non-symbolic TrueType fonts have a (3,1) or (1,0) cmap.',
    (facts) => {
      const cmaps = trueTypeCmaps(facts);
      return (
        cmaps !== undefined &&
        !facts.isSymbolic &&
        !cmaps.some((each) => isCmap(each, 3, 1) || isCmap(each, 1, 0))
      );
    },
  ),
  font(
    { 1: '6.3.7-1', 2: '6.2.11.6-2', 4: '6.2.10.6-2', ua1: '7.21.6-2', ua2: '8.4.5.7-2' },
    'Non-symbolic TrueType fonts have MacRomanEncoding or WinAnsiEncoding.',
    (facts, _subject, part) => {
      if (facts.subtype !== 'TrueType' || facts.isSymbolic) return false;
      if (!['MacRomanEncoding', 'WinAnsiEncoding'].includes(facts.encoding.base ?? '')) return true;
      if (facts.encoding.differences.size === 0) return false;
      const hasUnicode = trueTypeCmaps(facts)?.some((each) => isCmap(each, 3, 1)) ?? false;
      const known = [...facts.encoding.differences.values()].every(
        (name) => charactersOf(name) !== undefined,
      );
      return part === 1 || !hasUnicode || !known;
    },
  ),
  font(
    { 1: '6.3.7-2', 2: '6.2.11.6-3', 4: '6.2.10.6-3', ua1: '7.21.6-3', ua2: '8.4.5.7-3' },
    'Symbolic TrueType fonts have no Encoding.',
    (facts) => facts.subtype === 'TrueType' && facts.isSymbolic && facts.encoding.isThere,
  ),
  font({ 1: '6.3.7-3' }, 'Symbolic TrueType fonts have one cmap.', (facts) => {
    const cmaps = trueTypeCmaps(facts);
    return cmaps !== undefined && facts.isSymbolic && cmaps.length !== 1;
  }),
  font(
    { 2: '6.2.11.6-4', ua1: '7.21.6-4' },
    'Symbolic TrueType fonts have one cmap or a (3,0) cmap.',
    (facts) => {
      const cmaps = trueTypeCmaps(facts);
      return cmaps !== undefined && facts.isSymbolic && cmaps.length !== 1 && !cmaps.some(isSymbolCmap);
    },
  ),
  font(
    { 4: '6.2.10.6-4', ua2: '8.4.5.7-4' },
    'Symbolic TrueType fonts have a (3,0) or (1,0) cmap.',
    (facts) => {
      const cmaps = trueTypeCmaps(facts);
      return (
        cmaps !== undefined &&
        facts.isSymbolic &&
        !cmaps.some((each) => isSymbolCmap(each) || isCmap(each, 1, 0))
      );
    },
  ),
];

type Cmap = { platform: number; encoding: number };

const isCmap = ({ platform, encoding }: Cmap, wanted: number, kind: number): boolean =>
  platform === wanted && encoding === kind;
const isSymbolCmap = (cmap: Cmap): boolean => isCmap(cmap, 3, 0);

const trueTypeCmaps = (facts: FontFacts): readonly Cmap[] | undefined =>
  facts.subtype === 'TrueType' && facts.program?.kind === 'truetype' ? facts.program.font.cmaps : undefined;
