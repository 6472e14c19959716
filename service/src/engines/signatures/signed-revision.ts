// The revision of a document that a signature covers.
import type { RevisionChange } from '../../pdf/security/revision-change.ts';
import type { DocumentSignature } from '../../pdf/security/signature-fields.ts';

/** A revision of the document by itself. */
export interface SignedRevision {
  signatures: readonly DocumentSignature[];
  isEncrypted: boolean;
  /** What became of it; null where it cannot be told. */
  changes: RevisionChange[] | null;
}
