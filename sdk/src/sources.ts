// Whatever names a document, as a Blob with a name.
import { BinderyError, clientError } from './errors.ts';
import { isNode, named, openFile, pathOf, spooled } from './local-files.ts';
import type { ByteStream, FileContent, FileSource } from './types.ts';
import { Upload } from './uploads.ts';

export interface Opened {
  file: File | Upload;
  /** Removes what was kept for it on this machine. */
  drop(): Promise<void>;
}

const NO_NAME = 'document';
const keep = (file: File | Upload): Opened => ({ file, drop: async () => {} });

export async function openSource(source: FileSource, signal?: AbortSignal): Promise<Opened> {
  if (source instanceof Upload) return keep(source);
  if (typeof source === 'string') return keep(await openFile(source));
  if (source instanceof URL) return fromUrl(source, signal);
  if (isNamed(source)) return fromContent(source.content, source.name);
  return fromContent(source, nameOf(source));
}

const isNamed = (source: object): source is { name: string; content: FileContent } =>
  'content' in source && 'name' in source && typeof source.name === 'string';

const nameOf = (content: object): string =>
  'name' in content && typeof content.name === 'string' ? content.name : NO_NAME;

async function fromContent(content: FileContent, name: string): Promise<Opened> {
  if (content instanceof Blob) return keep(named(content, name));
  if (content instanceof Uint8Array) return keep(named(new Blob([content as Uint8Array<ArrayBuffer>]), name));
  if (content instanceof ArrayBuffer) return keep(named(new Blob([content]), name));
  return fromStream(content, name);
}

/** Its length is not known and a failed call is tried again, so it is gathered first. */
async function fromStream(stream: ByteStream, name: string): Promise<Opened> {
  const pieces = Symbol.asyncIterator in stream ? stream : piecesOf(stream);
  try {
    if (isNode()) {
      const { blob, drop } = await spooled(pieces);
      return { file: named(blob, name), drop };
    }
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for await (const piece of pieces) parts.push(piece as Uint8Array<ArrayBuffer>);
    return keep(named(new Blob(parts), name));
  } catch (error) {
    throw error instanceof BinderyError
      ? error
      : clientError('input_unreadable', 'The stream failed.', error);
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
  const name = decodeURIComponent(url.pathname.split('/').at(-1) || NO_NAME);
  return fromStream(response.body, name);
}
