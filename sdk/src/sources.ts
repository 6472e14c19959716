// Whatever names a document, as a Blob with a name.
import { BinderyError, clientError } from './errors.ts';
import { FileAddress } from './file-addresses.ts';
import { isNode, named, openFile, pathOf, spooled } from './local-files.ts';
import type { ByteStream, FileContent, FileSource } from './types.ts';
import { Upload } from './uploads.ts';

/** What stands for a file in a call: its bytes, or where the service has or finds them. */
export type Place = File | Upload | FileAddress;

export interface Opened {
  file: Place;
  /** Removes what was kept for it on this machine. */
  drop(): Promise<void>;
}

const NO_NAME = 'document';
const keep = (file: Place): Opened => ({ file, drop: async () => {} });

export async function openSource(source: FileSource, signal?: AbortSignal): Promise<Opened> {
  if (source instanceof Upload || source instanceof FileAddress) return keep(source);
  if (typeof source === 'string') return keep(await openFile(source));
  if (source instanceof URL) return fromUrl(source, signal);
  if (typeof source !== 'object' || source === null) throw noDocument();
  if (isNamed(source)) return fromContent(source.content, source.name, signal);
  return fromContent(source, nameOf(source), signal);
}

const isNamed = (source: object): source is { name: string; content: FileContent } =>
  'content' in source && 'name' in source && typeof source.name === 'string';

const nameOf = (content: object): string =>
  'name' in content && typeof content.name === 'string' ? content.name : NO_NAME;

const noDocument = (): BinderyError =>
  clientError(
    'input_unreadable',
    'A document must be a path, a URL, a Blob, bytes, a stream, { name, content }, an upload or a FileAddress.',
  );

async function fromContent(content: FileContent, name: string, signal?: AbortSignal): Promise<Opened> {
  // A Blob of its own: the caller's may be given under another name as well.
  if (content instanceof Blob) return keep(named(content.slice(0, content.size, content.type), name));
  if (content instanceof Uint8Array) return keep(named(new Blob([content as Uint8Array<ArrayBuffer>]), name));
  if (content instanceof ArrayBuffer) return keep(named(new Blob([content]), name));
  if (typeof content !== 'object' || content === null || !isStream(content)) throw noDocument();
  return fromStream(content, name, signal);
}

const isStream = (content: object): content is ByteStream =>
  Symbol.asyncIterator in content || 'getReader' in content;

/** Its length is not known and a failed call is tried again, so it is gathered first. */
async function fromStream(stream: ByteStream, name: string, signal?: AbortSignal): Promise<Opened> {
  const all = Symbol.asyncIterator in stream ? stream : piecesOf(stream);
  const pieces = signal === undefined ? all : untilAborted(all, signal);
  try {
    if (isNode()) {
      const { blob, drop } = await spooled(pieces);
      return { file: named(blob, name), drop };
    }
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for await (const piece of pieces) parts.push(piece as Uint8Array<ArrayBuffer>);
    return keep(named(new Blob(parts), name));
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof BinderyError
      ? error
      : clientError('input_unreadable', 'The stream failed.', error);
  }
}

/** A source that brings nothing must not outlive the call. */
async function* untilAborted(
  pieces: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  const aborted = new Promise<never>((_, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
  });
  aborted.catch(() => {});
  try {
    for (;;) {
      const read = await Promise.race([iterator.next(), aborted]);
      if (read.done) return;
      yield read.value;
    }
  } finally {
    // Not waited for: it ends when the read in flight does.
    iterator.return?.().catch(() => {});
  }
}

async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
}

async function fromUrl(url: URL, signal?: AbortSignal): Promise<Opened> {
  if (url.protocol === 'file:') return keep(await openFile(pathOf(url)));
  const response = await fetch(url, signal ? { signal } : {}).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw clientError('input_unreadable', `${url.href} cannot be fetched.`, error);
  });
  if (!response.ok || !response.body) {
    throw clientError('input_unreadable', `${url.href} answered ${response.status}.`);
  }
  return fromStream(response.body, lastName(url), signal);
}

function lastName({ pathname }: URL): string {
  const last = pathname.split('/').at(-1) || NO_NAME;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
