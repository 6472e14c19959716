// Java key stores of the old kind (JKS). The format is Sun's own; its protection of keys is a chain of SHA-1.
import { createHash, timingSafeEqual } from 'node:crypto';
import { MalformedDer, readDer } from '../../contract/der.ts';
import { type Certificate, readCertificate } from './certificate.ts';
import type { KeyStore, StoredKey } from './key-store.ts';
import { OID } from './oids.ts';
import { WrongPassword } from './password-encryption.ts';

const JKS = 0xfeedfeed;
const JCEKS = 0xcececece;
const DIGEST_BYTES = 20;
const MAX_ENTRIES = 10_000;

const magic = (bytes: Uint8Array): number =>
  Buffer.from(bytes.subarray(0, 4)).readUIntBE(0, Math.min(4, bytes.length) || 1);

export const isJks = (bytes: Uint8Array): boolean => bytes.length >= 4 && magic(bytes) === JKS;
export const isJceks = (bytes: Uint8Array): boolean => bytes.length >= 4 && magic(bytes) === JCEKS;

/** Throws WrongPassword or MalformedDer. */
export function readJks(bytes: Uint8Array, password: string): KeyStore {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const body = file.subarray(0, Math.max(0, file.length - DIGEST_BYTES));
  const told = file.subarray(body.length);
  const spelled = Buffer.from(password, 'utf16le').swap16();
  const made = createHash('sha1').update(spelled).update('Mighty Aphrodite').update(body).digest();
  if (told.length !== DIGEST_BYTES || !timingSafeEqual(made, told))
    throw new WrongPassword('the checksum differs');
  const reader = new Reader(body);
  reader.number(4);
  const version = reader.number(4);
  const count = reader.number(4);
  if ((version !== 1 && version !== 2) || count > MAX_ENTRIES) throw new MalformedDer('no such key store');
  const keys: StoredKey[] = [];
  for (let entry = 0; entry < count; entry += 1) {
    const kind = reader.number(4);
    const alias = reader.text();
    reader.bytes(8);
    if (kind === 1) {
      const locked = reader.bytes(reader.number(4));
      const certificates: Certificate[] = [];
      for (let left = reader.number(4); left > 0; left -= 1) certificates.push(readEntry(reader, version));
      keys.push({ alias, pkcs8: unlock(locked, spelled), certificates });
    } else if (kind === 2) readEntry(reader, version);
    else throw new MalformedDer('an unknown entry');
  }
  return keys;
}

function readEntry(reader: Reader, version: number): Certificate {
  if (version === 2) reader.text();
  return readCertificate(reader.bytes(reader.number(4)));
}

/** Salt, key xored with SHA-1 of password and what came before, checksum. */
function unlock(locked: Buffer, password: Buffer): Buffer {
  const info = readDer(locked);
  if (info.child(0).child(0).oid() !== OID.jksKey) throw new MalformedDer('an unknown protection');
  const data = info.child(1).octets();
  const hidden = data.subarray(DIGEST_BYTES, data.length - DIGEST_BYTES);
  const key = Buffer.alloc(hidden.length);
  let mask = data.subarray(0, DIGEST_BYTES);
  for (let at = 0; at < hidden.length; at += DIGEST_BYTES) {
    mask = createHash('sha1').update(password).update(mask).digest();
    for (let i = 0; i < DIGEST_BYTES && at + i < hidden.length; i += 1)
      key[at + i] = (hidden[at + i] ?? 0) ^ (mask[i] ?? 0);
  }
  const checksum = createHash('sha1').update(password).update(key).digest();
  if (!checksum.equals(data.subarray(data.length - DIGEST_BYTES)))
    throw new WrongPassword('the checksum differs');
  return key;
}

/** Big-endian numbers and lengths, as Java's streams write them. */
class Reader {
  private at = 0;
  private readonly source: Buffer;
  constructor(source: Buffer) {
    this.source = source;
  }

  bytes(count: number): Buffer {
    const end = this.at + count;
    if (end > this.source.length) throw new MalformedDer('the key store ends too early');
    const found = this.source.subarray(this.at, end);
    this.at = end;
    return found;
  }

  number(width: 2 | 4): number {
    return this.bytes(width).readUIntBE(0, width);
  }

  text(): string {
    return this.bytes(this.number(2)).toString('utf8');
  }
}
