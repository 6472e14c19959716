// Every signature of a document, judged: integrity, chain, trust, time, coverage, revocation.

import type { ByteSource } from '../../contract/file-bytes.ts';
import { isoDate, momentOf, momentOfPdf } from '../../pdf/metadata/pdf-dates.ts';
import type { DocumentSignature, SecurityStore } from '../../pdf/security/signature-fields.ts';
import { algorithmName, keyBits, strengthOf, UnknownAlgorithm } from './algorithms.ts';
import { piecesIn } from './byte-range.ts';
import { type Certificate, certificateIn, isSelfSigned, isValidAt } from './certificate.ts';
import { buildChain, type Chain } from './chain.ts';
import { changesAfter } from './changes-after.ts';
import { examine, type Finding } from './document-message.ts';
import { weakLink } from './path-rules.ts';
import type { ReportedChange, SignatureReport, TimeSource } from './report.ts';
import { type RevocationData, revocationStatus, revokedAbove } from './revocation.ts';
import { type SignedDictionary, signedDictionary } from './signed-dictionary.ts';
import type { SignedRevision } from './signed-revision.ts';
import type { TrustStore } from './trust-store.ts';

interface Examined extends SignedDictionary {
  /** The field as the newest revision names it. */
  field: string;
  finding: Finding | undefined;
}

interface Evidence {
  trust: TrustStore;
  certificates: Certificate[];
  data: RevocationData;
  all: readonly Examined[];
}

export interface SignedDocument {
  source: ByteSource;
  /** As the newest revision shows them. */
  signatures: readonly DocumentSignature[];
  store: SecurityStore;
  /** The revision that ends there; undefined where it cannot be read by itself. */
  revisionAt(end: number): SignedRevision | undefined;
}

/** More lists or answers are not read: each is held against each certificate. */
const MAX_EVIDENCE = 1000;

export function validateSignatures(document: SignedDocument, trust: TrustStore): SignatureReport[] {
  const { source, signatures, store, revisionAt } = document;
  const certificates = store.certificates.flatMap((bytes) => certificateIn(bytes));
  const all = signatures.map((signature) => examineIn(source, signature, revisionAt, certificates));
  const data = {
    crls: [...store.crls, ...all.flatMap(({ finding }) => finding?.crls ?? [])].slice(0, MAX_EVIDENCE),
    ocsps: [...store.ocsps, ...all.flatMap(({ finding }) => finding?.ocsps ?? [])].slice(0, MAX_EVIDENCE),
  };
  return all.map((examined) => reportOn(examined, { trust, certificates, data, all }));
}

function examineIn(
  source: ByteSource,
  now: DocumentSignature,
  revisionAt: SignedDocument['revisionAt'],
  certificates: readonly Certificate[],
): Examined {
  const signed = { ...signedDictionary(source, now, revisionAt), field: now.field };
  const { signature, bytes } = signed;
  // Where the dictionary is not that of a signature, there is nothing of which a signer could be named.
  if (!signature || !bytes) return { ...signed, finding: undefined };
  try {
    const finding = examine(signature, bytes.contents, () => piecesIn(source, bytes.ranges), certificates);
    return { ...signed, finding, fault: finding.fault };
  } catch (error) {
    const fault =
      error instanceof UnknownAlgorithm
        ? 'The signature uses an algorithm this service does not know.'
        : 'The signature cannot be read.';
    return { ...signed, finding: undefined, fault };
  }
}

interface ValidationTime {
  moment: Date;
  source: TimeSource;
  /** A trusted authority vouches for it. */
  isProven: boolean;
}

function timeOf({ signature, bytes, finding }: Examined, evidence: Evidence): ValidationTime {
  const own = finding?.timestamp;
  if (own) return { moment: own.time, source: 'timestamp', isProven: isTrustedClock(own, evidence) };
  const stamps = evidence.all
    .filter((other) => other.signature?.subFilter === 'ETSI.RFC3161' && other.fault === undefined)
    .filter((other) => bytes && other.bytes && other.bytes.end >= bytes.end)
    .flatMap((other) => other.finding?.timestamp ?? [])
    .toSorted((a, b) => a.time.getTime() - b.time.getTime())
    .map((stamp) => ({ moment: stamp.time, isProven: isTrustedClock(stamp, evidence) }));
  // A stranger's clock before the trusted one proves nothing.
  const later = stamps.find(({ isProven }) => isProven) ?? stamps[0];
  if (later) return { ...later, source: 'document-timestamp' };
  const claimed = finding?.signingTime ?? dateOf(signature?.date);
  if (claimed) return { moment: claimed, source: 'signing-time', isProven: false };
  return { moment: new Date(), source: 'current', isProven: false };
}

/** Whoever has the key of a withdrawn authority can set its clock: it proves nothing, whatever it says. */
function isTrustedClock(
  { authority, message, time }: NonNullable<Finding['timestamp']>,
  { trust, certificates, data }: Evidence,
): boolean {
  const chain = buildChain(authority, [...message.certificates, ...certificates], trust, time, 'timestamp');
  const when = { moment: time, provenAt: undefined };
  const isRevoked = revocationStatus(authority, chain.path[1], data, when) === 'revoked';
  return chain.isTrusted && !isRevoked && !revokedAbove(chain.path, data, when);
}

function dateOf(text: string | undefined): Date | undefined {
  const moment = text === undefined ? undefined : momentOfPdf(text);
  return moment && new Date(isoDate(moment));
}

function reportOn(examined: Examined, evidence: Evidence): SignatureReport {
  const { signature, bytes, finding } = examined;
  const { breaks, facts: changeFacts } = changesAfter(examined);
  const fault = examined.fault ?? breaks;
  const certificate = finding?.certificate;
  const when = timeOf(examined, evidence);
  const built = certificate && chainOf(certificate, examined, finding, when, evidence);
  const time = { moment: when.moment, provenAt: when.isProven ? when.moment : undefined };
  const revocation = certificate
    ? revocationStatus(certificate, built?.path[1], evidence.data, time)
    : 'not-checked';
  const revoked =
    revocation === 'revoked' ? certificate : revokedAbove(built?.path ?? [], evidence.data, time);
  const chain =
    built && revoked
      ? { ...built, isTrusted: false, error: `The certificate of ${revoked.subjectText} was withdrawn.` }
      : built;
  return {
    valid: fault === undefined,
    chainValid: chain?.isValid ?? false,
    trustValid: chain?.isTrusted ?? false,
    chainValidationError: chain ? chain.error : 'There is no certificate to begin with.',
    certPathLength: chain?.path.length ?? 0,
    notExpired: certificate !== undefined && isValidAt(certificate, when.moment),
    coversEntireDocument: bytes?.coversEntireDocument ?? false,
    coversWholeDocument: bytes?.coversEntireDocument ?? false,
    revocationChecked: revocation === 'good' || revocation === 'revoked',
    revocationStatus: revocation,
    validationTimeSource: when.source,
    timestampStatus: finding?.timestampStatus ?? 'none',
    fieldName: signature?.field ?? examined.field,
    signerName: certificate ? (certificate.commonName ?? certificate.subjectText) : null,
    claimedName: signature?.name ?? null,
    signatureDate: signatureDate(signature, finding),
    reason: signature?.reason ?? null,
    location: signature?.location ?? null,
    errorMessage: fault ?? warningOf(finding, changeFacts.forbiddenChanges, chain),
    ...certificateFacts(certificate),
    signatureAlgorithm: finding?.algorithm ? algorithmName(finding.algorithm) : null,
    ...changeFacts,
  };
}

function chainOf(
  certificate: Certificate,
  examined: Examined,
  finding: Finding,
  when: ValidationTime,
  evidence: Evidence,
): Chain {
  const others = [...finding.certificates, ...evidence.certificates];
  const purpose = examined.signature?.subFilter === 'ETSI.RFC3161' ? 'timestamp' : 'signature';
  const chain = buildChain(certificate, others, evidence.trust, when.moment, purpose);
  const { algorithm } = finding;
  if (!algorithm || !certificate.key || strengthOf(algorithm, certificate.key) !== 'broken') return chain;
  const error = `${algorithmName(algorithm)} with ${keyBits(certificate.key)} bits can be forged: it is not trusted.`;
  return { ...chain, isTrusted: false, error };
}

/** What does not make the signature invalid but should be known. */
function warningOf(
  finding: Finding | undefined,
  forbidden: ReportedChange[] | null,
  chain: Chain | undefined,
): string | null {
  if (!finding) return null;
  if (finding.timestampFault !== undefined) return finding.timestampFault;
  if (!forbidden) return 'It cannot be told what was changed after signing.';
  if (forbidden[0]) return `The document was changed after it was signed: ${forbidden[0].detail}`;
  const { algorithm, certificate } = finding;
  if (!algorithm || !certificate?.key || strengthOf(algorithm, certificate.key) === 'strong')
    return weakLink(chain?.path ?? []) ?? null;
  return `${algorithmName(algorithm)} with ${keyBits(certificate.key)} bits is weak by today's rules.`;
}

/** Operations 1.7: ISO 8601 with offset. */
const isoText = (date: Date): string => isoDate(momentOf(date));

function signatureDate(
  signature: DocumentSignature | undefined,
  finding: Finding | undefined,
): string | null {
  const written = signature?.date === undefined ? undefined : momentOfPdf(signature.date);
  if (written) return isoDate(written);
  const told = finding?.signingTime ?? finding?.timestamp?.time;
  return told ? isoText(told) : null;
}

type CertificateFacts = Pick<
  SignatureReport,
  | 'issuerDN'
  | 'subjectDN'
  | 'serialNumber'
  | 'validFrom'
  | 'validUntil'
  | 'keySize'
  | 'version'
  | 'keyUsages'
  | 'selfSigned'
>;

function certificateFacts(certificate: Certificate | undefined): CertificateFacts {
  return {
    issuerDN: certificate?.issuerText ?? null,
    subjectDN: certificate?.subjectText ?? null,
    serialNumber: certificate ? certificate.serial.toString('hex').replace(/^(?:00)+(?=.)/, '') : null,
    validFrom: certificate ? isoText(certificate.from) : null,
    validUntil: certificate ? isoText(certificate.until) : null,
    keySize: certificate?.key ? keyBits(certificate.key) : 0,
    version: certificate ? String(certificate.version) : null,
    keyUsages: certificate?.usages ?? [],
    selfSigned: certificate !== undefined && isSelfSigned(certificate),
  };
}
