// Signed messages as signatures of documents hold them: reading and checking (RFC 5652, RFC 5035).
import { createHash } from 'node:crypto';
import { context, type DerNode, der, MalformedDer, readDer, TAG } from '../../contract/der.ts';
import {
  digest,
  hashOf,
  type Pieces,
  type SignatureAlgorithm,
  signatureAlgorithm,
  verifies,
} from './algorithms.ts';
import { type Certificate, readCertificate } from './certificate.ts';
import { HASHES, OID } from './oids.ts';

export interface SignedMessage {
  /** What kind of content was signed. */
  contentType: string;
  /** Hashes the message says it needs. */
  hashes: string[];
  /** The content, where it is inside; signatures of documents leave it out. */
  content: Buffer | undefined;
  certificates: Certificate[];
  /** Revocation lists that came along. */
  crls: Buffer[];
  /** Answers of responders that came along (RFC 5940). */
  ocsps: Buffer[];
  signer: Signer;
}

export interface Signer {
  certificate: Certificate | undefined;
  hash: string;
  algorithm: SignatureAlgorithm;
  signature: Buffer;
  signed: Map<string, DerNode> | undefined;
  unsigned: Map<string, DerNode>;
  /** What the signature is made of, where there are signed attributes. */
  signedBytes: Buffer | undefined;
}

const MAX_CERTIFICATES = 200;

/** Throws MalformedDer or UnknownAlgorithm. The signer may be among `others`, too. */
export function readSignedMessage(bytes: Uint8Array, others: readonly Certificate[] = []): SignedMessage {
  const info = readDer(bytes).expect(TAG.sequence);
  if (info.child(0).oid() !== OID.signedData) throw new MalformedDer('no signed message');
  const data = info.child(1, context(0)).child(0, TAG.sequence);
  const inner = data.child(2, TAG.sequence);
  const certificates = readAll(data.find(context(0)));
  const signer = data.children.findLast(({ tag }) => tag === TAG.set)?.children[0];
  if (!signer) throw new MalformedDer('nobody signed');
  const withdrawals = data.find(context(1))?.children ?? [];
  return {
    contentType: inner.child(0).oid(),
    hashes: data.child(1, TAG.set).children.flatMap((node) => HASHES[node.child(0).oid()] ?? []),
    content: inner.children[1]?.child(0).octets(),
    certificates,
    crls: withdrawals.filter(({ tag }) => tag === TAG.sequence).map(({ raw }) => raw),
    ocsps: withdrawals
      .filter((other) => other.tag === context(1) && other.child(0).oid() === OID.ocspInMessage)
      .map((other) => other.child(1).raw),
    signer: readSigner(signer, [...certificates, ...others]),
  };
}

/** Certificates that cannot be read are left out: the chain tells what is missing. */
function readAll(field: DerNode | undefined): Certificate[] {
  const found: Certificate[] = [];
  for (const node of (field?.children ?? []).slice(0, MAX_CERTIFICATES)) {
    try {
      if (node.tag === TAG.sequence) found.push(readCertificate(node.raw));
    } catch (error) {
      if (!(error instanceof MalformedDer)) throw error;
    }
  }
  return found;
}

function readSigner(node: DerNode, certificates: readonly Certificate[]): Signer {
  const parts = node.children.slice(1);
  const [id, hashNode, ...rest] = parts;
  if (!id || !hashNode) throw new MalformedDer('a signer is incomplete');
  const attributes = rest[0]?.tag === context(0) ? rest.shift() : undefined;
  const [algorithmNode, signature] = rest;
  if (!algorithmNode || !signature) throw new MalformedDer('a signer is incomplete');
  const hash = hashOf(hashNode);
  return {
    certificate: certificates.find((each) => isNamed(id, each)),
    hash,
    algorithm: signatureAlgorithm(algorithmNode, hash),
    signature: signature.octets(),
    signed: attributes && readAttributes(attributes),
    unsigned: readAttributes(rest.find(({ tag }) => tag === context(1))),
    // RFC 5652, 5.4: the set is hashed under its own tag, not the one it is stored with.
    signedBytes: attributes && der(TAG.set, attributes.content),
  };
}

function isNamed(id: DerNode, { issuer, serial, keyId }: Certificate): boolean {
  if (id.tag === TAG.sequence)
    return id.child(0).raw.equals(issuer.raw) && id.child(1).content.equals(serial);
  return keyId !== undefined && id.octets().equals(keyId);
}

/** Each attribute's first value. */
function readAttributes(field: DerNode | undefined): Map<string, DerNode> {
  const found = new Map<string, DerNode>();
  for (const attribute of field?.children ?? []) {
    const value = attribute.child(1, TAG.set).children[0];
    const type = attribute.child(0).oid();
    if (value && !found.has(type)) found.set(type, value);
  }
  return found;
}

/** Whether the message was signed over this content, by the certificate it names; else why not. */
export function checkMessage(message: SignedMessage, content: Pieces): string | undefined {
  const { signer, contentType } = message;
  const { certificate, signed, signedBytes } = signer;
  if (!certificate) return 'The certificate of the signer is not in the signature.';
  if (!certificate.key) return 'The key of the signer is of an unknown kind.';
  // RFC 5652, 5.1: such messages may be refused; other readers do.
  if (!message.hashes.includes(signer.hash))
    return 'The signature does not announce the hash it was made with.';
  if (!signed || !signedBytes) {
    return verifies(signer.algorithm, certificate.key, content, signer.signature)
      ? undefined
      : 'The document does not match the signature.';
  }
  const told = signed.get(OID.messageDigest);
  if (!told?.octets().equals(digest(signer.hash, content)))
    return 'The signed bytes were changed: their digest does not match the signature.';
  if (signed.get(OID.contentType)?.oid() !== contentType)
    return 'The signature is for another kind of content.';
  if (!namesItsCertificate(signed, certificate)) return 'The signature was made for another certificate.';
  return verifies(signer.algorithm, certificate.key, [signedBytes], signer.signature)
    ? undefined
    : 'The signature was not made with the key of its certificate.';
}

/** RFC 5035: a hash of the certificate is signed too, so that none can be put in its place. */
function namesItsCertificate(signed: Map<string, DerNode>, { raw }: Certificate): boolean {
  const newer = signed.get(OID.signingCertificateV2)?.child(0).children[0];
  const older = signed.get(OID.signingCertificate)?.child(0).children[0];
  if (newer) {
    const first = newer.child(0);
    const named = first.tag === TAG.sequence;
    const hash = named ? hashOf(first) : 'sha256';
    if (
      !newer
        .child(named ? 1 : 0)
        .octets()
        .equals(createHash(hash).update(raw).digest())
    )
      return false;
  }
  return !older || older.child(0).octets().equals(createHash('sha1').update(raw).digest());
}
