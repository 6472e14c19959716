// Whoever the certificates of a document name is asked about those whose status its own evidence does not tell.
import { askForStatus, type Inquiry } from './authority-asking.ts';
import type { AuthorityFetches } from './authority-fetching.ts';
import type { Chain } from './chain.ts';
import { type RevocationTime, revocationStatus } from './revocation.ts';
import { chainOf } from './validation-chain.ts';
import { clockChain, clocksOf, clockTime, type Evidence, revocationTime, timeOf } from './validation-time.ts';

export interface GrowingEvidence extends Evidence {
  data: { crls: Uint8Array[]; ocsps: Uint8Array[] };
  inquiries: Map<string, Inquiry>;
  fetchedFrom: Map<Uint8Array, string>;
}

/** Clocks first, the last before those that it vouches for; then who signed. Nobody is asked of a stranger's chain. */
export async function askWhereNeeded(evidence: GrowingEvidence, fetches: AuthorityFetches): Promise<void> {
  const askOf = async ({ path, isTrusted }: Chain, time: RevocationTime): Promise<void> => {
    for (const [index, certificate] of path.entries()) {
      const issuer = path[index + 1];
      if (!isTrusted || !issuer || evidence.inquiries.has(certificate.print)) continue;
      const held = revocationStatus(certificate, issuer, evidence.data, time);
      if (held === 'good' || held === 'revoked') continue;
      const inquiry = await askForStatus(certificate, issuer, fetches);
      evidence.inquiries.set(certificate.print, inquiry);
      const { crls, ocsps } = inquiry.evidence;
      evidence.data.crls.push(...crls);
      evidence.data.ocsps.push(...ocsps);
      for (const each of [...crls, ...ocsps]) evidence.fetchedFrom.set(each, inquiry.source);
    }
  };
  for (const clock of clocksOf(evidence.all).toSorted((a, b) => b.end - a.end))
    await askOf(clockChain(clock, evidence), clockTime(clock, evidence));
  for (const examined of evidence.all) {
    const when = timeOf(examined, evidence);
    const chain = chainOf(examined, when, evidence);
    if (chain) await askOf(chain, revocationTime(when, evidence));
  }
}
