// A call of an operation or a pipeline: files opened, those too large for one request uploaded first, fields as form
// parts, the request repeated safely.
import { answerFacts, type Connection, type ServiceStatus } from './connection.ts';
import { type BinderyError, clientError, noContent } from './errors.ts';
import { deliveryParts, FileAddress } from './file-addresses.ts';
import { type FormPart, formBlob } from './form.ts';
import { type JobDocument, jobIn } from './job-documents.ts';
import { answerOfJob } from './jobs.ts';
import { plainLine } from './plain-words.ts';
import { type CallLimits, type Repeats, requested } from './requests.ts';
import { jsonOf } from './results.ts';
import { type Opened, openSource, type Place } from './sources.ts';
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
  /** Media types the answer may have; absent where nobody knows. */
  types?: readonly string[];
  /** Made when it is known which files went ahead as uploads: pipelines name them inside `steps`. */
  fields(places: readonly Place[]): readonly TextPart[];
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
  const { limits, connection, repeats, options } = caller;
  const sent = await answered(call, caller);
  try {
    // A service that knows no jobs answers as ever.
    const isJob = sent.status === 202 && options.background === true;
    const response = isJob ? await answerOfJob(connection, sent, limits, repeats, options) : sent;
    caller.options.onResponse?.(answerFacts(response));
    if (response.status === 204) throw noContent(response);
    // Where the result went elsewhere, the answer tells of that.
    await requirePromised(response, options.resultUrl === undefined ? call.types : ['application/json']);
    return response;
  } catch (error) {
    throw limits.failure(error);
  }
}

/** The job that a call became. */
export async function begun(call: Call, caller: Caller): Promise<JobDocument> {
  const sent = await answered(call, { ...caller, options: { ...caller.options, background: true } });
  if (sent.status === 202) return jobIn(await jsonOf(sent, caller.limits.failure));
  await sent.body?.cancel();
  throw clientError('bad_response', 'This service does not take calls in the background.');
}

/** The first answer: the result, or that the call was accepted. */
async function answered(call: Call, caller: Caller): Promise<Response> {
  const { limits, connection } = caller;
  const opened: Opened[] = [];
  const uploads: Upload[] = [];
  const delivery = deliveryParts(caller.options);
  try {
    for (const { source } of call.files) opened.push(await openSource(source, limits.signal));
    const files = opened.map(({ file }) => file);
    const headers = {
      'idempotency-key': caller.options.idempotencyKey ?? crypto.randomUUID(),
      ...(caller.options.background ? { prefer: 'respond-async' } : {}),
    };
    const send = (places: readonly Place[]) =>
      requested(
        (signal) =>
          connection.send(call.path, {
            method: 'POST',
            headers,
            body: formOf(call, places, delivery),
            signal,
          }),
        limits,
        caller.repeats,
      );
    const places = await sentAhead(await tooLarge(files, caller), files, caller, uploads);
    return await send(places).catch(async (error: unknown) => {
      const left = filesAmong(places);
      // A service that takes even less than was thought, or says so only now.
      if ((error as BinderyError).reason !== 'payload_too_large' || left.length === 0) throw error;
      return send(await sentAhead(left, places, caller, uploads));
    });
  } catch (error) {
    for (const { id } of uploads) await removeUpload(connection, id);
    throw limits.failure(error);
  } finally {
    for (const { drop } of opened) await drop();
  }
}

function formOf(call: Call, places: readonly Place[], delivery: readonly TextPart[]): Blob {
  const files = call.files.flatMap(({ part, toldInFields }, at): FormPart[] => {
    const place = places[at];
    if (place instanceof Upload) return toldInFields ? [] : [[`${part}@upload`, place.id]];
    if (place instanceof FileAddress) return toldInFields ? [] : [[`${part}@url`, place.url]];
    return place ? [[part, place]] : [];
  });
  return formBlob([...files, ...call.fields(places), ...delivery]);
}

/** A page of whatever stands between, such as a login, is no result: interface 7.4, bad_response. */
async function requirePromised(response: Response, types: readonly string[] | undefined): Promise<void> {
  const type = (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  // The service names the file, others hardly do.
  const isPage = type === 'text/html' && !response.headers.has('content-disposition');
  if (types === undefined || (types.includes(type) && !isPage)) return;
  await response.body?.cancel();
  throw clientError(
    'bad_response',
    `The answer is ${plainLine(type) || 'of no type'}, not ${types.join(' or ')}.`,
  );
}

const filesAmong = (places: readonly Place[]): File[] =>
  places.filter((place): place is File => place instanceof Blob);

/** The largest files, until the rest fits into one request. */
async function tooLarge(files: readonly Place[], caller: Caller): Promise<File[]> {
  const own = filesAmong(files);
  let total = own.reduce((sum, { size }) => sum + size, 0);
  if (total <= FORM_ROOM_BYTES) return [];
  const { maxUploadBytes } = await caller.status(caller.limits);
  const room = maxUploadBytes - Math.min(FORM_ROOM_BYTES, maxUploadBytes / 10);
  const chosen: File[] = [];
  for (const file of own.sort((a, b) => b.size - a.size)) {
    if (total <= room) break;
    chosen.push(file);
    total -= file.size;
  }
  return chosen;
}

/** The chosen files go ahead in chunks; `uploads` gains them. */
async function sentAhead(
  chosen: readonly File[],
  files: readonly Place[],
  caller: Caller,
  uploads: Upload[],
): Promise<Place[]> {
  const places = [...files];
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
