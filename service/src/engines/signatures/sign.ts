// Signing: with a key, or by a timestamp authority alone.
import type { Egress } from '../../contract/egress.ts';
import type { Content } from '../../contract/files.ts';
import { Problem } from '../../contract/problems.ts';
import type { Ref } from '../../pdf/objects.ts';
import type { RevisionDocument } from '../../pdf/security/incremental-update.ts';
import { digest, type Pieces } from './algorithms.ts';
import { appendSigned, type SigningContext } from './appending.ts';
import { signMessage } from './cms-writing.ts';
import type { Identity } from './identity.ts';
import { algorithmFor, documentHash, longestSignature } from './signing-algorithm.ts';
import { timestampRequest } from './timestamp.ts';

export interface SigningOptions {
  identity: Identity;
  /** The empty signature dictionary of the revision. */
  signature: Ref;
  /** Told in the message; absent: only in the dictionary, as PAdES asks. */
  signingTime: Date | undefined;
  tsaUrl: string | undefined;
}

/** Few timestamps are larger; for those the room is made to measure. */
const USUAL_TIMESTAMP_BYTES = 8 * 1024;
const MAX_TIMESTAMP_BYTES = 64 * 1024;
/** Operations: "no valid timestamp in 20 s". */
const TIMESTAMP_MS = 20_000;
/** By how much the headers around a longer signature grow. */
const HEADER_GROWTH = 8;

export function signRevision(
  revision: RevisionDocument,
  content: Content,
  { identity, signature, signingTime, tsaUrl }: SigningOptions,
  context: SigningContext,
): Promise<Content> {
  const hash = documentHash(algorithmFor(identity.key));
  const trial = signMessage(identity, digest(hash, []), { signingTime });
  const bare = trial.message().length - trial.signature.length + longestSignature(identity.key);
  const stamped = tsaUrl === undefined ? 0 : USUAL_TIMESTAMP_BYTES;
  const empty = {
    ref: signature,
    bytes: bare + HEADER_GROWTH + stamped,
    async message(signed: () => Pieces) {
      const parts = signMessage(identity, digest(hash, signed()), { signingTime });
      if (tsaUrl === undefined) return parts.message();
      return parts.message(await fetchTimestamp(tsaUrl, () => [parts.signature], context.egress));
    },
  };
  return appendSigned(revision, content, empty, context);
}

/** A document timestamp: `signature` is its empty dictionary. */
export function timestampRevision(
  revision: RevisionDocument,
  content: Content,
  { signature, tsaUrl }: { signature: Ref; tsaUrl: string },
  context: SigningContext,
): Promise<Content> {
  const empty = {
    ref: signature,
    bytes: USUAL_TIMESTAMP_BYTES,
    message: (signed: () => Pieces) => fetchTimestamp(tsaUrl, signed, context.egress),
  };
  return appendSigned(revision, content, empty, context);
}

async function fetchTimestamp(
  url: string,
  content: () => Pieces,
  egress: Egress | undefined,
): Promise<Buffer> {
  if (!egress) throw noTimestamp('Nothing can be fetched here.');
  const request = timestampRequest(content);
  const answer = await egress.post({
    url,
    contentType: 'application/timestamp-query',
    accept: 'application/timestamp-reply',
    body: request.body,
    maxAnswerBytes: MAX_TIMESTAMP_BYTES,
    timeoutMs: TIMESTAMP_MS,
  });
  try {
    return request.readAnswer(answer.body);
  } catch (error) {
    throw noTimestamp('tsaUrl did not answer with a valid timestamp.', error);
  }
}

const noTimestamp = (detail: string, cause?: unknown): Problem =>
  new Problem('url_fetch_failed', detail, {
    hint: 'Check that tsaUrl is the address of an RFC 3161 timestamp authority.',
    cause,
  });
