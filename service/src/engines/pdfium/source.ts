// How a document's bytes reach PDFium: small ones are copied into its memory, larger ones are read piece
// by piece, so that a file of half a gigabyte opens in bounded memory.
import { closeSync, fstatSync, openSync } from 'node:fs';
import { type Content, readInto } from '../../contract/file-bytes.ts';
import { MIB } from '../../contract/limits.ts';
import { Problem } from '../../contract/problems.ts';
import type { Library, Pointer } from './library.ts';

/** A document as operations hold it (`InputFile` is one). */
export interface DocumentFile {
  readonly name: string;
  readonly content: Content;
}

export interface Source {
  /** Asks PDFium to open the document; 0 when it would not. `password` is a C string or 0. */
  load(password: Pointer): Pointer;
  /** The whole file, where it lies in the engine's memory: good until the next call into it. */
  bytes(): Uint8Array | undefined;
  /** What PDFium has asked for since `load`; it keeps most of that in memory until the document is closed. */
  bytesRead(): number;
  close(): void;
}

/** Up to this size PDFium is given the bytes: fewer calls back, and never more memory than a page image. */
const COPIED_BYTES = 4 * MIB;
/** PDFium counts bytes of a file in 31 bits. */
const LARGEST_BYTES = 2 ** 31 - 1;

export function openSource(library: Library, file: DocumentFile): Source {
  const reader = openReader(file.content);
  try {
    if (reader.size === 0) throw new Problem('invalid_pdf', `${file.name} is empty.`);
    if (reader.size > LARGEST_BYTES) throw tooLarge(file.name);
    if (reader.size > COPIED_BYTES) return readingSource(library, reader);
    const source = copiedSource(library, reader);
    reader.close();
    return source;
  } catch (error) {
    reader.close();
    throw error;
  }
}

const tooLarge = (name: string): Problem =>
  new Problem('payload_too_large', `${name} is larger than 2 GB, the most this operation can read.`, {
    hint: 'Split the document first.',
  });

interface Reader {
  readonly size: number;
  /** Fills `target` from `position`; false when the document has no such bytes. */
  read(position: number, target: Uint8Array): boolean;
  close(): void;
}

function openReader(content: DocumentFile['content']): Reader {
  if ('bytes' in content) {
    const { bytes } = content;
    return {
      size: bytes.length,
      read(position, target) {
        if (position + target.length > bytes.length) return false;
        target.set(bytes.subarray(position, position + target.length));
        return true;
      },
      close() {},
    };
  }
  const descriptor = openSync(content.path, 'r');
  let open = true;
  return {
    size: fstatSync(descriptor).size,
    read: (position, target) => readInto(descriptor, target, position) === target.length,
    close() {
      if (open) closeSync(descriptor);
      open = false;
    },
  };
}

function copiedSource(library: Library, reader: Reader): Source {
  const bytes = library.allocate(reader.size);
  if (!reader.read(0, library.heap().subarray(bytes, bytes + reader.size))) {
    library.free(bytes);
    throw new Error('the document became shorter while it was read');
  }
  return {
    load: (password) => library.native.FPDF_LoadMemDocument64(bytes, reader.size, password),
    bytes: () => library.heap().subarray(bytes, bytes + reader.size),
    bytesRead: () => 0,
    // PDFium keeps no copy: the bytes stay until the document is closed.
    close: () => library.free(bytes),
  };
}

const ACCESS_BYTES = 12;
/** By the number PDFium passes back. One function serves all: each would take a place in its table. */
const readers = new Map<number, (position: number, target: Uint8Array) => boolean>();
let lastKey = 0;
let readCallback: Pointer | undefined;

function readingSource(library: Library, reader: Reader): Source {
  readCallback ??= library.callback((key, position, pointer, size) => {
    try {
      const target = library.heap().subarray(pointer >>> 0, (pointer >>> 0) + (size >>> 0));
      return readers.get(key)?.(position >>> 0, target) ? 1 : 0;
    } catch {
      // An exception must not cross PDFium's frames; it takes 0 for a read error.
      return 0;
    }
  }, 'iiiii');
  lastKey = (lastKey + 1) & 0x7fff_ffff;
  const key = lastKey;
  const access = library.allocate(ACCESS_BYTES);
  // FPDF_FILEACCESS: length, function, and the first argument it will be called with.
  const fields = new DataView(library.heap().buffer, access, ACCESS_BYTES);
  fields.setUint32(0, reader.size, true);
  fields.setUint32(4, readCallback, true);
  fields.setUint32(8, key, true);
  let bytesRead = 0;
  readers.set(key, (position, target) => {
    bytesRead += target.length;
    return reader.read(position, target);
  });
  return {
    load(password) {
      bytesRead = 0;
      return library.native.FPDF_LoadCustomDocument(access, password);
    },
    bytes: () => undefined,
    bytesRead: () => bytesRead,
    close() {
      readers.delete(key);
      reader.close();
      library.free(access);
    },
  };
}
