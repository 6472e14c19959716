// Names that no field has: told to callers who asked for that, refused where a wrong name must not pass in silence.
import { Problem } from '../contract/problems.ts';

/** Told of each unknown name; `known` are those there are, `place` is where it stood if not in the form itself. */
export type OnUnknown = (name: string, known: readonly string[], place?: string) => void;

/** Operations 1.2: "Unknown fields ... are ignored over REST". */
export const IGNORE_UNKNOWN: OnUnknown = () => {};

/** Operations 1.2: agents and pipeline files "refuse unknown names with the nearest valid one". */
export const REFUSE_UNKNOWN: OnUnknown = (name, known, place = '') => {
  throw unknownName(`${place}${shown(name)}`, name, known);
};

/** `told` is what the caller reads, `name` what is compared. */
export function unknownName(told: string, name: string, known: readonly string[]): Problem {
  const near = nearestName(name, known);
  const advice = near
    ? `did you mean ${near}?`
    : known.length > 0
      ? `valid: ${known.join(', ')}.`
      : 'it takes none.';
  return new Problem('invalid_parameter', `${told} is not a parameter; ${advice}`);
}

const LONGEST_SHOWN = 64;

/** A caller's name in our words: cut, and without anything that is not plain. */
export const shown = (name: string): string =>
  name.slice(0, LONGEST_SHOWN).replace(/[^A-Za-z0-9_.@[\]-]/g, '_');

/** Longer names are no slip of the finger. */
const LONGEST_COMPARED = 40;

/** The name with the fewest letters to change, if they are few enough for a slip. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const wanted = plain(name);
  if (wanted === '' || wanted.length > LONGEST_COMPARED) return undefined;
  let best: { name: string; changes: number } | undefined;
  for (const candidate of known) {
    const own = plain(candidate);
    if (own.length > LONGEST_COMPARED) continue;
    const changes = isShortFor(wanted, own) || isShortFor(own, wanted) ? 1 : lettersToChange(wanted, own);
    const most = Math.max(1, Math.floor(Math.max(wanted.length, own.length) / 3));
    if (changes <= most && (best === undefined || changes < best.changes))
      best = { name: candidate, changes };
  }
  return best?.name;
}

/** `page_numbers` and `PageNumbers` are the same to a reader. */
const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** `margin` for customMargin, `params` for parameters: a part of it, or it with letters left out. */
function isShortFor(short: string, long: string): boolean {
  if (short.length < 4) return false;
  if (long.includes(short)) return true;
  let at = 0;
  for (const letter of long) if (letter === short[at]) at += 1;
  return at === short.length && short[0] === long[0] && short.length * 2 >= long.length;
}

/** Letters added, left out, replaced, or swapped with their neighbour. */
function lettersToChange(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const at = (back: number, place: number): number => rows[i - back]?.[place] ?? 0;
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(at(1, j) + 1, (row[j - 1] ?? 0) + 1, at(1, j - 1) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, at(2, j - 2) + 1);
      row.push(least);
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 0;
}
