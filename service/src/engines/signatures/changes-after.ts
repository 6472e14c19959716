// What became of a document after it was signed, held against what its signers allow.
import { classifyChanges } from '../../pdf/security/change-permissions.ts';
import type { RevisionChange } from '../../pdf/security/revision-change.ts';
import { LATER_CHANGES } from '../../pdf/security/revision-change.ts';
import type { ReportedChange, SignatureReport } from './report.ts';
import type { SignedDictionary } from './signed-dictionary.ts';

type ChangeFacts = Pick<SignatureReport, 'changesAfterSigning' | 'allowedChanges' | 'forbiddenChanges'>;

const UNKNOWN: ChangeFacts = { changesAfterSigning: null, allowedChanges: null, forbiddenChanges: null };

/**
 * `breaks`: why the signature is no longer valid by its own words (ISO 32000-2, table 257). `genuine`: signatures in the
 * fields that they sign (`signatureKey`); any other that came later is none, whatever it calls itself.
 */
export function changesAfter(
  { signature, bytes, revision }: SignedDictionary,
  genuine: ReadonlySet<string>,
): {
  facts: ChangeFacts;
  breaks: string | undefined;
} {
  if (!signature || !bytes || !revision) return { facts: UNKNOWN, breaks: undefined };
  const { permission, locks } = signature.restrictions;
  // Whoever makes a document too large to compare must not gain by it.
  if (!revision.changes)
    return { facts: UNKNOWN, breaks: permission !== undefined || locks.length > 0 ? UNTOLD : undefined };
  const unsigned = bytes.end < bytes.revisionEnd ? [UNSIGNED_END] : [];
  const { allowed, forbidden, breaksOwn } = classifyChanges(
    [...unsigned, ...revision.changes.map((change) => unmasked(change, genuine))],
    signature.restrictions,
    revision.signatures.map(({ restrictions }) => restrictions),
  );
  const kinds = new Set([...allowed, ...forbidden].map(({ kind }) => kind));
  return {
    facts: {
      changesAfterSigning: LATER_CHANGES.filter((kind) => kinds.has(kind)),
      allowedChanges: allowed.map(reported),
      forbiddenChanges: forbidden.map(reported),
    },
    breaks: breaksOwn
      ? `The document was changed in a way that this signature forbids: ${forbidden[0]?.detail ?? ''}`.trimEnd()
      : undefined,
  };
}

function unmasked(change: RevisionChange, genuine: ReadonlySet<string>): RevisionChange {
  if (change.signedBy === undefined || genuine.has(change.signedBy)) return change;
  return { ...change, detail: `${change.detail} It is not valid.`, needs: 4 };
}

const UNTOLD = 'It cannot be told whether the document was changed in a way that this signature forbids.';

const UNSIGNED_END: RevisionChange = {
  kind: 'other',
  detail: 'The signed bytes leave out the end of their revision.',
  needs: 4,
};

const reported = ({ kind, page, field, detail }: RevisionChange): ReportedChange => ({
  kind,
  page: page ?? null,
  field: field ?? null,
  detail,
});
