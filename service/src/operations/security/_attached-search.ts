// Terms in the contents of attached files. PDFs are redacted as the document itself is, text and JPEG files are cleaned;
// in files of other kinds terms are only looked for, and one that cannot be read in full is refused: what nobody has
// seen is not clean.
import { gunzipSync } from 'node:zlib';
import { type Content, fileInMemory, InputFile } from '../../contract/files.ts';
import { type FileKind, kindOf, SNIFF_BYTES } from '../../contract/kinds.ts';
import { MIB } from '../../contract/limits.ts';
import { Problem } from '../../contract/problems.ts';
import type { Archive } from '../../engines/archive/archive.ts';
import {
  attachedText,
  filesInMessage,
  isMessage,
  textHolds,
  withoutTerms,
} from '../../pdf/redaction/attached-text.ts';
import { imageHolds } from '../../pdf/redaction/image-file-words.ts';
import { jpegWithoutWords } from '../../pdf/redaction/image-words.ts';
import type { Terms } from '../../pdf/redaction/terms.ts';

/** Files within files, at most so deep. */
const DEEPEST = 4;
/** Unpacked, of all attached files together. */
export const MOST_SEARCHED_BYTES = 256 * MIB;
const MOST_ENTRIES = 5000;

const PIXELS: readonly FileKind[] = ['png', 'jpeg', 'gif', 'bmp', 'tiff', 'webp', 'avif'];

/** Of an attached PDF: how many places went, and what is left. */
export interface RedactedPdf {
  content: Content;
  count: number;
}

export interface SearchTools {
  archive: Archive;
  terms: Terms;
  /** `deep` is how many files it stands within. */
  redactPdf(name: string, bytes: Uint8Array, deep: number): Promise<RedactedPdf>;
}

export interface CleanedFile {
  bytes: Uint8Array;
  /** Else it was only written anew. */
  heldTerm: boolean;
}

const asCleaned = (bytes: Uint8Array | undefined): CleanedFile | undefined =>
  bytes && { bytes, heldTerm: true };

/** Why a file cannot be vouched for: finishes the sentence "The attached file x ...". */
export class NotClean extends Error {}

export class AttachedSearch {
  private readonly tools: SearchTools;
  private left = MOST_SEARCHED_BYTES;

  constructor(tools: SearchTools) {
    this.tools = tools;
  }

  /** What it becomes; undefined where it stays as it is. Throws NotClean. */
  async clean(name: string, bytes: Uint8Array, deep: number): Promise<CleanedFile | undefined> {
    const { terms } = this.tools;
    const kind = this.kindOf(name, bytes, deep);
    if (kind === 'pdf') {
      const { content, count } = await this.redactPdf(name, bytes, deep);
      // Also where no term was found: an earlier revision or an object that nothing uses may hold one.
      return { bytes: fileContent(content), heldTerm: count > 0 };
    }
    if (kind === 'jpeg') return asCleaned(jpegWithoutWords(bytes, terms));
    const read = kind === 'text' ? attachedText(bytes) : undefined;
    // Parts of a message are coded: changed, they would be read as something else.
    if (!read || isMessage(read.text)) {
      await this.look(name, bytes, deep);
      return undefined;
    }
    if (!textHolds(read.text, terms)) return undefined;
    const text = withoutTerms(read.text, terms);
    const made = text === undefined ? undefined : read.bytesOf(text);
    if (!made || this.isInText(made)) throw new NotClean('holds a term that cannot be taken out of it');
    return asCleaned(made);
  }

  /** Throws NotClean where the file holds a term, or cannot be read in full. */
  async look(name: string, bytes: Uint8Array, deep: number): Promise<void> {
    const { terms } = this.tools;
    const kind = this.kindOf(name, bytes, deep);
    if (kind === 'pdf') return this.lookInPdf(name, bytes, deep);
    if (kind === 'zip') return this.lookInZip(name, bytes, deep);
    if (kind === 'gzip') return this.look(name, this.unpack(bytes), deep + 1);
    if (kind === 'text') {
      if (this.isInText(bytes)) throw new NotClean('holds a term');
      for (const part of filesInMessage(attachedText(bytes)?.text ?? '')) await this.look('', part, deep + 1);
    } else if (imageHolds(bytes, terms)) throw new NotClean('holds a term');
  }

  private isInText(bytes: Uint8Array): boolean {
    return textHolds(attachedText(bytes)?.text ?? '', this.tools.terms);
  }

  /** Throws NotClean for kinds that nobody here reads. */
  private kindOf(name: string, bytes: Uint8Array, deep: number): 'zip' | 'gzip' | 'text' | FileKind {
    if (deep > DEEPEST) throw new NotClean('holds files within files too deep to be searched');
    this.left -= bytes.length;
    if (this.left < 0) throw tooLarge();
    const head = Buffer.from(bytes.subarray(0, SNIFF_BYTES));
    if (head.subarray(0, 1024).includes('%PDF-')) return 'pdf';
    if (head.toString('latin1', 0, 2) === 'PK') return 'zip';
    if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
    const kind = kindOf(name, head);
    if (PIXELS.includes(kind)) return kind;
    if (attachedText(bytes)) return 'text';
    throw new NotClean('is of a kind that cannot be searched');
  }

  private async redactPdf(name: string, bytes: Uint8Array, deep: number): Promise<RedactedPdf> {
    try {
      return await this.tools.redactPdf(name, bytes, deep);
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error;
      if (error.reason === 'redaction_unverified') throw new NotClean(`is not clean: ${error.detail}`);
      throw new NotClean(
        error.status === 400 && /password/.test(error.reason)
          ? 'is protected by a password'
          : 'is a PDF that cannot be read',
      );
    }
  }

  private async lookInPdf(name: string, bytes: Uint8Array, deep: number): Promise<void> {
    const { count } = await this.redactPdf(name, bytes, deep);
    if (count > 0 || this.tools.terms.bytes.find(bytes).length > 0) throw new NotClean('holds a term');
    if (hasRevisions(bytes)) throw new NotClean('is a PDF with earlier revisions, which cannot be searched');
  }

  private async lookInZip(name: string, bytes: Uint8Array, deep: number): Promise<void> {
    const { archive, terms } = this.tools;
    // Comments, and what stands between the entries.
    if (terms.bytes.find(bytes).length > 0) throw new NotClean('holds a term');
    const opened = await archive
      .open(fileInMemory(name, bytes), { entries: MOST_ENTRIES, bytes: Math.max(1, this.left) })
      .catch(asNotClean);
    try {
      for (const entry of opened.entries) {
        if (terms.isIn(entry.path)) throw new NotClean('holds a term in the name of a file within');
        const held = await opened.read(entry, Math.max(1, this.left)).catch(asNotClean);
        await this.look(entry.path, held, deep + 1).catch((error) => {
          throw error instanceof NotClean ? new NotClean(`${error.message} (in ${entry.path})`) : error;
        });
      }
    } finally {
      opened.close();
    }
  }

  private unpack(bytes: Uint8Array): Uint8Array {
    try {
      return gunzipSync(bytes, { maxOutputLength: Math.max(1, this.left) });
    } catch {
      throw new NotClean('cannot be unpacked');
    }
  }
}

export const tooLarge = (): NotClean =>
  new NotClean(`is, with those before it, larger than the ${MOST_SEARCHED_BYTES / MIB} MB that are searched`);

function asNotClean(error: unknown): never {
  if (error instanceof Problem && error.status < 500)
    throw new NotClean('is an archive that cannot be read in full');
  throw error;
}

const fileContent = (content: Content): Uint8Array => new InputFile('attached.pdf', content).bytes();

/** Written in one go a PDF has one end, or two where it is made for the web. */
function hasRevisions(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let ends = 0;
  for (let at = file.indexOf('startxref'); at !== -1; at = file.indexOf('startxref', at + 1)) ends += 1;
  return ends > (file.subarray(0, 2048).includes('/Linearized') ? 2 : 1);
}
