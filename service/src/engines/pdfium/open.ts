// Opening a document: the first password that fits, and the right reason when none does.
import { Problem } from '../../contract/problems.ts';
import type { Library, Pointer } from './library.ts';
import { type DocumentFile, openSource, type Source } from './source.ts';

/** FPDF_GetLastError. */
const ERROR_PASSWORD = 4;
const ERROR_SECURITY = 5;

export interface Opened {
  handle: Pointer;
  readonly source: Source;
  /** The one that fitted; undefined: none was needed. */
  readonly password: string | undefined;
}

export function openDocument(library: Library, file: DocumentFile, passwords: readonly string[]): Opened {
  const source = openSource(library, file);
  try {
    return { source, ...loadWithFirstFit(library, source, file.name, passwords) };
  } catch (error) {
    source.close();
    throw error;
  }
}

/** Closes the document and opens it again: what PDFium gathered in memory is gone. */
export function reopenDocument(library: Library, opened: Opened, name: string): void {
  library.native.FPDF_CloseDocument(opened.handle);
  opened.handle = loadWith(library, opened.source, opened.password);
  if (opened.handle === 0) throw unreadable(name, library.native.FPDF_GetLastError());
}

/** Operations 1.3: "opened with the first that fits"; an owner password alone does not keep a file shut. */
function loadWithFirstFit(
  library: Library,
  source: Source,
  name: string,
  passwords: readonly string[],
): Pick<Opened, 'handle' | 'password'> {
  for (const password of [undefined, ...passwords]) {
    const handle = loadWith(library, source, password);
    if (handle !== 0) return { handle, password };
    const error = library.native.FPDF_GetLastError();
    if (error !== ERROR_PASSWORD) throw unreadable(name, error);
  }
  if (passwords.length === 0) {
    throw new Problem('password_required', `${name} is encrypted and no password was sent.`);
  }
  throw new Problem('wrong_password', `No password that was sent opens ${name}.`);
}

function loadWith(library: Library, source: Source, password: string | undefined): Pointer {
  // PDFium takes a C string, UTF-8; where the file's encryption wants Latin-1 it converts by itself.
  if (password === undefined || password.includes('\0')) return source.load(0);
  const bytes = Buffer.from(`${password}\0`, 'utf8');
  const pointer = library.allocate(bytes.length);
  try {
    library.heap().set(bytes, pointer);
    return source.load(pointer);
  } finally {
    library.heap().fill(0, pointer, pointer + bytes.length);
    library.free(pointer);
  }
}

function unreadable(name: string, error: number): Problem {
  if (error === ERROR_SECURITY) {
    return new Problem('invalid_pdf', `${name} is encrypted by a method that cannot be opened here.`);
  }
  return new Problem('invalid_pdf', `${name} is not a PDF, or damaged beyond mending.`);
}
