// A call of an operation or a pipeline: files opened, those too large for one request uploaded first, fields as form
// parts, the request repeated safely.
import type { Connection, ServiceStatus } from './connection.ts';
import { clientError } from './errors.ts';
import { type CallLimits, type Repeats, requested } from './requests.ts';
import { type Opened, openSource } from './sources.ts';
import type { CallOptions, FileSource } from './types.ts';
import { removeUpload, Upload, uploadFile } from './uploads.ts';

/** A file under the name of its form part. */
export interface FilePart {
  part: string;
  source: FileSource;
  /** When it went ahead as an upload, a field of the form tells so, not the name of its part. */
  toldInFields?: true;
}

/** A form field; Blobs stay out: files go by FilePart. */
export type TextPart = readonly [name: string, value: string];

export interface Call {
  path: string;
  files: readonly FilePart[];
  /** Made when it is known which files went ahead as uploads: pipelines name them inside `steps`. */
  fields(places: readonly (File | Upload)[]): readonly TextPart[];
}

export interface Caller {
  connection: Connection;
  limits: CallLimits;
  options: CallOptions;
  repeats: Repeats;
  status(limits: CallLimits): Promise<ServiceStatus>;
}

/** Room for part headers and text fields beside the files; what is smaller goes in one request without asking. */
const FORM_ROOM_BYTES = 1024 * 1024;

export async function performed(call: Call, caller: Caller): Promise<Response> {
  const { limits, connection } = caller;
  const opened: Opened[] = [];
  const uploads: Upload[] = [];
  try {
    for (const { source } of call.files) opened.push(await openSource(source, limits.signal));
    const places = await sentAhead(
      opened.map(({ file }) => file),
      caller,
      uploads,
    );
    const headers = { 'idempotency-key': caller.options.idempotencyKey ?? crypto.randomUUID() };
    const response = await requested(
      (signal) => connection.send(call.path, { method: 'POST', headers, body: formOf(call, places), signal }),
      limits,
      caller.repeats,
    );
    if (response.status === 204) throw clientError('no_content', 'There is nothing to return.');
    return response;
  } catch (error) {
    for (const { id } of uploads) await removeUpload(connection, id);
    throw limits.failure(error);
  } finally {
    for (const { drop } of opened) await drop();
  }
}

function formOf(call: Call, places: readonly (File | Upload)[]): FormData {
  const form = new FormData();
  call.files.forEach(({ part, toldInFields }, at) => {
    const place = places[at];
    if (place instanceof Upload) {
      if (!toldInFields) form.append(`${part}@upload`, place.id);
    } else if (place) form.append(part, place, place.name);
  });
  for (const [name, value] of call.fields(places)) form.append(name, value);
  return form;
}

/** The largest files go ahead in chunks until the rest fits into one request. */
async function sentAhead(
  files: readonly (File | Upload)[],
  caller: Caller,
  uploads: Upload[],
): Promise<(File | Upload)[]> {
  const places = [...files];
  const sizeOf = (place: File | Upload): number => (place instanceof Upload ? 0 : place.size);
  let total = places.reduce((sum, place) => sum + sizeOf(place), 0);
  if (total <= FORM_ROOM_BYTES) return places;
  const { maxUploadBytes } = await caller.status(caller.limits);
  const room = maxUploadBytes - Math.min(FORM_ROOM_BYTES, maxUploadBytes / 10);
  const chosen: File[] = [];
  const bySize = places.filter((place) => !(place instanceof Upload)).sort((a, b) => sizeOf(b) - sizeOf(a));
  for (const file of bySize) {
    if (total <= room) break;
    chosen.push(file as File);
    total -= file.size;
  }
  const progress = { sentBytes: 0, totalBytes: chosen.reduce((sum, { size }) => sum + size, 0) };
  for (const file of chosen) {
    const upload = await uploadFile(caller.connection, file, caller.limits, (bytes) => {
      progress.sentBytes += bytes;
      caller.options.onProgress?.({ ...progress });
    });
    uploads.push(upload);
    places[places.indexOf(file)] = upload;
  }
  return places;
}
