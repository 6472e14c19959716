// What is told of one signature (operations: security/validate-signature).
import type { LaterChange } from '../../pdf/security/revision-change.ts';
import type { RevocationStatus } from './revocation.ts';
import type { RevocationReport } from './revocation-report.ts';
import type { TimestampStatus } from './timestamp.ts';

export type TimeSource = 'current' | 'signing-time' | 'timestamp' | 'document-timestamp';

export interface ReportedChange {
  kind: LaterChange;
  page: number | null;
  field: string | null;
  detail: string;
}

export interface SignatureReport {
  valid: boolean;
  chainValid: boolean;
  trustValid: boolean;
  chainValidationError: string | null;
  certPathLength: number;
  notExpired: boolean;
  coversEntireDocument: boolean;
  revocationChecked: boolean;
  /** Of the signer's certificate alone. */
  revocationStatus: RevocationStatus;
  revocation: RevocationReport;
  validationTimeSource: TimeSource;
  timestampStatus: TimestampStatus | 'none';
  /** The full name of the signature field. */
  fieldName: string;
  /** By the certificate. */
  signerName: string | null;
  /** What the signer wrote of himself; nobody vouches for it. */
  claimedName: string | null;
  signatureDate: string | null;
  reason: string | null;
  location: string | null;
  errorMessage: string | null;
  issuerDN: string | null;
  subjectDN: string | null;
  serialNumber: string | null;
  validFrom: string | null;
  validUntil: string | null;
  signatureAlgorithm: string | null;
  keySize: number;
  version: string | null;
  keyUsages: string[];
  selfSigned: boolean;
  /** The same as coversEntireDocument. */
  coversWholeDocument: boolean;
  /** Null where it cannot be told. */
  changesAfterSigning: LaterChange[] | null;
  allowedChanges: ReportedChange[] | null;
  forbiddenChanges: ReportedChange[] | null;
}
