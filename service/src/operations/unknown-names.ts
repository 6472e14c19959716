// Names that no field has: told to callers who asked for that, refused where a wrong name must not pass in silence.
import { nearestName } from '../contract/nearest-name.ts';
import { invalidParameter, type Problem } from '../contract/problems.ts';

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
  return invalidParameter(`${told} is not a parameter; ${advice}`);
}

const LONGEST_SHOWN = 64;

/** A caller's name in our words: cut, and without anything that is not plain. */
export const shown = (name: string): string =>
  name.slice(0, LONGEST_SHOWN).replace(/[^A-Za-z0-9_.@[\]-]/g, '_');
