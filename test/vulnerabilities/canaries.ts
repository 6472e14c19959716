// What must stay where it is: a secret file that every program of this machine may read, and names under which nothing
// may appear.
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pdftotext } from '../../service/testing/oracles/programs.ts';

export interface Canaries {
  /** A word that stands in the secret file only. */
  secret: string;
  secretFile: string;
  folder: string;
  /** The name of files that an attack would write. */
  name: string;
  /** Where such files are found, in the folders that traversal would lead to. */
  written(...folders: string[]): string[];
  /** Whether an answer shows the secret: as it is, or in its text. */
  shows(answer: Uint8Array): boolean;
  remove(): void;
}

export function hideCanaries(): Canaries {
  const folder = mkdtempSync(join(tmpdir(), 'bindery-canaries-'));
  chmodSync(folder, 0o755);
  const secretFile = join(folder, 'secret.txt');
  const secret = `secret-${randomUUID().slice(0, 8)}`;
  writeFileSync(secretFile, secret, { mode: 0o644 });
  const name = `canary-${randomUUID()}`;
  return {
    secret,
    secretFile,
    folder,
    name,
    written(...folders) {
      const places = folders.flatMap((place) => [place, dirname(place)]);
      return [...new Set(['/', '/tmp', '/etc', tmpdir(), folder, process.cwd(), ...places])].flatMap(
        (place) =>
          readdirSync(place, { encoding: 'utf8' })
            .filter((found) => found.includes(name))
            .map((found) => join(place, found)),
      );
    },
    shows(answer) {
      const bytes = Buffer.from(answer);
      if (bytes.includes(secret)) return true;
      return bytes.subarray(0, 5).toString('latin1') === '%PDF-' && pdftotext(bytes).includes(secret);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
