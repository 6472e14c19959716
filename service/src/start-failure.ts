// Why the service cannot start, in one line for the operator.
export class StartFailure extends Error {}

const CAUSES: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the device',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'it is not a folder',
  ENOENT: 'it cannot be made there',
  EBUSY: 'another Bindery service uses it',
};

/** Primary result codes of SQLite: the file is damaged, or no database. */
const DAMAGED = [11, 26];

export function dataFolderFailure(dataDir: string, error: unknown): StartFailure {
  const { code = '', errcode } = error as NodeJS.ErrnoException & { errcode?: number };
  if (errcode !== undefined && DAMAGED.includes(errcode & 0xff))
    return new StartFailure(
      `the database in ${dataDir}/state is damaged. Move the folder ${dataDir}/state away, put a copy of it back if you ` +
        'have one, and start again; without a copy, keys and uploads are gone, and a key in BINDERY_API_KEY works as before.',
    );
  const why = CAUSES[code] ?? (error instanceof Error ? error.message : String(error));
  return new StartFailure(
    `cannot use the data folder ${dataDir}: ${why}. Set BINDERY_DATA_DIR to a folder this user can write.`,
  );
}

export function sharedStateFailure(error: Error): StartFailure {
  const cause = error.cause instanceof Error ? error.cause : error;
  return new StartFailure(
    `cannot open the shared state: ${error.message} (${cause.name}: ${cause.message}). ` +
      'Check BINDERY_REDIS_URL and the settings BINDERY_S3_*.',
  );
}

export function listenFailure(host: string, port: number, error: unknown): StartFailure {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'EADDRINUSE')
    return new StartFailure(`port ${port} on ${host} is in use. Set BINDERY_PORT to a free one.`);
  if (code === 'EACCES')
    return new StartFailure(
      `port ${port} on ${host} may not be used by this user. Set BINDERY_PORT to one above 1023.`,
    );
  return new StartFailure(
    `cannot listen on ${host}:${port} (${code || String(error)}). Check BINDERY_HOST and BINDERY_PORT.`,
  );
}
