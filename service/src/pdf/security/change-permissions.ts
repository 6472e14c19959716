import type { Permission, RevisionChange } from './revision-change.ts';

/** Fields that must not change any more. */
export interface FieldLock {
  action: 'All' | 'Include' | 'Exclude';
  fields: readonly string[];
}

/** What one signature restricts. */
export interface Restrictions {
  /** Undefined: it says nothing of it. */
  permission: Permission | undefined;
  locks: readonly FieldLock[];
}

export interface ClassifiedChanges {
  allowed: RevisionChange[];
  forbidden: RevisionChange[];
  /** Whether the signature's own restrictions are broken: by the standard it is no longer valid. */
  breaksOwn: boolean;
}

/** `own` restrictions are those of the signature itself, `inForce` those of all signatures of its revision. */
export function classifyChanges(
  changes: readonly RevisionChange[],
  own: Restrictions,
  inForce: readonly Restrictions[],
): ClassifiedChanges {
  const allowed: RevisionChange[] = [];
  const forbidden: RevisionChange[] = [];
  for (const change of changes) {
    const isAllowed = !change.mayCover && !breaks(change, inForce) && isUsual(change, inForce);
    (isAllowed ? allowed : forbidden).push(change);
  }
  return { allowed, forbidden, breaksOwn: changes.some((change) => breaks(change, [own])) };
}

function breaks({ needs, field }: RevisionChange, restrictions: readonly Restrictions[]): boolean {
  return restrictions.some(
    ({ permission, locks }) =>
      (permission !== undefined && needs > permission) ||
      (field !== undefined && needs > 1 && locks.some((lock) => isLocked(lock, field))),
  );
}

/** Where nobody said what may become of the document: what readers let people do with it. */
function isUsual({ needs, altersSigned }: RevisionChange, restrictions: readonly Restrictions[]): boolean {
  const isPermitted = restrictions.some(({ permission }) => permission !== undefined && needs <= permission);
  return needs < 4 && (isPermitted || !altersSigned);
}

/** A name stands for all fields below it, too. */
function isLocked({ action, fields }: FieldLock, field: string): boolean {
  if (action === 'All') return true;
  const isNamed = fields.some((name) => name === field || field.startsWith(`${name}.`));
  return action === 'Include' ? isNamed : !isNamed;
}
