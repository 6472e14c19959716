// A full disk: every operation ends with a result or with 507 or 503, and no document is blamed.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { EXAMPLE_ALLOW_HOSTS, exampleCall } from '../../testing/calls/example-calls.ts';
import { type GivenCall, jobOf } from '../../testing/calls/run-here.ts';
import { corpusFolder } from '../../testing/documents/collection.ts';
import { smallDisk } from '../../testing/small-disk.ts';
import { createLog } from '../contract/log.ts';
import { Problem } from '../contract/problems.ts';
import type { EngineName } from '../engines/engines.ts';
import { probeEngines } from '../engines/load.ts';
import { OPERATIONS } from '../operations/index.generated.ts';
import { chooseIsolation } from './isolation.ts';
import { Pool } from './pool.ts';
import { Workspaces } from './workspace.ts';

const disk = smallDisk(200);
const skip = disk ? false : 'a small file system cannot be mounted by this user';
after(() => disk?.remove());

async function withPool(use: (pool: Pool, workspaces: Workspaces) => Promise<void>): Promise<void> {
  const dataDir = join(String(disk?.dir), 'data');
  mkdirSync(dataDir, { recursive: true });
  const workspaces = new Workspaces(join(dataDir, 'work'));
  const settings = {
    count: 2,
    queue: 1000,
    waitMs: 180_000,
    deadlineMs: 180_000,
    memoryBytes: 1024 ** 3,
    jobsEach: 500,
  };
  const pool = new Pool(
    {
      ...settings,
      allowHosts: EXAMPLE_ALLOW_HOSTS,
      isolation: await chooseIsolation('auto'),
      logLevel: 'silent',
      dataDir,
    },
    workspaces,
    createLog('silent'),
  );
  try {
    await use(pool, workspaces);
  } finally {
    await pool.close();
  }
}

interface Ended {
  reason: string;
  detail: string;
  cause?: string | undefined;
}

async function end(pool: Pool, workspaces: Workspaces, path: string, call: GivenCall): Promise<Ended> {
  const workspace = workspaces.create();
  try {
    const ran = await pool.run(jobOf(path, call, workspace.id), workspace, {
      owner: 'test',
      signal: new AbortController().signal,
    });
    if (ran.state !== 'failed') return { reason: ran.state, detail: '' };
    return { reason: ran.problem.reason, detail: JSON.stringify(ran.problem), cause: ran.cause };
  } catch (error) {
    const { reason, detail } = Problem.from(error);
    return { reason, detail };
  } finally {
    await workspace.remove().catch(() => {});
  }
}

const FINE = ['made', 'nothing', 'insufficient_storage', 'unavailable'];

test('on a full disk every operation makes a result, or says that there is no room', { skip }, async (t) => {
  const engines = await probeEngines();
  const paths = Object.entries(OPERATIONS)
    .filter(([, { uses }]) => (uses as EngineName[]).every((name) => engines[name].available))
    .map(([path]) => path);
  await withPool(async (pool, workspaces) => {
    await end(
      pool,
      workspaces,
      'general/rotate-pdf',
      exampleCall('general/rotate-pdf', OPERATIONS['general/rotate-pdf'] as never),
    );
    disk?.fill(8192);
    const ended = new Map<string, Ended>();
    await Promise.all(
      paths.map(async (path) => {
        const op = OPERATIONS[path];
        if (op) ended.set(path, await end(pool, workspaces, path, exampleCall(path, op)));
      }),
    );
    disk?.empty();
    for (const [path, { reason, detail, cause }] of ended) {
      await t.test(path, () => assert.ok(FINE.includes(reason), `${reason} ${detail} ${cause ?? ''}`));
    }
    await t.test('a document cannot be written, read or converted', () => {
      assert.ok([...ended.values()].some(({ reason }) => reason === 'insufficient_storage'));
    });
    await t.test('once there is room again, all is as before', async () => {
      for (const path of ['general/split-pages', 'misc/ocr-pdf', 'convert/file/pdf']) {
        const op = OPERATIONS[path];
        if (!op || !paths.includes(path)) continue;
        const { reason, detail } = await end(pool, workspaces, path, exampleCall(path, op));
        assert.equal(reason, 'made', `${path} ${detail}`);
      }
    });
  });
});

const LARGE = corpusFolder('pdf');

test('documents that do not fit are not blamed for it', { skip }, async (t) => {
  const files = readable(LARGE).slice(0, 3);
  if (files.length === 0) return t.skip('no collection beside the clone');
  await withPool(async (pool, workspaces) => {
    for (const left of [16_384, 300_000, 2_000_000]) {
      disk?.fill(left);
      for (const file of files)
        for (const [path, params] of Object.entries(WRITING)) {
          const given = { name: basename(file), bytes: readFileSync(file) };
          const { reason, detail, cause } = await end(pool, workspaces, path, {
            files: { fileInput: given },
            params,
          });
          assert.ok(FINE.includes(reason), `${path} ${file} ${left}: ${reason} ${detail} ${cause ?? ''}`);
        }
      disk?.empty();
    }
  });
});

/** Operations that write much, each by a way of its own: qpdf, a ZIP, images, Ghostscript, poppler. */
const WRITING: Record<string, Record<string, string>> = {
  'general/split-pages': {},
  'general/rotate-pdf': { angle: '90' },
  'misc/decompress-pdf': {},
  'convert/pdf/img': { imageFormat: 'png', singleOrMultiple: 'multiple', pageNumbers: '1-3' },
  'convert/pdf/vector': { outputFormat: 'svg', pageNumbers: '1-3' },
};

function readable(folder: URL): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /tracemonkey|BuildingWebapps|PDFBOX-3949/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
}
