// The pipes LibreOffice makes, under names and in places of its own choosing.
import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';

const FOLDERS = ['/tmp', '/var/tmp'];

const places = (name: string): string[] =>
  FOLDERS.map((folder) => `${folder}/OSL_PIPE_${process.getuid?.() ?? 0}_${name}`);

/** Where the pipe of that name is; undefined until it is there. */
export const pipePath = (name: string): string | undefined => places(name).find((path) => existsSync(path));

export function removePipe(name: string): void {
  for (const path of places(name)) rmSync(path, { force: true });
}

/** The name of the pipe by which a second LibreOffice with the same profile would find the first. */
export function instancePipe(profileUrl: string): string {
  const digest = createHash('md5').update(Buffer.from(profileUrl, 'utf16le')).digest();
  return `SingleOfficeIPC_${[...digest].map((byte) => byte.toString(16)).join('')}`;
}
