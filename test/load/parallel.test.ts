// Many callers at once receive what one caller receives, and afterwards nothing is held: no file, socket or worker.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { zipEntries } from '../../service/testing/oracles/archives.ts';
import { askProgram, missing } from '../../service/testing/oracles/programs.ts';
import { namelessFiles, openFiles, until, workersOf } from '../processes.ts';
import { filePart, fixture, form, type RunningService, startService } from '../service.ts';

const CALLS = 200;
const WORKERS = 2;

let service: RunningService;
before(async () => {
  service = await startService({ env: { BINDERY_WORKERS: String(WORKERS), BINDERY_RATE_LIMIT: '1000000' } });
});
after(() => service.remove());

interface Call {
  path: string;
  form(): FormData;
  status: number;
}

const DOCUMENTS = ['everything.pdf', 'text-two-pages.pdf', 'tied-pages.pdf', 'images-in-forms.pdf'].map(
  fixture,
);
const one = (path: string, fields: Record<string, string> = {}, status = 200) =>
  DOCUMENTS.map(
    (document): Call => ({ path, status, form: () => form({ fileInput: filePart(document), ...fields }) }),
  );
const steps = (...ops: unknown[]) => ({ steps: JSON.stringify(ops) });

const MIXED: Call[] = [
  ...one('general/rotate-pdf', { angle: '270' }),
  ...one('analysis/basic-info'),
  ...one('analysis/font-info'),
  ...one('filter/filter-contains-text', { text: 'e' }, 0),
  ...one('filter/filter-page-count', { pageCount: '0', comparator: 'Greater' }),
  ...one('general/split-pages'),
  ...one('misc/decompress-pdf'),
  ...one('pipeline', steps({ op: 'split-pages' }, { op: 'rotate-pdf' }, { op: 'merge-pdfs' })),
  ...one('pipeline', steps({ op: 'rotate-pdf' }, { op: 'page-count' })),
  ...one('general/rotate-pdf', { angle: '45' }, 400),
  ...one('general/rotate-pdf', { pageNumbers: '9999' }, 400),
  {
    path: 'general/merge-pdfs',
    status: 200,
    form: () => form({ fileInput: DOCUMENTS.map((document) => filePart(document)) }),
  },
  {
    path: 'analysis/page-count',
    status: 400,
    form: () => form({ fileInput: filePart(Buffer.from('no PDF')) }),
  },
];

interface Received {
  status: number;
  type: string | null;
  name: string | null;
  body: string;
}

async function perform(call: Call): Promise<Received> {
  const response = await service.post(call.path, call.form(), { connection: 'close' });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (call.status !== 0) assert.equal(response.status, call.status, call.path);
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    name: response.headers.get('content-disposition'),
    body: /^(?:analysis|filter)\//.test(call.path) ? bytes.toString('latin1') : await comparable(bytes),
  };
}

/** A rewritten document has the time of the call as its ModDate, and an ID made from its content. All else is equal. */
async function comparable(bytes: Buffer): Promise<string> {
  const kind = bytes.subarray(0, 4).toString('latin1');
  if (kind.startsWith('PK')) {
    const entries = await zipEntries(bytes);
    const contents = await Promise.all(entries.map((entry) => comparable(entry.bytes)));
    return entries.map(({ name }, index) => `${name}\n${contents[index]}`).join('\n');
  }
  const text = kind === '%PDF' ? askProgram('qpdf', UNPACKED, bytes, [0, 3]) : bytes.toString('latin1');
  return text
    .replace(/\(D:\d{14}Z\)/g, '(date)')
    .replace(/(<xmp:\w*Date[^>]*>)[^<]*/g, '$1')
    .replace(/\/ID \[.*?\]/g, '/ID');
}

/** Dates may stand inside packed object streams. */
const UNPACKED = ['--qdf', '--object-streams=disable', '--static-id', '{}', '-'];

/** What the service holds open, of things that calls may leak. */
function held(): { sockets: number; files: string[] } {
  const pid = Number(service.process.pid);
  const open = openFiles(pid);
  const work = join(service.dataDir, 'work');
  return {
    sockets: open.filter((path) => path.startsWith('socket:')).length,
    files: [
      ...open.filter((path) => path.startsWith(work) && !path.endsWith(' (deleted)')),
      ...namelessFiles(pid),
    ],
  };
}

test(`${CALLS} calls side by side give what calls one by one give`, { skip: missing('qpdf') }, async () => {
  const calls = Array.from({ length: CALLS }, (_, n) => MIXED[n % MIXED.length] as Call);
  const alone = new Map<Call, Received>();
  for (const call of MIXED) alone.set(call, await perform(call));
  await until('both workers are up', () => workersOf(Number(service.process.pid)).length === WORKERS);
  const before = held();

  const together = await Promise.all(calls.map(perform));
  for (const [index, received] of together.entries()) {
    const call = calls[index] as Call;
    const wanted = alone.get(call) as Received;
    assert.deepEqual({ ...received, body: '' }, { ...wanted, body: '' }, call.path);
    assert.ok(received.body === wanted.body, `${call.path}: other bytes than alone`);
  }

  const work = join(service.dataDir, 'work');
  await until('no file is left', () =>
    readdirSync(work, { recursive: true, encoding: 'utf8' }).every((name) =>
      /^(?:incoming|results|worker-\d+)$/.test(name),
    ),
  );
  // One more than that serves short calls where a busy machine makes them long.
  assert.ok(workersOf(Number(service.process.pid)).length <= WORKERS + 1);
  assert.deepEqual(held().files, []);
  await until('no socket is left', () => held().sockets <= before.sockets);
  const metrics = await (await service.fetch('/metrics')).text();
  assert.match(metrics, /^bindery_workers_busy 0$/m);
  assert.match(metrics, /^bindery_queue_depth 0$/m);
  assert.match(metrics, /^bindery_spool_bytes 0$/m);
  assert.match(metrics, /^bindery_worker_restarts_total 0$/m);
});
