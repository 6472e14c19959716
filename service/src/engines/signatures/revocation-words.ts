// What one piece of evidence says of one certificate: a list of withdrawn ones, or the answer of a responder.
import type { DerNode } from '../../contract/der.ts';
import type { Certificate } from './certificate.ts';
import type { Extensions } from './extensions.ts';
import { OID } from './oids.ts';

/** Undefined where it is about other certificates. */
export type Word = Unusable | Told | undefined;

/** It is about the certificate, or may be, but nothing can be built on it. */
export interface Unusable {
  says: 'nothing';
  why: string;
}

export interface Told {
  says: 'good' | 'unknown' | { revokedAt: Date };
  /** When it was known, and until when nothing newer was to be expected. */
  from: Date;
  until: Date | undefined;
  /** It tells of certificates that have ended, too, where they ended after this. */
  endedAfter?: Date | undefined;
  /** Who gave it, where the issuer appointed somebody. */
  responder?: Certificate | undefined;
  /** What was asked with, sent back. */
  nonce?: Buffer | undefined;
}

export const unusable = (why: string): Unusable => ({ says: 'nothing', why });

export function readSafely(read: () => Word): Word {
  try {
    return read();
  } catch {
    return unusable('It cannot be read.');
  }
}

/** RFC 5280, 5.3.2: whoever withdrew it may say that it was not to be relied on since an earlier time. */
export function withdrawnSince(withdrawn: Date, { byId }: Extensions): Date {
  const invalid = timeIn(byId.get(OID.invalidityDate)?.value);
  return invalid && invalid < withdrawn ? invalid : withdrawn;
}

export const timeIn = (value: DerNode | undefined): Date | undefined => value?.time();
