// The signed message in a signature dictionary, whichever of the known forms it has: who signed, when, and whether
// the bytes of the document are those that were signed.

import { type DerNode, readDer } from '../../contract/der.ts';
import type { DocumentSignature } from '../../pdf/security/signature-fields.ts';
import { digest, type Pieces, type SignatureAlgorithm, verifies } from './algorithms.ts';
import { type Certificate, readCertificate } from './certificate.ts';
import { checkMessage, readSignedMessage, type SignedMessage } from './cms.ts';
import { OID } from './oids.ts';
import { readTimestamp, type Timestamp, TimestampFault, type TimestampStatus } from './timestamp.ts';

export interface Finding {
  /** Why the signature does not match; undefined where it does. */
  fault: string | undefined;
  certificate: Certificate | undefined;
  /** Certificates that came along. */
  certificates: Certificate[];
  algorithm: SignatureAlgorithm | undefined;
  /** What the signer claims. */
  signingTime: Date | undefined;
  /** What a timestamp authority says: of the signature, or where the signature itself is a timestamp. */
  timestamp: Timestamp | undefined;
  timestampStatus: TimestampStatus | 'none';
  timestampFault: string | undefined;
  crls: Buffer[];
  ocsps: Buffer[];
}

const NOTHING: Finding = {
  fault: undefined,
  certificate: undefined,
  certificates: [],
  algorithm: undefined,
  signingTime: undefined,
  timestamp: undefined,
  timestampStatus: 'none',
  timestampFault: undefined,
  crls: [],
  ocsps: [],
};

/**
 * `signed` gives the bytes anew each time it is called; `others` are certificates that the document brings. Throws where
 * the signature cannot be read.
 */
export function examine(
  signature: DocumentSignature,
  contents: Buffer,
  signed: () => Pieces,
  others: readonly Certificate[],
): Finding {
  if (signature.subFilter === 'adbe.x509.rsa_sha1') return examineBare(signature, contents, signed);
  if (signature.subFilter === 'ETSI.RFC3161') return examineTimestamp(contents, signed, others);
  const message = readSignedMessage(contents);
  const finding = { ...findingOf(message), fault: faultOf(signature.subFilter, message, signed) };
  return { ...finding, ...countersigned(message, others) };
}

function findingOf(message: SignedMessage): Finding {
  const { signer, certificates, crls, ocsps } = message;
  const archive = signer.signed?.get(OID.adobeRevocation);
  return {
    ...NOTHING,
    certificate: signer.certificate,
    certificates,
    algorithm: signer.algorithm,
    signingTime: signer.signed?.get(OID.signingTime)?.time(),
    crls: [...crls, ...archived(archive, 0)],
    ocsps: [...ocsps, ...archived(archive, 1)],
  };
}

/** Adobe's attribute: lists under [0], answers of responders under [1]. */
const archived = (archive: DerNode | undefined, number: number): Buffer[] =>
  archive
    ?.find(0xa0 | number)
    ?.child(0)
    .children.map(({ raw }) => raw) ?? [];

function faultOf(subFilter: string, message: SignedMessage, signed: () => Pieces): string | undefined {
  if (subFilter !== 'adbe.pkcs7.sha1')
    return (
      checkMessage(message, message.content ? [message.content] : signed()) ?? embeddedFault(message, signed)
    );
  // The message holds the digest of the document, and is itself signed.
  if (!message.content?.equals(digest('sha1', signed())))
    return 'The signed bytes were changed: their digest does not match the signature.';
  return checkMessage(message, [message.content]);
}

/** A detached signature has no content of its own; one that has must hold the document's bytes. */
function embeddedFault(message: SignedMessage, signed: () => Pieces): string | undefined {
  if (!message.content) return undefined;
  return message.content.equals(Buffer.concat([...signed()]))
    ? undefined
    : 'The signature holds other content than the document.';
}

type TimestampFinding = Pick<Finding, 'timestamp' | 'timestampStatus' | 'timestampFault'>;

const NO_TIMESTAMP: TimestampFinding = {
  timestamp: undefined,
  timestampStatus: 'none',
  timestampFault: undefined,
};

function stamped(read: () => Timestamp): TimestampFinding {
  try {
    return { timestamp: read(), timestampStatus: 'valid', timestampFault: undefined };
  } catch (error) {
    if (!(error instanceof TimestampFault)) throw error;
    return { timestamp: undefined, timestampStatus: error.status, timestampFault: error.message };
  }
}

function countersigned(
  { signer, certificates }: SignedMessage,
  others: readonly Certificate[],
): TimestampFinding {
  const token = signer.unsigned.get(OID.timeStampToken);
  if (!token) return NO_TIMESTAMP;
  return stamped(() => readTimestamp(token.raw, [signer.signature], [...certificates, ...others]));
}

function examineTimestamp(contents: Buffer, signed: () => Pieces, others: readonly Certificate[]): Finding {
  const found = stamped(() => readTimestamp(contents, signed(), others));
  return { ...findingOf(readSignedMessage(contents, others)), ...found, fault: found.timestampFault };
}

/** An RSA signature without a message around it; the certificates stand in the dictionary. */
function examineBare(signature: DocumentSignature, contents: Buffer, signed: () => Pieces): Finding {
  const certificates = signature.certificates.map((bytes) => readCertificate(bytes));
  const [certificate] = certificates;
  const algorithm: SignatureAlgorithm = { scheme: 'RSA', hash: 'sha1' };
  const finding = { ...NOTHING, certificate, certificates, algorithm };
  if (!certificate?.key)
    return { ...finding, fault: 'The certificate of the signer is not in the signature.' };
  const isSound = verifies(algorithm, certificate.key, signed(), readDer(contents).octets());
  return { ...finding, fault: isSound ? undefined : 'The document does not match the signature.' };
}
