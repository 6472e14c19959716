// Earlier revisions of a document: everything up to where they ended, read as a document of its own.
import { copyFileSync, rmSync, truncateSync } from 'node:fs';
import type { Content, InputFile } from '../../contract/files.ts';
import { MIB } from '../../contract/limits.ts';
import { Problem } from '../../contract/problems.ts';
import type { Engines } from '../../engines/engines.ts';
import type { SignedRevision } from '../../engines/signatures/signed-revision.ts';
import type { PdfDocument } from '../../pdf/document.ts';
import { TooLargeToCompare } from '../../pdf/security/incremental-update-comparison.ts';
import { laterChanges } from '../../pdf/security/later-changes.ts';
import type { RevisionChange } from '../../pdf/security/revision-change.ts';
import { readSignatures } from '../../pdf/security/signature-fields.ts';

/** A document is not opened more often. */
const MAX_REVISIONS = 100;

interface Opening {
  qpdf: Engines['qpdf'];
  newFile(extension: string): string;
}

/** Gives the revision that ends there; undefined where it cannot be read by itself. */
export function revisionsOf({ qpdf, newFile }: Opening, now: PdfDocument, file: InputFile) {
  const known = new Map<number, SignedRevision | undefined>();
  return (end: number): SignedRevision | undefined => {
    if (known.has(end)) return known.get(end);
    if (known.size >= MAX_REVISIONS) return undefined;
    const revision =
      end === file.size ? readRevision(now, now, file) : readEarlier({ qpdf, newFile }, now, file, end);
    known.set(end, revision);
    return revision;
  };
}

function readEarlier(
  { qpdf, newFile }: Opening,
  now: PdfDocument,
  file: InputFile,
  end: number,
): SignedRevision | undefined {
  const content = beginningOf(file.content, end, newFile);
  try {
    const earlier = qpdf.open(file.with(content));
    const revision = readRevision(earlier, now, file);
    qpdf.close(earlier);
    return revision;
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  } finally {
    if ('path' in content) rmSync(content.path, { force: true });
  }
}

function beginningOf(content: Content, end: number, newFile: Opening['newFile']): Content {
  if ('bytes' in content) return { bytes: content.bytes.subarray(0, end) };
  const path = newFile('pdf');
  copyFileSync(content.path, path);
  truncateSync(path, end);
  return { path };
}

function readRevision(then: PdfDocument, now: PdfDocument, file: InputFile): SignedRevision {
  return {
    signatures: readSignatures(then),
    isEncrypted: then.trailer.has('Encrypt'),
    changes: then === now ? [] : changesOf(then, now, file),
  };
}

/** Larger documents are not compared. */
const MAX_BYTES = 64 * MIB;

function changesOf(then: PdfDocument, now: PdfDocument, file: InputFile): RevisionChange[] | null {
  if (file.size > MAX_BYTES) return null;
  try {
    return laterChanges(then, now);
  } catch (error) {
    if (error instanceof TooLargeToCompare || error instanceof Problem) return null;
    throw error;
  }
}
