// A file that the service made. Its bytes are read once, in the way the caller likes best.

import { bounded, MOST_RESULT_BYTES, SMALL_ANSWER_BYTES, textWithin } from './answer-bodies.ts';
import { type BinderyError, clientError, unwritable } from './errors.ts';
import type { DeliveredResult } from './file-addresses.ts';
import { saveStream } from './local-files.ts';
import { plainMediaType, safeName } from './plain-words.ts';

export class FileResult {
  /**
   * As the service names it, made fit to be saved under: no folders, nothing unseen, no dot or hyphen in front, an ending
   * that is true to the media type.
   */
  readonly filename: string;
  readonly mediaType: string;
  /** In bytes, where the service told. */
  readonly size: number | undefined;
  readonly headers: Headers;
  /** Names the request in the service's log. */
  readonly requestId: string | undefined;
  private readonly response: Response;
  private readonly failure: (error: unknown) => BinderyError;

  constructor(response: Response, failure: (error: unknown) => BinderyError) {
    this.response = response;
    this.failure = failure;
    this.headers = response.headers;
    this.requestId = response.headers.get('x-request-id') ?? undefined;
    this.mediaType = plainMediaType(response.headers.get('content-type'));
    this.filename = safeName(filenameOf(response.headers.get('content-disposition') ?? ''), this.mediaType);
    const length = Number(response.headers.get('content-length') ?? Number.NaN);
    this.size = Number.isSafeInteger(length) && length >= 0 ? length : undefined;
  }

  /** What the service tells of the result in headers of its own: places redacted, names not found, claims. */
  get notes(): Readonly<Record<string, string>> {
    const told = [...this.headers].filter(([name]) =>
      /^x-(?!request-id|ratelimit-|content-type-options)/.test(name),
    );
    return Object.fromEntries(told);
  }

  /** The bytes as they arrive. */
  stream(): ReadableStream<Uint8Array> {
    const { body } = this.response;
    if (!body || this.wasRead()) throw new TypeError('The result was read already.');
    const reader = bounded(body as ReadableStream<Uint8Array>, MOST_RESULT_BYTES).getReader();
    // Interface 7.4: "The SDK raises its own error type"; the body's own errors are those of fetch.
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const read = await reader.read().catch((error: unknown) => {
            throw this.failure(error);
          });
          if (read.done) controller.close();
          else controller.enqueue(read.value);
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }

  bytes = async (): Promise<Uint8Array> => new Uint8Array(await this.read((held) => held.arrayBuffer()));
  blob = (): Promise<Blob> => this.read((held) => held.blob());
  /** `maxBytes`: longer text is refused as it comes. */
  text = ({ maxBytes = MOST_RESULT_BYTES }: { maxBytes?: number } = {}): Promise<string> =>
    this.read((held) => held.text(), maxBytes);
  json = async <T = unknown>(): Promise<T> => parsedJson<T>(await this.text());

  /** Of a call with `resultUrl`: what became of the result. */
  async delivered(): Promise<DeliveredResult> {
    const told = await this.json<Partial<DeliveredResult> | null>();
    if (typeof told?.location === 'string' && typeof told.status === 'number') return told as DeliveredResult;
    throw clientError('bad_response', 'The answer does not tell of a result that was delivered.');
  }

  /** To a file of this machine (Node). Nobody finds half a file there, and one that exists stays unless asked for. */
  async save(path: string, { overwrite = false }: { overwrite?: boolean } = {}): Promise<void> {
    const failed: { error?: unknown } = {};
    await saveStream(this.stream(), path, overwrite).catch((error: unknown) => {
      failed.error = error;
    });
    if (failed.error === undefined) return;
    const isLocal = typeof (failed.error as { syscall?: unknown }).syscall === 'string';
    throw isLocal ? unwritable(path, failed.error) : this.failure(failed.error);
  }

  private wasRead = (): boolean => this.response.bodyUsed || this.response.body?.locked === true;

  private async read<T>(how: (held: Response) => Promise<T>, most = MOST_RESULT_BYTES): Promise<T> {
    if (this.wasRead()) throw new TypeError('The result was read already.');
    try {
      const { body } = this.response;
      return await how(new Response(body && bounded(body, most), { headers: this.headers }));
    } catch (error) {
      throw this.failure(error);
    }
  }
}

/** RFC 6266: the encoded form wins. */
function filenameOf(disposition: string): string {
  const encoded = /filename\*\s*=\s*UTF-8''([^;\s]+)/i.exec(disposition)?.[1];
  if (encoded !== undefined) {
    try {
      return decodeURIComponent(encoded);
    } catch {
      // Not percent-encoded after all: the plain form is there as well.
    }
  }
  return /filename\s*=\s*"([^"]*)"/i.exec(disposition)?.[1] ?? '';
}

/** The JSON of a small answer that promised it: an object, whatever its members are. */
export async function jsonOf<T>(
  response: Response,
  failure: (error: unknown) => BinderyError,
): Promise<Partial<T>> {
  const value = parsedJson<T>(
    await textWithin(response, SMALL_ANSWER_BYTES).catch((error: unknown) => {
      throw failure(error);
    }),
  );
  if (typeof value === 'object' && value !== null) return value;
  throw clientError('bad_response', 'The answer is not the JSON that was promised.');
}

/** What a parser says of it is not repeated: it quotes the answer. */
export function parsedJson<T>(text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    throw clientError('bad_response', 'The answer is not the JSON that was promised.');
  }
}
