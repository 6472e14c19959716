// Made at the first start and kept: addresses that were signed before a restart are good after it.
import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

const NAME = 'signing';
const BYTES = 32;

export function signingSecret(db: DatabaseSync): Uint8Array {
  db.prepare('INSERT INTO secrets_of_service (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING').run(
    NAME,
    randomBytes(BYTES),
  );
  return db.prepare('SELECT value FROM secrets_of_service WHERE name = ?').get(NAME)?.value as Uint8Array;
}
