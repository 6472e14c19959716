// Holds a document against a standard, rule by rule.

import { RULES } from './rules/all-rules.ts';
import { placeOf } from './rules/rule.ts';
import type { Standard } from './standards.ts';
import type { Subject } from './validation-context.ts';

export interface Failure {
  /** Clause and test: "6.1.2-1". */
  ruleId: string;
  message: string;
  location: string;
  specification: string;
  clause: string;
  testNumber: string;
}

export interface Verdict {
  standard: Standard;
  compliant: boolean;
  totalFailures: number;
  /** At most `MAX_FAILURES`. */
  failures: Failure[];
}

/** Operations 8, verify-pdf: "At most 1000 failures are listed". */
export const MAX_FAILURES = 1000;
/** One rule broken on every page must not hide the others. */
const MAX_PER_RULE = 100;
const MAX_COUNTED = 1_000_000;

export function checkConformance(subject: Subject, standard: Standard): Verdict {
  const failures: Failure[] = [];
  let totalFailures = 0;
  for (const rule of RULES) {
    const place = placeOf(rule, standard);
    if (!place) continue;
    let found = 0;
    for (const location of rule.find(subject, standard)) {
      found += 1;
      if (found > MAX_COUNTED) break;
      if (found > MAX_PER_RULE || failures.length >= MAX_FAILURES) continue;
      failures.push({
        ruleId: `${place.clause}-${place.test}`,
        message: rule.message,
        location,
        specification: standard.specification,
        clause: place.clause,
        testNumber: place.test,
      });
    }
    totalFailures += found;
  }
  return { standard, compliant: totalFailures === 0, totalFailures, failures };
}
