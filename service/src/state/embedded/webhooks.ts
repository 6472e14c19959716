// Webhooks in the database. A claim moves the time at which one is due: nothing else tells that it is at work.
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { StoredWebhook, Webhooks } from '../webhooks.ts';

export function createWebhooks(
  db: DatabaseSync,
  now: () => Date,
): Webhooks & { sweep(at: Date): Promise<void> } {
  const insert = db.prepare(
    `INSERT INTO webhooks (id, owner, data, due_at, expires_at) VALUES (:id, :owner, :data, :dueAt, :expiresAt)
     ON CONFLICT DO NOTHING`,
  );
  const claim = db.prepare(
    `UPDATE webhooks SET due_at = :until WHERE id =
       (SELECT id FROM webhooks WHERE due_at <= :at AND expires_at > :at ORDER BY due_at LIMIT 1) RETURNING *`,
  );
  const settle = db.prepare(
    'UPDATE webhooks SET data = :data, due_at = :dueAt, expires_at = :expiresAt WHERE id = :id',
  );
  const wake = db.prepare('UPDATE webhooks SET due_at = :at WHERE id = :id AND due_at > :at');
  const byId = db.prepare('SELECT * FROM webhooks WHERE id = ? AND owner = ? AND expires_at > ?');
  const drop = db.prepare('DELETE FROM webhooks WHERE id = ?');
  const dropExpired = db.prepare('DELETE FROM webhooks WHERE expires_at <= ?');
  return {
    async add({ id, owner, data }, dueAt, expiresAt) {
      const times = { dueAt: dueAt.getTime(), expiresAt: expiresAt.getTime() };
      insert.run({ id, owner, data: JSON.stringify(data), ...times });
    },
    async claim(leaseMs) {
      const at = now().getTime();
      const row = claim.get({ at, until: at + leaseMs });
      return row && webhookOf(row);
    },
    async settle(id, data, dueAt, expiresAt) {
      const times = { dueAt: dueAt?.getTime() ?? null, expiresAt: expiresAt.getTime() };
      settle.run({ id, data: JSON.stringify(data), ...times });
    },
    async wake(id) {
      wake.run({ id, at: now().getTime() });
    },
    async get(id, owner) {
      const row = byId.get(id, owner, now().getTime());
      return row && webhookOf(row);
    },
    async drop(id) {
      drop.run(id);
    },
    async sweep(at) {
      dropExpired.run(at.getTime());
    },
  };
}

const webhookOf = (row: Record<string, SQLOutputValue>): StoredWebhook => ({
  id: String(row.id),
  owner: String(row.owner),
  data: JSON.parse(String(row.data)),
  dueAt: row.due_at === null ? null : new Date(Number(row.due_at)),
});
