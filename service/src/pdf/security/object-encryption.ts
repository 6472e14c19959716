// Strings and streams of an encrypted file, encrypted as the file says (ISO 32000-2, 7.6.3).
import { createCipheriv, createHash, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { PdfDocument } from '../document.ts';
import type { Dict, Ref } from '../objects.ts';
import { rc4 } from './rc4.ts';

type Method = 'none' | 'rc4' | 'aes-128' | 'aes-256';

export interface ObjectEncryption {
  string(ref: Ref, bytes: Uint8Array): Uint8Array;
  stream(ref: Ref, bytes: Uint8Array): Uint8Array;
}

export function objectEncryption(doc: PdfDocument, encrypt: Dict, fileKey: Buffer): ObjectEncryption {
  // Node takes longer for keys that are bytes than for what is encrypted with them.
  const key = createSecretKey(fileKey);
  const by = (method: Method) => (ref: Ref, bytes: Uint8Array) =>
    method === 'aes-256' ? byAes('aes-256-cbc', key, bytes) : encrypted(method, fileKey, ref, bytes);
  return { string: by(methodOf(doc, encrypt, 'StrF')), stream: by(methodOf(doc, encrypt, 'StmF')) };
}

function methodOf(doc: PdfDocument, encrypt: Dict, use: 'StrF' | 'StmF'): Method {
  if ((doc.number(encrypt.get('V')) ?? 0) < 4) return 'rc4';
  const filterName = doc.name(encrypt.get(use)) ?? 'Identity';
  const method = doc.name(doc.dict(doc.dict(encrypt.get('CF'))?.get(filterName))?.get('CFM'));
  if (method === 'V2') return 'rc4';
  if (method === 'AESV2') return 'aes-128';
  return method === 'AESV3' ? 'aes-256' : 'none';
}

function encrypted(
  method: Exclude<Method, 'aes-256'>,
  fileKey: Buffer,
  ref: Ref,
  bytes: Uint8Array,
): Uint8Array {
  if (method === 'none') return bytes;
  const key = objectKey(fileKey, ref, method === 'aes-128');
  return method === 'rc4' ? rc4(key, bytes) : byAes('aes-128-cbc', createSecretKey(key), bytes);
}

const START_BYTES = 16;
let random = Buffer.alloc(0);

/** Random bytes, each of them used once; many are drawn together. */
function startBytes(): Buffer {
  if (random.length < START_BYTES) random = randomBytes(256 * START_BYTES);
  const start = random.subarray(0, START_BYTES);
  random = random.subarray(START_BYTES);
  return start;
}

function byAes(algorithm: 'aes-128-cbc' | 'aes-256-cbc', key: KeyObject, bytes: Uint8Array): Uint8Array {
  const start = startBytes();
  const cipher = createCipheriv(algorithm, key, start);
  return Buffer.concat([start, cipher.update(bytes), cipher.final()]);
}

/** Algorithm 1. */
function objectKey(fileKey: Buffer, { number, generation }: Ref, forAes: boolean): Buffer {
  const place = Uint8Array.of(number, number >> 8, number >> 16, generation, generation >> 8);
  const hash = createHash('md5').update(fileKey).update(place);
  if (forAes) hash.update('sAlT');
  return hash.digest().subarray(0, Math.min(16, fileKey.length + 5));
}
