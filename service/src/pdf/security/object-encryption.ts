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
  const by = (method: Method): ((ref: Ref, bytes: Uint8Array) => Uint8Array) => {
    if (method !== 'aes-256') return (ref, bytes) => encrypted(method, fileKey, ref, bytes);
    const encrypt = byOneCipher(fileKey);
    return (_, bytes) => encrypt(bytes);
  };
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
  return method === 'rc4' ? rc4(key, bytes) : byAes128(createSecretKey(key), bytes);
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

function byAes128(key: KeyObject, bytes: Uint8Array): Uint8Array {
  const start = startBytes();
  const cipher = createCipheriv('aes-128-cbc', key, start);
  return Buffer.concat([start, cipher.update(bytes), cipher.final()]);
}

const BLOCK_BYTES = 16;
/** Most strings and many streams are shorter. */
const SCRATCH_BYTES = 32 * 1024;

/**
 * AES of 256 bits has one key for all objects, so one cipher goes on from one to the next: making one takes longer than
 * a string. Before each a random block is encrypted: what becomes of it is as random, and is what the object starts with.
 */
function byOneCipher(fileKey: Buffer): (bytes: Uint8Array) => Uint8Array {
  const cipher = createCipheriv('aes-256-cbc', createSecretKey(fileKey), startBytes()).setAutoPadding(false);
  const small = Buffer.allocUnsafe(SCRATCH_BYTES);
  return (bytes) => {
    const end = START_BYTES + bytes.length;
    const padding = BLOCK_BYTES - (bytes.length % BLOCK_BYTES);
    const scratch = end + padding <= small.length ? small : Buffer.allocUnsafeSlow(end + padding);
    startBytes().copy(scratch);
    scratch.set(bytes, START_BYTES);
    scratch.fill(padding, end, end + padding);
    return cipher.update(scratch.subarray(0, end + padding));
  };
}

/** Algorithm 1. */
function objectKey(fileKey: Buffer, { number, generation }: Ref, forAes: boolean): Buffer {
  const place = Uint8Array.of(number, number >> 8, number >> 16, generation, generation >> 8);
  const hash = createHash('md5').update(fileKey).update(place);
  if (forAes) hash.update('sAlT');
  return hash.digest().subarray(0, Math.min(16, fileKey.length + 5));
}
