// An encryption with AES, made from passwords and rights (ISO 32000-2, 7.6.4), and the revision that tells a document
// of it. Nothing is encrypted by that: whoever writes the document anew does it.
import { createCipheriv, randomBytes } from 'node:crypto';
import { Dict, name, PdfString, Ref } from '../objects.ts';
import { formatValue, parseObject } from '../syntax/object-syntax.ts';
import { permissionsOf, type Right } from './encryption-info.ts';
import {
  hashOf,
  ownerPasswordKey,
  PADDING,
  padded,
  rc4Twenty,
  SALT_BYTES,
  userFileKey,
  userPrint,
} from './file-key.ts';
import { unknownPassword } from './passwords.ts';

export interface AesOrder {
  keyLength: 128 | 256;
  userPassword: string;
  /** Undefined: one that nobody knows. */
  ownerPassword: string | undefined;
  allows: Record<Right, boolean>;
}

/** The end of a file that was just written. */
export interface WrittenEnd {
  size: number;
  /** Where its cross-reference section begins. */
  crossReference: number;
  /** The entries of its trailer, as they stand. */
  trailer: string;
}

/** To be appended to such a file. */
export function encryptionRevision({ size, crossReference, trailer }: WrittenEnd, order: AesOrder): Buffer {
  const old = parseObject(trailer);
  const entries = old instanceof Dict ? old : new Dict();
  const number = Number(entries.get('Size'));
  const [first, second] = idOf(entries);
  const encrypt = makeEncryption(order, Buffer.from(first.bytes), 'Identity').dict;
  const object = `\n${number} 0 obj\n${formatValue(encrypt)}\nendobj\n`;
  const added = Dict.of({
    Size: number + 1,
    Root: entries.get('Root'),
    Info: entries.get('Info'),
    ID: [first, second],
    Prev: crossReference,
    Encrypt: new Ref(number),
  });
  const place = String(size + 1).padStart(10, '0');
  const table = `xref\n${number} 1\n${place} 00000 n \ntrailer\n${formatValue(added)}\n`;
  return Buffer.from(`${object}${table}startxref\n${size + object.length}\n%%EOF\n`, 'latin1');
}

function idOf(trailer: Dict): [PdfString, PdfString] {
  const id = trailer.get('ID');
  const [first, second] = Array.isArray(id) ? id : [];
  if (first instanceof PdfString && second instanceof PdfString) return [first, second];
  const made = new PdfString(randomBytes(16));
  return [made, made];
}

/** The encryption dictionary, and the key of the file. `use`: how strings and streams are encrypted as yet. */
export function makeEncryption(
  order: AesOrder,
  id: Buffer,
  use: 'StdCF' | 'Identity',
): { dict: Dict; key: Buffer } {
  const permissions = permissionsOf(order.allows);
  const isNew = order.keyLength === 256;
  const filter = Dict.of({
    AuthEvent: name('DocOpen'),
    CFM: name(isNew ? 'AESV3' : 'AESV2'),
    Length: order.keyLength / 8,
  });
  const { key, ...entries } = isNew ? newerEntries(order, permissions) : olderEntries(order, permissions, id);
  const dict = Dict.of({
    Filter: name('Standard'),
    V: isNew ? 5 : 4,
    R: isNew ? 6 : 4,
    Length: order.keyLength,
    P: permissions,
    CF: Dict.of({ StdCF: filter }),
    StmF: name(use),
    StrF: name(use),
    ...strings(entries),
  });
  return { dict, key };
}

const strings = (entries: Record<string, Buffer>): Record<string, PdfString> =>
  Object.fromEntries(Object.entries(entries).map(([key, bytes]) => [key, new PdfString(bytes)]));

/** Those of the encryption dictionary, and the key of the file. */
type Entries = Record<string, Buffer> & { key: Buffer };

/** Revision 4, algorithms 3 and 5. */
function olderEntries({ userPassword, ownerPassword }: AesOrder, permissions: number, id: Buffer): Entries {
  const user = padded(Buffer.from(userPassword, 'latin1'));
  const owner = rc4Twenty(
    ownerPasswordKey(Buffer.from(ownerPassword ?? unknownPassword(), 'latin1'), 4),
    user,
  );
  const key = userFileKey({ revision: 4, keyBytes: 16, owner, permissions, id, encryptMetadata: true }, user);
  return { key, O: owner, U: Buffer.concat([userPrint(key, id), PADDING.subarray(0, 16)]) };
}

/** Revision 6, algorithms 8, 9 and 10. */
function newerEntries({ userPassword, ownerPassword }: AesOrder, permissions: number): Entries {
  const key = randomBytes(32);
  const entryOf = (text: string, extra: Buffer): [print: Buffer, wrapped: Buffer] => {
    const password = Buffer.from(text).subarray(0, 127);
    const [validation, wrapping] = [randomBytes(SALT_BYTES), randomBytes(SALT_BYTES)];
    const cipher = createCipheriv(
      'aes-256-cbc',
      hashOf(6, password, wrapping, extra),
      Buffer.alloc(16),
    ).setAutoPadding(false);
    return [
      Buffer.concat([hashOf(6, password, validation, extra), validation, wrapping]),
      cipher.update(key),
    ];
  };
  const [user, userKey] = entryOf(userPassword, Buffer.alloc(0));
  // What a password gives that nobody knows looks as random as this, and takes a quarter of all the time there is.
  const [owner, ownerKey] =
    ownerPassword === undefined ? [randomBytes(48), randomBytes(32)] : entryOf(ownerPassword, user);
  const told = Buffer.alloc(16);
  told.writeInt32LE(permissions);
  told.fill(0xff, 4, 8);
  // Metadata is encrypted.
  told.write('Tadb', 8, 'latin1');
  randomBytes(4).copy(told, 12);
  const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  return { key, U: user, UE: userKey, O: owner, OE: ownerKey, Perms: cipher.update(told) };
}
