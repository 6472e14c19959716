// A file that the service made. Its bytes are read once, in the way the caller likes best.
import { type BinderyError, clientError, unwritable } from './errors.ts';
import { saveStream } from './local-files.ts';

export class FileResult {
  /** As the service names it: a name without folders, fit to be saved under. */
  readonly filename: string;
  readonly mediaType: string;
  /** In bytes, where the service told. */
  readonly size: number | undefined;
  readonly headers: Headers;
  private readonly response: Response;
  private readonly failure: (error: unknown) => BinderyError;

  constructor(response: Response, failure: (error: unknown) => BinderyError) {
    this.response = response;
    this.failure = failure;
    this.headers = response.headers;
    this.filename = plainName(filenameOf(response.headers.get('content-disposition') ?? ''));
    this.mediaType = (response.headers.get('content-type') ?? 'application/octet-stream').split(';')[0] ?? '';
    const length = response.headers.get('content-length');
    this.size = length === null ? undefined : Number(length);
  }

  /** The bytes as they arrive. */
  stream(): ReadableStream<Uint8Array> {
    const { body } = this.response;
    if (!body || this.wasRead()) throw new TypeError('The result was read already.');
    const reader = (body as ReadableStream<Uint8Array>).getReader();
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

  bytes = async (): Promise<Uint8Array> => new Uint8Array(await this.read(() => this.response.arrayBuffer()));
  blob = (): Promise<Blob> => this.read(() => this.response.blob());
  text = (): Promise<string> => this.read(() => this.response.text());
  json = <T = unknown>(): Promise<T> => jsonOf<T>(this.response, this.failure);

  /** To a file of this machine (Node). Nobody finds half a file there. */
  async save(path: string, { overwrite = true }: { overwrite?: boolean } = {}): Promise<void> {
    const failed: { error?: unknown } = {};
    await saveStream(this.stream(), path, overwrite).catch((error: unknown) => {
      failed.error = error;
    });
    if (failed.error === undefined) return;
    const isLocal = typeof (failed.error as { syscall?: unknown }).syscall === 'string';
    throw isLocal ? unwritable(path, failed.error) : this.failure(failed.error);
  }

  private wasRead = (): boolean => this.response.bodyUsed || this.response.body?.locked === true;

  private async read<T>(how: () => Promise<T>): Promise<T> {
    if (this.wasRead()) throw new TypeError('The result was read already.');
    try {
      return await how();
    } catch (error) {
      throw this.failure(error);
    }
  }
}

const NO_NAME = 'result';

/** Whoever answers must not choose the folder, nor what a terminal does. */
function plainName(name: string): string {
  const last =
    name
      .replaceAll(/\p{Cc}/gu, '')
      .split(/[\\/]/)
      .at(-1) ?? '';
  return /^\.{0,2}$/.test(last) ? NO_NAME : last;
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
  return /filename\s*=\s*"([^"]*)"/i.exec(disposition)?.[1] ?? NO_NAME;
}

/** The JSON of an answer that promised it. */
export async function jsonOf<T>(response: Response, failure: (error: unknown) => BinderyError): Promise<T> {
  const text = await response.text().catch((error: unknown) => {
    throw failure(error);
  });
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw clientError('bad_response', 'The answer is not the JSON that was promised.', error);
  }
}
