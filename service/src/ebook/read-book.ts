// A file becomes a book, whichever of the kinds it is. What must be unpacked first is handed in.
import type { InputFile } from '../contract/files.ts';
import { Problem } from '../contract/problems.ts';
import { firstElementAt } from '../contract/xml-prolog.ts';
import type { Book, PackageFiles } from './book.ts';
import { readEpub } from './epub.ts';
import { readFb2 } from './fb2.ts';
import { readMobi } from './mobi.ts';
import { decodeText } from './text-decoding.ts';
import { readTxt } from './txt.ts';

const TAKEN = 'epub, mobi, azw3, fb2, txt and docx are taken';

/** `unpack` opens the file as an archive. */
export async function readBook(file: InputFile, unpack: () => Promise<PackageFiles>): Promise<Book> {
  const head = Buffer.from(file.head());
  if (head.toString('latin1', 0, 2) === 'PK') return fromPackage(file, await unpack());
  if (/^(?:BOOKMOBI|TEXtREAd)$/.test(head.toString('latin1', 60, 68)))
    return readMobi(file.bytes(), file.name);
  const start = decodeText(head);
  const root = firstElementAt(start);
  if (root >= 0 && /^<(?:\w+:)?FictionBook[\s>]/.test(start.slice(root, root + 60)))
    return fb2(file.bytes(), file.name);
  // "the extension only where content cannot tell (txt ...)" (operations 1.3)
  if (/\.te?xt$/i.test(file.name) && isText(head)) return readTxt(decodeText(file.bytes()), file.base);
  throw notTaken(file.name);
}

async function fromPackage(file: InputFile, files: PackageFiles): Promise<Book> {
  if (files.paths.some((path) => path === 'META-INF/container.xml' || path.endsWith('.opf')))
    return readEpub(files, file.name);
  const inner = files.paths.filter((path) => path.toLowerCase().endsWith('.fb2'));
  const bytes = inner.length === 1 && inner[0] ? await files.read(inner[0]) : undefined;
  if (bytes) return fb2(bytes, file.name);
  throw notTaken(file.name);
}

function fb2(bytes: Uint8Array, name: string): Book {
  const book = readFb2(decodeText(bytes));
  if (!book) throw notTaken(name);
  return book;
}

/** No control characters but those of lines; UTF-16 with its mark is text, too. */
function isText(head: Buffer): boolean {
  if (/^(?:\xff\xfe|\xfe\xff)/.test(head.toString('latin1', 0, 2))) return true;
  return head.length > 0 && !head.subarray(0, 4096).some((byte) => byte < 9 || (byte > 13 && byte < 27));
}

const notTaken = (name: string): Problem =>
  new Problem('unsupported_file_type', `${name} is not an e-book of a kind this operation takes: ${TAKEN}.`);
