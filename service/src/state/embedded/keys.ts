import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Log } from '../../contract/log.ts';
import { hashOf, newKeyId, newSecret } from '../key-secrets.ts';
import { type ApiKey, type Keys, LAST_USED_EVERY_MS, type NewKey, type SeedKey } from '../state.ts';
import { inTransaction } from './database.ts';

export function createKeys(db: DatabaseSync, now: () => Date, log: Log): Keys {
  const insert = db.prepare(
    `INSERT INTO keys (id, name, plan, scopes, seeded, created_at, expires_at)
     VALUES (:id, :name, :plan, :scopes, :seeded, :createdAt, :expiresAt)`,
  );
  const insertSecret = db.prepare('INSERT INTO secrets (hash, key_id) VALUES (?, ?)');
  const byId = db.prepare('SELECT * FROM keys WHERE id = ?');
  const seeded = db.prepare('SELECT * FROM keys WHERE seeded = 1');
  const all = db.prepare('SELECT * FROM keys ORDER BY created_at, id');
  // An operator may seed the secret of a key made before; the seeded one then speaks for it.
  const bySecret = db.prepare(
    `SELECT keys.* FROM secrets JOIN keys ON keys.id = secrets.key_id
     WHERE secrets.hash = :hash AND (secrets.valid_until IS NULL OR secrets.valid_until > :now)
       AND keys.revoked_at IS NULL AND (keys.expires_at IS NULL OR keys.expires_at > :now)
     ORDER BY keys.seeded DESC LIMIT 1`,
  );
  const live = db.prepare(
    'SELECT 1 FROM keys WHERE id = :id AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :now)',
  );
  const touch = db.prepare('UPDATE keys SET last_used_at = :now WHERE id = :id');
  const revoke = db.prepare('UPDATE keys SET revoked_at = :now WHERE id = :id AND revoked_at IS NULL');
  const rotatable = db.prepare(
    `SELECT 1 FROM keys WHERE id = :id AND seeded = 0 AND revoked_at IS NULL
       AND (expires_at IS NULL OR expires_at > :now)`,
  );
  const endSecrets = db.prepare(
    `UPDATE secrets SET valid_until = :end
     WHERE key_id = :id AND (valid_until IS NULL OR valid_until > :end)`,
  );
  const dropSecrets = db.prepare('DELETE FROM secrets WHERE key_id = ?');
  const refresh = db.prepare(
    `UPDATE keys SET name = :name, plan = :plan, scopes = :scopes, revoked_at = NULL, expires_at = NULL
     WHERE id = :id`,
  );

  function add(key: NewKey, secret: string, isSeeded: boolean): ApiKey {
    const id = newKeyId();
    insert.run({
      id,
      name: key.name,
      plan: key.plan,
      scopes: JSON.stringify(key.scopes),
      seeded: isSeeded ? 1 : 0,
      createdAt: now().getTime(),
      expiresAt: key.expiresAt?.getTime() ?? null,
    });
    insertSecret.run(hashOf(secret), id);
    return known(byId.get(id));
  }

  function seed(key: SeedKey): ApiKey {
    const before = seeded.get();
    if (!before) return add({ ...key, expiresAt: null }, key.secret, true);
    const id = String(before.id);
    // What the operator sets always works: the key is revived, and a secret set before is gone at once.
    refresh.run({ id, name: key.name, plan: key.plan, scopes: JSON.stringify(key.scopes) });
    dropSecrets.run(id);
    insertSecret.run(hashOf(key.secret), id);
    return known(byId.get(id));
  }

  function noteUse(key: ApiKey, at: Date): void {
    if (key.lastUsedAt && at.getTime() - key.lastUsedAt.getTime() < LAST_USED_EVERY_MS) return;
    key.lastUsedAt = at;
    try {
      touch.run({ id: key.id, now: at.getTime() });
    } catch (error) {
      // Not worth a request: the next one notes it.
      log.warn('The last use of a key could not be noted.', { key: key.id, error });
    }
  }

  return {
    async create(key) {
      const secret = newSecret();
      return { key: inTransaction(db, () => add(key, secret, false)), secret };
    },
    async seed(key) {
      return inTransaction(db, () => {
        if (key) return seed(key);
        const before = seeded.get();
        if (before) {
          dropSecrets.run(String(before.id));
          revoke.run({ id: String(before.id), now: now().getTime() });
        }
        return null;
      });
    },
    async find(secret) {
      const at = now();
      const row = bySecret.get({ hash: hashOf(secret), now: at.getTime() });
      if (!row) return undefined;
      const key = keyOf(row);
      noteUse(key, at);
      return key;
    },
    async isLive(id) {
      return live.get({ id, now: now().getTime() }) !== undefined;
    },
    async list() {
      return all.all().map(keyOf);
    },
    async revoke(id) {
      return revoke.run({ id, now: now().getTime() }).changes === 1;
    },
    async rotate(id, graceMs) {
      const at = now().getTime();
      const secret = newSecret();
      return inTransaction(db, () => {
        if (!rotatable.get({ id, now: at })) return undefined;
        endSecrets.run({ id, end: at + graceMs });
        insertSecret.run(hashOf(secret), id);
        return secret;
      });
    },
  };
}

/** Secrets whose grace has ended. Keys themselves stay in the list, revoked or expired. */
export function sweepKeys(db: DatabaseSync, now: Date): void {
  db.prepare('DELETE FROM secrets WHERE valid_until <= ?').run(now.getTime());
}

type Row = Record<string, SQLOutputValue>;

const dateOf = (value: SQLOutputValue | undefined): Date | null =>
  value === null || value === undefined ? null : new Date(Number(value));

function keyOf(row: Row): ApiKey {
  return {
    id: String(row.id),
    name: String(row.name),
    plan: String(row.plan),
    scopes: JSON.parse(String(row.scopes)),
    createdAt: new Date(Number(row.created_at)),
    lastUsedAt: dateOf(row.last_used_at),
    expiresAt: dateOf(row.expires_at),
    revokedAt: dateOf(row.revoked_at),
    seeded: row.seeded === 1,
  };
}

function known(row: Row | undefined): ApiKey {
  if (!row) throw new Error('A key just written is not there.');
  return keyOf(row);
}
