// One SQLite file for the service and the key commands. Schema changes are appended to MIGRATIONS.
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE keys (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    plan TEXT NOT NULL,
    scopes TEXT NOT NULL,
    seeded INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER,
    expires_at INTEGER,
    revoked_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX one_seeded_key ON keys (seeded) WHERE seeded = 1;

  CREATE TABLE secrets (
    hash BLOB NOT NULL,
    key_id TEXT NOT NULL REFERENCES keys (id) ON DELETE CASCADE,
    valid_until INTEGER,
    PRIMARY KEY (hash, key_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX secrets_of_key ON secrets (key_id);

  CREATE TABLE uploads (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    filename TEXT NOT NULL,
    content_type TEXT,
    size INTEGER NOT NULL,
    chunk_size INTEGER NOT NULL,
    chunk_count INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    completed INTEGER NOT NULL DEFAULT 0,
    claim_id TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX uploads_of_owner ON uploads (owner);
  CREATE INDEX uploads_by_expiry ON uploads (expires_at, size);
  CREATE INDEX uploads_by_claim ON uploads (claim_id) WHERE claim_id IS NOT NULL;

  CREATE TABLE chunks (
    upload_id TEXT NOT NULL REFERENCES uploads (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    PRIMARY KEY (upload_id, position)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE replays (
    owner TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    lease TEXT,
    status INTEGER,
    headers TEXT,
    body_file TEXT,
    body_size INTEGER,
    stored_at INTEGER,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (owner, key)
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX replays_by_lease ON replays (lease) WHERE lease IS NOT NULL;
  CREATE INDEX replays_by_body ON replays (body_file) WHERE body_file IS NOT NULL;
  CREATE INDEX replays_by_expiry ON replays (expires_at);
  `,
  `
  CREATE TABLE files (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    filename TEXT NOT NULL,
    media_type TEXT NOT NULL,
    size INTEGER NOT NULL,
    writes INTEGER NOT NULL DEFAULT 0,
    ready INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX files_of_owner ON files (owner);
  CREATE INDEX files_by_expiry ON files (expires_at);

  CREATE TABLE secrets_of_service (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
  `,
  'ALTER TABLE files ADD COLUMN declared_size INTEGER',
  `
  ALTER TABLE uploads ADD COLUMN touched_at INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE replays ADD COLUMN body BLOB;
  CREATE INDEX replays_of_owner ON replays (owner, stored_at) WHERE stored_at IS NOT NULL;
  `,
  // A job that is not finished expires when it is given up.
  `
  CREATE TABLE jobs (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    status TEXT NOT NULL,
    version INTEGER NOT NULL DEFAULT 1,
    about TEXT NOT NULL,
    progress TEXT,
    outcome TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    turn INTEGER NOT NULL DEFAULT 0,
    lease TEXT,
    lease_until INTEGER,
    not_before INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    finished_at INTEGER,
    expires_at INTEGER NOT NULL,
    counted INTEGER NOT NULL,
    parts TEXT,
    part_sizes TEXT NOT NULL,
    response TEXT,
    body TEXT,
    body_size INTEGER
  ) STRICT;
  CREATE INDEX jobs_of_owner ON jobs (owner, sequence, counted);
  CREATE INDEX jobs_by_turn ON jobs (owner, turn);
  CREATE INDEX jobs_by_status ON jobs (status, owner, sequence, not_before);
  CREATE INDEX jobs_by_expiry ON jobs (expires_at);
  CREATE INDEX jobs_by_parts ON jobs (parts) WHERE parts IS NOT NULL;
  CREATE INDEX jobs_by_body ON jobs (body) WHERE body IS NOT NULL;
  CREATE UNIQUE INDEX jobs_by_lease ON jobs (lease) WHERE lease IS NOT NULL;
  `,
  `
  CREATE TABLE webhooks (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    data TEXT NOT NULL,
    due_at INTEGER,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX webhooks_by_due ON webhooks (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX webhooks_by_expiry ON webhooks (expires_at);
  `,
  `
  CREATE TABLE usage (
    key_id TEXT NOT NULL,
    day TEXT NOT NULL,
    operation TEXT NOT NULL,
    calls INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    bytes_in INTEGER NOT NULL,
    bytes_out INTEGER NOT NULL,
    PRIMARY KEY (key_id, day, operation)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX usage_by_day ON usage (day);
  `,
  `
  CREATE TABLE job_words (
    job INTEGER NOT NULL REFERENCES jobs (sequence) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    progress TEXT NOT NULL,
    PRIMARY KEY (job, version)
  ) STRICT, WITHOUT ROWID;
  `,
];

export const databaseFile = (dataDir: string): string => join(dataDir, 'state', 'bindery.sqlite');

/** How long a writer waits for another process: the key commands and the service may write together. */
const BUSY_MS = 5000;

export function openDatabase(dataDir: string): DatabaseSync {
  const file = databaseFile(dataDir);
  mkdirSync(join(dataDir, 'state'), { recursive: true, mode: 0o700 });
  // SQLite gives its files the mode of the main one, which it would make readable for all.
  closeSync(openSync(file, 'a', 0o600));
  const db = new DatabaseSync(file, { timeout: BUSY_MS });
  try {
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA trusted_schema = OFF');
    migrate(db, file);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function migrate(db: DatabaseSync, file: string): void {
  if (schemaVersion(db) === MIGRATIONS.length) return;
  inTransaction(db, () => {
    // Read again under the write lock: another process may have come first.
    const version = schemaVersion(db);
    if (version > MIGRATIONS.length) {
      throw new Error(`${file} was written by a newer version of Bindery; use that version.`);
    }
    for (const migration of MIGRATIONS.slice(version)) db.exec(migration);
    db.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
  });
}

const schemaVersion = (db: DatabaseSync): number =>
  Number(db.prepare('PRAGMA user_version').get()?.user_version);

/** All or nothing. IMMEDIATE: what was read inside cannot change before it is acted upon. */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
