// Every signature of a document, judged: integrity, chain, trust, time, coverage, revocation.

import type { Egress } from '../../contract/egress.ts';
import type { ByteSource } from '../../contract/file-bytes.ts';
import { isoDate, momentOf, momentOfPdf } from '../../pdf/metadata/pdf-dates.ts';
import { signatureKey } from '../../pdf/security/revision-change.ts';
import type { DocumentSignature, SecurityStore } from '../../pdf/security/signature-fields.ts';
import { algorithmName, keyBits, strengthOf, UnknownAlgorithm } from './algorithms.ts';
import { authorityFetches } from './authority-fetching.ts';
import { piecesIn } from './byte-range.ts';
import { type Certificate, certificateIn, isSelfSigned, isValidAt } from './certificate.ts';
import type { Chain } from './chain.ts';
import { changesAfter } from './changes-after.ts';
import { examine, type Finding } from './document-message.ts';
import { weakLink } from './path-rules.ts';
import type { ReportedChange, SignatureReport } from './report.ts';
import { type RevocationStatus, revocationStatus } from './revocation.ts';
import { askWhereNeeded, type GrowingEvidence } from './revocation-inquiries.ts';
import {
  type CertificateRevocation,
  pathRevocations,
  type RevocationReport,
  revocationReport,
  serialText,
} from './revocation-report.ts';
import { signedDictionary } from './signed-dictionary.ts';
import type { SignedRevision } from './signed-revision.ts';
import type { TrustStore } from './trust-store.ts';
import { chainOf } from './validation-chain.ts';
import {
  clockChain,
  clockTime,
  type Evidence,
  type Examined,
  revocationTime,
  timeOf,
  type ValidationTime,
} from './validation-time.ts';

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

/** `egress`: the way to those whom certificates name; absent: nobody is asked. */
export async function validateSignatures(
  document: SignedDocument,
  trust: TrustStore,
  egress: Egress | undefined,
): Promise<SignatureReport[]> {
  const { source, signatures, store, revisionAt } = document;
  const certificates = store.certificates.flatMap((bytes) => certificateIn(bytes));
  const all = signatures.map((signature) => examineIn(source, signature, revisionAt, certificates));
  const crls = [...store.crls, ...all.flatMap(({ finding }) => finding?.crls ?? [])].slice(0, MAX_EVIDENCE);
  const ocsps = [...store.ocsps, ...all.flatMap(({ finding }) => finding?.ocsps ?? [])].slice(
    0,
    MAX_EVIDENCE,
  );
  const evidence: GrowingEvidence = {
    mode: egress ? 'fetch' : 'embedded',
    trust,
    certificates,
    all,
    data: { crls, ocsps },
    inquiries: new Map(),
    fetchedFrom: new Map(),
    now: new Date(),
    trustedClocks: new Map(),
  };
  if (egress) await askWhereNeeded(evidence, authorityFetches(egress));
  return all.map((examined) => reportOn(examined, evidence));
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

function reportOn(examined: Examined, evidence: Evidence): SignatureReport {
  const { signature, bytes, finding } = examined;
  const { breaks, facts: changeFacts } = changesAfter(examined, genuineOf(evidence));
  const fault = examined.fault ?? breaks;
  const certificate = finding?.certificate;
  const when = timeOf(examined, evidence);
  const built = chainOf(examined, when, evidence);
  const status = certificate ? statusOfSigner(certificate, built, when, evidence) : 'not-checked';
  const revocation = revocationReport(built, revocationsOf(built, when, evidence), evidence);
  const chain = built && withRevocation(built, revocation);
  return {
    valid: fault === undefined,
    chainValid: chain?.isValid ?? false,
    trustValid: chain?.isTrusted ?? false,
    chainValidationError: chain ? chain.error : 'There is no certificate to begin with.',
    certPathLength: chain?.path.length ?? 0,
    notExpired: certificate !== undefined && isValidAt(certificate, when.moment),
    coversEntireDocument: bytes?.coversEntireDocument ?? false,
    coversWholeDocument: bytes?.coversEntireDocument ?? false,
    revocationChecked: status === 'good' || status === 'revoked',
    revocationStatus: status,
    revocation,
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

const genuineOf = ({ all }: Evidence): ReadonlySet<string> =>
  new Set(
    all.flatMap(({ signature, fault }) =>
      fault === undefined && signature?.fieldRef && signature.holder
        ? [signatureKey(signature.fieldRef, signature.holder)]
        : [],
    ),
  );

/** Of the signer's certificate alone. */
function statusOfSigner(
  certificate: Certificate,
  chain: Chain | undefined,
  when: ValidationTime,
  evidence: Evidence,
): RevocationStatus {
  const time = revocationTime(when, evidence);
  const status = revocationStatus(certificate, chain?.path[1], evidence.data, time);
  const inquiry = evidence.inquiries.get(certificate.print);
  if (status !== 'not-checked' || !inquiry) return status;
  return inquiry.asked.length > 0 ? 'soft-fail' : 'unknown';
}

/** Of every certificate that counts: between signer and root, and of the clock that vouches for the time. */
function revocationsOf(
  chain: Chain | undefined,
  when: ValidationTime,
  evidence: Evidence,
): CertificateRevocation[] {
  const { clock } = when;
  const own = pathRevocations(chain?.path ?? [], 'signer', revocationTime(when, evidence), evidence);
  if (!clock || (when.source === 'timestamp' && clock.isOfDocument)) return own;
  const time = clockTime(clock, evidence);
  return [...own, ...pathRevocations(clockChain(clock, evidence).path, 'timestamp', time, evidence)];
}

/** Whoever asked for an answer and got none is not told that all is well. */
function withRevocation(chain: Chain, { mode, verdict, reason, certificates }: RevocationReport): Chain {
  const revoked = certificates.find(({ role, status }) => role === 'signer' && status === 'revoked');
  if (revoked)
    return { ...chain, isTrusted: false, error: `The certificate of ${revoked.subjectDN} was withdrawn.` };
  if (mode !== 'fetch' || verdict !== 'indeterminate' || !chain.isTrusted) return chain;
  return {
    ...chain,
    isTrusted: false,
    error: `It cannot be told whether a certificate was withdrawn. ${reason}`,
  };
}

const UNTOLD =
  'It cannot be told what was changed after signing: the document is too large, or too damaged, to be compared with what was signed.';

const changeWarning = ([first]: readonly ReportedChange[]): string | undefined =>
  first && `The document was changed after it was signed: ${first.detail}`;

/** What does not make the signature invalid but should be known. */
function warningOf(
  finding: Finding | undefined,
  forbidden: ReportedChange[] | null,
  chain: Chain | undefined,
): string | null {
  if (!finding) return null;
  const told = [finding.timestampFault, forbidden ? changeWarning(forbidden) : UNTOLD].filter(
    (each) => each !== undefined,
  );
  if (told.length > 0) return told.join(' ');
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
    serialNumber: certificate ? serialText(certificate) : null,
    validFrom: certificate ? isoText(certificate.from) : null,
    validUntil: certificate ? isoText(certificate.until) : null,
    keySize: certificate?.key ? keyBits(certificate.key) : 0,
    version: certificate ? String(certificate.version) : null,
    keyUsages: certificate?.usages ?? [],
    selfSigned: certificate !== undefined && isSelfSigned(certificate),
  };
}
