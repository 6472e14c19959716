// X.509 certificates, read as plain facts (RFC 5280).
import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { context, type DerNode, readDer, TAG } from '../../contract/der.ts';
import { type SignatureAlgorithm, signatureAlgorithm, verifies } from './algorithms.ts';
import { commonName, nameText } from './distinguished-name.ts';
import { type Extensions, readExtensions } from './extensions.ts';
import { OID } from './oids.ts';

/** Bits of the key usage extension, in order. */
const KEY_USAGES = [
  'Digital Signature',
  'Non-Repudiation',
  'Key Encipherment',
  'Data Encipherment',
  'Key Agreement',
  'Certificate Signing',
  'CRL Signing',
  'Encipher Only',
  'Decipher Only',
] as const;
export type KeyUsage = (typeof KEY_USAGES)[number];

export interface Certificate {
  raw: Buffer;
  /** By which it is told from all others. */
  print: string;
  version: number;
  serial: Buffer;
  subject: DerNode;
  issuer: DerNode;
  subjectText: string;
  issuerText: string;
  commonName: string | undefined;
  from: Date;
  until: Date;
  /** DER of the SubjectPublicKeyInfo. */
  keyInfo: Buffer;
  /** Undefined where the key is of a kind this machine does not know. */
  key: KeyObject | undefined;
  isAuthority: boolean;
  pathLength: number | undefined;
  /** Undefined: the certificate does not restrict it. */
  usages: KeyUsage[] | undefined;
  purposes: string[] | undefined;
  keyId: Buffer | undefined;
  extensions: Extensions;
  /** How it was signed; undefined where that is not known here. */
  algorithm: SignatureAlgorithm | undefined;
  isSelfIssued: boolean;
  /** Whether the key of another certificate, or its own, made its signature. */
  isSignedBy(issuer: Certificate): boolean;
}

/** Throws MalformedDer. */
export function readCertificate(bytes: Uint8Array): Certificate {
  const root = readDer(bytes).expect(TAG.sequence);
  const [tbs, algorithm, signature] = [root.child(0, TAG.sequence), root.child(1), root.child(2)];
  const hasVersion = tbs.child(0).tag === context(0);
  const field = (index: number): DerNode => tbs.child(index + (hasVersion ? 1 : 0));
  const [serial, issuer, validity, subject, keyInfo] = [field(0), field(2), field(3), field(4), field(5)];
  const extensions = readExtensions(tbs.find(context(3)));
  const extension = (id: string): DerNode | undefined => extensions.byId.get(id)?.value;
  const constraints = readConstraints(extension(OID.basicConstraints));
  const usageBits = extension(OID.keyUsage);
  const how = knownAlgorithm(algorithm);
  const signatureBits = signature.bits();
  return {
    raw: root.raw,
    print: createHash('sha256').update(root.raw).digest('base64'),
    version: hasVersion ? tbs.child(0).child(0).number() + 1 : 1,
    serial: serial.expect(TAG.integer).content,
    subject,
    issuer,
    subjectText: nameText(subject),
    issuerText: nameText(issuer),
    commonName: commonName(subject),
    from: validity.child(0).time(),
    until: validity.child(1).time(),
    keyInfo: keyInfo.raw,
    key: publicKey(keyInfo.raw),
    ...constraints,
    usages: usageBits && readUsages(usageBits),
    purposes: extension(OID.extendedKeyUsage)?.children.map((purpose) => purpose.oid()),
    keyId: extension(OID.subjectKeyId)?.octets(),
    extensions,
    algorithm: how,
    isSelfIssued: subject.raw.equals(issuer.raw),
    isSignedBy(by) {
      return by.key !== undefined && how !== undefined && verifies(how, by.key, [tbs.raw], signatureBits);
    },
  };
}

export const isSelfSigned = (certificate: Certificate): boolean =>
  certificate.isSelfIssued && certificate.isSignedBy(certificate);

export const isValidAt = ({ from, until }: Certificate, moment: Date): boolean =>
  from <= moment && moment <= until;

export const isSame = (one: Certificate, other: Certificate): boolean => one.raw.equals(other.raw);

function knownAlgorithm(algorithm: DerNode): SignatureAlgorithm | undefined {
  try {
    return signatureAlgorithm(algorithm);
  } catch {
    return undefined;
  }
}

function publicKey(keyInfo: Buffer): KeyObject | undefined {
  try {
    return createPublicKey({ key: keyInfo, format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}

function readConstraints(node: DerNode | undefined): Pick<Certificate, 'isAuthority' | 'pathLength'> {
  const isAuthority = node?.children[0]?.tag === TAG.boolean && node.children[0].content[0] !== 0;
  return { isAuthority, pathLength: isAuthority ? node?.find(TAG.integer)?.number() : undefined };
}

function readUsages(node: DerNode): KeyUsage[] {
  const bytes = node.bits();
  return KEY_USAGES.filter((_, bit) => ((bytes[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0);
}

/** All certificates in a PEM or DER file; throws MalformedDer where there is none. */
export function readCertificates(bytes: Uint8Array): Certificate[] {
  const blocks = pemBlocks(bytes, /CERTIFICATE$/).filter(({ label }) => !label.includes('REQUEST'));
  if (blocks.length > 0) return blocks.map(({ der }) => readCertificate(der));
  return [readCertificate(bytes)];
}

export interface PemBlock {
  label: string;
  headers: string;
  der: Buffer;
  text: string;
}

/** Certificates and keys one file may hold. */
const MAX_BLOCKS = 1000;
const PEM =
  /-----BEGIN ([A-Z0-9 ]{1,40})-----\s*((?:[A-Za-z-]+:[^\n]*\n)*)([A-Za-z0-9+/=\s]+)-----END \1-----/g;

export function pemBlocks(bytes: Uint8Array, label: RegExp): PemBlock[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const found: PemBlock[] = [];
  for (const match of text.matchAll(PEM)) {
    const [whole, name = '', headers = '', body = ''] = match;
    if (label.test(name)) found.push({ label: name, headers, der: Buffer.from(body, 'base64'), text: whole });
    if (found.length >= MAX_BLOCKS) break;
  }
  return found;
}

/** None where the bytes are none. */
export function certificateIn(bytes: Uint8Array): Certificate[] {
  try {
    return [readCertificate(bytes)];
  } catch {
    return [];
  }
}
