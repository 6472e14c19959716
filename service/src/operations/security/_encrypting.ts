// How security/add-password encrypts.
import { appendFileSync } from 'node:fs';
import { bytesAt } from '../../contract/file-bytes.ts';
import { type Content, contentSize, InputFile } from '../../contract/files.ts';
import type { Engines } from '../../engines/engines.ts';
import type { Encryption } from '../../engines/qpdf/write.ts';
import { encryptionRevision, type WrittenEnd } from '../../pdf/security/encryption-making.ts';
import { unknownPassword } from '../../pdf/security/passwords.ts';

type Qpdf = Engines['qpdf'];

export function encrypt({ qpdf }: Pick<Engines, 'qpdf'>, file: InputFile, encryption: Encryption): Content {
  const doc = qpdf.open(file);
  const { keyLength, allow } = encryption;
  if (allow.accessibility || keyLength === 40) return doc.save({ encryption });
  const plain = doc.save();
  qpdf.close(doc);
  const ownerPassword = encryption.ownerPassword ?? unknownPassword();
  return encryptExactly(qpdf, plain, file.name, { ...encryption, ownerPassword, keyLength });
}

/**
 * qpdf leaves reading aids their right, whatever it is told: PDF 2.0 asks readers to. But where a document says itself
 * how it is encrypted, qpdf keeps to that.
 */
function encryptExactly(
  qpdf: Qpdf,
  plain: Content,
  name: string,
  { allow, ...order }: Encryption & { keyLength: 128 | 256; ownerPassword: string },
): Content {
  const { assembly, ...rights } = allow;
  const allows = { ...rights, assemble: assembly };
  const told = appendBytes(plain, encryptionRevision(endOf(plain), { ...order, allows }));
  const doc = qpdf.open(new InputFile(name, told), { passwords: [order.ownerPassword] });
  if (!doc.isEncrypted) throw new Error('the document does not say how it is encrypted');
  return doc.save({ keepEncryption: true, keepModificationDate: true });
}

/** More than trailers take. */
const TRAILER_BYTES = 4096;

function endOf(content: Content): WrittenEnd {
  const size = contentSize(content);
  const tail = textAt(content, Math.max(0, size - TRAILER_BYTES));
  const crossReference = Number(/startxref\s+(\d{1,15})\s+%%EOF\s*$/.exec(tail)?.[1]);
  const table = tail.lastIndexOf('trailer');
  const trailer = table === -1 ? textAt(content, crossReference) : tail.slice(table);
  return { size, crossReference, trailer: trailer.slice(trailer.indexOf('<<')) };
}

const textAt = (content: Content, start: number): string =>
  bytesAt(content, start, TRAILER_BYTES).toString('latin1');

function appendBytes(content: Content, more: Uint8Array): Content {
  if ('bytes' in content) return { bytes: Buffer.concat([content.bytes, more]) };
  appendFileSync(content.path, more);
  return content;
}
