// Whether a certificate was withdrawn, by the evidence there is: from the document, or fetched where that was asked for.
import type { Certificate } from './certificate.ts';
import { wordOfResponder } from './responder-answer.ts';
import { wordOfList } from './revocation-list.ts';
import type { Told, Word } from './revocation-words.ts';

export type RevocationStatus = 'not-checked' | 'good' | 'revoked' | 'soft-fail' | 'unknown';

export interface RevocationData {
  crls: readonly Uint8Array[];
  ocsps: readonly Uint8Array[];
}

export interface RevocationTime {
  /** When the certificate was used, as far as is known. */
  moment: Date;
  /** When a trusted clock saw the signature; what was withdrawn later does not touch it. */
  provenAt: Date | undefined;
}

export interface Revocation {
  status: RevocationStatus;
  /** Told though a trusted clock saw the signature before. */
  revokedAt: Date | undefined;
  /** What the verdict rests on. */
  evidence: Uint8Array | undefined;
}

type Weighed = Told & { evidence: Uint8Array };

export function revocationOf(
  certificate: Certificate,
  issuer: Certificate | undefined,
  data: RevocationData,
  { moment, provenAt }: RevocationTime,
): Revocation {
  const verdict = (status: RevocationStatus, by?: Weighed): Revocation => ({
    status,
    revokedAt: revocationIn(by),
    evidence: by?.evidence,
  });
  if (data.crls.length + data.ocsps.length === 0) return verdict('not-checked');
  if (!issuer) return verdict('unknown');
  const words = wordsOf(certificate, issuer, data);
  const told = words.flatMap(({ word, evidence }) =>
    word.says === 'nothing' ? [] : [{ ...word, evidence } as Weighed],
  );
  const revoked = told.filter((word) => revocationIn(word) !== undefined);
  const before = revoked.find((word) => !provenAt || (revocationIn(word) ?? provenAt) <= provenAt);
  if (before) return verdict('revoked', before);
  const good = revoked[0] ?? told.find((word) => isGoodAt(word, certificate, moment));
  if (good) return verdict('good', good);
  const isSoft = words.some(({ word }) => word.says === 'nothing' || word.says === 'good');
  return verdict(isSoft ? 'soft-fail' : 'unknown');
}

export const revocationStatus = (...asked: Parameters<typeof revocationOf>): RevocationStatus =>
  revocationOf(...asked).status;

interface Heard {
  word: NonNullable<Word>;
  evidence: Uint8Array;
}

function wordsOf(certificate: Certificate, issuer: Certificate, { crls, ocsps }: RevocationData): Heard[] {
  return [
    ...crls.map((evidence) => ({ evidence, word: remembered(evidence, certificate, issuer, wordOfList) })),
    ...ocsps.map((evidence) => ({
      evidence,
      word: remembered(evidence, certificate, issuer, wordOfResponder),
    })),
  ].flatMap(({ evidence, word }) => (word ? [{ evidence, word }] : []));
}

/** Lists are long, and asked about the same certificates again and again. */
const heard = new WeakMap<Uint8Array, Map<string, Word>>();

function remembered(
  evidence: Uint8Array,
  certificate: Certificate,
  issuer: Certificate,
  read: typeof wordOfList,
): Word {
  const words = heard.get(evidence) ?? new Map<string, Word>();
  heard.set(evidence, words);
  const key = `${certificate.print} ${issuer.print}`;
  if (!words.has(key)) words.set(key, read(evidence, certificate, issuer));
  return words.get(key);
}

export const revocationIn = (word: Word): Date | undefined =>
  typeof word?.says === 'object' ? word.says.revokedAt : undefined;

const DAY = 86_400_000;
/** Clocks differ by so much. */
export const CLOCK_SKEW = 300_000;

/** Evidence that does not say how long it holds. */
const lastingUntil = ({ from, until }: Told): number => until?.getTime() ?? from.getTime() + DAY;

/**
 * Whether it proves that the certificate was good then: it still held, or is younger. After a certificate has ended it
 * may be missing on lists though it was withdrawn.
 */
export function isGoodAt(word: Word, certificate: Certificate, moment: Date): boolean {
  return (
    word?.says === 'good' &&
    lastingUntil(word) >= moment.getTime() - CLOCK_SKEW &&
    lastingUntil(word) >= word.from.getTime() &&
    tellsOfEnded(word, certificate) &&
    word.from.getTime() <= Date.now() + CLOCK_SKEW
  );
}

/** Whether the certificate had not ended yet, or the evidence tells of those that have. */
export const tellsOfEnded = ({ from, endedAfter }: Told, { until }: Certificate): boolean =>
  from <= until || (endedAfter !== undefined && endedAfter <= until);
