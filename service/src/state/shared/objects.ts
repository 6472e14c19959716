// The bucket: where bytes are kept that every node must find.
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { S3Client } from '@aws-sdk/client-s3';
import type { BucketOptions } from '../../contract/bucket.ts';
import { KIB } from '../../contract/limits.ts';
import { Problem } from '../../contract/problems.ts';
import type { SharedTraffic } from '../../contract/shared-servers.ts';

export type ObjectContent = { bytes: Uint8Array } | { path: string; size: number };

export interface ListedObject {
  name: string;
  size: number;
}

export interface Objects {
  put(name: string, content: ObjectContent): Promise<void>;
  /** Undefined where there is no such object. */
  get(name: string): Promise<Buffer | undefined>;
  /** So many bytes from one on. Rejects where there is no such object; what breaks off ends in `unavailable`, too. */
  stream(name: string, from?: number, length?: number): Promise<AsyncIterable<Uint8Array>>;
  sizeOf(name: string): Promise<number | undefined>;
  /** Also where there is none. */
  remove(name: string): Promise<void>;
  /** In the order of their names, the first `most` of those after one. */
  list(prefix: string, after?: string, most?: number): Promise<ListedObject[]>;
  multipart: {
    begin(name: string): Promise<string>;
    /** Numbers begin with 1. The last part of a number that came whole stands. */
    putPart(name: string, id: string, number: number, content: ObjectContent): Promise<void>;
    /** Makes one object of the parts. False where the multipart upload is no more. */
    complete(name: string, id: string): Promise<boolean>;
    abort(name: string, id: string): Promise<void>;
    /** Those begun and neither completed nor aborted. */
    list(prefix: string): Promise<{ name: string; id: string }[]>;
  };
  /** Whether the store removes by itself what is older than days; asked for anew at each start. */
  expireByRule(prefix: string, days: number): Promise<boolean>;
  /** Resolves when it answers; throws Problem `unavailable` where it does not. */
  ping(): Promise<void>;
  close(): void;
}

const CONNECT_WITHIN_MS = 1500;
/** Callers hear of an outage within this time instead of waiting for its end. */
const ANSWER_WITHIN_MS = 1600;
/** A store may put a large object together for longer. */
const COMPLETE_WITHIN_MS = 60_000;
/** Slower than this is as good as away. */
const LEAST_BYTES_PER_MS = KIB;
/** Bytes of an answer that do not come for so long do not come. */
const IDLE_MS = 30_000;
/** What fails at once may be a passing matter; what takes its time is not tried again. */
const TRIES = 3;
const AT_ONCE_MS = 500;
const SOCKETS = 64;
const RETRY_AFTER_SECONDS = 2;
const LIST_AT_ONCE = 1000;
/** The SDK writes to the console otherwise. */
const quiet = (): void => {};
const SILENT = { trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet };
const RULE_ID = 'bindery-transient';

export async function openBucket(options: BucketOptions, traffic?: SharedTraffic): Promise<Objects> {
  // Loaded here alone: the embedded service does without it.
  const s3 = await import('@aws-sdk/client-s3');
  const client: S3Client = new s3.S3Client({
    region: options.region,
    ...(options.endpoint && { endpoint: options.endpoint, forcePathStyle: true }),
    ...(options.credentials && { credentials: options.credentials }),
    maxAttempts: 1,
    // Not every store knows the checksums that the SDK adds by itself.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    logger: SILENT,
    requestHandler: {
      connectionTimeout: CONNECT_WITHIN_MS,
      requestTimeout: ANSWER_WITHIN_MS,
      throwOnRequestTimeout: true,
      socketTimeout: IDLE_MS,
      httpsAgent: { maxSockets: SOCKETS },
      httpAgent: { maxSockets: SOCKETS },
    },
  });
  const Bucket = options.bucket;
  const noteSent = (bytes: number): void => {
    if (traffic) traffic.bytesToBucket += bytes;
  };
  const noteGot = (bytes: number | undefined): void => {
    if (traffic) traffic.bytesFromBucket += bytes ?? 0;
  };
  const keyOf = (name: string): string => `${options.prefix}${name}`;
  const nameOf = (key: string | undefined): string => (key ?? '').slice(options.prefix.length);

  async function asked<T>(question: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      const begunAt = performance.now();
      try {
        return await question();
      } catch (error) {
        const problem = bucketProblem(error);
        const isPassing = problem instanceof Problem && performance.now() - begunAt < AT_ONCE_MS;
        if (tries === TRIES || !isPassing) throw problem;
        await pause(50 * tries);
      }
    }
  }

  async function sent<T>(
    content: ObjectContent,
    send: (body: Uint8Array | Readable, size: number, options: { requestTimeout: number }) => Promise<T>,
  ): Promise<T> {
    const size = 'bytes' in content ? content.bytes.length : content.size;
    const options = { requestTimeout: ANSWER_WITHIN_MS + size / LEAST_BYTES_PER_MS };
    return asked(() => {
      // A stream cannot be sent twice: each try has one of its own.
      const body = 'bytes' in content ? content.bytes : createReadStream(content.path, { end: size - 1 });
      noteSent(size);
      return send(body, size, options);
    });
  }

  async function partsOf(name: string, id: string): Promise<{ PartNumber: number; ETag: string }[]> {
    const parts: { PartNumber: number; ETag: string }[] = [];
    for (let marker: string | undefined; ; ) {
      const page = await client.send(
        new s3.ListPartsCommand({ Bucket, Key: keyOf(name), UploadId: id, PartNumberMarker: marker }),
      );
      for (const part of page.Parts ?? [])
        parts.push({ PartNumber: part.PartNumber ?? 0, ETag: part.ETag ?? '' });
      if (!page.IsTruncated) return parts;
      marker = page.NextPartNumberMarker;
    }
  }

  const objects: Objects = {
    async put(name, content) {
      if ('path' in content && content.size === 0) return objects.put(name, { bytes: new Uint8Array() });
      await sent(content, (Body, ContentLength, within) =>
        client.send(new s3.PutObjectCommand({ Bucket, Key: keyOf(name), Body, ContentLength }), within),
      );
    },
    async get(name) {
      const found = await asked(() =>
        absentAsUndefined(client.send(new s3.GetObjectCommand({ Bucket, Key: keyOf(name) }))),
      );
      if (!found?.Body) return undefined;
      noteGot(found.ContentLength);
      const bytes = Buffer.from(await found.Body.transformToByteArray());
      return bytes;
    },
    async stream(name, from = 0, length = Number.POSITIVE_INFINITY) {
      const end = length === Number.POSITIVE_INFINITY ? '' : String(from + length - 1);
      const Range = from === 0 && end === '' ? undefined : `bytes=${from}-${end}`;
      const found = await asked(() =>
        client.send(new s3.GetObjectCommand({ Bucket, Key: keyOf(name), Range })),
      );
      noteGot(found.ContentLength);
      return whole(found.Body as Readable);
    },
    async sizeOf(name) {
      const found = await asked(() =>
        absentAsUndefined(client.send(new s3.HeadObjectCommand({ Bucket, Key: keyOf(name) }))),
      );
      return found && (found.ContentLength ?? 0);
    },
    async remove(name) {
      await asked(() =>
        absentAsUndefined(client.send(new s3.DeleteObjectCommand({ Bucket, Key: keyOf(name) }))),
      );
    },
    async list(prefix, after, most = LIST_AT_ONCE) {
      const page = await asked(() =>
        client.send(
          new s3.ListObjectsV2Command({
            Bucket,
            Prefix: keyOf(prefix),
            ...(after === undefined ? {} : { StartAfter: keyOf(after) }),
            MaxKeys: most,
          }),
        ),
      );
      return (page.Contents ?? []).map(({ Key, Size }) => ({ name: nameOf(Key), size: Size ?? 0 }));
    },
    multipart: {
      async begin(name) {
        const begun = await asked(() =>
          client.send(new s3.CreateMultipartUploadCommand({ Bucket, Key: keyOf(name) })),
        );
        return begun.UploadId ?? '';
      },
      async putPart(name, id, number, content) {
        await sent(content, (Body, ContentLength, within) =>
          client.send(
            new s3.UploadPartCommand({
              Bucket,
              Key: keyOf(name),
              UploadId: id,
              PartNumber: number,
              Body,
              ContentLength,
            }),
            within,
          ),
        );
      },
      complete: (name, id) =>
        asked(async () => {
          const parts = await absentAsUndefined(partsOf(name, id));
          if (parts === undefined) return false;
          const done = await absentAsUndefined(
            client.send(
              new s3.CompleteMultipartUploadCommand({
                Bucket,
                Key: keyOf(name),
                UploadId: id,
                MultipartUpload: { Parts: parts },
              }),
              { requestTimeout: COMPLETE_WITHIN_MS },
            ),
          );
          return done !== undefined;
        }),
      async abort(name, id) {
        await asked(() =>
          absentAsUndefined(
            client.send(new s3.AbortMultipartUploadCommand({ Bucket, Key: keyOf(name), UploadId: id })),
          ),
        );
      },
      async list(prefix) {
        const page = await asked(() =>
          client.send(new s3.ListMultipartUploadsCommand({ Bucket, Prefix: keyOf(prefix) })),
        );
        return (page.Uploads ?? []).map(({ Key, UploadId }) => ({ name: nameOf(Key), id: UploadId ?? '' }));
      },
    },
    async expireByRule(prefix, days) {
      const current = await client
        .send(new s3.GetBucketLifecycleConfigurationCommand({ Bucket }))
        .catch((error: { name?: string }) =>
          error.name === 'NoSuchLifecycleConfiguration' ? { Rules: [] } : undefined,
        );
      if (current === undefined) return false;
      const ours = `${RULE_ID}-${keyOf(prefix)}`;
      const others = (current.Rules ?? []).filter(({ ID }) => ID !== ours);
      const rule = {
        ID: ours,
        Status: 'Enabled' as const,
        Filter: { Prefix: keyOf(prefix) },
        Expiration: { Days: days },
        AbortIncompleteMultipartUpload: { DaysAfterInitiation: days },
      };
      return client
        .send(
          new s3.PutBucketLifecycleConfigurationCommand({
            Bucket,
            LifecycleConfiguration: { Rules: [...others, rule] },
          }),
        )
        .then(
          () => true,
          () => false,
        );
    },
    async ping() {
      await asked(() => client.send(new s3.HeadBucketCommand({ Bucket })));
    },
    close: () => client.destroy(),
  };
  return objects;
}

interface Failure {
  name?: string;
  $metadata?: { httpStatusCode?: number };
}

async function absentAsUndefined<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if ((error as Failure).$metadata?.httpStatusCode === 404) return undefined;
    throw error;
  }
}

/** Refusals of a question are faults of ours or of the settings; anything else is that the store is not there. */
function bucketProblem(error: unknown): unknown {
  const status = (error as Failure).$metadata?.httpStatusCode ?? 0;
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) return error;
  if (error instanceof Problem) return error;
  return new Problem('unavailable', 'The shared store of the service cannot be reached.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: error,
  });
}

async function* whole(body: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw bucketProblem(error);
  }
}

/** A stream's bytes, as a new file. */
export async function pourInto(path: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const piece of pieces) await file.writeFile(piece);
  } finally {
    await file.close();
  }
}
