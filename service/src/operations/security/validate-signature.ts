import { z } from 'zod';
import { REVOCATION_MODES, REVOCATION_VERDICTS } from '../../contract/revocation.ts';
import { LATER_CHANGES } from '../../pdf/security/revision-change.ts';
import { readSecurityStore, readSignatures } from '../../pdf/security/signature-fields.ts';
import { file, jsonResult, operation, optionalFile } from '../define.ts';
import { choice } from '../fields.ts';
import { revisionsOf } from './_revisions.ts';

const textOrNull = z.string().nullable();

const changes = z
  .array(
    z.object({
      kind: z.enum(LATER_CHANGES),
      page: z.int().nullable().meta({ description: 'From 1 on' }),
      field: textOrNull.meta({ description: 'The full name of the form field' }),
      detail: z.string(),
    }),
  )
  .nullable();

const verdict = z.enum(REVOCATION_VERDICTS);

const revocation = z
  .object({
    mode: z.enum(REVOCATION_MODES),
    verdict: verdict.meta({
      description:
        "Over the signer's certificate and all above it; indeterminate where that of one is not known",
    }),
    reason: textOrNull,
    certificates: z.array(
      z.object({
        subjectDN: z.string(),
        serialNumber: z.string(),
        role: z.enum(['signer', 'timestamp']).meta({ description: 'Whose chain it belongs to' }),
        status: verdict,
        evidence: z.enum(['embedded', 'fetched']).nullable(),
        source: textOrNull.meta({ description: 'Where the evidence was fetched' }),
        revokedAt: textOrNull,
        reason: textOrNull,
        asked: z
          .array(
            z.object({
              method: z.enum(['ocsp', 'crl']),
              url: z.string(),
              answer: z.enum(['good', 'revoked', 'unknown', 'unusable', 'none']),
              detail: textOrNull.meta({ description: 'Why nothing can be built on the answer' }),
            }),
          )
          .meta({ description: 'Who was asked, in this order' }),
      }),
    ),
  })
  .meta({ description: 'Withdrawals, certificate by certificate' });

const report = z.array(
  z.object({
    valid: z.boolean().meta({ description: 'The signature is genuine and matches the signed bytes' }),
    chainValid: z.boolean().meta({ description: 'The chain of certificates is complete and was valid' }),
    trustValid: z
      .boolean()
      .meta({ description: 'The chain ends at a trusted authority, and nobody in it was withdrawn' }),
    chainValidationError: textOrNull,
    certPathLength: z.int(),
    notExpired: z
      .boolean()
      .meta({ description: "The signer's certificate was valid at the validation time" }),
    coversEntireDocument: z.boolean().meta({ description: 'Nothing was added after signing' }),
    revocationChecked: z.boolean(),
    revocationStatus: z.enum(['not-checked', 'good', 'revoked', 'soft-fail', 'unknown']).meta({
      description:
        "Of the signer's certificate at the validation time; soft-fail where the evidence is stale, cannot be relied on or could not be fetched",
    }),
    revocation,
    validationTimeSource: z.enum(['current', 'signing-time', 'timestamp', 'document-timestamp']),
    timestampStatus: z.enum(['none', 'valid', 'invalid', 'indeterminate']).meta({
      description:
        "Whether the signature's own timestamp is of it; indeterminate where its certificate is missing",
    }),
    fieldName: z.string().meta({ description: 'The full name of the signature field' }),
    signerName: textOrNull.meta({ description: 'By the certificate' }),
    claimedName: textOrNull.meta({ description: 'What the signer wrote beside it; nobody vouches for it' }),
    signatureDate: textOrNull,
    reason: textOrNull,
    location: textOrNull,
    errorMessage: textOrNull,
    issuerDN: textOrNull,
    subjectDN: textOrNull,
    serialNumber: textOrNull,
    validFrom: textOrNull,
    validUntil: textOrNull,
    signatureAlgorithm: textOrNull,
    keySize: z.int().meta({ description: 'RSA modulus or curve size in bits, 0 unknown' }),
    version: textOrNull,
    keyUsages: z.array(z.string()),
    selfSigned: z.boolean(),
    changesAfterSigning: z
      .array(z.enum(LATER_CHANGES))
      .nullable()
      .meta({ description: 'What was appended later; null where it cannot be told' }),
    coversWholeDocument: z.boolean().meta({ description: 'The same as coversEntireDocument' }),
    allowedChanges: changes.meta({
      description: 'What became of the document as its signers allow it; null where it cannot be told',
    }),
    forbiddenChanges: changes.meta({
      description: 'What became of the document though no signer allows it; null where it cannot be told',
    }),
  }),
);

export default operation({
  summary: 'Validate digital signatures',
  description:
    'One item per signature, document timestamps too, in document order; an unsigned document gives an empty list. ' +
    'Trust is held against the authorities of this machine and certFile. Only revocation data in the document is ' +
    'used, unless revocation is fetch: then whoever the certificates name is asked for what is missing, OCSP ' +
    'responders first and CRLs else, over public addresses; where no answer can be relied on, trustValid is false ' +
    'and revocation tells why.',
  example: { revocation: 'fetch' },
  inputs: {
    fileInput: file('pdf'),
    certFile: optionalFile('any', 'Additional trust anchor: X.509, PEM or DER'),
  },
  params: {
    revocation: choice(
      'embedded: by what the document brings; fetch: ask the public addresses that the certificates name, too',
      REVOCATION_MODES,
      { default: 'embedded' },
    ),
  },
  output: jsonResult(report),
  uses: ['qpdf', 'signatures'],
  asksAuthorities: ({ revocation }) => revocation === 'fetch',
  async run({ fileInput, certFile }, params, { engine, newFile }) {
    const doc = engine.qpdf.open(fileInput);
    const signatures = readSignatures(doc);
    const store = readSecurityStore(doc);
    const revisionAt = revisionsOf({ qpdf: engine.qpdf, newFile }, doc, fileInput);
    const options = { anchor: certFile, revocation: params.revocation };
    return engine.signatures.validate(fileInput.content, { signatures, store, revisionAt }, options);
  },
});
