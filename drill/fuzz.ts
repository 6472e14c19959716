// `npm run drill fuzz [minutes] [seed]`: every operation with files and texts changed at random. What fails is kept with
// the number of its case, by which `npm run drill fuzz 1 <seed>` begins again.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fuzz } from '../test/fuzzing.ts';
import { startService } from '../test/service.ts';

const DEFAULT_MINUTES = 10;
const CASES_A_TURN = 2000;

export async function drill([minutes, seed]: readonly string[] = []): Promise<string[]> {
  const forMs = (Number(minutes) || DEFAULT_MINUTES) * 60_000;
  const first = Number(seed) || Math.floor(Math.random() * 2 ** 31);
  const keepIn = join(tmpdir(), `bindery-fuzz-${first}`);
  const untilMs = Date.now() + forMs;
  console.log(`  seed ${first}, ${forMs / 60_000} minutes; what fails is kept in ${keepIn}`);
  const failures: string[] = [];
  const answers: Record<string, number> = {};
  for (let from = first, cases = 0; Date.now() < untilMs; from += CASES_A_TURN) {
    const service = await startService({ env: { BINDERY_WORKERS: '2', BINDERY_LOG_LEVEL: 'error' } });
    try {
      const turn = await fuzz(service, { first: from, most: CASES_A_TURN, untilMs, keepIn });
      cases += turn.cases;
      failures.push(...turn.failures);
      for (const [status, count] of Object.entries(turn.answers))
        answers[status] = (answers[status] ?? 0) + count;
      console.log(`  ${cases} cases, ${failures.length} failures, answers ${JSON.stringify(answers)}`);
    } finally {
      await service.remove();
    }
  }
  return failures;
}
