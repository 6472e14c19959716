// What tests of operations that print documents of callers share.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { closeBrowser, probe } from '../../src/engines/browser/browser.ts';
import { type Ran, runHere } from '../calls/run-here.ts';
import { watchNetwork } from '../hostile-input/escape-attempts.ts';
import { missing, pdftotext } from './programs.ts';

/** Reason to skip tests that print and ask these programs, or false; the browser is closed after them. */
export async function noBrowser(...programs: string[]): Promise<string | false> {
  after(closeBrowser);
  return (await probe()).missing ?? missing(...programs);
}

/** Calls of an operation that takes one file. */
export const callsOf =
  (path: string, usualName: string) =>
  (content: Uint8Array | string, params: Record<string, string> = {}, name = usualName): Promise<Ran> =>
    runHere(path, { files: { fileInput: { name, bytes: Buffer.from(content) } }, params });

export interface OffLimits {
  /** An address at which somebody notices. */
  web: string;
  folder: string;
  /** A text file in the folder. */
  secret: string;
}

const SECRET = 'hidden-word';

/** `print` tries to bring both into a document; it gives none where that was refused. */
export async function assertOutOfReach(
  print: (offLimits: OffLimits) => Promise<Uint8Array | undefined>,
): Promise<void> {
  const network = await watchNetwork();
  const folder = mkdtempSync(join(tmpdir(), 'bindery-secret-'));
  try {
    const secret = join(folder, 'secret.txt');
    writeFileSync(secret, SECRET);
    const pdf = await print({ web: `http://127.0.0.1:${network.port}`, folder, secret });
    if (pdf !== undefined) assert.ok(!pdftotext(pdf).includes(SECRET));
    assert.deepEqual(network.heard, []);
  } finally {
    await network.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
