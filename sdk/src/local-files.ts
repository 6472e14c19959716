// Files of this machine, where there is one: in a browser every verb here fails with input_unreadable.
import { clientError, troubleWith } from './errors.ts';

type Builtins = {
  'node:fs': typeof import('node:fs');
  'node:fs/promises': typeof import('node:fs/promises');
  'node:os': typeof import('node:os');
  'node:path': typeof import('node:path');
  'node:stream': typeof import('node:stream');
  'node:url': typeof import('node:url');
};

/** Asked for at run time: bundlers for browsers see no import to stumble over. */
function builtin<N extends keyof Builtins>(name: N): Builtins[N] {
  const found =
    typeof process === 'object' && typeof process.getBuiltinModule === 'function'
      ? process.getBuiltinModule(name)
      : undefined;
  if (!found)
    throw clientError('input_unreadable', 'Paths can be used in Node only; hand over a File or Blob.');
  return found as Builtins[N];
}

export const pathOf = (url: URL): string => builtin('node:url').fileURLToPath(url);

/** The file as a Blob that reads from the disk as it is sent. */
export async function openFile(path: string): Promise<File> {
  const { basename } = builtin('node:path');
  const { accessSync, constants, statSync } = builtin('node:fs');
  try {
    if (!statSync(path).isFile()) throw new Error('it is no file');
    accessSync(path, constants.R_OK);
    return named(await blobOf(path), basename(path));
  } catch (error) {
    throw clientError('input_unreadable', `${path} cannot be read: ${troubleWith(error)}.`, error);
  }
}

/** A File would copy the Blob's bytes into memory in some runtimes; a Blob with a name does not. */
export function named(blob: Blob, name: string): File {
  return Object.defineProperty(blob, 'name', { value: name, configurable: true }) as File;
}

/** Puts a stream into a file that is gone as soon as it is no longer needed; memory stays small. */
export async function spooled(
  pieces: AsyncIterable<Uint8Array>,
): Promise<{ blob: Blob; drop(): Promise<void> }> {
  const { mkdtemp, rm } = builtin('node:fs/promises');
  const { createWriteStream } = builtin('node:fs');
  const { join } = builtin('node:path');
  const folder = await mkdtemp(join(builtin('node:os').tmpdir(), 'bindery-'));
  const drop = () => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, 'content');
    await builtin('node:stream').promises.pipeline(pieces, createWriteStream(path));
    return { blob: await blobOf(path), drop };
  } catch (error) {
    await drop();
    throw error;
  }
}

/** Bun leaves files out of a Blob made of several: there they are read at once. */
async function blobOf(path: string): Promise<Blob> {
  const { openAsBlob, readFileSync } = builtin('node:fs');
  return isBun() ? new Blob([readFileSync(path)]) : openAsBlob(path);
}

const isBun = (): boolean => typeof process === 'object' && Boolean(process.versions?.bun);

export const isNode = (): boolean => typeof process === 'object' && Boolean(process.versions?.node);

/** Under another name first, so nobody finds half a file; an existing file is replaced only when that is wanted. */
export async function saveStream(
  stream: ReadableStream<Uint8Array>,
  path: string,
  overwrite: boolean,
): Promise<void> {
  const { constants, copyFile, link, rename, rm } = builtin('node:fs/promises');
  const { createWriteStream } = builtin('node:fs');
  const part = `${path}.${Math.random().toString(36).slice(2, 10)}.part`;
  try {
    await builtin('node:stream').promises.pipeline(stream, createWriteStream(part, { flags: 'wx' }));
    if (overwrite) {
      await rename(part, path);
    } else {
      // Some file systems have no links; what exists is never replaced either way.
      await link(part, path).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST' || error.code === 'ENOENT') throw error;
        return copyFile(part, path, constants.COPYFILE_EXCL);
      });
      await rm(part);
    }
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
