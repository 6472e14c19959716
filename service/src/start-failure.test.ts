import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createLog } from './contract/log.ts';
import { dataFolderFailure } from './start-failure.ts';
import { openEmbeddedState } from './state/embedded/embedded.ts';

test('a damaged database is told in one line, with what to do', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'damaged-'));
  try {
    mkdirSync(join(dataDir, 'state'));
    writeFileSync(join(dataDir, 'state', 'bindery.sqlite'), Buffer.alloc(8192, 'no database'));
    const thrown: unknown = await openEmbeddedState({ dataDir, log: createLog('silent') }).then(
      () => undefined,
      (error: unknown) => error,
    );
    const { message } = dataFolderFailure(dataDir, thrown);
    assert.match(
      message,
      /^the database in .*\/state is damaged\. Move .* BINDERY_API_KEY works as before\.$/,
    );
    assert.ok(!message.includes('\n'));
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});
