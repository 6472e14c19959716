// What is locked with a password in key files: PBES2 (RFC 8018) and the older ways of PKCS #12 (RFC 7292).

import { createDecipheriv, createHash, pbkdf2Sync, scryptSync } from 'node:crypto';
import { type DerNode, MalformedDer, TAG } from '../../contract/der.ts';
import { lookup } from '../../contract/lookup.ts';
import { rc4 } from '../../pdf/security/rc4.ts';
import { OID } from './oids.ts';
import { rc2Decrypt } from './rc2.ts';

/** The password does not open it. */
export class WrongPassword extends Error {}

/** Null: none at all, which old files tell from an empty one. */
export type Password = string | null;

/** Hostile files ask for years of work. */
const MAX_ROUNDS = { native: 10_000_000, own: 1_000_000 };
const MAX_SCRYPT_BYTES = 256 * 1024 * 1024;

/** Data behind an algorithm identifier, opened. Throws WrongPassword or MalformedDer. */
export function openWithPassword(algorithm: DerNode, data: Buffer, password: Password): Buffer {
  const id = algorithm.child(0).oid();
  const parameters = algorithm.child(1, TAG.sequence);
  if (id === OID.pbes2) return openPbes2(parameters, data, password);
  const old = OLD_CIPHERS[id];
  if (!old) throw new MalformedDer(`encryption ${id} is not known`);
  const salt = parameters.child(0).octets();
  const rounds = boundedRounds(parameters.child(1), MAX_ROUNDS.own);
  const derive = (purpose: number, length: number) =>
    pkcs12Key('sha1', password, salt, { purpose, rounds, length });
  return old.open(derive(1, old.keyBytes), derive(2, 8), data);
}

function boundedRounds(node: DerNode, most: number): number {
  const rounds = node.number();
  if (rounds < 1 || rounds > most) throw new MalformedDer(`${rounds} rounds`);
  return rounds;
}

interface OldCipher {
  keyBytes: number;
  open(key: Buffer, start: Buffer, data: Buffer): Buffer;
}

const tripleDes = (key: Buffer, start: Buffer, data: Buffer): Buffer => {
  const whole = key.length === 16 ? Buffer.concat([key, key.subarray(0, 8)]) : key;
  return openCipher('des-ede3-cbc', whole, start, data);
};
const rc2 = (key: Buffer, start: Buffer, data: Buffer): Buffer => unpadded(rc2Decrypt(key, start, data), 8);

/** RFC 7292, appendix C. */
const OLD_CIPHERS: Readonly<Record<string, OldCipher>> = lookup({
  '1.2.840.113549.1.12.1.1': { keyBytes: 16, open: (key, _, data) => rc4(key, data) },
  '1.2.840.113549.1.12.1.2': { keyBytes: 5, open: (key, _, data) => rc4(key, data) },
  '1.2.840.113549.1.12.1.3': { keyBytes: 24, open: tripleDes },
  '1.2.840.113549.1.12.1.4': { keyBytes: 16, open: tripleDes },
  '1.2.840.113549.1.12.1.5': { keyBytes: 16, open: rc2 },
  '1.2.840.113549.1.12.1.6': { keyBytes: 5, open: rc2 },
});

const CIPHERS: Readonly<Record<string, { name: string; keyBytes: number }>> = lookup({
  '1.2.840.113549.3.7': { name: 'des-ede3-cbc', keyBytes: 24 },
  '2.16.840.1.101.3.4.1.2': { name: 'aes-128-cbc', keyBytes: 16 },
  '2.16.840.1.101.3.4.1.22': { name: 'aes-192-cbc', keyBytes: 24 },
  '2.16.840.1.101.3.4.1.42': { name: 'aes-256-cbc', keyBytes: 32 },
});

const HMACS: Readonly<Record<string, string>> = lookup({
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.8': 'sha224',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
});

export function hmacHash(algorithm: DerNode): string {
  const hash = HMACS[algorithm.child(0).oid()];
  if (hash === undefined) throw new MalformedDer('an unknown HMAC');
  return hash;
}

function openPbes2(parameters: DerNode, data: Buffer, password: Password): Buffer {
  const scheme = parameters.child(1, TAG.sequence);
  const cipher = CIPHERS[scheme.child(0).oid()];
  if (!cipher) throw new MalformedDer('an unknown cipher');
  const key = pbes2Key(parameters.child(0, TAG.sequence), password, cipher.keyBytes);
  return openCipher(cipher.name, key, scheme.child(1).octets(), data);
}

/** The key that PBKDF2 or scrypt makes of a password. */
export function pbes2Key(derivation: DerNode, given: Password, length: number): Buffer {
  const password = given ?? '';
  const id = derivation.child(0).oid();
  const parameters = derivation.child(1, TAG.sequence);
  const salt = parameters.child(0).octets();
  if (id === OID.scrypt) {
    const [N, r, p] = [1, 2, 3].map((index) => parameters.child(index).number());
    return scryptSync(password, salt, length, { N, r, p, maxmem: MAX_SCRYPT_BYTES });
  }
  if (id !== OID.pbkdf2) throw new MalformedDer('an unknown way to make a key');
  const rounds = boundedRounds(parameters.child(1), MAX_ROUNDS.native);
  const hmac = parameters.find(TAG.sequence);
  return pbkdf2Sync(password, salt, rounds, length, hmac ? hmacHash(hmac) : 'sha1');
}

function openCipher(name: string, key: Buffer, start: Buffer, data: Buffer): Buffer {
  try {
    const decipher = createDecipheriv(name, key, start).setAutoPadding(false);
    return unpadded(Buffer.concat([decipher.update(data), decipher.final()]), start.length);
  } catch (error) {
    throw new WrongPassword('the data does not open', { cause: error });
  }
}

function unpadded(data: Buffer, block: number): Buffer {
  const count = data.at(-1) ?? 0;
  const padding = data.subarray(data.length - count);
  if (count < 1 || count > block || padding.length !== count || padding.some((byte) => byte !== count))
    throw new WrongPassword('the padding is wrong');
  return data.subarray(0, data.length - count);
}

export interface Pkcs12Derivation {
  /** 1 key, 2 initial vector, 3 checksum. */
  purpose: number;
  rounds: number;
  length: number;
}

/** RFC 7292, appendix B. */
export function pkcs12Key(
  hash: string,
  password: Password,
  salt: Buffer,
  { purpose, rounds, length }: Pkcs12Derivation,
): Buffer {
  const block = hash === 'sha384' || hash === 'sha512' ? 128 : 64;
  const text = password === null ? Buffer.alloc(0) : Buffer.from(`${password}\0`, 'utf16le').swap16();
  const seed = Buffer.concat([filled(salt, block), filled(text, block)]);
  const made: Buffer[] = [];
  for (let total = 0; total < length; ) {
    let digest = createHash(hash).update(Buffer.alloc(block, purpose)).update(seed).digest();
    for (let round = 1; round < rounds; round += 1) digest = createHash(hash).update(digest).digest();
    made.push(digest);
    total += digest.length;
    if (total < length) addToBlocks(seed, filled(digest, block).subarray(0, block), block);
  }
  return Buffer.concat(made).subarray(0, length);
}

/** Repeated up to a whole number of blocks. */
function filled(bytes: Buffer, block: number): Buffer {
  if (bytes.length === 0) return bytes;
  return Buffer.alloc(Math.ceil(bytes.length / block) * block, bytes);
}

/** Adds a number, and one, to each block of the seed, as large numbers. */
function addToBlocks(seed: Buffer, addend: Buffer, block: number): void {
  for (let start = 0; start < seed.length; start += block) {
    let carry = 1;
    for (let at = block - 1; at >= 0; at -= 1) {
      const sum = (seed[start + at] ?? 0) + (addend[at] ?? 0) + carry;
      seed[start + at] = sum & 255;
      carry = sum >> 8;
    }
  }
}
