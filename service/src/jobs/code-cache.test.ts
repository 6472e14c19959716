import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { codeCacheDir, primeCode } from './code-cache.ts';
import { chooseIsolation, isolatedNode, NODE_DATA_BYTES } from './isolation.ts';

const dir = mkdtempSync(join(tmpdir(), 'bindery-code-'));
after(() => rmSync(dir, { recursive: true, force: true }));
const isolation = await chooseIsolation('auto');

/** What a worker imports when it starts and for its first jobs, and between the two what starting left behind is freed. */
const WORK = `
await import('${new URL('./worker.ts', import.meta.url)}');
(await import('${new URL('./give-back-memory.ts', import.meta.url)}')).giveBackMemory();
const { LOADERS } = await import('${new URL('../operations/loaders.generated.ts', import.meta.url)}');
await LOADERS['general/merge-pdfs']();
await LOADERS['convert/pdf/word']();
await (await import('${new URL('../engines/load.ts', import.meta.url)}')).importEngines();
process.exit(0);
`;

test('workers find all their code compiled, inside the isolation too', async () => {
  // In this process a cache may be on already: what is primed is that one.
  enableCompileCache(join(dir, 'cache'));
  const cache = codeCacheDir();
  assert.ok(cache);
  await primeCode();
  const { program, args } = isolatedNode(isolation, {
    args: ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', WORK],
    hiddenDir: dir,
    ownDir: dir,
    memoryBytes: NODE_DATA_BYTES + 2 ** 30,
    readable: [cache],
  });
  const { stderr, status } = spawnSync(program, args, {
    encoding: 'utf8',
    cwd: dir,
    maxBuffer: 2 ** 28,
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      NODE_COMPILE_CACHE: cache,
      NODE_DEBUG_NATIVE: 'COMPILE_CACHE',
    },
  });
  assert.equal(status, 0, stderr.slice(-2000));
  const told = stderr
    .split('\n')
    .filter((line) => /service\/src.*(?:accepted|rejected|not initialized)/.test(line));
  assert.ok(told.length > 200, `${told.length} modules`);
  assert.deepEqual(
    told.filter((line) => !line.includes('was accepted')),
    [],
  );
});
