// Files and texts changed at random, of every kind and to every operation, from fixed seeds: no failure of ours, no
// worker lost, nothing left behind. `npm run drill fuzz` goes on for as long as it is told.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fuzz } from '../fuzzing.ts';
import { type RunningService, startService } from '../service.ts';

const MOST_MS = 90_000;
/** The same at every run: `npm run drill fuzz` finds what is new. */
const CASES = 250;

let service: RunningService;
before(async () => {
  service = await startService({
    env: { BINDERY_WORKERS: '2', BINDERY_DEADLINE_MS: '20000', BINDERY_LOG_LEVEL: 'error' },
  });
});
after(() => service.remove());

test('nothing that was changed at random ends a worker, fails unexpectedly or leaves anything behind', async (t) => {
  const { cases, answers, failures } = await fuzz(service, {
    first: 1,
    most: CASES,
    untilMs: Date.now() + MOST_MS,
  });
  t.diagnostic(`${cases} cases, answers ${JSON.stringify(answers)}`);
  assert.deepEqual(failures, []);
  assert.ok(cases > 20, `only ${cases} cases in ${MOST_MS / 1000} s`);
});
