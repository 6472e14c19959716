// The clock of the API process jumps forward and back by hours: nobody is shut out, uploads live as long as they should,
// keyed calls are answered once, and calls under way go on.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { filePart, fixture, form, type RunningService, startService } from '../test/service.ts';

const HOUR = 3_600_000;
const RATE = 40;
const WINDOW_MS = 2000;
/** In hours from the true time, one after the other. */
const JUMPS = [3, 0, -3, 0, 48, -48, 0];

export async function drill(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bindery-clock-'));
  const offset = join(folder, 'offset');
  writeFileSync(offset, '0');
  const service = await startService({
    env: {
      NODE_OPTIONS: `--import ${fileURLToPath(new URL('moved-clock.ts', import.meta.url))}`,
      MOVED_CLOCK_FILE: offset,
      BINDERY_RATE_LIMIT: String(RATE),
      BINDERY_RATE_WINDOW_MS: String(WINDOW_MS),
      BINDERY_LOG_LEVEL: 'error',
    },
  });
  const jump = (hours: number): void => writeFileSync(offset, String(hours * HOUR));
  try {
    const failures: string[] = [];
    const limited = await service.newKey({ plan: 'standard' });
    let before = 0;
    for (const hours of JUMPS) {
      const key = randomUUID();
      const first = await rotate(service, key);
      const id = await begin(service);
      // Work that is under way when the clock jumps.
      const underWay = rotate(service);
      await spend(service, limited);
      jump(hours);
      const moved = hours - before;
      const problems = [
        ...((await underWay).status === 200 ? [] : ['a call under way failed']),
        ...(await keyedAfter(service, key, first, moved)),
        ...(await uploadAfter(service, id, moved)),
        ...(await ratesAfter(service, limited)),
      ];
      failures.push(...problems.map((problem) => `after a jump of ${moved} hours: ${problem}`));
      before = hours;
    }
    console.log(
      `  jumps to ${JUMPS.join(', ')} hours from the true time: calls, keyed calls, uploads and rates tried after each`,
    );
    return failures;
  } finally {
    await service.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function rotate(
  service: RunningService,
  key?: string,
): Promise<{ status: number; replayed: boolean; bytes: Buffer }> {
  const body = form({ fileInput: filePart(fixture('text-two-pages.pdf')), angle: '90' });
  const answer = await service.post(
    'general/rotate-pdf',
    body,
    key === undefined ? {} : { 'idempotency-key': key },
  );
  const replayed = answer.headers.get('idempotency-replayed') === 'true';
  return { status: answer.status, replayed, bytes: Buffer.from(await answer.arrayBuffer()) };
}

/** Kept for 24 hours: beyond, the call runs anew; in between, never twice. */
async function keyedAfter(
  service: RunningService,
  key: string,
  first: Awaited<ReturnType<typeof rotate>>,
  moved: number,
): Promise<string[]> {
  const again = await rotate(service, key);
  if (first.status !== 200 || again.status !== 200)
    return [`keyed calls gave ${first.status} and ${again.status}`];
  if (Math.abs(moved) < 24 && moved < 24 && !again.replayed) return ['a keyed call ran a second time'];
  return [];
}

async function begin(service: RunningService): Promise<string> {
  const body = JSON.stringify({ filename: 'a.pdf', size: 10 });
  const begun = await service.fetch('/api/v1/uploads', { method: 'POST', body });
  return ((await begun.json()) as { id: string }).id;
}

/** An upload lives an hour: gone after a jump beyond, there after a jump back. */
async function uploadAfter(service: RunningService, id: string, moved: number): Promise<string[]> {
  const answer = await service.fetch(`/api/v1/uploads/${id}/chunks/0`, {
    method: 'PUT',
    body: Buffer.alloc(10, 'x'),
  });
  await answer.arrayBuffer();
  const expected = moved >= 1 ? 404 : 204;
  if (answer.status !== expected) return [`a chunk was answered ${answer.status}, not ${expected}`];
  const next = await service.fetch(`/api/v1/uploads/${await begin(service)}`, { method: 'DELETE' });
  return next.ok ? [] : [`a new upload could not be dropped: ${next.status}`];
}

async function spend(service: RunningService, key: string): Promise<void> {
  for (let calls = 0; calls <= RATE; calls += 1)
    await (await service.fetch('/api/v1/info/status', { headers: { 'x-api-key': key } })).arrayBuffer();
}

/** Whoever used up his window waits no longer than one. */
async function ratesAfter(service: RunningService, key: string): Promise<string[]> {
  await sleep(WINDOW_MS + 200);
  const answer = await service.fetch('/api/v1/info/status', { headers: { 'x-api-key': key } });
  await answer.arrayBuffer();
  return answer.ok ? [] : [`a key that waited for its window is still refused: ${answer.status}`];
}
