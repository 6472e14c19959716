// A private key in a file of its own: PEM or DER, PKCS #1, PKCS #8 (locked or not), SEC 1.
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { MalformedDer, readDer, TAG } from '../../contract/der.ts';
import { pemBlocks } from './certificate.ts';
import { openWithPassword, WrongPassword } from './password-encryption.ts';

const DER_FORMS = ['pkcs8', 'pkcs1', 'sec1'] as const;

/** Throws WrongPassword or MalformedDer. */
export function readPrivateKey(bytes: Uint8Array, password: string): KeyObject {
  const [pem] = pemBlocks(bytes, /PRIVATE KEY$/);
  if (!pem) return keyOfDer(Buffer.from(bytes), password);
  if (!/ENCRYPTED/.test(pem.headers)) return keyOfDer(pem.der, password);
  // OpenSSL's own way, older than PKCS #8.
  try {
    return createPrivateKey({ key: pem.text, format: 'pem', passphrase: password });
  } catch (error) {
    throw new WrongPassword('the key does not open', { cause: error });
  }
}

function keyOfDer(der: Buffer, password: string): KeyObject {
  const root = readDer(der).expect(TAG.sequence);
  const isLocked = root.children[0]?.tag === TAG.sequence && root.children[1]?.tag === TAG.octetString;
  if (!isLocked) return plainKey(root.raw);
  const opened = openWithPassword(root.child(0), root.child(1).octets(), password);
  try {
    return plainKey(opened);
  } catch (error) {
    // One padding in 256 looks right by chance.
    throw new WrongPassword('what opened is no key', { cause: error });
  }
}

export function plainKey(der: Buffer): KeyObject {
  for (const type of DER_FORMS) {
    try {
      return createPrivateKey({ key: der, format: 'der', type });
    } catch {
      // Perhaps one of the other forms.
    }
  }
  throw new MalformedDer('no private key');
}
