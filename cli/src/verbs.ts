// Plain verbs: an operation without its group, and without "-pdf" where that leaves no doubt. `rotate` is
// general/rotate-pdf, `merge` general/merge-pdfs, `flatten` misc/flatten.
import { CATALOGUE } from '@bindery/sdk/catalogue';

/** By every name that means one operation alone. */
function verbs(): ReadonlyMap<string, string> {
  const named = new Map<string, string[]>();
  for (const path of Object.keys(CATALOGUE))
    for (const name of namesOf(path)) named.set(name, [...(named.get(name) ?? []), path]);
  return new Map(
    [...named].flatMap(([name, meant]): [string, string][] => {
      // The whole name of one operation is not taken by another's short one.
      const whole = meant.find((path) => path.slice(path.indexOf('/') + 1) === name);
      const only = whole ?? (meant.length === 1 ? meant[0] : undefined);
      return only ? [[name, only]] : [];
    }),
  );
}

function namesOf(path: string): string[] {
  const name = path.slice(path.indexOf('/') + 1);
  const short = name.replace(/-(?:pdfs?|pages)$/, '');
  return [...new Set([name, short, name.replace('/', '-to-')])];
}

export const VERBS = verbs();

/** The shortest first: of what is as near, a plain verb was meant. */
export const VERB_NAMES: readonly string[] = [...VERBS.keys()].sort((a, b) => a.length - b.length);

/** What people call an operation: the shortest of its names, with its group where it has none alone. */
export function nameOf(path: string): string {
  const own = VERB_NAMES.find((verb) => VERBS.get(verb) === path);
  return own ?? path.replace('/', ' ');
}
