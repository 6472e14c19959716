// The key that redaction reports are signed with: made at the first start, a file of its own that an operator can keep
// apart, copy to another machine or replace.
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../contract/log.ts';

export const REPORT_KEY_FILE = 'redaction-report-key.pem';
const OWNER_ONLY = 0o600;

/** A private Ed25519 key as PEM (PKCS #8). */
export function reportKey(dataDir: string, log: Log): string {
  const path = join(dataDir, REPORT_KEY_FILE);
  const held = readIfThere(path);
  if (held === undefined) return made(path);
  if (!isEd25519(held)) throw new Error(`${path} holds no private Ed25519 key in PEM form.`);
  if ((statSync(path).mode & 0o077) !== 0) log.warn('others may read the key of redaction reports', { path });
  return held;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function made(path: string): string {
  const key = String(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(path, key, { flag: 'wx', mode: OWNER_ONLY });
  // Whatever the umask says.
  chmodSync(path, OWNER_ONLY);
  return key;
}

function isEd25519(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'ed25519';
  } catch {
    return false;
  }
}
