// The default state: one SQLite database and local files, for one service process. Nothing to install or start.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { GIB } from '../../contract/limits.ts';
import type { Log } from '../../contract/log.ts';
import { lockDataFolder } from '../data-folder-lock.ts';
import { MAX_REPLAYS_OF_KEY, type State } from '../state.ts';
import { openDatabase } from './database.ts';
import { createFiles } from './files.ts';
import { openFolder } from './folder.ts';
import { createJobs } from './jobs.ts';
import { createKeys, sweepKeys } from './keys.ts';
import { createRates } from './rates.ts';
import { createReplays } from './replays.ts';
import { reportKey } from './report-key.ts';
import { signingSecret } from './signing-secret.ts';
import { createUploads } from './uploads.ts';
import { createUsage } from './usage.ts';
import { createWebhooks } from './webhooks.ts';

export interface EmbeddedOptions {
  dataDir: string;
  log: Log;
  now?: () => Date;
  /** Room for stored answers; the oldest of who has most make way. */
  maxReplayBytes?: number;
  /** Stored answers of one key; its oldest make way. */
  maxReplaysOfKey?: number;
}

const MAX_REPLAY_BYTES = 10 * GIB;

export async function openEmbeddedState({
  dataDir,
  log,
  now = () => new Date(),
  maxReplayBytes = MAX_REPLAY_BYTES,
  maxReplaysOfKey = MAX_REPLAYS_OF_KEY,
}: EmbeddedOptions): Promise<State> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const unlock = lockDataFolder(dataDir);
  try {
    const db = openDatabase(dataDir);
    const rates = createRates(now);
    const usage = createUsage(db, now);
    const uploads = createUploads(db, await openFolder(join(dataDir, 'uploads')), now, log);
    const replays = createReplays(db, await openFolder(join(dataDir, 'replays')), {
      now,
      log,
      maxBytes: maxReplayBytes,
      mostOfOwner: maxReplaysOfKey,
    });
    const files = createFiles(db, await openFolder(join(dataDir, 'files')), now, log);
    const jobs = createJobs(db, await openFolder(join(dataDir, 'jobs')), now, log);
    const webhooks = createWebhooks(db, now);
    return {
      keys: createKeys(db, now, log),
      usage,
      rates,
      uploads,
      replays,
      files,
      jobs,
      webhooks,
      signingSecret: signingSecret(db),
      reportKey: reportKey(dataDir, log),
      async sweep(at) {
        sweepKeys(db, at);
        rates.sweep(at);
        usage.sweep(at);
        await uploads.sweep(at);
        await replays.sweep(at);
        await files.sweep(at);
        await jobs.sweep(at);
        await webhooks.sweep(at);
      },
      unreachable: () => [],
      async close() {
        if (!db.isOpen) return;
        db.close();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}
