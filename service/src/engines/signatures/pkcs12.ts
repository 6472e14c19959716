// PKCS #12 key stores (RFC 7292, and RFC 9579 for newer checksums): keys and certificates, opened with a password.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { context, type DerNode, MalformedDer, readDer, TAG } from '../../contract/der.ts';
import { hashOf } from './algorithms.ts';
import { type Certificate, readCertificate } from './certificate.ts';
import { stringText } from './distinguished-name.ts';
import type { KeyStore, StoredKey } from './key-store.ts';
import { OID } from './oids.ts';
import {
  hmacHash,
  openWithPassword,
  type Password,
  pbes2Key,
  pkcs12Key,
  WrongPassword,
} from './password-encryption.ts';

/** A key before its certificate is found. */
interface LooseKey {
  alias: string | undefined;
  localId: string | undefined;
  pkcs8: Buffer;
}
interface LooseCertificate {
  localId: string | undefined;
  certificate: Certificate;
}
interface Contents {
  keys: LooseKey[];
  certificates: LooseCertificate[];
}

const MAX_ROUNDS = 1_000_000;
const MAX_BAG_DEPTH = 5;
const MAX_KEY_BYTES = 1024;

export const isPkcs12 = (bytes: Uint8Array): boolean => {
  try {
    return readDer(bytes).child(0).number() === 3;
  } catch {
    return false;
  }
};

/** Throws WrongPassword or MalformedDer. */
export function readPkcs12(bytes: Uint8Array, password: string): KeyStore {
  const root = readDer(bytes).expect(TAG.sequence);
  const info = root.child(1, TAG.sequence);
  if (root.child(0).number() !== 3 || info.child(0).oid() !== OID.data)
    throw new MalformedDer('no key store with a password');
  const safe = info.child(1, context(0)).child(0).octets();
  const spelled = checkedPassword(root.children[2], safe, password);
  const contents: Contents = { keys: [], certificates: [] };
  for (const part of readDer(safe).children) {
    for (const bag of readDer(openPart(part, spelled)).children) readBag(bag, spelled, contents, 0);
  }
  return storeOf(contents);
}

/** The password as the file's checksum was made with it. Throws WrongPassword where it is another. */
function checkedPassword(mac: DerNode | undefined, safe: Buffer, password: string): Password {
  if (!mac) return password;
  const told = mac.child(0).child(1).octets();
  for (const spelled of password === '' ? ['', null] : [password]) {
    const made = checksum(mac, safe, spelled, told.length);
    if (made.length === told.length && timingSafeEqual(made, told)) return spelled;
  }
  throw new WrongPassword('the checksum differs');
}

function checksum(mac: DerNode, safe: Buffer, password: Password, length: number): Buffer {
  const algorithm = mac.child(0).child(0, TAG.sequence);
  if (algorithm.child(0).oid() === OID.pbmac1) {
    const parameters = algorithm.child(1, TAG.sequence);
    const numbers = parameters
      .child(0)
      .child(1)
      .children.filter(({ tag }) => tag === TAG.integer);
    const keyBytes = Math.min(numbers[1]?.number() ?? length, MAX_KEY_BYTES);
    const key = pbes2Key(parameters.child(0), password, keyBytes);
    return createHmac(hmacHash(parameters.child(1)), key)
      .update(safe)
      .digest();
  }
  const rounds = mac.children[2]?.number() ?? 1;
  if (rounds < 1 || rounds > MAX_ROUNDS) throw new MalformedDer(`${rounds} rounds`);
  const hash = hashOf(algorithm);
  const key = pkcs12Key(hash, password, mac.child(1).octets(), { purpose: 3, rounds, length });
  return createHmac(hash, key).update(safe).digest();
}

function openPart(part: DerNode, password: Password): Buffer {
  const type = part.child(0).oid();
  const content = part.child(1, context(0)).child(0);
  if (type === OID.data) return content.octets();
  if (type !== OID.encryptedData) throw new MalformedDer('a part locked with a certificate');
  const inner = content.child(1, TAG.sequence);
  return openWithPassword(inner.child(1), inner.child(2).octets(), password);
}

function readBag(bag: DerNode, password: Password, into: Contents, depth: number): void {
  const type = bag.child(0).oid();
  const value = bag.child(1, context(0)).child(0);
  const attributes = attributesOf(bag.children[2]);
  if (type === OID.keyBag) into.keys.push({ ...attributes, pkcs8: value.raw });
  if (type === OID.shroudedKeyBag) {
    const pkcs8 = openWithPassword(value.child(0), value.child(1).octets(), password);
    into.keys.push({ ...attributes, pkcs8 });
  }
  if (type === OID.certBag && value.child(0).oid() === OID.x509Certificate) {
    const certificate = readCertificate(value.child(1, context(0)).child(0).octets());
    into.certificates.push({ localId: attributes.localId, certificate });
  }
  if (type === OID.safeContentsBag && depth < MAX_BAG_DEPTH)
    for (const inner of value.children) readBag(inner, password, into, depth + 1);
}

function attributesOf(node: DerNode | undefined): Pick<LooseKey, 'alias' | 'localId'> {
  const first = (id: string): DerNode | undefined =>
    node?.children.find((attribute) => attribute.child(0).oid() === id)?.child(1).children[0];
  const alias = first(OID.friendlyName);
  return { alias: alias && stringText(alias), localId: first(OID.localKeyId)?.octets().toString('hex') };
}

function storeOf({ keys, certificates }: Contents): KeyStore {
  const all = certificates.map(({ certificate }) => certificate);
  return keys.map(({ alias, localId, pkcs8 }): StoredKey => {
    const own = certificates.find((each) => localId !== undefined && each.localId === localId)?.certificate;
    // Without a mark that ties them, the one whose key fits is found by the caller.
    return { alias, pkcs8, certificates: own ? [own, ...all.filter((each) => each !== own)] : all };
  });
}
