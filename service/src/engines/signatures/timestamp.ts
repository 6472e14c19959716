// Timestamps of third parties (RFC 3161): asking for one, and reading what came.
import { createHash, randomBytes } from 'node:crypto';
import { digest, hashIdentifier, hashOf, type Pieces } from './algorithms.ts';
import type { Certificate } from './certificate.ts';
import { checkMessage, readSignedMessage, type SignedMessage } from './cms.ts';
import { integer, octetString, readDer, sequence, TAG, TRUE } from './der.ts';
import { OID } from './oids.ts';

export interface Timestamp {
  time: Date;
  message: SignedMessage;
  authority: Certificate;
  nonce: bigint | undefined;
}

const HASH = 'sha256';

/** Throws with the reason where the token is not a sound timestamp of this content. */
export function readTimestamp(token: Uint8Array, content: Pieces): Timestamp {
  const message = readSignedMessage(token);
  const { signer } = message;
  if (message.contentType !== OID.tstInfo || !message.content) throw new Error('It holds no timestamp.');
  const info = readDer(message.content).expect(TAG.sequence);
  const imprint = info.child(2, TAG.sequence);
  if (
    !imprint
      .child(1)
      .octets()
      .equals(digest(hashOf(imprint.child(0)), content))
  )
    throw new Error('The signed bytes were changed: they do not match the timestamp.');
  const fault = checkMessage(message, [message.content]);
  if (fault !== undefined || !signer.certificate) throw new Error(fault ?? 'Its certificate is missing.');
  if (!signer.certificate.purposes?.includes(OID.timeStamping))
    throw new Error('Its certificate is not for timestamps.');
  const nonce = info.children.slice(5).find(({ tag }) => tag === TAG.integer);
  return { time: info.child(4).time(), message, authority: signer.certificate, nonce: nonce?.bigint() };
}

export interface TimestampRequest {
  body: Buffer;
  /** The token of an answer to it. Throws where it is refused, or not the answer to this request. */
  readAnswer(answer: Uint8Array): Buffer;
}

export function timestampRequest(content: Uint8Array): TimestampRequest {
  // Nobody can know it beforehand: an old answer cannot be played back.
  const nonce = BigInt(`0x01${randomBytes(15).toString('hex')}`);
  const imprint = sequence(hashIdentifier(HASH), octetString(createHash(HASH).update(content).digest()));
  return {
    body: sequence(integer(1), imprint, integer(nonce), TRUE),
    readAnswer(answer) {
      const response = readDer(answer).expect(TAG.sequence);
      const status = response.child(0, TAG.sequence).child(0).number();
      const token = response.children[1];
      // 0 granted, 1 granted with changes.
      if (status > 1 || status < 0 || !token) throw new Error(`refused with status ${status}`);
      if (readTimestamp(token.raw, [content]).nonce !== nonce) throw new Error('it answers another request');
      return token.raw;
    },
  };
}
