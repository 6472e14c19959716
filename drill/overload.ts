// All cores are busy with long calls of one key: how soon status and refusals come, and whether another key has its
// turn. This process steps behind the API process, as a client on another machine would.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { filePart, fixture, form, type RunningService, startService } from '../test/service.ts';
import { percentile, spread } from './figures.ts';

const LOAD_MS = 20_000;
const GREEDY = 12;
const MODEST = 3;
const QUEUE = 8;
/** Of status and refusals, at the 99th percentile, beyond what a server that does nothing takes on this machine then. */
const SOON_MS = 200;
/** Of what one key got of the other's, with both always waiting. */
const FAIR_SHARE = 0.5;

export async function drill(): Promise<string[]> {
  const service = await startService({ env: { BINDERY_WORKERS: '0', BINDERY_QUEUE: String(QUEUE) } });
  const control = await bareServer();
  setPriority(process.pid, constants.priority.PRIORITY_NORMAL + 2);
  try {
    const keys = {
      greedy: await service.newKey({ plan: 'unlimited' }),
      modest: await service.newKey({ plan: 'unlimited' }),
    };
    const untilOver = performance.now() + LOAD_MS;
    const isOver = (): boolean => performance.now() > untilOver;
    const served = { greedy: 0, modest: 0 };
    const refusals: number[] = [];
    const others: number[] = [];
    const long = async (who: keyof typeof keys): Promise<void> => {
      while (!isOver()) {
        const { status, ms } = await draw(service, keys[who]);
        if (status === 200) served[who] += 1;
        else if (status === 503) refusals.push(ms);
        else others.push(status);
        if (status !== 200) await sleep(100);
      }
    };
    const asked: number[] = [];
    const bare: number[] = [];
    const status = async (): Promise<void> => {
      while (!isOver()) {
        const begun = performance.now();
        const answer = await service.fetch('/api/v1/info/status');
        await answer.arrayBuffer();
        if (!answer.ok) others.push(answer.status);
        asked.push(performance.now() - begun);
        const bareBegun = performance.now();
        await (await fetch(control.url)).arrayBuffer();
        bare.push(performance.now() - bareBegun);
        await sleep(20);
      }
    };
    await Promise.all([
      ...Array.from({ length: GREEDY }, () => long('greedy')),
      ...Array.from({ length: MODEST }, () => long('modest')),
      status(),
    ]);
    console.log(`  info/status: ${asked.length} asked, ms at 50/95/99/100 %: ${spread(asked)}`);
    console.log(`  refusals: ${refusals.length}, ms at 50/95/99/100 %: ${spread(refusals)}`);
    console.log(`  a server that does nothing, beside it: ms at 50/95/99/100 %: ${spread(bare)}`);
    console.log(
      `  long calls served: ${served.greedy} of ${GREEDY} callers with one key, ${served.modest} of ${MODEST} with another`,
    );
    const failures: string[] = [];
    const bound = SOON_MS + percentile(bare, 0.99);
    for (const [what, values] of Object.entries({ 'info/status': asked, refusals }))
      if (percentile(values, 0.99) > bound)
        failures.push(
          `${what}: ${Math.round(percentile(values, 0.99))} ms at 99 %, more than ${Math.round(bound)}`,
        );
    if (refusals.length === 0) failures.push('nobody was refused: that was no overload');
    if (served.modest < served.greedy * FAIR_SHARE)
      failures.push(`the modest key got ${served.modest} calls, the greedy one ${served.greedy}`);
    if (others.length > 0) failures.push(`answers of other statuses: ${[...new Set(others)].join(', ')}`);
    return failures;
  } finally {
    setPriority(process.pid, constants.priority.PRIORITY_NORMAL);
    control.end();
    await service.remove();
  }
}

/** At the priority of the API process: what the machine and whoever shares it make of any answer. */
async function bareServer(): Promise<{ url: string; end(): void }> {
  const code = `require('http').createServer((q, s) => s.end('{}')).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`;
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(child.stdout.setEncoding('utf8'), 'data');
  return { url: `http://127.0.0.1:${String(port).trim()}/`, end: () => void child.kill() };
}

/** A page drawn finely: half a second of a core. */
async function draw(service: RunningService, key: string): Promise<{ status: number; ms: number }> {
  const fields = { fileInput: filePart(fixture('everything.pdf')), imageFormat: 'png', dpi: '300' };
  const begun = performance.now();
  const answer = await service.post('convert/pdf/img', form(fields), { 'x-api-key': key });
  const ms = performance.now() - begun;
  await answer.arrayBuffer();
  return { status: answer.status, ms };
}
