import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createLog } from '../../contract/log.ts';
import { openEmbeddedState } from '../../state/embedded/embedded.ts';
import { beginOnce } from './idempotency.ts';

/** "Not stored, so a retry runs again: 401, 403, 409, 413, 429, 5xx." */
const NOT_KEPT = [401, 403, 409, 413, 429, 500, 501, 503, 507, 599];
const KEPT = [200, 204, 400, 404, 422, 499];

test('answers that a retry may better are not kept, all others are', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'bindery-replays-'));
  const log = createLog('silent');
  const state = await openEmbeddedState({ dataDir, log });
  try {
    for (const status of [...NOT_KEPT, ...KEPT]) {
      const request = { owner: 'a', key: `key-${status}`, fingerprint: 'f' };
      const first = await beginOnce(state.replays, log, request);
      assert.ok('lease' in first);
      await first.lease.keep({ status, headers: {}, body: { bytes: Buffer.from('said') } });
      const second = await beginOnce(state.replays, log, request);
      assert.equal('replay' in second, KEPT.includes(status), `${status}`);
      if ('lease' in second) await second.lease.giveUp();
    }
  } finally {
    await state.close();
    rmSync(dataDir, { recursive: true });
  }
});
