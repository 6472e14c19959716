// The disk of the data folder is full, or its database locked: callers hear 507 or 503 with Retry-After, nothing of it
// is kept for replay, and once the fault is over all is as before.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { probeEngines } from '../../service/src/engines/load.ts';
import { type SmallDisk, smallDisk } from '../../service/testing/small-disk.ts';
import { until } from '../processes.ts';
import { filePart, fixture, form, type RunningService, startService } from '../service.ts';

const engines = await probeEngines();

interface Call {
  path: string;
  file: string;
  fields?: Record<string, string>;
  lacks?: boolean;
}

/** The parts of a body above 1 MiB go to the disk. */
const ALL_CALLS: Call[] = [
  { path: 'general/rotate-pdf', file: 'everything.pdf', fields: { angle: '90' } },
  { path: 'general/split-pages', file: 'everything.pdf' },
  { path: 'misc/ocr-pdf', file: 'scan.pdf', lacks: !engines.tesseract.available },
  { path: 'convert/file/pdf', file: 'letter.docx', lacks: !engines.office.available },
  { path: 'convert/pdf/img', file: 'everything.pdf', fields: { imageFormat: 'png' } },
];
const CALLS = ALL_CALLS.filter(({ lacks }) => !lacks);

const send = (service: RunningService, { path, file, fields = {} }: Call, key?: string): Promise<Response> =>
  service.post(path, form({ fileInput: filePart(fixture(file)), ...fields }), {
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  });

async function okOf(sent: Promise<Response>): Promise<boolean> {
  const answer = await sent;
  await answer.arrayBuffer();
  assert.ok([200, 409].includes(answer.status), String(answer.status));
  if (!answer.ok) await pause(1000);
  return answer.ok;
}

async function withDisk(
  t: { skip(why: string): void },
  work: (service: RunningService, disk: SmallDisk) => Promise<void>,
): Promise<void> {
  const disk = smallDisk(200);
  if (!disk) return t.skip('a small file system cannot be mounted by this user');
  const service = await startService({ dataDir: join(disk.dir, 'data') });
  try {
    await work(service, disk);
  } finally {
    await service.stop();
    disk.remove();
  }
}

async function assertNoBlame(answer: Response, what: string): Promise<void> {
  if (answer.status === 200) return void (await answer.arrayBuffer());
  const problem = (await answer.json()) as { reason: string; detail: string };
  assert.ok([503, 507].includes(answer.status), `${what}: ${answer.status} ${JSON.stringify(problem)}`);
  assert.ok(Number(answer.headers.get('retry-after')) > 0, `${what} has no Retry-After`);
}

test('a full disk is no fault of a document, with or without a key to replay', async (t) => {
  await withDisk(t, async (service, disk) => {
    for (const call of CALLS) assert.equal((await send(service, call)).status, 200, call.path);
    for (const left of [0, 8192, 200_000]) {
      disk.fill(left);
      for (const call of CALLS) {
        await assertNoBlame(await send(service, call), `${call.path} with ${left} bytes left`);
        await assertNoBlame(await send(service, call, `${call.path}-${left}`), `${call.path}, keyed`);
      }
      const large = form({ fileInput: new File([new Uint8Array(3_000_000)], 'large.pdf'), angle: '90' });
      const refused = await service.post('general/rotate-pdf', large);
      assert.equal(refused.status, 507);
      await assertNoBlame(refused, 'a body that does not fit');
      assert.equal((await fetch(`${service.url}/api/v1/info/health`)).status, 200);
      disk.empty();
    }
    for (const call of CALLS) {
      // That a call has ended could not be written either: its right to answer lapses within half a minute.
      const answered = await until(
        `${call.path} is answered`,
        () => okOf(send(service, call, `${call.path}-0`)),
        60_000,
      );
      assert.ok(answered);
    }
  });
});

test('a database that another holds is 503 with Retry-After, and passes', async () => {
  const service = await startService();
  const call = CALLS[0] as Call;
  try {
    assert.equal((await send(service, call)).status, 200);
    const other = new DatabaseSync(join(service.dataDir, 'state', 'bindery.sqlite'));
    other.exec('BEGIN IMMEDIATE');
    const answer = await send(service, call, 'held');
    assert.equal(answer.status, 503);
    await assertNoBlame(answer, 'a locked database');
    other.exec('ROLLBACK');
    other.close();
    const again = await send(service, call, 'held');
    assert.equal(again.status, 200);
    assert.equal(again.headers.get('idempotency-replayed'), null);
  } finally {
    await service.remove();
  }
});
