// Signing: the revision is appended with room for a signature, the bytes around it are signed, the signature goes in.
import { appendFileSync, closeSync, copyFileSync, openSync, writeSync } from 'node:fs';
import type { Egress } from '../../contract/egress.ts';
import type { Content } from '../../contract/files.ts';
import { Problem } from '../../contract/problems.ts';
import type { Ref } from '../../pdf/objects.ts';
import { fileKey } from '../../pdf/security/file-key.ts';
import { type ObjectEncryption, objectEncryption } from '../../pdf/security/object-encryption.ts';
import type { RevisionDocument } from '../../pdf/security/revision.ts';
import {
  type FileEnd,
  readFileEnd,
  type WrittenRevision,
  writeRevision,
} from '../../pdf/security/revision-writing.ts';
import { digest } from './algorithms.ts';
import { openBytes, piecesOf } from './byte-source.ts';
import { signMessage } from './cms-writing.ts';
import type { Identity } from './identity.ts';
import { algorithmFor } from './signing-algorithm.ts';
import { timestampRequest } from './timestamp.ts';

export interface SigningOptions {
  identity: Identity;
  /** The empty signature dictionary of the revision. */
  signature: Ref;
  /** Told in the message; absent: only in the dictionary, as PAdES asks. */
  signingTime: Date | undefined;
  tsaUrl: string | undefined;
}

export interface SigningContext {
  passwords: readonly string[];
  newFile(extension: string): string;
  egress: Egress | undefined;
}

const TIMESTAMP_BYTES = 32 * 1024;
/** Operations: "no valid timestamp in 20 s". */
const TIMESTAMP_MS = 20_000;
/** What a message takes beside certificates and timestamp: attributes and an RSA signature of 8192 bits. */
const MESSAGE_BYTES = 4096;

/** Whether a file ends so that something can be appended. */
export function endOf(content: Content): FileEnd | undefined {
  const source = openBytes(content);
  try {
    return readFileEnd(source.size, source.read);
  } finally {
    source.close();
  }
}

export async function signRevision(
  revision: RevisionDocument,
  content: Content,
  options: SigningOptions,
  context: SigningContext,
): Promise<Content> {
  const end = endOf(content);
  if (!end) throw new Problem('invalid_pdf', 'The document could not be appended to.');
  const { identity, signature: ref, tsaUrl } = options;
  const certificates = [identity.certificate, ...identity.chain];
  const room =
    MESSAGE_BYTES +
    certificates.reduce((sum, { raw }) => sum + raw.length, 0) +
    (tsaUrl === undefined ? 0 : TIMESTAMP_BYTES);
  const written = writeRevision(
    revision,
    end,
    { ref, bytes: room },
    encryptionOf(revision, context.passwords),
  );
  const file = append(content, written, context);
  const message = await makeMessage(digestAround(file, end, written, identity), options, context.egress);
  if (message.length > room) throw noTimestamp('The timestamp is too large.');
  insert(file, end.size + written.contents[0] + 1, message);
  return file;
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

function append(content: Content, { bytes }: WrittenRevision, { newFile }: SigningContext): Content {
  if ('bytes' in content) return { bytes: Buffer.concat([content.bytes, bytes]) };
  const path = newFile('pdf');
  copyFileSync(content.path, path);
  appendFileSync(path, bytes);
  return { path };
}

function digestAround(file: Content, end: FileEnd, { contents }: WrittenRevision, { key }: Identity): Buffer {
  const source = openBytes(file);
  try {
    const [from, to] = contents.map((place) => end.size + place) as [number, number];
    const ranges = [
      [0, from],
      [to, source.size],
    ] as const;
    return digest(algorithmFor(key).hash ?? 'sha256', piecesOf(source, ranges));
  } finally {
    source.close();
  }
}

async function makeMessage(
  documentDigest: Buffer,
  { identity, signingTime, tsaUrl }: SigningOptions,
  egress: Egress | undefined,
): Promise<Buffer> {
  const signed = signMessage(identity, documentDigest, { signingTime });
  return signed.message(
    tsaUrl === undefined ? undefined : await fetchTimestamp(tsaUrl, signed.signature, egress),
  );
}

async function fetchTimestamp(url: string, signature: Buffer, egress: Egress | undefined): Promise<Buffer> {
  if (!egress) throw noTimestamp('Nothing can be fetched here.');
  const request = timestampRequest(signature);
  const answer = await egress.post({
    url,
    contentType: 'application/timestamp-query',
    accept: 'application/timestamp-reply',
    body: request.body,
    maxAnswerBytes: TIMESTAMP_BYTES,
    timeoutMs: TIMESTAMP_MS,
  });
  try {
    return request.readAnswer(answer.body);
  } catch (error) {
    throw noTimestamp('tsaUrl did not answer with a valid timestamp.', error);
  }
}

const noTimestamp = (detail: string, cause?: unknown): Problem =>
  new Problem('url_fetch_failed', detail, {
    hint: 'Check that tsaUrl is the address of an RFC 3161 timestamp authority.',
    cause,
  });

/** The zeros behind it are allowed: the message knows its own length. */
function insert(file: Content, at: number, message: Buffer): void {
  const hex = Buffer.from(message.toString('hex'), 'latin1');
  if ('bytes' in file) file.bytes.set(hex, at);
  else {
    const descriptor = openSync(file.path, 'r+');
    try {
      writeSync(descriptor, hex, 0, hex.length, at);
    } finally {
      closeSync(descriptor);
    }
  }
}
