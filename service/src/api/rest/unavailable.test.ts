import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../contract/problems.ts';
import type { EngineStates } from '../../jobs/runner.ts';
import { OPERATIONS } from '../../operations/index.generated.ts';
import { requireEngines } from './gate.ts';
import { TurnedOff } from './turned-off.ts';
import { unavailableOperations } from './unavailable.ts';

const ENGINES = [...new Set(Object.values(OPERATIONS).flatMap(({ uses }) => uses))];

/** A machine that lacks these engines. */
const without = (...missing: readonly string[]) => ({
  engines: () =>
    Object.fromEntries(
      ENGINES.map((name) => [
        name,
        missing.includes(name) ? { available: false, missing: `Install ${name}.` } : { available: true },
      ]),
    ) as unknown as EngineStates,
});

const refusalOf = (act: () => void): string | undefined => {
  try {
    act();
    return undefined;
  } catch (error) {
    assert.ok(error instanceof Problem);
    return error.detail;
  }
};

test('an operation is unavailable exactly where a call of it would be refused, in the same words', () => {
  assert.ok(ENGINES.length > 5);
  for (const missing of [[], ...ENGINES.map((name) => [name]), ENGINES])
    for (const off of [[], ['convert'], ['general/rotate-pdf', 'misc/ocr-pdf']]) {
      const [runner, turnedOff] = [without(...missing), new TurnedOff(off)];
      const told = unavailableOperations({ runner, turnedOff } as never);
      for (const [path, { uses }] of Object.entries(OPERATIONS)) {
        const refusal =
          refusalOf(() => turnedOff.refuse(path)) ?? refusalOf(() => requireEngines(runner, uses));
        assert.equal(told[path], refusal, `${path} without ${missing}, ${off} turned off`);
      }
    }
});

test('while no worker has told what is here, nothing is called missing', () => {
  const runner = { engines: () => undefined };
  assert.deepEqual(unavailableOperations({ runner, turnedOff: new TurnedOff([]) } as never), {});
});
