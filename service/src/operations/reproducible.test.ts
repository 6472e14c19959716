// The same request gives the same bytes whenever it is sent, where it asks for that: of every operation, with the clock
// of this process a year on and that of other programs seconds on.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXAMPLE_ALLOW_HOSTS, exampleCall } from '../../testing/calls/example-calls.ts';
import {
  type GivenCall,
  jobOf,
  made,
  type Ran,
  runHere,
  runPipelineHere,
} from '../../testing/calls/run-here.ts';
import { fixture } from '../../testing/documents/collection.ts';
import { pdfinfo } from '../../testing/oracles/programs.ts';
import { reproducibly } from '../contract/reproducible.ts';
import type { EngineName } from '../engines/engines.ts';
import { probeEngines } from '../engines/load.ts';
import type { AnyOperation } from './define.ts';
import { OPERATIONS } from './index.generated.ts';

/** Results that cannot be the same each time, and why. */
const NEVER_THE_SAME: Readonly<Record<string, string>> = {
  'security/add-password': 'keys and salts of encryption must be random',
  'security/cert-sign': 'a signature tells when it was made',
  'security/timestamp-pdf': 'a timestamp is the time, and random besides',
};

/** Other ways of some operations, in which other programs or other identifiers come in. */
const OTHER_WAYS: Readonly<Record<string, readonly GivenCall['params'][]>> = {
  'convert/html/pdf': [{ footerHtml: '<span class="date"></span>' }],
  'convert/pdf/pdfa': [{ outputFormat: 'pdfa-1' }, { outputFormat: 'pdfx' }],
  'convert/pdf/presentation': [{ outputFormat: 'odp' }],
  'convert/pdf/vector': [{ outputFormat: 'eps' }],
  'convert/pdf/word': [{ outputFormat: 'odt' }],
  'misc/add-attachments': [{ convertToPdfA3b: 'true' }],
  'misc/add-stamp': [{ stampText: '@date @uuid' }],
};

const SECOND = 1100;

const TrueDate = Date;
const YEAR = 365 * 86_400_000;

/** What the clock says from now on, later by so much. */
function moveClock(ms: number): void {
  globalThis.Date = class extends TrueDate {
    constructor(...given: unknown[]) {
      if (given.length === 0) super(TrueDate.now() + ms);
      else super(...(given as []));
    }
    static override now = (): number => TrueDate.now() + ms;
  } as DateConstructor;
}
after(() => {
  globalThis.Date = TrueDate;
});

/** As a call of a year later would find the clock. */
async function later(run: () => Promise<Ran>): Promise<Ran> {
  moveClock(YEAR);
  try {
    return await run();
  } finally {
    globalThis.Date = TrueDate;
  }
}

const twice = async (run: () => Promise<Ran>): Promise<[Ran, Ran]> => [await run(), await later(run)];

function assertSame([first, second]: [Ran, Ran]): void {
  if (first.state === 'nothing') assert.equal(second.state, 'nothing');
  else assert.ok(made(first).equals(made(second)), 'the bytes differ');
}

const ENGINES = await probeEngines();
const lacking = ({ uses }: AnyOperation): string | false =>
  (uses as EngineName[]).map((name) => ENGINES[name].missing).find((words) => words !== undefined) ?? false;
const ASKED_FOR = process.env.LAWS_OF?.split(',') ?? Object.keys(OPERATIONS);

interface Call {
  title: string;
  op: AnyOperation;
  run(): Promise<Ran>;
}

function callsOf(path: string): Call[] {
  const op = OPERATIONS[path];
  assert.ok(op);
  const { files, params } = exampleCall(path, op);
  return [{}, ...(OTHER_WAYS[path] ?? [])].map((other) => ({
    title: `${path} ${JSON.stringify(other)}`,
    op,
    run: () =>
      runHere(path, {
        files,
        params: { ...params, ...other, reproducible: 'true' },
        allowHosts: [...EXAMPLE_ALLOW_HOSTS],
      }),
  }));
}

test('a reproducible call gives the same bytes a year later', async (t) => {
  const calls = ASKED_FOR.filter((path) => !(path in NEVER_THE_SAME)).flatMap(callsOf);
  const first = new Map<string, Ran>();
  // All of them once, then all again: the clocks of other programs are not ours to move, and tell seconds.
  for (const { title, op, run } of calls) if (!lacking(op)) first.set(title, await run());
  await sleep(SECOND);
  for (const { title, op, run } of calls)
    await t.test(title, { skip: lacking(op) }, async () =>
      assertSame([first.get(title) as Ran, await later(run)]),
    );
});

test('what cannot be the same each time is not, and is named here', async (t) => {
  for (const { title, op, run } of Object.keys(NEVER_THE_SAME).flatMap(callsOf))
    await t.test(title, { skip: lacking(op) }, async () => {
      const [first, second] = await twice(run);
      assert.ok(!made(first).equals(made(second)));
    });
});

const PDF = fixture('everything.pdf');
const rotated = (params: GivenCall['params']) =>
  runHere('general/rotate-pdf', { files: { fileInput: PDF }, params: { angle: '90', ...params } });

test('unless asked, a changed document tells when it was changed', async () => {
  const [first, second] = await twice(() => rotated({}));
  assert.notEqual(pdfinfo(made(first)).ModDate, pdfinfo(made(second)).ModDate);
  assert.match(pdfinfo(made(second)).ModDate ?? '', new RegExp(String(new Date().getUTCFullYear() + 1)));
});

test('a reproducible result keeps the dates of its document, and one without any gets the first of ZIP', async () => {
  const kept = pdfinfo(made(await rotated({ reproducible: 'yes' })));
  assert.equal(
    kept.ModDate ?? kept.CreationDate,
    pdfinfo(readFileSync(PDF)).ModDate ?? pdfinfo(readFileSync(PDF)).CreationDate,
  );
  const png = exampleCall('convert/img/pdf', OPERATIONS['convert/img/pdf'] as AnyOperation);
  const drawn = await runHere('convert/img/pdf', { ...png, params: { ...png.params, reproducible: 'true' } });
  assert.match(pdfinfo(made(drawn)).ModDate ?? '', /^1980-01-01T00:00:00/);
});

test('all results tell SOURCE_DATE_EPOCH where it is set', async () => {
  // As the operator's setting does it, which reaches every job.
  const job = () => rotated({});
  const [first, second] = await twice(() => reproducibly({ sourceDate: 1_700_000_000 }, () => 'x', job));
  assertSame([first, second]);
  assert.match(pdfinfo(made(first)).ModDate ?? '', /^2023-11-14T22:13:20/);
});

test('a pipeline is reproducible as a whole, asked for beside its steps or in any of them', async () => {
  const steps = (params: object) =>
    JSON.stringify([
      { op: 'general/split-pages', params: { pageNumbers: '1' } },
      { op: 'misc/add-stamp', params },
    ]);
  const stamp = { stampType: 'text', stampText: '@uuid' };
  const run = (params: Record<string, string>) => () =>
    runPipelineHere({ files: { fileInput: PDF }, params });
  assertSame(await twice(run({ steps: steps(stamp), reproducible: 'true' })));
  assertSame(await twice(run({ steps: steps({ ...stamp, reproducible: true }) })));
  const [first, second] = await twice(run({ steps: steps(stamp) }));
  assert.ok(!made(first).equals(made(second)));
});

test('identifiers differ with files and fields, and tell nothing of secrets', async () => {
  const stamped = async (files: string, params: Record<string, string>): Promise<string> => {
    const ran = await runHere('misc/add-stamp', {
      files: { fileInput: files },
      params: { stampType: 'text', stampText: '@uuid', reproducible: 'true', ...params },
    });
    return made(ran).toString('latin1');
  };
  assert.notEqual(await stamped(PDF, {}), await stamped(fixture('text-two-pages.pdf'), {}));
  assert.equal(await stamped(PDF, { inputPassword: 'a' }), await stamped(PDF, { inputPassword: 'b' }));
});

test('what is neither yes nor no is refused, naming the field', async () => {
  const ran = await rotated({ reproducible: 'perhaps' });
  assert.ok(ran.state === 'failed');
  assert.equal(ran.problem.reason, 'invalid_parameter');
  assert.match(ran.problem.detail, /^reproducible must be true or false/);
  assert.equal(
    jobOf('general/rotate-pdf', { files: { fileInput: PDF }, params: { angle: '90' } }).reproducible,
    undefined,
  );
});
