// What can be said of whether certificates were withdrawn.

/** Whom evidence may come from: the document alone, or those whom certificates name, too. */
export const REVOCATION_MODES = ['embedded', 'fetch'] as const;
export type RevocationMode = (typeof REVOCATION_MODES)[number];

export const REVOCATION_VERDICTS = ['not-checked', 'good', 'revoked', 'indeterminate'] as const;
export type RevocationVerdict = (typeof REVOCATION_VERDICTS)[number];
