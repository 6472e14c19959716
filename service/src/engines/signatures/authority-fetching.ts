// Fetching from those whom certificates name, within bounds of its own: a failure is an answer, never an error.
import type { Egress, OutboundFetch } from '../../contract/egress.ts';
import { Problem } from '../../contract/problems.ts';

const ANSWER_MS = 10_000;
const MAX_REDIRECTS = 3;

export type Fetched = { body: Buffer } | { why: string };

/** What one call may ask for, and how long. */
export interface AuthorityFetches {
  fetch(request: Omit<OutboundFetch, 'timeoutMs'>): Promise<Fetched>;
}

export const UNANSWERED = 'Nobody was asked: enough was asked before.';

export function authorityFetches(
  egress: Egress,
  { most = 40, withinMs = 30_000 }: { most?: number; withinMs?: number } = {},
): AuthorityFetches {
  let left = most;
  const end = Date.now() + withinMs;

  const once = async (request: Omit<OutboundFetch, 'timeoutMs'>) => {
    const timeoutMs = Math.min(ANSWER_MS, end - Date.now());
    if (left <= 0 || timeoutMs <= 0) throw new Problem('url_fetch_failed', UNANSWERED);
    left -= 1;
    return egress.fetch({ ...request, timeoutMs });
  };

  const follow = async (asked: Omit<OutboundFetch, 'timeoutMs'>): Promise<Fetched> => {
    let request = asked;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const { status, headers, body, cut } = await once(request);
      if (cut) return { why: 'The answer is too large.' };
      if (status === 200) return { body: Buffer.from(body) };
      const url = REDIRECTS.has(status) ? target(request.url, headers) : undefined;
      if (url === undefined) return { why: `The answer has status ${status}.` };
      request = { ...request, url };
    }
    return { why: 'The answer is a redirection too often.' };
  };

  return {
    async fetch(request) {
      try {
        return await follow(request);
      } catch (error) {
        if (error instanceof Problem) return { why: error.detail };
        throw error;
      }
    },
  };
}

/** A question is asked again where it is to be asked (not 303, which answers another one). */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 307, 308]);

function target(from: string, headers: readonly [string, string][]): string | undefined {
  const place = headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
  return place === undefined ? undefined : URL.parse(place, from)?.href;
}
