// Results that claim to conform to a standard: noted where they are written, so that nobody opens all others to know.
import type { Content } from '../../contract/files.ts';
import type { Claim } from '../../pdf/metadata/claims.ts';
import type { SaveOptions } from './write.ts';

export interface ClaimedContent {
  claims: readonly Claim[];
  /** Claims that were taken back because the file was encrypted. */
  encrypted: readonly Claim[];
  /** How it was written. */
  options: SaveOptions;
  /** It is encrypted or signed: what it says can no longer be changed. */
  isSealed: boolean;
}

const noted = new WeakMap<Content, ClaimedContent>();

export function noteClaims(content: Content, claimed: ClaimedContent): void {
  noted.set(content, claimed);
}

export const claimsOfContent = (content: Content): ClaimedContent | undefined => noted.get(content);

/** Nobody has to look at it any more. */
export function confirmClaims(content: Content): void {
  noted.delete(content);
}
