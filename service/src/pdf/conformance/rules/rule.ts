// One row of the table of rules: where a standard states it, whom it binds, how it is looked for.
import type { Level, Part, Standard } from '../standards.ts';
import type { Subject } from '../validation-context.ts';

export interface Rule {
  /**
   * Clause and number of the test in each part, such as "6.1.2-1". Parts 2 and 3 count alike: what is said for 2
   * holds for 3 unless that says otherwise.
   */
  at: Partial<Record<Part, string>>;
  /** Levels of conformance it binds; all where absent. */
  levels?: readonly Level[];
  /** What the standard asks for, as a sentence. */
  message: string;
  /** Every place where it is broken. */
  find(subject: Subject, standard: Standard): Iterable<string>;
}

/** Clause and test of a rule under a standard; undefined where it does not bind. */
export function placeOf(rule: Rule, { part, level }: Standard): { clause: string; test: string } | undefined {
  const held = rule.at[part] ?? (part === 3 ? rule.at[2] : undefined);
  if (held === undefined || (rule.levels && !rule.levels.includes(level))) return undefined;
  const dash = held.lastIndexOf('-');
  return { clause: held.slice(0, dash), test: held.slice(dash + 1) };
}
