// Style that may come with a message: how things look, and nothing that loads, covers or runs.
import { boundSelectors, styleRules, withoutComments } from '../markup/style-rules.ts';

const REFUSED_PROPERTIES =
  /^(?:position|z-index|behavior|-moz-binding|content|src|cursor|animation.*|transition.*|page|inset.*|top|left|right|bottom)$/;
const REFUSED_VALUES =
  /url\s*\(|image-set|image\s*\(|element\s*\(|expression|javascript|var\s*\(|attr\s*\(|[\\<>{}@]/i;
const MAX_SHEET_CHARACTERS = 500_000;
const MAX_NESTING = 3;

/** `name: value; ...` */
export function cleanDeclarations(text: string): string {
  return splitOutside(withoutComments(text), ';')
    .flatMap((declaration) => {
      const colon = declaration.indexOf(':');
      const property = declaration.slice(0, colon).trim().toLowerCase();
      const value = declaration.slice(colon + 1).trim();
      if (colon < 0 || !/^[a-z-]{1,40}$/.test(property) || value === '' || value.length > 500) return [];
      return REFUSED_PROPERTIES.test(property) || REFUSED_VALUES.test(value) ? [] : [`${property}:${value}`];
    })
    .join(';');
}

/** Rules with their selectors; of rules with @ only @media stay. */
export function cleanSheet(text: string, depth = 0): string {
  if (depth > MAX_NESTING) return '';
  const kept: string[] = [];
  for (const { prelude, block } of styleRules(text.slice(0, MAX_SHEET_CHARACTERS))) {
    if (block === undefined || /[\\<{}]/.test(prelude) || prelude.length > 2000 || prelude === '') continue;
    if (/^@media\b/i.test(prelude)) kept.push(`${prelude}{${cleanSheet(block, depth + 1)}}`);
    else if (!prelude.startsWith('@')) kept.push(`${boundSelectors(prelude)}{${cleanDeclarations(block)}}`);
  }
  return kept.join('\n');
}

/** At separators that stand in no string and no brackets. */
function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let quote = '';
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const mark = text[at] as string;
    if (quote !== '') quote = mark === quote ? '' : quote;
    else if (mark === '"' || mark === "'") quote = mark;
    else if (mark === '(') depth += 1;
    else if (mark === ')') depth = Math.max(0, depth - 1);
    else if (mark === separator && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}
