// The pipes LibreOffice makes, under names and in places of its own choosing.
import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { connect } from 'node:net';

const FOLDERS = ['/tmp', '/var/tmp'];

const places = (name: string): string[] =>
  FOLDERS.map((folder) => `${folder}/OSL_PIPE_${process.getuid?.() ?? 0}_${name}`);

/** Whether this process may speak to others by such a pipe at all. */
export const mayConnect = (): Promise<boolean> =>
  new Promise((answer) => {
    connect('/nonexistent/pipe').on('error', ({ code }: NodeJS.ErrnoException) => answer(code === 'ENOENT'));
  });

/** Where the pipe of that name is; undefined until it is there. */
export const pipePath = (name: string): string | undefined => places(name).find((path) => existsSync(path));

export function removePipe(name: string): void {
  for (const path of places(name)) {
    try {
      rmSync(path, { force: true });
    } catch {
      // Isolation may forbid it; the service then removes what nobody listens to (jobs/dead-pipes.ts).
    }
  }
}

/** The name of the pipe by which a second LibreOffice with the same profile would find the first. */
export function instancePipe(profileUrl: string): string {
  const digest = createHash('md5').update(Buffer.from(profileUrl, 'utf16le')).digest();
  return `SingleOfficeIPC_${[...digest].map((byte) => byte.toString(16)).join('')}`;
}
