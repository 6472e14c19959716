// A result that goes to an address of the caller's (a pre-signed one of an object store) instead of into the answer.
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { EGRESS_LIMITS } from '../../contract/egress.ts';
import { Problem } from '../../contract/problems.ts';
import type { AnswerHead, SentBody } from '../../jobs/egress.ts';
import type { Answer } from './answer.ts';
import { redirection } from './fetched-files.ts';
import { dispositionFilename } from './forms/part-headers.ts';
import { type Outbound, ofField } from './outbound.ts';

/** Between one try and the next: putting the same bytes again does no harm. */
const PAUSES_MS = [500, 2000];
const FIELD = 'resultUrl';

export interface Delivering {
  outbound: Outbound;
  /** The key of the caller. */
  owner: string;
  signal: AbortSignal;
}

/** The answer to the caller once the result is where it was to go; an answer without a result stays as it is. */
export async function deliverResult(delivering: Delivering, url: string, answer: Answer): Promise<Answer> {
  const { body } = answer;
  if (answer.status !== 200 || body === null) return answer;
  const {
    'content-type': mediaType = '',
    'content-disposition': disposition = '',
    ...headers
  } = answer.headers;
  const sent: SentBody =
    'bytes' in body
      ? { size: body.bytes.length, open: () => Readable.from([body.bytes]) }
      : { size: body.size, open: () => createReadStream(body.path) };
  const { outbound, owner } = delivering;
  const status = await outbound.turns
    .take(owner, () => putUntilTaken(delivering, url, mediaType, sent))
    .catch((error) => {
      throw ofField(FIELD, error);
    });
  const { origin, pathname } = new URL(url);
  const told = {
    filename: dispositionFilename(disposition) ?? null,
    mediaType,
    size: sent.size,
    status,
    // Without its query, which is what makes such an address a secret.
    location: `${origin}${pathname}`,
  };
  return {
    status: 200,
    headers: { ...headers, 'content-type': 'application/json' },
    body: { bytes: Buffer.from(JSON.stringify(told)) },
  };
}

async function putUntilTaken(
  delivering: Delivering,
  url: string,
  mediaType: string,
  body: SentBody,
): Promise<number> {
  for (let tries = 0; ; tries += 1) {
    const verdict = await putFollowing(delivering, url, mediaType, body).catch(failureToReach);
    if (typeof verdict === 'number' && verdict >= 200 && verdict < 300) return verdict;
    const isPassing = typeof verdict !== 'number' || verdict >= 500 || verdict === 429;
    const wait = PAUSES_MS[tries];
    delivering.signal.throwIfAborted();
    if (!isPassing || wait === undefined)
      throw typeof verdict === 'number'
        ? undelivered(`${new URL(url).host} answered ${verdict} to the PUT.`)
        : verdict;
    await pause(wait, undefined, { signal: delivering.signal });
  }
}

/** A redirection that keeps method and body is followed (RFC 9110, 307 and 308), and vetted like the address itself. */
async function putFollowing(
  { outbound, signal }: Delivering,
  address: string,
  mediaType: string,
  body: SentBody,
): Promise<number> {
  let url = address;
  for (let hops = 0; hops <= EGRESS_LIMITS.redirects; hops += 1) {
    outbound.requireHttps(url);
    const answer: AnswerHead = await outbound.egress.send(
      {
        ...{ url, method: 'PUT', body, timeoutMs: EGRESS_LIMITS.resultTimeoutMs },
        headers: {
          'Content-Type': mediaType,
          'User-Agent': 'Bindery',
          // Without it Azure takes no blob; other stores do not look at it.
          'x-ms-blob-type': 'BlockBlob',
        },
      },
      signal,
    );
    const next = answer.status === 307 || answer.status === 308 ? redirection(answer, url) : undefined;
    if (next === undefined) return answer.status;
    url = next;
  }
  throw undelivered(`It leads on more than ${EGRESS_LIMITS.redirects} times.`);
}

/** What could not be reached is a failed delivery here, not a page that could not be loaded; refusals stay what they are. */
function failureToReach(error: unknown): Problem {
  if (error instanceof Problem && error.reason === 'url_fetch_failed')
    return undelivered(error.detail, error.options.cause);
  throw error;
}

const undelivered = (detail: string, cause?: unknown): Problem =>
  new Problem('delivery_failed', detail, { cause });
