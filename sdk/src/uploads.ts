// Files that are too large for one request travel in chunks, several at a time, each repeated until it has arrived.
import type { Connection } from './connection.ts';
import { clientError } from './errors.ts';
import { CALL_REPEATS, type CallLimits, CHUNK_REPEATS, requested } from './requests.ts';
import { jsonOf } from './results.ts';

const CHUNKS_AT_ONCE = 4;

/** A file that has arrived: usable once, within the hour, wherever a file is asked for. */
export class Upload {
  readonly id: string;
  readonly filename: string;
  readonly size: number;

  constructor(id: string, filename: string, size: number) {
    this.id = id;
    this.filename = filename;
    this.size = size;
  }
}

interface Created {
  id: string;
  chunkSize: number;
  chunkCount: number;
}

/** `arrived` is called with the bytes of each chunk that did. */
export async function uploadFile(
  connection: Connection,
  file: File,
  limits: CallLimits,
  arrived: (bytes: number) => void,
): Promise<Upload> {
  const created = await create(connection, file, limits);
  const path = `uploads/${encodeURIComponent(created.id)}`;
  try {
    await sendChunks(connection, path, file, created, limits, arrived);
    const done = await requested(
      (signal) => connection.send(`${path}/complete`, { method: 'POST', signal }),
      limits,
      CHUNK_REPEATS,
    );
    const { id } = await jsonOf<Upload>(done, limits.failure);
    if (id !== created.id) throw clientError('bad_response', 'The upload that was completed is another one.');
    return new Upload(created.id, file.name, file.size);
  } catch (error) {
    await removeUpload(connection, created.id);
    throw error;
  }
}

async function create(connection: Connection, file: File, limits: CallLimits): Promise<Created> {
  const body = JSON.stringify({
    filename: file.name,
    size: file.size,
    ...(file.type ? { contentType: file.type } : {}),
  });
  const headers = { 'content-type': 'application/json' };
  const answer = await requested(
    (signal) => connection.send('uploads', { method: 'POST', headers, body, signal }),
    limits,
    CALL_REPEATS,
  );
  const { id, chunkSize, chunkCount } = await jsonOf<Created>(answer, limits.failure);
  const isTold =
    typeof id === 'string' &&
    /^[\w-]{1,128}$/.test(id) &&
    Number.isSafeInteger(chunkSize) &&
    Number(chunkSize) > 0 &&
    chunkCount === Math.ceil(file.size / Number(chunkSize));
  if (isTold) return { id, chunkSize: Number(chunkSize), chunkCount };
  throw clientError('bad_response', 'How the file is to be sent cannot be understood.');
}

async function sendChunks(
  connection: Connection,
  path: string,
  file: File,
  { chunkSize, chunkCount }: Created,
  limits: CallLimits,
  arrived: (bytes: number) => void,
): Promise<void> {
  let next = 0;
  let failed = false;
  const sendOnwards = async (): Promise<void> => {
    while (next < chunkCount && !failed) {
      const index = next;
      next += 1;
      const chunk = file.slice(index * chunkSize, (index + 1) * chunkSize, 'application/octet-stream');
      await requested(
        (signal) => connection.send(`${path}/chunks/${index}`, { method: 'PUT', body: chunk, signal }),
        limits,
        CHUNK_REPEATS,
      );
      arrived(chunk.size);
    }
  };
  const lanes = Array.from({ length: Math.min(CHUNKS_AT_ONCE, chunkCount) }, () =>
    sendOnwards().catch((error: unknown) => {
      failed = true;
      throw error;
    }),
  );
  // All lanes end before an error goes on: nothing is still being sent afterwards.
  const ends = await Promise.allSettled(lanes);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/** Also works when it is gone already; a failure is of no interest, as uploads expire by themselves. */
export async function removeUpload(connection: Connection, id: string): Promise<void> {
  const signal = AbortSignal.timeout(5000);
  await connection.send(`uploads/${encodeURIComponent(id)}`, { method: 'DELETE', signal }).catch(() => {});
}
