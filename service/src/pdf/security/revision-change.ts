// What a later revision did, and what the signer allowed.
import type { Ref } from '../objects.ts';

export const LATER_CHANGES = [
  'signature',
  'document-timestamp',
  'validation-data',
  'form-fields',
  'annotations',
  'page-content',
  'pages',
  'attachments',
  'metadata',
  'other',
] as const;

export type LaterChange = (typeof LATER_CHANGES)[number];

/** 1: nothing but proofs. 2: forms and signatures. 3: annotations too. 4: nobody allows it. */
export type Permission = 1 | 2 | 3 | 4;

/** The field that was signed, and the object that the signature is: the field again where it is written there. */
export const signatureKey = (field: Ref, holder: Ref): string => `${field.key}, ${holder.key}`;

/** One thing that became of the document. */
export interface RevisionChange {
  kind: LaterChange;
  detail: string;
  /** From 1 on, in the newest revision. */
  page?: number | undefined;
  /** The full name of a form field. */
  field?: string | undefined;
  /** What must be permitted for it. */
  needs: Permission;
  /** Alters what was there when it was signed: it must be permitted in so many words. */
  altersSigned?: boolean;
  /** Can hide what the page shows, or look like it. */
  mayCover?: boolean;
  /** A signature came: see `signatureKey`. */
  signedBy?: string;
}
