// Small faults that a good test notices, one at a time. Found in the text, because the code is formatted: comparisons
// have blanks around them, types do not. What no longer parses is left out.
import { stripTypeScriptTypes } from 'node:module';

export interface Mutant {
  /** From 1. */
  line: number;
  what: string;
  code: string;
}

type Change = readonly [pattern: RegExp, replacement: (...found: string[]) => string];

const to = (text: string) => (): string => text;

const CHANGES: readonly Change[] = [
  [/ < /g, to(' <= ')],
  [/ <= /g, to(' < ')],
  [/ > /g, to(' >= ')],
  [/ >= /g, to(' > ')],
  [/ === /g, to(' !== ')],
  [/ !== /g, to(' === ')],
  [/ && /g, to(' || ')],
  [/ \|\| /g, to(' && ')],
  [/ \?\? .+?(?=[;,)\n])/g, to('')],
  [/ \+ /g, to(' - ')],
  [/ - /g, to(' + ')],
  [/\.every\(/g, to('.some(')],
  [/\.some\(/g, to('.every(')],
  [/\btrue\b/g, to('false')],
  [/\bfalse\b/g, to('true')],
  [/\bif \((.+)\)(?= \{$| return| throw| continue| break)/g, (_, condition) => `if (!(${condition}))`],
  [/(?<![\w.'"#-])\d[\d_]*(?:\.\d+)?(?![\w.'"])/g, (number) => `${Number(number?.replaceAll('_', '')) + 1}`],
  [/(?<![\w.'"#-])\d[\d_]*(?:\.\d+)?(?![\w.'"])/g, (number) => `${Number(number?.replaceAll('_', '')) - 1}`],
  // A call whose value nobody takes is left out.
  [/^(\s+)(?:await )?[\w.#]+\([^;{}]*\);$/g, (_, indent = '') => `${indent};`],
  [/^(\s+)return [^;{}]+;$/g, (_, indent = '') => `${indent}return undefined as never;`],
];

export function mutantsOf(code: string): Mutant[] {
  const lines = code.split('\n');
  const made: Mutant[] = [];
  let isComment = false;
  for (const [index, line] of lines.entries()) {
    if (/^\s*\/\*/.test(line)) isComment = true;
    const isSkipped =
      isComment || /^\s*(?:\/\/|import\b|export (?:type|interface)\b|type\b|interface\b)/.test(line);
    if (line.includes('*/')) isComment = false;
    if (isSkipped) continue;
    for (const [pattern, replacement] of CHANGES) {
      for (const found of line.matchAll(pattern)) {
        const changed =
          line.slice(0, found.index) + replacement(...found) + line.slice(found.index + found[0].length);
        const mutated = lines.with(index, changed).join('\n');
        if (changed !== line && parses(mutated))
          made.push({ line: index + 1, what: `${line.trim()}  =>  ${changed.trim()}`, code: mutated });
      }
    }
  }
  return made;
}

function parses(code: string): boolean {
  try {
    stripTypeScriptTypes(code);
    return true;
  } catch {
    return false;
  }
}
