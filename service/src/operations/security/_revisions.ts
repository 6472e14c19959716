// Earlier revisions of a document: everything up to where they ended.
import type { InputFile } from '../../contract/files.ts';
import { MIB } from '../../contract/limits.ts';
import type { Engines } from '../../engines/engines.ts';
import type { PdfDocument } from '../../pdf/document.ts';
import { type LaterChange, laterChanges } from '../../pdf/security/later-changes.ts';

/** Larger documents are not opened a second time. */
const MAX_BYTES = 64 * MIB;
/** Nor is any opened more often. */
const MAX_REVISIONS = 20;

/** Tells what was appended after a revision; null where it cannot. */
export function changesSinceRevision(qpdf: Engines['qpdf'], doc: PdfDocument, file: InputFile) {
  const known = new Map<number, LaterChange[] | null>([[file.size, []]]);
  return (end: number): LaterChange[] | null => {
    const before = known.get(end);
    if (before !== undefined) return before;
    const changes =
      file.size > MAX_BYTES || known.size > MAX_REVISIONS ? null : changesAfter(qpdf, doc, file, end);
    known.set(end, changes);
    return changes;
  };
}

function changesAfter(
  qpdf: Engines['qpdf'],
  doc: PdfDocument,
  file: InputFile,
  end: number,
): LaterChange[] | null {
  const all = file.bytes();
  const bytes = all.subarray(0, end);
  const appended = Buffer.from(all.subarray(end)).toString('latin1');
  try {
    const earlier = qpdf.open({
      ...file,
      size: end,
      content: { bytes },
      bytes: () => bytes,
      head: () => bytes,
    });
    const changes = laterChanges(doc, earlier, appended);
    qpdf.close(earlier);
    return changes;
  } catch {
    // A revision that cannot be read by itself tells nothing.
    return null;
  }
}
