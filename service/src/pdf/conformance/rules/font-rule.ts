// Rules that are asked of every font, or of every glyph that is shown.
import type { FontFacts, ShownGlyph } from '../fonts/font-under-test.ts';
import type { Part } from '../standards.ts';
import type { Subject } from '../validation-context.ts';
import type { Rule } from './rule.ts';

type Check = (font: FontFacts, subject: Subject, part: Part) => boolean;

export function font(at: Rule['at'], message: string, isWrong: Check): Rule {
  return {
    at,
    message,
    *find(subject, { part }) {
      for (const facts of subject.fonts) if (isWrong(facts, subject, part)) yield facts.where;
    },
  };
}

export function glyph(
  at: Rule['at'],
  message: string,
  glyphsOf: (font: FontFacts) => ShownGlyph[],
  isWrong: (glyph: ShownGlyph, font: FontFacts) => boolean,
  levels?: Rule['levels'],
): Rule {
  return {
    at,
    ...(levels ? { levels } : {}),
    message,
    *find({ fonts }) {
      for (const facts of fonts)
        for (const each of glyphsOf(facts))
          if (isWrong(each, facts)) yield `${facts.where}, code ${each.code.toString(16).padStart(2, '0')}`;
    },
  };
}

export const visible = (facts: FontFacts): ShownGlyph[] => facts.visibleGlyphs();
export const any = (facts: FontFacts): ShownGlyph[] => facts.allGlyphs();
