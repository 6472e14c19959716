// When a signature was made, as far as that is known, and whose clocks vouch for it.

import { isoDate, momentOfPdf } from '../../pdf/metadata/pdf-dates.ts';
import type { Certificate } from './certificate.ts';
import { buildChain, type Chain } from './chain.ts';
import type { Finding } from './document-message.ts';
import type { TimeSource } from './report.ts';
import { type RevocationTime, revocationStatus } from './revocation.ts';
import type { RevocationEvidence } from './revocation-report.ts';
import type { SignedDictionary } from './signed-dictionary.ts';
import type { Timestamp } from './timestamp.ts';
import type { TrustStore } from './trust-store.ts';

export interface Examined extends SignedDictionary {
  /** The field as the newest revision names it. */
  field: string;
  finding: Finding | undefined;
}

export interface Evidence extends RevocationEvidence {
  trust: TrustStore;
  certificates: Certificate[];
  all: readonly Examined[];
  now: Date;
  /** What was found of clocks. */
  trustedClocks: Map<Timestamp, boolean>;
}

/** A timestamp that holds, and where what it vouches for ends. */
export interface Clock {
  stamp: Timestamp;
  end: number;
  isOfDocument: boolean;
}

export interface ValidationTime {
  moment: Date;
  source: TimeSource;
  /** A trusted authority vouches for it. */
  isProven: boolean;
  clock?: Clock | undefined;
}

export const isDocumentTimestamp = ({ signature }: Examined): boolean =>
  signature?.subFilter === 'ETSI.RFC3161';

/** Timestamps of signatures, and of the document. */
export const clocksOf = (all: readonly Examined[]): Clock[] =>
  all.flatMap((each) => {
    const isOfDocument = isDocumentTimestamp(each);
    const { finding, bytes } = each;
    if (!finding?.timestamp || !bytes || (isOfDocument && each.fault !== undefined)) return [];
    return [{ stamp: finding.timestamp, end: bytes.end, isOfDocument }];
  });

export function timeOf(examined: Examined, evidence: Evidence): ValidationTime {
  const { signature, bytes, finding } = examined;
  const own = finding?.timestamp;
  if (own) {
    const clock = { stamp: own, end: bytes?.end ?? 0, isOfDocument: isDocumentTimestamp(examined) };
    return { moment: own.time, source: 'timestamp', isProven: isTrustedClock(clock, evidence), clock };
  }
  const stamps = clocksOf(evidence.all)
    .filter(({ isOfDocument, end }) => isOfDocument && bytes && end >= bytes.end)
    .toSorted((a, b) => a.stamp.time.getTime() - b.stamp.time.getTime())
    .map((clock) => ({ moment: clock.stamp.time, isProven: isTrustedClock(clock, evidence), clock }));
  // A stranger's clock before the trusted one proves nothing.
  const later = stamps.find(({ isProven }) => isProven) ?? stamps[0];
  if (later) return { ...later, source: 'document-timestamp' };
  const claimed = finding?.signingTime ?? dateOf(signature?.date);
  if (claimed) return { moment: claimed, source: 'signing-time', isProven: false };
  return { moment: new Date(), source: 'current', isProven: false };
}

/** Where nobody vouches for the time, what is fetched must hold now: whoever stole a key sets his clock back. */
export const revocationTime = (when: ValidationTime, { mode, now }: Evidence): RevocationTime => ({
  moment: when.isProven || mode === 'embedded' ? when.moment : now,
  provenAt: when.isProven ? when.moment : undefined,
});

export function clockChain({ stamp }: Clock, { trust, certificates }: Evidence): Chain {
  const { authority, message, time } = stamp;
  return buildChain(authority, [...message.certificates, ...certificates], trust, time, 'timestamp');
}

/** A clock is judged when the next one saw it; the last one by its own word, or now where others can be asked. */
export function clockTime({ stamp, end }: Clock, evidence: Evidence): RevocationTime {
  const later = clocksOf(evidence.all)
    .filter((other) => other.isOfDocument && other.end > end && isTrustedClock(other, evidence))
    .map((other) => other.stamp.time)
    .toSorted((a, b) => a.getTime() - b.getTime());
  const [seen] = later;
  return { moment: seen ?? (evidence.mode === 'fetch' ? evidence.now : stamp.time), provenAt: seen };
}

/** Whoever has the key of a withdrawn authority can set its clock: it proves nothing, whatever it says. */
function isTrustedClock(clock: Clock, evidence: Evidence): boolean {
  const known = evidence.trustedClocks.get(clock.stamp);
  if (known !== undefined) return known;
  const isTrusted = judgeClock(clock, evidence);
  evidence.trustedClocks.set(clock.stamp, isTrusted);
  return isTrusted;
}

function judgeClock(clock: Clock, evidence: Evidence): boolean {
  const { path, isTrusted } = clockChain(clock, evidence);
  if (!isTrusted) return false;
  const time = clockTime(clock, evidence);
  return path.slice(0, -1).every((one, index) => {
    const status = revocationStatus(one, path[index + 1], evidence.data, time);
    return evidence.mode === 'fetch' ? status === 'good' : status !== 'revoked';
  });
}

function dateOf(text: string | undefined): Date | undefined {
  const moment = text === undefined ? undefined : momentOfPdf(text);
  return moment && new Date(isoDate(moment));
}
