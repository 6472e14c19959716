// Chunked uploads (interface 2.2, 3 and 4.9).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { KIB, LIMITS } from '../../../contract/limits.ts';
import { invalidParameter, Problem } from '../../../contract/problems.ts';
import type { Upload } from '../../../state/state.ts';
import { callerOf, onceOver } from '../call.ts';
import { readBody } from '../forms/body.ts';
import { chunkOf } from '../forms/chunk-body.ts';
import { gate } from '../gate.ts';
import type { HeldBytes } from '../held-bytes.ts';
import type { ServerParts } from '../parts.ts';
import { sendJson } from '../send-json.ts';
import { uploadNotFound } from '../upload-claims.ts';

const PATH = '/api/v1/uploads';
const DESCRIPTION_BYTES = 64 * KIB;
const FILENAME_CHARACTERS = 1024;
const MISSING_NAMED = 10;

const paramsOf = (request: FastifyRequest) => request.params as { id: string; index: string };

export function addUploads(app: FastifyInstance, parts: ServerParts, held: HeldBytes): void {
  const { config, state } = parts;
  const onRequest = gate(parts, { operation: 'uploads', maxBytes: config.limits.requestBytes });

  async function begin(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { uploadBytes, chunkBytes, uploadsInProgress, uploadStorageBytes } = config.limits;
    const share = held.share();
    onceOver(reply.raw, share.giveBack);
    const described = describedUpload(await readBody(request.raw, DESCRIPTION_BYTES, share), uploadBytes);
    const upload = await state.uploads.begin(
      {
        ...described,
        owner: callerOf(request).id,
        chunkSize: chunkBytes,
        chunkCount: Math.ceil(described.size / chunkBytes),
        expiresAt: new Date(Date.now() + LIMITS.uploadLifetimeMs),
      },
      { inProgress: uploadsInProgress, storageBytes: uploadStorageBytes },
    );
    if (typeof upload === 'string') throw refusal(upload, uploadsInProgress);
    const { id, chunkSize, chunkCount, expiresAt } = upload;
    return sendJson(request, reply, 201, {
      id,
      chunkSize,
      chunkCount,
      maxBytes: uploadBytes,
      expiresAt: expiresAt.toISOString(),
    });
  }

  async function putChunk(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { id, index: givenIndex } = paramsOf(request);
    const owner = callerOf(request).id;
    const upload = await state.uploads.get(id, owner);
    if (upload === undefined) throw uploadNotFound();
    const index = chunkIndex(givenIndex, upload);
    const body = chunkOf(request.raw, index, chunkBytes(upload, index));
    request.call.bytesIn = body.expectedBytes;
    const verdict = await body.guard(
      state.uploads.putChunk(
        id,
        owner,
        index,
        body.expectedBytes,
        body.data,
        config.limits.uploadStorageBytes,
      ),
    );
    if (verdict === 'no_room') throw refusal('insufficient_storage', config.limits.uploadsInProgress);
    if (verdict === 'wrong_size') throw body.wrongSize();
    if (verdict === 'no_such_chunk') throw noSuchChunk(upload);
    if (verdict === 'completed') throw alreadyComplete();
    if (verdict === 'gone') throw uploadNotFound();
    return reply.code(204).send();
  }

  async function complete(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { id } = paramsOf(request);
    const owner = callerOf(request).id;
    const verdict = await state.uploads.complete(id, owner);
    if (verdict === 'incomplete') {
      const missing = await state.uploads.missingChunks(id, owner, MISSING_NAMED + 1);
      throw new Problem('upload_incomplete', `Chunks have not arrived: ${named(missing ?? [])}.`);
    }
    const upload = verdict === 'completed' ? await state.uploads.get(id, owner) : undefined;
    if (upload === undefined) throw uploadNotFound();
    return sendJson(request, reply, 200, { id, filename: upload.filename, size: upload.size });
  }

  async function drop(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    await state.uploads.drop(paramsOf(request).id, callerOf(request).id);
    return reply.code(204).send();
  }

  app.post(PATH, { onRequest }, begin);
  app.put(`${PATH}/:id/chunks/:index`, { onRequest }, putChunk);
  app.post(`${PATH}/:id/complete`, { onRequest }, complete);
  app.delete(`${PATH}/:id`, { onRequest }, drop);
}

function describedUpload(body: Buffer, maxBytes: number): Pick<Upload, 'filename' | 'size' | 'contentType'> {
  const { filename, size, contentType = null } = jsonObject(body);
  if (typeof filename !== 'string' || filename === '' || filename.length > FILENAME_CHARACTERS) {
    throw invalidParameter(`filename must be text of 1 to ${FILENAME_CHARACTERS} characters.`);
  }
  // A number too large to be counted exactly is too large all the same.
  const isWhole = Number.isSafeInteger(size) || (typeof size === 'number' && size > Number.MAX_SAFE_INTEGER);
  if (typeof size !== 'number' || !isWhole || size < 1) {
    throw invalidParameter('size must be the size of the file in bytes, a whole number of at least 1.');
  }
  if (contentType !== null && (typeof contentType !== 'string' || contentType.length > 255)) {
    throw invalidParameter('contentType must be text of at most 255 characters.');
  }
  if (size > maxBytes) {
    throw new Problem('payload_too_large', `size is above the ${maxBytes} bytes an upload may have.`, {
      hint: 'Send a smaller file, or ask the operator to raise BINDERY_MAX_UPLOAD_BYTES.',
    });
  }
  return { filename, size, contentType };
}

function jsonObject(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Answered below, like JSON that is not an object.
  }
  throw new Problem('bad_request', 'The body must be a JSON object with filename and size.');
}

function refusal(reason: 'upload_limit_reached' | 'insufficient_storage', inProgress: number): Problem {
  const detail =
    reason === 'upload_limit_reached'
      ? `An API key may have ${inProgress} uploads in progress or not yet used.`
      : 'There is no room for an upload of this size at present.';
  return new Problem(reason, detail);
}

function chunkIndex(given: string, upload: Upload): number {
  const index = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
  if (index < upload.chunkCount) return index;
  throw noSuchChunk(upload);
}

const noSuchChunk = ({ chunkCount }: Upload): Problem =>
  invalidParameter(`index must be a whole number from 0 to ${chunkCount - 1}.`);

const alreadyComplete = (): Problem =>
  new Problem('bad_request', 'The upload is already complete; its chunks can no longer be changed.', {
    hint: 'Pass the id to an operation as <field>@upload.',
  });

/** "Each chunk except the last is chunkSize bytes; the last is the remainder." */
const chunkBytes = ({ size, chunkSize, chunkCount }: Upload, index: number): number =>
  index === chunkCount - 1 ? size - chunkSize * (chunkCount - 1) : chunkSize;

const named = (indexes: readonly number[]): string =>
  indexes.slice(0, MISSING_NAMED).join(', ') + (indexes.length > MISSING_NAMED ? ' and more' : '');
