// LibreOffice makes a socket in /tmp or /var/tmp whatever it is told. Under Landlock neither it nor its worker may
// remove anything there, so that the service does: those of this user that nobody listens to any more.
import { lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = ['/tmp', '/var/tmp'];

export function removeDeadPipes(folders: readonly string[] = FOLDERS): void {
  const mine = new RegExp(`^OSL_PIPE_${process.getuid?.() ?? 0}_(?:SingleOfficeIPC_|bindery)[0-9a-f]+$`);
  for (const folder of folders) {
    const found = namesIn(folder).filter((name) => mine.test(name));
    if (found.length === 0) continue;
    const listening = readFileSync('/proc/net/unix', 'latin1');
    for (const name of found) {
      const path = join(folder, name);
      if (!listening.includes(path) && isSocket(path)) rmSync(path, { force: true });
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isSocket(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true;
}
