import type { DatabaseSync } from 'node:sqlite';
import { dayOf, firstDay, USAGE_DAYS, type Usage } from '../state.ts';
import { inTransaction } from './database.ts';

export interface EmbeddedUsage extends Usage {
  sweep(at: Date): void;
}

export function createUsage(db: DatabaseSync, now: () => Date): EmbeddedUsage {
  const add = db.prepare(
    `INSERT INTO usage (key_id, day, operation, calls, failed, bytes_in, bytes_out)
     VALUES (:key, :day, :operation, :calls, :failed, :bytesIn, :bytesOut)
     ON CONFLICT (key_id, day, operation) DO UPDATE SET calls = calls + excluded.calls,
       failed = failed + excluded.failed, bytes_in = bytes_in + excluded.bytes_in,
       bytes_out = bytes_out + excluded.bytes_out`,
  );
  const sums = db.prepare(
    `SELECT operation, SUM(calls) AS calls, SUM(failed) AS failed, SUM(bytes_in) AS bytesIn,
       SUM(bytes_out) AS bytesOut
     FROM usage WHERE key_id = :key AND day >= :first GROUP BY operation ORDER BY operation`,
  );
  const forget = db.prepare('DELETE FROM usage WHERE day < ?');
  return {
    async add(counts) {
      const day = dayOf(now());
      inTransaction(db, () => {
        for (const { keyId, ...count } of counts) add.run({ key: keyId, day, ...count });
      });
    },
    async of(keyId, days) {
      return sums.all({ key: keyId, first: firstDay(now(), days) }).map((row) => ({
        operation: String(row.operation),
        calls: Number(row.calls),
        failed: Number(row.failed),
        bytesIn: Number(row.bytesIn),
        bytesOut: Number(row.bytesOut),
      }));
    },
    sweep(at) {
      forget.run(firstDay(at, USAGE_DAYS));
    },
  };
}
