// What callers would be refused whatever they send: operations that the operator has turned off, and those whose engine this
// machine lacks.
import { OPERATIONS } from '../../operations/index.generated.ts';
import { missingEngine } from './gate.ts';
import type { ServerParts } from './parts.ts';

/** Why, by operation. Before the first worker is up no engine is known to be missing. */
export function unavailableOperations({
  runner,
  turnedOff,
}: Pick<ServerParts, 'runner' | 'turnedOff'>): Record<string, string> {
  const refused: Record<string, string> = {};
  for (const [path, { uses }] of Object.entries(OPERATIONS)) {
    const why = turnedOff.why(path) ?? missingEngine(runner, uses);
    if (why !== undefined) refused[path] = why;
  }
  return refused;
}
