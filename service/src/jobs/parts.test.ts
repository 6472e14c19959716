// The pages of a long document, spread over workers that have nothing to do.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { until, workersOf } from '../../../test/processes.ts';
import { type GivenCall, jobOf, runHere } from '../../testing/calls/run-here.ts';
import { fixture } from '../../testing/documents/collection.ts';
import { onePagePdf } from '../../testing/documents/small-pdf.ts';
import { MIB } from '../contract/limits.ts';
import { createLog } from '../contract/log.ts';
import { Problem } from '../contract/problems.ts';
import { chooseIsolation } from './isolation.ts';
import type { Job, JobOutcome } from './job.ts';
import { Pool } from './pool.ts';
import { type Workspace, Workspaces } from './workspace.ts';

const isolation = await chooseIsolation('auto');
const folder = mkdtempSync(join(tmpdir(), 'bindery-parts-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Pages of real documents, as many as wanted; as a file, since it is large. */
function longDocument(copies: number): string {
  const path = join(folder, `long-${copies}.pdf`);
  const parts = Array.from({ length: copies }, () => [fixture('type1-fonts.pdf'), fixture('tables.pdf')]);
  const { status } = spawnSync('qpdf', ['--empty', '--pages', ...parts.flat(), '--', path]);
  assert.equal(status, 0);
  return path;
}
const LONG = longDocument(60);

interface Opened {
  pool: Pool;
  workspaces: Workspaces;
  root: string;
}

async function open(count: number): Promise<Opened> {
  const dataDir = mkdtempSync(join(folder, 'pool-'));
  const root = join(dataDir, 'work');
  const workspaces = new Workspaces(root);
  const settings = {
    queue: 8,
    waitMs: 120_000,
    deadlineMs: 120_000,
    memoryBytes: 2 ** 29,
    jobsEach: 1000,
    logLevel: 'silent',
  };
  const pool = new Pool({ count, ...settings, isolation, dataDir }, workspaces, createLog('silent'));
  const opened = { pool, workspaces, root };
  // A spare worker starts with the first load.
  await Promise.all(Array.from({ length: count }, () => made(opened, 'analysis/page-count', SHORT)));
  await until('all workers are up', () => pool.load().workers === count);
  return opened;
}

const SHORT = { files: { fileInput: fixture('text-two-pages.pdf') } };

function begin({ pool, workspaces }: Opened, path: string, call: GivenCall) {
  const workspace = workspaces.create();
  const controller = new AbortController();
  const job: Job = jobOf(path, call, workspace.id);
  const outcome = pool.run(job, workspace, { owner: 'test', signal: controller.signal });
  outcome.catch(() => {});
  return { outcome, workspace, abort: () => controller.abort(new Error('gone')) };
}

function bytesOf(outcome: JobOutcome, workspace: Workspace): Buffer {
  assert.equal(outcome.state, 'made');
  const { content } = (outcome as Extract<JobOutcome, { state: 'made' }>).result;
  return 'bytes' in content ? Buffer.from(content.bytes) : readFileSync(workspace.path(content.file));
}

async function made(opened: Opened, path: string, call: GivenCall): Promise<Buffer> {
  const { outcome, workspace } = begin(opened, path, call);
  const bytes = bytesOf(await outcome, workspace);
  await workspace.remove();
  return bytes;
}

const text = (path = LONG): [string, GivenCall] => ['convert/pdf/text', { files: { fileInput: path } }];

async function here([path, call]: [string, GivenCall]): Promise<Buffer> {
  const ran = await runHere(path, call);
  assert.equal(ran.state, 'made');
  return (ran as Extract<typeof ran, { state: 'made' }>).bytes;
}

const areBusy = ({ pool }: Opened, count: number) =>
  until(`${count} are busy`, () => pool.load().busy >= count);

const isClean = ({ root }: Opened) =>
  until('nothing is left on disk', () =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).every((name) =>
      /^(?:incoming|results|worker-\d+)$/.test(name),
    ),
  );

const IMAGES: [string, GivenCall] = [
  'convert/pdf/img',
  { files: { fileInput: LONG }, params: { dpi: '36', pageNumbers: '1-120' } },
];

for (const [what, call] of [
  ['text', text()],
  ['pictures', IMAGES],
] as const) {
  test(`${what} of a long document are made by several workers, and are the same`, async (t) => {
    const opened = await open(3);
    t.after(() => opened.pool.close());
    const { outcome, workspace } = begin(opened, ...call);
    await areBusy(opened, 2);
    assert.ok(bytesOf(await outcome, workspace).equals(await here(call)));
    await workspace.remove();
    await isClean(opened);
    assert.equal(opened.pool.load().busy, 0);
  });
}

test('whoever comes meanwhile does not wait for the helpers', async (t) => {
  const opened = await open(2);
  t.after(() => opened.pool.close());
  const long = begin(opened, 'convert/pdf/img', { files: { fileInput: LONG }, params: { dpi: '100' } });
  await areBusy(opened, 2);
  for (let call = 0; call < 5; call += 1) {
    await made(opened, 'analysis/page-count', SHORT);
    assert.equal(opened.pool.load().waiting, 0);
  }
  const first = await Promise.race([long.outcome.then(() => 'long'), Promise.resolve('short')]);
  assert.equal(first, 'short', 'the long one is not done before the short ones');
  long.abort();
});

test('a helper that dies costs nobody anything, one that is helped only its own caller', async () => {
  const states: string[] = [];
  for (const victim of [0, 1]) {
    const opened = await open(2);
    const { outcome, workspace } = begin(opened, ...IMAGES);
    await areBusy(opened, 2);
    process.kill(workersOf(process.pid)[victim] as number, 'SIGKILL');
    const settled = await outcome.catch((error: unknown) => error as Problem);
    if (settled instanceof Problem) states.push(settled.reason);
    else {
      states.push(settled.state);
      assert.ok(bytesOf(settled, workspace).equals(await here(IMAGES)));
    }
    await workspace.remove();
    await isClean(opened);
    await opened.pool.close();
  }
  assert.deepEqual(states.sort(), ['internal', 'made']);
});

test('a caller who goes takes the helpers along', async (t) => {
  const opened = await open(2);
  t.after(() => opened.pool.close());
  const { outcome, workspace, abort } = begin(opened, ...IMAGES);
  await areBusy(opened, 2);
  abort();
  await assert.rejects(outcome, /gone/);
  await until('nobody works on', () => opened.pool.load().busy === 0);
  await workspace.remove();
  await isClean(opened);
});

const BOMB_BYTES = 400 * MIB;

/** A page whose content unpacks to more than a worker may take: only whoever reads that page finds out. */
function bombPage(): string {
  const bomb = join(folder, 'bomb.pdf');
  if (existsSync(bomb)) return bomb;
  const packed = deflateSync(deflateSync(Buffer.alloc(BOMB_BYTES, ' ')));
  const page = Buffer.from(onePagePdf(packed.toString('latin1'))).toString('latin1');
  const filtered = page.replace('<<  /Length', '<< /Filter [/FlateDecode /FlateDecode] /Length');
  writeFileSync(bomb, Buffer.from(filtered, 'latin1'));
  return bomb;
}

function withBomb(place: number): string {
  const path = join(folder, `bomb-${place}.pdf`);
  const others = longDocument(20);
  const pages = [others, `1-${place - 1}`, bombPage(), '1', others, `${place}-z`];
  // The bomb is taken as it is: unpacked and packed anew it would take longer than all the rest.
  const { status } = spawnSync('qpdf', [
    '--empty',
    '--stream-data=preserve',
    '--pages',
    ...pages,
    '--',
    path,
  ]);
  assert.equal(status, 0);
  return path;
}

for (const [where, place] of [
  ['where it was asked for', 3],
  ['where others help', 140],
] as const) {
  test(`a page that fails ${where} fails the same way as without help`, async (t) => {
    const call = text(withBomb(place));
    const alone = await open(1);
    t.after(() => alone.pool.close());
    const expected = await begin(alone, ...call).outcome;
    assert.equal(expected.state === 'failed' && expected.problem.reason, 'memory_exceeded');
    const opened = await open(2);
    t.after(() => opened.pool.close());
    const { outcome, workspace } = begin(opened, ...call);
    if (where === 'where others help') await areBusy(opened, 2);
    const { cause: _, ...problem } = (await outcome) as Extract<JobOutcome, { state: 'failed' }>;
    const { cause: __, ...same } = expected as Extract<JobOutcome, { state: 'failed' }>;
    assert.deepEqual(problem, same);
    await workspace.remove();
    await isClean(opened);
    assert.ok((await made(opened, ...text(SHORT.files.fileInput))).length > 0, 'the next call is served');
  });
}
