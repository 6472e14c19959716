// A signed message for a document: CAdES as PAdES asks for it (ETSI EN 319 142-1), or plain PKCS #7.
import { createHash } from 'node:crypto';
import { context, der, integer, octetString, oid, sequence, set, TAG, time } from '../../contract/der.ts';
import { digestIdentifier, signatureIdentifier } from './algorithms.ts';
import type { Identity } from './identity.ts';
import { OID } from './oids.ts';
import { algorithmFor, signBytes } from './signing-algorithm.ts';

export interface MessageOptions {
  /** PAdES: the time stands in the signature dictionary, not here. */
  signingTime: Date | undefined;
}

export interface SignedParts {
  signature: Buffer;
  /** The whole message; `token` is a timestamp of the signature. */
  message(token?: Uint8Array): Buffer;
}

export function signMessage(
  identity: Identity,
  digest: Buffer,
  { signingTime }: MessageOptions,
): SignedParts {
  const { key, certificate, chain } = identity;
  const algorithm = algorithmFor(key);
  const attributes = [
    attribute(OID.contentType, oid(OID.data)),
    attribute(OID.messageDigest, octetString(digest)),
    attribute(OID.signingCertificateV2, certificateMark(identity)),
    ...(signingTime ? [attribute(OID.signingTime, time(signingTime))] : []),
  ];
  const signedSet = set(...attributes);
  const signature = signBytes(algorithm, key, signedSet);
  const signedContent = attributes.toSorted((a, b) => Buffer.compare(a, b));
  return {
    signature,
    message(token) {
      const signerInfo = sequence(
        integer(1),
        sequence(certificate.issuer.raw, der(TAG.integer, certificate.serial)),
        digestIdentifier(algorithm),
        der(context(0), ...signedContent),
        signatureIdentifier(algorithm),
        octetString(signature),
        ...(token ? [der(context(1), attribute(OID.timeStampToken, token))] : []),
      );
      const data = sequence(
        integer(1),
        set(digestIdentifier(algorithm)),
        sequence(oid(OID.data)),
        der(context(0), ...[certificate, ...chain].map(({ raw }) => raw)),
        set(signerInfo),
      );
      return sequence(oid(OID.signedData), der(context(0), data));
    },
  };
}

const attribute = (type: string, value: Uint8Array): Buffer => sequence(oid(type), set(value));

/** RFC 5035: the certificate's hash (SHA-256, so that it need not be named), issuer and number. */
function certificateMark({ certificate }: Identity): Buffer {
  const print = createHash('sha256').update(certificate.raw).digest();
  const issuer = sequence(der(context(4), certificate.issuer.raw));
  const issuerSerial = sequence(issuer, der(TAG.integer, certificate.serial));
  return sequence(sequence(sequence(octetString(print), issuerSerial)));
}
