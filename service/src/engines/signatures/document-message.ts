// The signed message in a signature dictionary, whichever of the known forms it has: who signed, when, and whether
// the bytes of the document are those that were signed.
import type { DocumentSignature } from '../../pdf/security/signature-fields.ts';
import { digest, type Pieces, type SignatureAlgorithm, verifies } from './algorithms.ts';
import { type Certificate, readCertificate } from './certificate.ts';
import { checkMessage, readSignedMessage, type SignedMessage } from './cms.ts';
import { type DerNode, readDer } from './der.ts';
import { OID } from './oids.ts';
import { readTimestamp, type Timestamp } from './timestamp.ts';

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
  timestampFault: undefined,
  crls: [],
  ocsps: [],
};

/** `signed` gives the bytes anew each time it is called. Throws where the signature cannot be read. */
export function examine(signature: DocumentSignature, contents: Buffer, signed: () => Pieces): Finding {
  if (signature.subFilter === 'adbe.x509.rsa_sha1') return examineBare(signature, contents, signed);
  const message = readSignedMessage(contents);
  if (signature.subFilter === 'ETSI.RFC3161') return examineTimestamp(message, contents, signed);
  const finding = { ...findingOf(message), fault: faultOf(signature.subFilter, message, signed) };
  return { ...finding, ...countersigned(message) };
}

function findingOf(message: SignedMessage): Finding {
  const { signer, certificates, crls } = message;
  const archive = signer.signed?.get(OID.adobeRevocation);
  return {
    ...NOTHING,
    certificate: signer.certificate,
    certificates,
    algorithm: signer.algorithm,
    signingTime: signer.signed?.get(OID.signingTime)?.time(),
    crls: [...crls, ...archived(archive, 0)],
    ocsps: archived(archive, 1),
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

function countersigned({ signer }: SignedMessage): Pick<Finding, 'timestamp' | 'timestampFault'> {
  const token = signer.unsigned.get(OID.timeStampToken);
  if (!token) return { timestamp: undefined, timestampFault: undefined };
  try {
    return { timestamp: readTimestamp(token.raw, [signer.signature]), timestampFault: undefined };
  } catch {
    return { timestamp: undefined, timestampFault: 'The timestamp does not belong to this signature.' };
  }
}

function examineTimestamp(message: SignedMessage, contents: Buffer, signed: () => Pieces): Finding {
  const finding = findingOf(message);
  try {
    return { ...finding, timestamp: readTimestamp(contents, signed()) };
  } catch (error) {
    return { ...finding, fault: error instanceof Error ? error.message : 'It is no timestamp.' };
  }
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
