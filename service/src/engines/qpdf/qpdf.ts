// The door to libqpdf: documents are opened here, passwords tried, failures named.
import type { Content, InputFile } from '../../contract/files.ts';
import { sniff } from '../../contract/kinds.ts';
import { Problem } from '../../contract/problems.ts';
import { openingBudget, within } from '../../contract/work-budget.ts';
import type { Dict, Ref } from '../../pdf/objects.ts';
import { RECOVERY_BYTES, scanForObjects } from '../../pdf/repair/brute-force-scan.ts';
import { pdfDocBytes } from '../../pdf/text-strings.ts';
import type { EngineState } from '../engine-state.ts';
import { type ClaimedContent, claimsOfContent, confirmClaims } from './claimed-content.ts';
import { WRAPPED, wrapFile } from './file-stream.ts';
import {
  begin,
  ERROR,
  ERRORS_BIT,
  type Library,
  type QpdfPointer,
  qpdfLibrary,
  readFromMemory,
} from './library.ts';
import { LibraryStore, ROOMY_NUMBER } from './library-store.ts';
import { QpdfDocument } from './qpdf-document.ts';
import { readStrictly } from './strict/parser.ts';
import { Sources } from './strict/source.ts';
import { StrictStore } from './strict/store.ts';
import { cString, write } from './write.ts';

export interface Qpdf {
  /**
   * Opens a PDF, mending slight damage. Encrypted ones are opened with none, then each of the passwords.
   * Throws invalid_pdf, password_required or wrong_password, naming the file.
   */
  open(file: InputFile, options?: { passwords?: readonly string[] }): QpdfDocument;
  /** A new document without pages. */
  create(): QpdfDocument;
  /** A new stream with the bytes of a file; those of large files stay on disk until the document is written. */
  addFile(document: QpdfDocument, dict: Dict, file: Pick<InputFile, 'content' | 'size'>): Ref;
  /** What a result claims to conform to, where it was written here; told without opening it. */
  claimsOf(content: Content): ClaimedContent | undefined;
  /** What a result claims was proven where it was made. */
  confirmClaims(content: Content): void;
  /** A result that claims something, changed and written as it was written before. */
  rewrite(file: InputFile, change: (document: QpdfDocument) => void): Content;
  /** Closes a document before the job ends, to free its memory. All others are closed after the job. */
  close(document: QpdfDocument): void;
}

interface JobContext {
  passwords: readonly string[];
  newFile(extension: string): string;
}

export interface QpdfOfJob {
  engine: Qpdf;
  closeAll(): void;
}

export function createQpdf(job: JobContext): QpdfOfJob {
  const lib = qpdfLibrary();
  const opened = new Set<QpdfDocument>();
  const sources = new Sources();
  const held = (store: LibraryStore | StrictStore, sourceBytes: number): QpdfDocument => {
    const document = new QpdfDocument(lib, store, { newFile: job.newFile, sourceBytes });
    opened.add(document);
    return document;
  };
  return {
    engine: {
      open: (file, options = {}) =>
        within('opening', openingBudget(file.size), () => {
          const source = sources.of(file);
          const sound = readStrictly(source);
          if (sound) return held(new StrictStore(sound), file.size);
          const passwords = [...(options.passwords ?? []), ...job.passwords];
          const bytes = source.whole();
          const opened = openOrMend(lib, bytes ? file.with({ bytes }) : file, passwords);
          const { pointer, content } = numberedAnew(lib, opened, file, passwords, job.newFile) ?? opened;
          const keep = 'bytes' in content ? content.bytes : undefined;
          return held(new LibraryStore(lib, pointer, keep), file.size);
        }),
      create() {
        const pointer = begin(lib);
        lib.emptyPdf(pointer);
        return held(new LibraryStore(lib, pointer, undefined), 0);
      },
      addFile(document, dict, { content, size }) {
        if ('bytes' in content) return document.addStream(dict, content.bytes);
        const wrapped = job.newFile('pdf');
        wrapFile(content.path, size, wrapped);
        const pointer = openWithPasswords(lib, { name: wrapped, content: { path: wrapped } }, []);
        const source = held(new LibraryStore(lib, pointer, undefined), size);
        const ref = document.copyFrom(source, WRAPPED);
        const made = document.edit(ref);
        for (const [key, value] of dict) made.set(key, value);
        return ref;
      },
      claimsOf: claimsOfContent,
      confirmClaims,
      rewrite(file, change) {
        const document = this.open(file);
        change(document);
        const content = document.save({
          ...claimsOfContent(file.content)?.options,
          keepModificationDate: true,
        });
        this.close(document);
        return content;
      },
      close(document) {
        opened.delete(document);
        document.close();
      },
    },
    closeAll() {
      for (const document of opened) document.close();
      opened.clear();
      sources.close();
    },
  };
}

export async function probe(): Promise<EngineState> {
  try {
    return { available: true, version: qpdfLibrary().version() as string };
  } catch {
    return { available: false, missing: 'libqpdf 11 or newer (Debian and Ubuntu: apt-get install qpdf)' };
  }
}

interface Opened {
  pointer: QpdfPointer;
  content: Content;
}

/**
 * Operations 1.3: "slight damage is mended silently". Where qpdf gives up, padding after the end is cut off, and the
 * objects that can still be seen are gathered anew.
 */
function openOrMend(lib: Library, file: InputFile, passwords: readonly string[]): Opened {
  try {
    return { pointer: openWithPasswords(lib, file, passwords), content: file.content };
  } catch (error) {
    const isDamaged = error instanceof Problem && error.reason === 'invalid_pdf';
    if (!isDamaged || file.size > RECOVERY_BYTES || sniff(file.head()) !== 'pdf') throw error;
    for (const mend of [withoutPadding, salvageReadable]) {
      const bytes = mend(file.bytes());
      const content = bytes && { bytes };
      const pointer = content && tryToOpen(lib, { name: file.name, content }, passwords);
      if (content && pointer) return { pointer, content };
    }
    throw error;
  }
}

/** A document with numbers so high that new objects would find none left is written with low ones first. */
function numberedAnew(
  lib: Library,
  { pointer }: Opened,
  { name, size }: InputFile,
  passwords: readonly string[],
  newFile: JobContext['newFile'],
): Opened | undefined {
  const trailer = lib.getTrailer(pointer);
  const handle = lib.getKey(pointer, trailer, '/Size');
  const highest = Number(lib.unparseText(pointer, handle));
  for (const each of [handle, trailer]) lib.release(pointer, each);
  if (!(highest > ROOMY_NUMBER)) return undefined;
  const content = write(lib, pointer, { keepEncryption: true }, size, newFile, () => tookError(lib, pointer));
  lib.cleanup([pointer]);
  return { pointer: openWithPasswords(lib, { name, content }, passwords), content };
}

function tryToOpen(lib: Library, file: Opening, passwords: readonly string[]): QpdfPointer | undefined {
  try {
    return openWithPasswords(lib, file, passwords);
  } catch (error) {
    if (error instanceof Problem && error.reason === 'invalid_pdf') return undefined;
    throw error;
  }
}

/** Objects of an encrypted file mean nothing without what says how it is encrypted. */
const salvageReadable = (bytes: Uint8Array): Uint8Array | undefined =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('/Encrypt')
    ? undefined
    : scanForObjects(bytes);

/** qpdf looks for the end of a file within its last kilobyte. */
function withoutPadding(bytes: Uint8Array): Uint8Array | undefined {
  let end = bytes.length;
  while (end > 0 && PADDING.has(bytes[end - 1] ?? -1)) end -= 1;
  return end < bytes.length ? bytes.subarray(0, end) : undefined;
}

const PADDING = new Set([0, 9, 10, 12, 13, 32]);

type Opening = Pick<InputFile, 'name' | 'content'>;

function openWithPasswords(lib: Library, file: Opening, passwords: readonly string[]): QpdfPointer {
  for (const password of [cString('', 'utf8'), ...passwords.flatMap(spellings)]) {
    const pointer = begin(lib);
    const code = read(lib, pointer, file, password);
    if (code === ERROR.none) return pointer;
    lib.cleanup([pointer]);
    if (code === ERROR.password) continue;
    const detail =
      code === ERROR.unsupported
        ? `${file.name} uses an encryption this service does not know.`
        : `${file.name} is not a readable PDF.`;
    throw new Problem('invalid_pdf', detail);
  }
  if (passwords.length === 0)
    throw new Problem('password_required', `${file.name} is encrypted and needs a password.`);
  throw new Problem('wrong_password', `The password given does not open ${file.name}.`);
}

/** Older encryption takes PDFDocEncoding, newer takes normalised UTF-8; writers mix them up: try what fits. */
function spellings(password: string): Buffer[] {
  const made = [Buffer.from(password), Buffer.from(password.normalize('NFKC'))];
  if (/^[\0-\u00ff]*$/.test(password)) made.push(Buffer.from(password, 'latin1'));
  const pdfDoc = pdfDocBytes(password);
  if (pdfDoc) made.push(Buffer.from(pdfDoc));
  const distinct = made.filter((one, index) => made.findIndex((other) => other.equals(one)) === index);
  return distinct.map((bytes) => Buffer.concat([bytes, Buffer.alloc(1)]));
}

function read(lib: Library, pointer: QpdfPointer, file: Opening, password: Buffer): number {
  const { content } = file;
  const status =
    'bytes' in content
      ? readFromMemory(lib, pointer, content.bytes, password)
      : (lib.read(pointer, content.path, password) as number);
  if (!(status & ERRORS_BIT)) return hasRoot(lib, pointer) ? ERROR.none : ERROR.damaged;
  return lib.errorCode(pointer, lib.getError(pointer)) as number;
}

/** A file with neither catalog nor page tree is no PDF, though qpdf may have found some objects in it. */
function hasRoot(lib: Library, pointer: QpdfPointer): boolean {
  const root = lib.getRoot(pointer);
  if (tookError(lib, pointer)) return false;
  const pages = lib.pageCount(pointer) as number;
  return !tookError(lib, pointer) && pages > 0 && (lib.objectNumber(pointer, root) as number) > 0;
}

/** An error nobody takes is printed by the library. */
function tookError(lib: Library, pointer: QpdfPointer): boolean {
  if (!lib.hasError(pointer)) return false;
  lib.getError(pointer);
  return true;
}
