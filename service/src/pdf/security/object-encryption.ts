// Strings and streams of an encrypted file, encrypted as the file says (ISO 32000-2, 7.6.3).
import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import type { PdfDocument } from '../document.ts';
import type { Dict, Ref } from '../objects.ts';
import { rc4 } from './rc4.ts';

type Method = 'none' | 'rc4' | 'aes-128' | 'aes-256';

export interface ObjectEncryption {
  string(ref: Ref, bytes: Uint8Array): Uint8Array;
  stream(ref: Ref, bytes: Uint8Array): Uint8Array;
}

export function objectEncryption(doc: PdfDocument, encrypt: Dict, fileKey: Buffer): ObjectEncryption {
  const by = (method: Method) => (ref: Ref, bytes: Uint8Array) => encrypted(method, fileKey, ref, bytes);
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

function encrypted(method: Method, fileKey: Buffer, ref: Ref, bytes: Uint8Array): Uint8Array {
  if (method === 'none') return bytes;
  const key = method === 'aes-256' ? fileKey : objectKey(fileKey, ref, method === 'aes-128');
  if (method === 'rc4') return rc4(key, bytes);
  const start = randomBytes(16);
  const cipher = createCipheriv(method === 'aes-256' ? 'aes-256-cbc' : 'aes-128-cbc', key, start);
  return Buffer.concat([start, cipher.update(bytes), cipher.final()]);
}

/** Algorithm 1. */
function objectKey(fileKey: Buffer, { number, generation }: Ref, forAes: boolean): Buffer {
  const place = Uint8Array.of(number, number >> 8, number >> 16, generation, generation >> 8);
  const hash = createHash('md5').update(fileKey).update(place);
  if (forAes) hash.update('sAlT');
  return hash.digest().subarray(0, Math.min(16, fileKey.length + 5));
}
