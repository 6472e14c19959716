// The key of an encrypted file, from its password (ISO 32000-2, 7.6.4): what is added to the file is encrypted with it.
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hash,
  timingSafeEqual,
} from 'node:crypto';
import type { PdfDocument } from '../document.ts';
import { type Dict, PdfString } from '../objects.ts';
import { pdfDocBytes } from '../text-strings.ts';
import { rc4 } from './rc4.ts';

interface Handler {
  version: number;
  revision: number;
  keyBytes: number;
  owner: Buffer;
  user: Buffer;
  ownerKey: Buffer;
  userKey: Buffer;
  permissions: number;
  encryptMetadata: boolean;
  id: Buffer;
}

export const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');

/** The first key that one of the passwords, or none, gives; undefined where none fits. */
export function fileKey(doc: PdfDocument, encrypt: Dict, passwords: readonly string[]): Buffer | undefined {
  const handler = readHandler(doc, encrypt);
  for (const password of ['', ...passwords].flatMap((text) => spellings(text))) {
    const key = handler.revision >= 5 ? newerKey(handler, password) : olderKey(handler, password);
    if (key) return key;
  }
  return undefined;
}

/** Writers differ in how they spell a password as bytes. */
function spellings(password: string): Buffer[] {
  const made = [
    Buffer.from(password),
    Buffer.from(password.normalize('NFKC')),
    Buffer.from(password, 'latin1'),
  ];
  const pdfDoc = pdfDocBytes(password);
  return pdfDoc ? [...made, Buffer.from(pdfDoc)] : made;
}

function readHandler(doc: PdfDocument, encrypt: Dict): Handler {
  const bytes = (key: string): Buffer => bytesOf(doc, encrypt.get(key));
  const version = doc.number(encrypt.get('V')) ?? 0;
  const length = doc.number(encrypt.get('Length')) ?? 40;
  const [first = null] = doc.array(doc.trailer.get('ID')) ?? [];
  return {
    version,
    revision: doc.number(encrypt.get('R')) ?? 2,
    keyBytes: version === 4 ? 16 : version === 1 ? 5 : Math.min(16, Math.max(5, Math.floor(length / 8))),
    owner: bytes('O'),
    user: bytes('U'),
    ownerKey: bytes('OE'),
    userKey: bytes('UE'),
    permissions: (doc.number(encrypt.get('P')) ?? 0) | 0,
    encryptMetadata: doc.boolean(encrypt.get('EncryptMetadata')) ?? true,
    id: bytesOf(doc, first),
  };
}

function bytesOf(doc: PdfDocument, value: Parameters<PdfDocument['resolve']>[0]): Buffer {
  const resolved = doc.resolve(value);
  return Buffer.from(resolved instanceof PdfString ? resolved.bytes : []);
}

export const md5 = (...parts: Uint8Array[]): Buffer => {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

export const padded = (password: Buffer): Buffer => Buffer.concat([password, PADDING]).subarray(0, 32);

/** Revisions 2 to 4: as user, then as owner, whose password hides the user's. */
function olderKey(handler: Handler, password: Buffer): Buffer | undefined {
  const asUser = userFileKey(handler, padded(password));
  if (opensUser(handler, asUser)) return asUser;
  const asOwner = userFileKey(handler, userPassword(handler, password));
  return opensUser(handler, asOwner) ? asOwner : undefined;
}

/** Algorithm 2. */
export function userFileKey(
  handler: Pick<Handler, 'revision' | 'keyBytes' | 'owner' | 'permissions' | 'id' | 'encryptMetadata'>,
  password: Buffer,
): Buffer {
  const { revision, keyBytes, owner, permissions, id, encryptMetadata } = handler;
  const flags = Buffer.alloc(4);
  flags.writeInt32LE(permissions);
  const open = revision >= 4 && !encryptMetadata ? [Buffer.from('ffffffff', 'hex')] : [];
  let key = md5(password, owner.subarray(0, 32), flags, id, ...open);
  for (let round = 0; revision >= 3 && round < 50; round += 1) key = md5(key.subarray(0, keyBytes));
  return key.subarray(0, keyBytes);
}

/** Algorithms 4, 5 and 6. */
function opensUser({ revision, user, id }: Handler, key: Buffer): boolean {
  if (revision === 2) return rc4(key, PADDING).equals(user.subarray(0, 32));
  return userPrint(key, id).equals(user.subarray(0, 16));
}

/** What the key of a file is known by, from revision 3 on. */
export const userPrint = (key: Buffer, id: Buffer): Buffer => rc4Twenty(key, md5(PADDING, id));

/** With twenty keys that come of one. */
export function rc4Twenty(key: Buffer, data: Buffer): Buffer {
  let made = data;
  for (let round = 0; round <= 19; round += 1)
    made = rc4(
      key.map((byte) => byte ^ round),
      made,
    );
  return made;
}

/** Algorithm 7: the user's password, as the owner's opens it. */
function userPassword({ revision, keyBytes, owner }: Handler, password: Buffer): Buffer {
  const key = ownerPasswordKey(password, revision).subarray(0, keyBytes);
  let text = owner.subarray(0, 32);
  for (let round = revision === 2 ? 0 : 19; round >= 0; round -= 1)
    text = rc4(
      key.map((byte) => byte ^ round),
      text,
    );
  return text;
}

/** Of which the owner's entry is made; its first bytes, as many as keys have. */
export function ownerPasswordKey(password: Buffer, revision: number): Buffer {
  let key = md5(padded(password));
  for (let round = 0; revision >= 3 && round < 50; round += 1) key = md5(key);
  return key;
}

export const SALT_BYTES = 8;
const HASH_BYTES = 32;

/** Revisions 5 and 6, algorithm 2.A. */
function newerKey(handler: Handler, spelled: Buffer): Buffer | undefined {
  const password = spelled.subarray(0, 127);
  const { user, owner, userKey, ownerKey } = handler;
  const userPrint = user.subarray(0, 48);
  for (const [print, wrapped, extra] of [
    [user, userKey, Buffer.alloc(0)],
    [owner, ownerKey, userPrint],
  ] as const) {
    if (print.length < HASH_BYTES + 2 * SALT_BYTES || wrapped.length < HASH_BYTES) continue;
    const salts = print.subarray(HASH_BYTES);
    const told = hashOf(handler.revision, password, salts.subarray(0, SALT_BYTES), extra);
    if (!timingSafeEqual(told, print.subarray(0, HASH_BYTES))) continue;
    const key = hashOf(handler.revision, password, salts.subarray(SALT_BYTES, 2 * SALT_BYTES), extra);
    const decipher = createDecipheriv('aes-256-cbc', key, Buffer.alloc(16)).setAutoPadding(false);
    return Buffer.concat([decipher.update(wrapped.subarray(0, 32)), decipher.final()]);
  }
  return undefined;
}

/** What a round encrypts: a password, what the last round gave and half an entry, 64 times. */
const MIXED_BYTES = 64 * (127 + 64 + 48);
const HASHES = ['sha256', 'sha384', 'sha512'] as const;

/** Algorithm 2.B; revision 5 stopped after its first line. */
export function hashOf(revision: number, password: Buffer, salt: Buffer, extra: Buffer): Buffer {
  let key = createHash('sha256').update(password).update(salt).update(extra).digest();
  if (revision < 6) return key;
  const scratch = Buffer.allocUnsafe(MIXED_BYTES);
  for (let round = 0; ; round += 1) {
    const mixed = encryptedRound(scratch, key, password, extra);
    let sum = 0;
    for (let index = 0; index < 16; index += 1) sum += mixed[index] as number;
    key = hash(HASHES[sum % 3] as string, mixed, 'buffer');
    if (round >= 63 && (mixed.at(-1) as number) <= round - 31) return key.subarray(0, 32);
  }
}

function encryptedRound(scratch: Buffer, key: Buffer, password: Buffer, extra: Buffer): Buffer {
  const block = password.length + key.length + extra.length;
  password.copy(scratch, 0);
  key.copy(scratch, password.length);
  extra.copy(scratch, password.length + key.length);
  for (let filled = block; filled < 64 * block; filled *= 2) scratch.copyWithin(filled, 0, filled);
  // Node takes longer for keys that are bytes than for what is encrypted with them.
  const own = createSecretKey(key.subarray(0, 16));
  return createCipheriv('aes-128-cbc', own, key.subarray(16, 32)).update(scratch.subarray(0, 64 * block));
}
