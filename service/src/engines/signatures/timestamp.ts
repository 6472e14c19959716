// Timestamps of third parties (RFC 3161): asking for one, and reading what came.
import { randomBytes } from 'node:crypto';
import { integer, octetString, readDer, sequence, TAG, TRUE } from '../../contract/der.ts';
import { digest, hashIdentifier, hashOf, type Pieces, UnknownAlgorithm } from './algorithms.ts';
import type { Certificate } from './certificate.ts';
import { checkMessage, readSignedMessage, type SignedMessage } from './cms.ts';
import { OID } from './oids.ts';

export interface Timestamp {
  time: Date;
  message: SignedMessage;
  authority: Certificate;
  nonce: bigint | undefined;
}

const HASH = 'sha256';

/** Whether a timestamp holds; indeterminate where what came along does not suffice to tell. */
export type TimestampStatus = 'valid' | 'invalid' | 'indeterminate';

/** Why a token does not prove when the content was there. */
export class TimestampFault extends Error {
  readonly status: Exclude<TimestampStatus, 'valid'>;
  constructor(status: TimestampFault['status'], message: string) {
    super(message);
    this.status = status;
  }
}

/** Throws TimestampFault. `others`: certificates that came along elsewhere; tokens may leave out their own. */
export function readTimestamp(
  token: Uint8Array,
  content: Pieces,
  others: readonly Certificate[] = [],
): Timestamp {
  try {
    return readToken(token, content, others);
  } catch (error) {
    if (error instanceof TimestampFault) throw error;
    throw error instanceof UnknownAlgorithm
      ? new TimestampFault('indeterminate', 'The timestamp uses an algorithm this service does not know.')
      : new TimestampFault('invalid', 'The timestamp cannot be read.');
  }
}

function readToken(token: Uint8Array, content: Pieces, others: readonly Certificate[]): Timestamp {
  const message = readSignedMessage(token, others);
  const { certificate } = message.signer;
  if (message.contentType !== OID.tstInfo || !message.content)
    throw new TimestampFault('invalid', 'It holds no timestamp.');
  const info = readDer(message.content).expect(TAG.sequence);
  const imprint = info.child(2, TAG.sequence);
  const made = digest(hashOf(imprint.child(0)), content);
  if (!imprint.child(1).octets().equals(made))
    throw new TimestampFault('invalid', 'The timestamp is of something else: its imprint does not match.');
  if (!certificate)
    throw new TimestampFault('indeterminate', 'The certificate of the timestamp authority is missing.');
  const fault = checkMessage(message, [message.content]);
  if (fault !== undefined) throw new TimestampFault('invalid', `The timestamp is not genuine. ${fault}`);
  if (!certificate.purposes?.includes(OID.timeStamping))
    throw new TimestampFault('invalid', 'The certificate of the timestamp is not for timestamps.');
  const nonce = info.children.slice(5).find(({ tag }) => tag === TAG.integer);
  return { time: info.child(4).time(), message, authority: certificate, nonce: nonce?.bigint() };
}

export interface TimestampRequest {
  body: Buffer;
  /** The token of an answer to it. Throws where it is refused, or not the answer to this request. */
  readAnswer(answer: Uint8Array): Buffer;
}

/** `content` is given anew each time it is asked for. */
export function timestampRequest(content: () => Pieces): TimestampRequest {
  // Nobody can know it beforehand: an old answer cannot be played back.
  const nonce = BigInt(`0x01${randomBytes(15).toString('hex')}`);
  const imprint = sequence(hashIdentifier(HASH), octetString(digest(HASH, content())));
  return {
    body: sequence(integer(1), imprint, integer(nonce), TRUE),
    readAnswer(answer) {
      const response = readDer(answer).expect(TAG.sequence);
      const status = response.child(0, TAG.sequence).child(0).number();
      const token = response.children[1];
      // 0 granted, 1 granted with changes.
      if (status > 1 || status < 0 || !token) throw new Error(`refused with status ${status}`);
      if (readTimestamp(token.raw, content()).nonce !== nonce) throw new Error('it answers another request');
      return token.raw;
    },
  };
}
