// The signature dictionary that was signed, as it stood in the signed revision: what a later revision made of it, or
// what one claims of bytes that are not its own, is a forgery.
import type { ByteSource } from '../../contract/file-bytes.ts';
import { equalValues } from '../../pdf/security/equal-values.ts';
import type { DocumentSignature } from '../../pdf/security/signature-fields.ts';
import { type SignedBytes, signedBytes, UnsoundRange } from './byte-range.ts';
import { standsInGap } from './own-contents.ts';
import type { SignedRevision } from './signed-revision.ts';

export interface SignedDictionary {
  /** Undefined where there is no revision that it could have been signed in. */
  signature: DocumentSignature | undefined;
  /** Undefined, as is the revision, where there is a fault. */
  bytes: SignedBytes | undefined;
  revision: SignedRevision | undefined;
  /** Why it is no signature of this document. */
  fault: string | undefined;
}

/** `now`: the signature as the newest revision shows it. */
export function signedDictionary(
  source: ByteSource,
  now: DocumentSignature,
  revisionAt: (end: number) => SignedRevision | undefined,
): SignedDictionary {
  let bytes: SignedBytes;
  try {
    bytes = signedBytes(source, now.byteRange);
  } catch (error) {
    if (error instanceof UnsoundRange) return forged(error.message);
    throw error;
  }
  const revision = revisionAt(bytes.revisionEnd);
  if (!revision) return forged('The signed revision cannot be read by itself.');
  const signature = revision.signatures.find((each) => isSamePlace(each, now));
  const fault = faultOf(source, now, signature, bytes, revision);
  return fault === undefined ? { signature, bytes, revision, fault } : forged(fault, signature);
}

const forged = (fault: string, signature?: DocumentSignature): SignedDictionary => ({
  signature,
  bytes: undefined,
  revision: undefined,
  fault,
});

const isSamePlace = (one: DocumentSignature, other: DocumentSignature): boolean =>
  one.isDirect === other.isDirect && one.holder !== undefined && one.holder.key === other.holder?.key;

function faultOf(
  source: ByteSource,
  now: DocumentSignature,
  then: DocumentSignature | undefined,
  { gap, contents }: SignedBytes,
  { isEncrypted }: SignedRevision,
): string | undefined {
  if (!then) return 'The signature is not part of the revision that it claims to sign.';
  if (!equalValues(then.dict, now.dict)) return 'The signature dictionary was replaced after it was signed.';
  // Of some kinds the reader makes something else in an encrypted file; where they stand is asked in any case.
  const isTheirs = isEncrypted || contents.equals(then.contents);
  if (!isTheirs || !standsInGap(source, gap, then))
    return 'What the byte range leaves out is not the content of this signature.';
  return undefined;
}
