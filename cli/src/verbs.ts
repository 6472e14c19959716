// Plain verbs: an operation without its group, and without "-pdf" where that leaves no doubt. `rotate` is
// general/rotate-pdf, `merge` general/merge-pdfs, `flatten` misc/flatten.
import { CATALOGUE } from '@bindery/sdk/catalogue';

/** By every name that means one operation alone. */
function verbs(): ReadonlyMap<string, string> {
  const named = Map.groupBy(
    Object.keys(CATALOGUE).flatMap((path) => namesOf(path).map((name) => ({ name, path }))),
    ({ name }) => name,
  );
  return new Map(
    [...named].flatMap(([name, meant]): [string, string][] => {
      // The whole name of one operation is not taken by another's short one.
      const whole = meant.find(({ path }) => path.slice(path.indexOf('/') + 1) === name);
      const only = whole ?? (meant.length === 1 ? meant[0] : undefined);
      return only ? [[name, only.path]] : [];
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
