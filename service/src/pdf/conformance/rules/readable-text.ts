// Rules of what text reads as: characters for glyphs, text that stands for others.
import type { ShownGlyph } from '../fonts/font-under-test.ts';
import { any, glyph } from './font-rule.ts';
import type { Rule } from './rule.ts';

export const READABLE_TEXT_RULES: readonly Rule[] = [
  glyph(
    { 1: '6.3.8-1', 2: '6.2.11.7.2-1' },
    'Every glyph shown reads as text: by ToUnicode, its name or its encoding.',
    any,
    ({ unicode }) => unicode === undefined,
    ['a', 'u'],
  ),
  glyph(
    { ua1: '7.21.7-1', ua2: '8.4.5.8-1' },
    'Every glyph shown reads as text: by ToUnicode, its name or its encoding.',
    any,
    ({ unicode }) => unicode === undefined,
  ),
  glyph(
    { 2: '6.2.11.7.2-2' },
    'ToUnicode gives no character that means nothing (U+0000, U+FEFF, U+FFFE).',
    any,
    isMeaningless,
    ['a', 'u'],
  ),
  glyph(
    { 4: '6.2.10.7-1', ua1: '7.21.7-2', ua2: '8.4.5.8-2' },
    'ToUnicode gives no character that means nothing (U+0000, U+FEFF, U+FFFE).',
    any,
    isMeaningless,
  ),
  glyph(
    { 2: '6.2.11.7.3-1' },
    'Characters for private use are explained by ActualText.',
    (facts) => facts.unexplainedGlyphs(),
    ({ unicode }) => unicode !== undefined && isPrivate(unicode),
    ['a'],
  ),
  glyph(
    { ua2: '8.4.3-1' },
    'Characters for private use are explained by ActualText or Alt.',
    (facts) => facts.undescribedGlyphs(),
    ({ unicode }) => unicode !== undefined && isPrivate(unicode),
  ),
  glyph(
    { 2: '6.2.11.8-1', 4: '6.2.10.9-1', ua1: '7.21.8-1', ua2: '8.4.5.9-1' },
    'The glyph .notdef is not shown.',
    any,
    ({ isNotdef }) => isNotdef,
  ),
  {
    at: { 4: '6.2.10.8-1' },
    message: 'ActualText holds no characters for private use.',
    *find(subject) {
      const { doc, drawn, dicts } = subject;
      for (const { properties, where } of drawn.markedTexts)
        if (isPrivate(doc.text(properties.get('ActualText')) ?? '')) yield where;
      for (const { dict, where } of dicts)
        if (dict.has('ActualText') && isPrivate(doc.text(dict.get('ActualText')) ?? '')) yield where;
    },
  },
];

function isMeaningless({ unicode }: ShownGlyph): boolean {
  return unicode !== undefined && /[\0\ufffe\ufeff]/.test(unicode);
}

const isPrivate = (text: string): boolean =>
  /[\ue000-\uf8ff]|[\u{f0000}-\u{ffffd}]|[\u{100000}-\u{10fffd}]/u.test(text.toWellFormed());
