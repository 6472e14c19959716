// Secrets of the installation: made by the first node, kept in the bucket, the same for all.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { Exclusive } from './lock.ts';
import type { Objects } from './objects.ts';

const NAME = 'installation.json';
const SECRET_BYTES = 32;

export interface Installation {
  signingSecret: Uint8Array;
  reportKey: string;
}

export async function openInstallation(objects: Objects, exclusive: Exclusive): Promise<Installation> {
  const held = await objects.get(NAME);
  if (held) return read(held);
  return exclusive('installation', async () => {
    const since = await objects.get(NAME);
    if (since) return read(since);
    const { privateKey } = generateKeyPairSync('ed25519');
    const made = {
      signingSecret: randomBytes(SECRET_BYTES).toString('base64'),
      reportKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    };
    const bytes = Buffer.from(JSON.stringify(made));
    await objects.put(NAME, { bytes });
    return read(bytes);
  });
}

function read(bytes: Buffer): Installation {
  const { signingSecret, reportKey } = JSON.parse(bytes.toString('utf8'));
  return { signingSecret: Buffer.from(signingSecret, 'base64'), reportKey };
}
