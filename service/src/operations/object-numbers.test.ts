// Numbers of objects as high as they can be written: every operation that takes a PDF ends with a result or a clear
// refusal, never with its worker.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { EXAMPLE_ALLOW_HOSTS, type ExampleFile, exampleCall } from '../../testing/calls/example-calls.ts';
import { jobOf } from '../../testing/calls/run-here.ts';
import { createLog } from '../contract/log.ts';
import { Problem } from '../contract/problems.ts';
import type { EngineName } from '../engines/engines.ts';
import { probeEngines } from '../engines/load.ts';
import { chooseIsolation } from '../jobs/isolation.ts';
import type { JobOutcome } from '../jobs/job.ts';
import { Pool } from '../jobs/pool.ts';
import { Workspaces } from '../jobs/workspace.ts';
import type { FileInput } from './define.ts';
import { OPERATIONS } from './index.generated.ts';

const HIGHEST = 2 ** 31 - 1;
const ENGINES = await probeEngines();
const dataDir = mkdtempSync(join(tmpdir(), 'bindery-numbers-'));
const workspaces = new Workspaces(join(dataDir, 'work'));
const pool = new Pool(
  {
    count: 2,
    queue: 1000,
    waitMs: 120_000,
    deadlineMs: 120_000,
    memoryBytes: 1024 ** 3,
    jobsEach: 500,
    allowHosts: EXAMPLE_ALLOW_HOSTS,
    isolation: await chooseIsolation('auto'),
    logLevel: 'silent',
    dataDir,
  },
  workspaces,
  createLog('silent'),
);
after(async () => {
  await pool.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** The file with one more section of cross-references, in which there is an object of such a number. */
function withObject(bytes: Uint8Array, number: number, generation = 0): Buffer {
  const file = Buffer.from(bytes);
  const row = `${String(file.length).padStart(10, '0')} ${String(generation).padStart(5, '0')} n \n`;
  const object = `${number} ${generation} obj\n(high)\nendobj\n`;
  return withTrailer(Buffer.concat([file, Buffer.from(object)]), `${number} 1\n${row}`, number + 1, '');
}

function withTrailer(file: Buffer, rows: string, size: number, entries: string): Buffer {
  const text = file.toString('latin1');
  const root = [...text.matchAll(/\/Root\s+(\d+ \d+ R)/g)].at(-1)?.[1];
  const previous = [...text.matchAll(/startxref\s+(\d+)/g)].at(-1)?.[1];
  assert.ok(root && previous, 'the file has a trailer');
  const trailer = `trailer\n<< /Root ${root} /Prev ${previous} /Size ${size} ${entries} >>`;
  return Buffer.concat([file, Buffer.from(`xref\n${rows}${trailer}\nstartxref\n${file.length}\n%%EOF\n`)]);
}

const HIGH: Record<string, (bytes: Uint8Array) => Buffer> = {
  'an object of the highest number but one': (bytes) => withObject(bytes, HIGHEST - 1),
  'a reference to the highest number': (bytes) =>
    withTrailer(Buffer.from(bytes), '0 1\n0000000000 65535 f \n', 100_000, `/High ${HIGHEST} 0 R`),
};

const isPdf = ({ kinds }: FileInput): boolean => kinds.length === 1 && kinds[0] === 'pdf';

for (const [what, high] of Object.entries(HIGH)) {
  test(`${what} ends no worker`, async (t) => {
    const asked = Object.entries(OPERATIONS).map(async ([path, op]) => {
      const inputs = Object.entries(op.inputs as Record<string, FileInput>);
      const call = exampleCall(path, op);
      const given = inputs.filter(([name, input]) => isPdf(input) && call.files[name]).map(([name]) => name);
      if (given.length === 0 || !(op.uses as EngineName[]).every((name) => ENGINES[name].available)) return;
      for (const name of given)
        call.files[name] = (call.files[name] ?? []).map((file) => changed(file, high));
      const ended = await end(path, call);
      await t.test(path, () => {
        if (ended instanceof Problem) assert.fail(`${ended.reason}: ${ended.detail}`);
        if (ended.state !== 'failed') return;
        assert.equal(ended.problem.reason, 'invalid_pdf', `${JSON.stringify(ended)}`);
      });
    });
    await Promise.all(asked);
  });
}

function changed(file: ExampleFile, high: (bytes: Uint8Array) => Buffer): ExampleFile {
  const { name, bytes } =
    typeof file === 'string' ? { name: basename(file), bytes: readFileSync(file) } : file;
  return { name, bytes: high(bytes) };
}

async function end(path: string, call: Parameters<typeof jobOf>[1]): Promise<JobOutcome | Problem> {
  const workspace = workspaces.create();
  try {
    return await pool.run(jobOf(path, call, workspace.id), workspace, {
      owner: 'test',
      signal: new AbortController().signal,
    });
  } catch (error) {
    return Problem.from(error);
  } finally {
    await workspace.remove();
  }
}
