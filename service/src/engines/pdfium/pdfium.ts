// The door to PDFium, for looking: text, images, rendering. Bound to one job; the instance behind it is shared.
import { type Content, contentSize } from '../../contract/files.ts';
import type { Log } from '../../contract/log.ts';
import { Problem } from '../../contract/problems.ts';
import { openingBudget, within } from '../../contract/work-budget.ts';
import { PdfiumDocument } from './document.ts';
import { isPoisoned, loadLibrary } from './library.ts';
import { openDocument } from './open.ts';
import type { DocumentFile } from './source.ts';

export type { PdfiumDocument } from './document.ts';
export { isPoisoned };

export interface Pdfium {
  /**
   * Opens a PDF with no password or the first of the job's that fits. Problems: invalid_pdf,
   * password_required, wrong_password. Close it (`using`), or leave that to the end of the job.
   */
  open(file: DocumentFile): PdfiumDocument;
  /**
   * As `open`, for a document that another engine holds too: where that engine had to repair the file, or the two would
   * see different pages, what it makes of the file is opened instead. Given a function, that engine is only asked
   * where the file leaves any doubt.
   */
  openLike(file: DocumentFile, held: HeldDocument | (() => HeldDocument)): PdfiumDocument;
  /** Closes what is still open: the end of the job. */
  close(): void;
}

export interface HeldDocument {
  readonly pageCount: number;
  /** How objects are found was made anew: each engine does that in its own way. */
  readonly wasRebuilt: boolean;
  save(options: { keepModificationDate: true }): Content;
}

export interface PdfiumOptions {
  /** Tried in order on encrypted documents. */
  passwords: readonly string[];
  log: Log;
}

export async function createPdfium({ passwords, log }: PdfiumOptions): Promise<Pdfium> {
  const library = await loadLibrary();
  const documents = new Set<PdfiumDocument>();
  const open = (file: DocumentFile): PdfiumDocument => {
    const document = within(
      'opening',
      openingBudget(contentSize(file.content)),
      () => new PdfiumDocument(library, openDocument(library, file, passwords), file.name, log),
    );
    documents.add(document);
    if (document.pageCount > 0) return document;
    document.close();
    throw new Problem('invalid_pdf', `${file.name} has no pages.`);
  };
  const openSame = (file: DocumentFile, pageCount: number): PdfiumDocument | undefined => {
    try {
      const document = open(file);
      if (document.pageCount === pageCount) return document;
      document.close();
    } catch (error) {
      if (!(error instanceof Problem) || error.reason !== 'invalid_pdf') throw error;
    }
    return undefined;
  };
  const openSound = (file: DocumentFile): PdfiumDocument | undefined => {
    try {
      const document = open(file);
      if (document.isSound()) return document;
      document.close();
    } catch (error) {
      // The other engine says why, or repairs it.
      if (!(error instanceof Problem) || isPoisoned()) throw error;
    }
    return undefined;
  };
  const openLikeHeld = (file: DocumentFile, held: HeldDocument): PdfiumDocument =>
    (held.wasRebuilt ? undefined : openSame(file, held.pageCount)) ??
    open({ name: file.name, content: held.save({ keepModificationDate: true }) });
  return {
    open,
    openLike: (file, held) =>
      typeof held === 'function' ? (openSound(file) ?? openLikeHeld(file, held())) : openLikeHeld(file, held),
    close() {
      for (const document of documents) document.close();
      documents.clear();
    },
  };
}
