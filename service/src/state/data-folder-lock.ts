// A data folder serves one service process: rate counts and half-sent chunks are known to it alone, at start it takes
// every claim and lease it finds for those of a dead process, and removes its work. A second one must not start.
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** An open SQLite transaction is a lock that the system gives back however the process ends. */
export function lockDataFolder(dataDir: string): () => void {
  mkdirSync(join(dataDir, 'state'), { recursive: true, mode: 0o700 });
  const file = join(dataDir, 'state', 'service.lock');
  closeSync(openSync(file, 'a', 0o600));
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw Object.assign(new Error(`The data folder ${dataDir} is in use by another Bindery service.`), {
      code: 'EBUSY',
    });
  }
  return () => lock.close();
}

const SQLITE_BUSY = 5;
const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY;
