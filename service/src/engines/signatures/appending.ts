// Appending a revision to a file: with room for a signature, which is made of the bytes around it and put in, or without.
import { appendFileSync, copyFileSync } from 'node:fs';
import type { Egress } from '../../contract/egress.ts';
import { openBytes, withFile, writeAll } from '../../contract/file-bytes.ts';
import type { Content } from '../../contract/files.ts';
import { Problem } from '../../contract/problems.ts';
import { claimsOf } from '../../pdf/metadata/claims.ts';
import type { Ref } from '../../pdf/objects.ts';
import { fileKey } from '../../pdf/security/file-key.ts';
import type { RevisionDocument } from '../../pdf/security/incremental-update.ts';
import { type FileEnd, readFileEnd, writeRevision } from '../../pdf/security/incremental-update-writing.ts';
import { type ObjectEncryption, objectEncryption } from '../../pdf/security/object-encryption.ts';
import { noteClaims } from '../qpdf/claimed-content.ts';
import type { Pieces } from './algorithms.ts';
import { piecesIn } from './byte-range.ts';

export interface SigningContext {
  passwords: readonly string[];
  newFile(extension: string): string;
  egress: Egress | undefined;
}

/** Whether a file ends so that something can be appended. */
export function endOf(content: Content): FileEnd | undefined {
  const source = openBytes(content);
  try {
    return readFileEnd(source.size, source.read);
  } finally {
    source.close();
  }
}

function endToAppendTo(content: Content): FileEnd {
  const end = endOf(content);
  if (!end) throw new Problem('invalid_pdf', 'The document could not be appended to.');
  return end;
}

/** A revision without a signature. */
export function appendRevision(
  revision: RevisionDocument,
  content: Content,
  context: SigningContext,
): Content {
  const encryption = encryptionOf(revision, context.passwords);
  const { bytes } = writeRevision(revision, endToAppendTo(content), undefined, encryption);
  return noted(revision, append(content, bytes, context));
}

/** What the document claims stays true or not; it can no longer be taken back. */
function noted(revision: RevisionDocument, content: Content): Content {
  const claims = claimsOf(revision);
  if (claims.length > 0) noteClaims(content, { claims, encrypted: [], options: {}, isSealed: true });
  return content;
}

export interface EmptySignature {
  /** The signature dictionary of the revision. */
  ref: Ref;
  /** How many bytes the message is likely to take. */
  bytes: number;
  /** Makes the message; `signed` gives the bytes to be signed anew each time it is called. */
  message(signed: () => Pieces): Promise<Buffer>;
}

/** What a second message may be longer than the first. */
const SPARE_BYTES = 256;

/** Where the message turns out larger than was thought, it is made once more with the room that it takes. */
export async function appendSigned(
  revision: RevisionDocument,
  content: Content,
  signature: EmptySignature,
  context: SigningContext,
): Promise<Content> {
  const end = endToAppendTo(content);
  const encryption = encryptionOf(revision, context.passwords);
  let room = signature.bytes;
  for (const isLast of [false, true]) {
    const space = { ref: signature.ref, bytes: room };
    const written = writeRevision(revision, end, space, encryption);
    const [from, to] = written.contents.map((place) => end.size + place) as [number, number];
    const file = append(content, written.bytes, context);
    const message = await messageAround(file, from, to, signature);
    if (message.length <= room) {
      insert(file, from + 1, message);
      return noted(revision, file);
    }
    if (!isLast) room = message.length + SPARE_BYTES;
  }
  throw new Problem('url_fetch_failed', 'The timestamps of tsaUrl differ too much in size.');
}

async function messageAround(
  file: Content,
  from: number,
  to: number,
  { message }: EmptySignature,
): Promise<Buffer> {
  const source = openBytes(file);
  const ranges = [
    [0, from],
    [to, source.size],
  ] as const;
  try {
    return await message(() => piecesIn(source, ranges));
  } finally {
    source.close();
  }
}

function encryptionOf(
  revision: RevisionDocument,
  passwords: readonly string[],
): ObjectEncryption | undefined {
  const encrypt = revision.dict(revision.trailer.get('Encrypt'));
  if (!encrypt) return undefined;
  const key = fileKey(revision, encrypt, passwords);
  if (!key) throw new Problem('wrong_password', 'The password given does not open the document.');
  return objectEncryption(revision, encrypt, key);
}

function append(content: Content, bytes: Uint8Array, { newFile }: SigningContext): Content {
  if ('bytes' in content) return { bytes: Buffer.concat([content.bytes, bytes]) };
  const path = newFile('pdf');
  copyFileSync(content.path, path);
  appendFileSync(path, bytes);
  return { path };
}

/** The zeros behind it are allowed: the message knows its own length. */
function insert(file: Content, at: number, message: Buffer): void {
  const hex = Buffer.from(message.toString('hex'), 'latin1');
  if ('bytes' in file) file.bytes.set(hex, at);
  else withFile(file.path, 'r+', (descriptor) => writeAll(descriptor, hex, at));
}
