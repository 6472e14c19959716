// Keys, certificates and other programs' word on signatures.

import { spawnSync } from 'node:child_process';
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  context,
  der,
  integer,
  octetString,
  oid,
  readDer,
  sequence,
  set,
  TAG,
  TRUE,
  time,
} from '../../src/contract/der.ts';
import { fileInMemory } from '../../src/contract/files.ts';
import { createQpdf } from '../../src/engines/qpdf/qpdf.ts';
import { signatureIdentifier } from '../../src/engines/signatures/algorithms.ts';
import { OID } from '../../src/engines/signatures/oids.ts';
import { algorithmFor } from '../../src/engines/signatures/signing-algorithm.ts';
import { name, type PdfValue, Ref } from '../../src/pdf/objects.ts';
import { RevisionDocument } from '../../src/pdf/security/incremental-update.ts';
import { readFileEnd, writeRevision } from '../../src/pdf/security/incremental-update-writing.ts';
import { addSignature } from '../../src/pdf/security/signature-adding.ts';
import { askProgram } from '../oracles/programs.ts';

export interface Issued {
  key: KeyObject;
  der: Buffer;
  pem: string;
  keyPem: string;
  name: Buffer;
}

export interface Wish {
  name: string;
  key?: KeyObject;
  /** Itself where absent. */
  issuer?: Issued;
  from?: Date;
  until?: Date;
  /** Bits of the key usage extension; absent: no such extension. */
  usages?: number[];
  purposes?: string[];
  authority?: boolean;
  pathLength?: number;
  serial?: number;
  /** Further parts of the subject, before its name. */
  parts?: [id: string, text: string][];
  /** Further extensions, see `extension`. */
  more?: Buffer[];
  /** How the issuer signs it, where not as usual. */
  hash?: string;
}

const DAY = 86_400_000;
let serials = 100;

export const ecKey = (curve = 'P-256'): KeyObject =>
  generateKeyPairSync('ec', { namedCurve: curve }).privateKey;
export const rsaKey = (bits = 2048): KeyObject =>
  generateKeyPairSync('rsa', { modulusLength: bits }).privateKey;

const pem = (label: string, bytes: Buffer): string =>
  `-----BEGIN ${label}-----\n${(bytes.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END ${label}-----\n`;

/** A certificate, signed by its issuer. */
export function issue(wish: Wish): Issued {
  const key = wish.key ?? ecKey();
  const part = (id: string, text: string) => set(sequence(oid(id), der(TAG.utf8, Buffer.from(text))));
  const name = sequence(
    ...(wish.parts ?? []).map(([id, text]) => part(id, text)),
    ...(wish.name === '' ? [] : [part('2.5.4.3', wish.name)]),
  );
  const from = wish.from ?? new Date(Date.now() - DAY);
  const until = wish.until ?? new Date(Date.now() + 365 * DAY);
  const extensions = [
    ...(wish.authority ? [extension(OID.basicConstraints, sequence(TRUE, ...lengthOf(wish)))] : []),
    ...(wish.usages ? [extension(OID.keyUsage, usageBits(wish.usages))] : []),
    ...(wish.purposes ? [extension(OID.extendedKeyUsage, sequence(...wish.purposes.map(oid)))] : []),
    ...(wish.more ?? []),
  ];
  const signer = wish.issuer?.key ?? key;
  const usual = algorithmFor(signer);
  const algorithm = wish.hash === undefined ? usual : { ...usual, hash: wish.hash };
  serials += 1;
  const tbs = sequence(
    der(context(0), integer(2)),
    integer(wish.serial ?? serials),
    signatureIdentifier(algorithm),
    wish.issuer?.name ?? name,
    sequence(time(from), time(until)),
    name,
    createPublicKey(key).export({ format: 'der', type: 'spki' }),
    ...(extensions.length > 0 ? [der(context(3), sequence(...extensions))] : []),
  );
  const signature = sign(algorithm.hash, tbs, signer);
  const bytes = sequence(tbs, signatureIdentifier(algorithm), der(TAG.bitString, Buffer.of(0), signature));
  const keyPem = key.export({ format: 'pem', type: 'pkcs8' }).toString();
  return { key, der: bytes, pem: pem('CERTIFICATE', bytes), keyPem, name };
}

export const extension = (id: string, value: Buffer, critical = true): Buffer =>
  sequence(oid(id), ...(critical ? [TRUE] : []), octetString(value));

const lengthOf = ({ pathLength }: Wish): Buffer[] => (pathLength === undefined ? [] : [integer(pathLength)]);

function usageBits(usages: readonly number[]): Buffer {
  let byte = 0;
  for (const bit of usages) byte |= 0x80 >> bit;
  return der(TAG.bitString, Buffer.of(0, byte));
}

export interface ListWish {
  /** When it was made, and when the certificates were withdrawn. */
  at?: Date;
  until?: Date;
  /** See `extension`. */
  more?: Buffer[];
  /** Extensions of each entry. */
  ofEntries?: Buffer[];
  /** How it is signed, where not as usual. */
  hash?: string;
}

/** A list of withdrawn certificates, signed by their issuer. */
export function revocationList(
  issuer: Issued,
  serialNumbers: readonly number[],
  { at = new Date(), until, more = [], ofEntries = [], hash }: ListWish = {},
): Buffer {
  const usual = algorithmFor(issuer.key);
  const algorithm = hash === undefined ? usual : { ...usual, hash };
  const parts = ofEntries.length > 0 ? [sequence(...ofEntries)] : [];
  const rows = serialNumbers.map((serial) => sequence(integer(serial), time(at), ...parts));
  const tbs = sequence(
    integer(1),
    signatureIdentifier(algorithm),
    issuer.name,
    time(at),
    ...(until ? [time(until)] : []),
    ...(rows.length > 0 ? [sequence(...rows)] : []),
    ...(more.length > 0 ? [der(context(0), sequence(...more))] : []),
  );
  const signature = sign(algorithm.hash, tbs, issuer.key);
  return sequence(tbs, signatureIdentifier(algorithm), der(TAG.bitString, Buffer.of(0), signature));
}

export interface AnswerWish {
  responder: Issued;
  /** Of the certificate that it is about. */
  issuer: Issued;
  serial: number;
  status?: 'good' | 'unknown' | Date;
  from?: Date;
  until?: Date;
  nonce?: Buffer;
  /** Further extensions of the answer, see `extension`. */
  more?: Buffer[];
  /** Whom it names as its responder, where not the one who signed. */
  name?: Buffer;
}

/** A responder's answer as no honest one gives it (RFC 6960, 4.2). */
export function responderAnswer(wish: AnswerWish): Buffer {
  const { responder, issuer, status = 'good', from = new Date(Date.now() - 60_000), until } = wish;
  const print = (bytes: Buffer) => octetString(createHash('sha1').update(bytes).digest());
  const key = readDer(createPublicKey(issuer.key).export({ format: 'der', type: 'spki' }))
    .child(1)
    .bits();
  const exact = (date: Date) =>
    der(TAG.generalizedTime, Buffer.from(date.toISOString().replace(/[-:T]|\.\d+/g, '')));
  const id = sequence(sequence(oid('1.3.14.3.2.26')), print(issuer.name), print(key), integer(wish.serial));
  const said =
    status === 'good' || status === 'unknown'
      ? der(context(status === 'good' ? 0 : 2, false))
      : der(context(1), exact(status));
  const single = sequence(id, said, exact(from), ...(until ? [der(context(0), exact(until))] : []));
  const more = [
    ...(wish.nonce ? [extension(OID.ocspNonce, octetString(wish.nonce), false)] : []),
    ...(wish.more ?? []),
  ];
  const data = sequence(
    der(context(1), wish.name ?? responder.name),
    exact(new Date()),
    sequence(single),
    ...(more.length > 0 ? [der(context(1), sequence(...more))] : []),
  );
  const algorithm = algorithmFor(responder.key);
  const signature = der(TAG.bitString, Buffer.of(0), sign(algorithm.hash, data, responder.key));
  const carried = der(context(0), sequence(responder.der));
  const basic = sequence(data, signatureIdentifier(algorithm), signature, carried);
  const held = sequence(oid(OID.ocspBasic), octetString(basic));
  return sequence(der(TAG.enumerated, Buffer.of(0)), der(context(0), held));
}

/** What pdfsig says of each signature: its lines by label, and whether it signs all. */
export interface PdfsigWord {
  valid: boolean;
  whole: boolean;
  type: string;
  signer: string;
}

export function pdfsig(bytes: Uint8Array, password?: string): PdfsigWord[] {
  const passwords = password === undefined ? [] : ['-upw', password];
  const text = askProgram('pdfsig', [...passwords, '{}'], bytes, [0, 1]);
  return text
    .split(/^Signature #\d+:/m)
    .slice(1)
    .map((part) => ({
      valid: part.includes('Signature Validation: Signature is Valid.'),
      whole: part.includes('Total document signed') && !part.includes('Not total document signed'),
      type: /Signature Type: (\S+)/.exec(part)?.[1] ?? '',
      signer: /Common Name: (.*)/.exec(part)?.[1] ?? '',
    }));
}

/** The byte range and message of each signature, found in the raw file. */
export function rawSignatures(bytes: Buffer): { content: Buffer; message: Buffer; end: number }[] {
  return [...bytes.toString('latin1').matchAll(/\/ByteRange\s*\[\s*0\s+(\d+)\s+(\d+)\s+(\d+)\s*\]/g)].map(
    (match) => {
      const [first, next, rest] = match.slice(1).map(Number) as [number, number, number];
      const hex = bytes.subarray(first + 1, next - 1).toString('latin1');
      return {
        content: Buffer.concat([bytes.subarray(0, first), bytes.subarray(next, next + rest)]),
        message: Buffer.from(hex, 'hex'),
        end: next + rest,
      };
    },
  );
}

/** Throws unless openssl finds the message to be signed over this content, by somebody the authority vouches for. */
export function opensslVerifies(message: Buffer, content: Buffer, authorityPem: string): void {
  withFolder((dir) => {
    writeFileSync(join(dir, 'message'), message);
    writeFileSync(join(dir, 'content'), content);
    writeFileSync(join(dir, 'ca.pem'), authorityPem);
    openssl(
      dir,
      'cms',
      '-verify',
      '-cades',
      '-inform',
      'DER',
      '-in',
      'message',
      '-content',
      'content',
      '-binary',
      '-CAfile',
      'ca.pem',
      '-purpose',
      'any',
      '-out',
      'out',
    );
  });
}

export function openssl(dir: string, ...args: string[]): string {
  const ran = spawnSync('openssl', args, { cwd: dir, encoding: 'utf8' });
  if (ran.error) throw ran.error;
  if (ran.status !== 0) throw new Error(`openssl ${args[0]} ended with ${ran.status}: ${ran.stderr}`);
  return ran.stdout;
}

/** A message by openssl, with its own clock. */
export function opensslMessage(who: Issued, content: Buffer, ...args: string[]): Buffer {
  return withFolder((dir) => {
    writeFileSync(join(dir, 'who.pem'), who.pem);
    writeFileSync(join(dir, 'who.key'), who.keyPem);
    writeFileSync(join(dir, 'content'), content);
    const from = ['-signer', 'who.pem', '-inkey', 'who.key', '-in', 'content'];
    openssl(dir, 'cms', '-sign', '-binary', ...from, '-outform', 'DER', '-out', 'message', ...args);
    return readFileSync(join(dir, 'message'));
  });
}

/** The message with a timestamp of its signature beside it; `token` is asked what to put there. */
export function timestamped(message: Buffer, token: (signature: Buffer) => Buffer): Buffer {
  const info = readDer(message);
  const data = info.child(1).child(0);
  const signer = data.children.at(-1)?.child(0);
  const signature = signer?.children.findLast(({ tag }) => tag === TAG.octetString);
  if (!signer || !signature) throw new Error('nobody signed');
  const attribute = sequence(oid(OID.timeStampToken), set(token(signature.content)));
  const renewed = sequence(...signer.children.map(({ raw }) => raw), der(context(1), attribute));
  const rest = data.children.slice(0, -1).map(({ raw }) => raw);
  return sequence(info.child(0).raw, der(context(0), sequence(...rest, set(renewed))));
}

/** A timestamp by openssl; without `withCertificate` it leaves out the certificate of the authority. */
export function timestampToken(clock: Issued, content: Buffer, withCertificate = true): Buffer {
  return withFolder((dir) => {
    const settings = `[tsa]\ndefault_tsa=a\n[a]\nserial=serial\ncrypto_device=builtin\nsigner_cert=tsa.pem\nsigner_key=tsa.key\nsigner_digest=sha256\ndefault_policy=1.2.3.4\ndigests=sha256\ness_cert_id_alg=sha256\n`;
    writeFileSync(join(dir, 'tsa.pem'), clock.pem);
    writeFileSync(join(dir, 'tsa.key'), clock.keyPem);
    writeFileSync(join(dir, 'serial'), '01\n');
    writeFileSync(join(dir, 'content'), content);
    writeFileSync(join(dir, 'ts.cnf'), settings);
    const asked = withCertificate ? ['-cert'] : [];
    openssl(dir, 'ts', '-query', '-data', 'content', '-sha256', ...asked, '-out', 'query');
    openssl(dir, 'ts', '-reply', '-config', 'ts.cnf', '-queryfile', 'query', '-token_out', '-out', 'token');
    return readFileSync(join(dir, 'token'));
  });
}

function withFolder<T>(use: (dir: string) => T): T {
  const dir = mkdtempSync(join(tmpdir(), 'bindery-pki-'));
  try {
    return use(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

export interface TimestampAuthority {
  url: string;
  host: string;
  certificate: Issued;
  close(): void;
}

const clockCertificate = (): Issued => issue({ name: 'Clock', usages: [0], purposes: [OID.timeStamping] });

/** Answers to timestamp requests: openssl's. */
export function timestampDesk(certificate = clockCertificate()): {
  answer(query: Buffer): Buffer;
  close(): void;
} {
  const dir = mkdtempSync(join(tmpdir(), 'bindery-tsa-'));
  writeFileSync(join(dir, 'tsa.pem'), certificate.pem);
  writeFileSync(join(dir, 'tsa.key'), certificate.keyPem);
  writeFileSync(join(dir, 'serial'), '01\n');
  writeFileSync(
    join(dir, 'ts.cnf'),
    `[tsa]\ndefault_tsa=a\n[a]\ndir=${dir}\nserial=${dir}/serial\ncrypto_device=builtin\nsigner_cert=${dir}/tsa.pem\nsigner_key=${dir}/tsa.key\nsigner_digest=sha256\ndefault_policy=1.2.3.4\ndigests=sha256,sha384,sha512\ness_cert_id_alg=sha256\n`,
  );
  return {
    answer(query) {
      writeFileSync(join(dir, 'query'), query);
      openssl(dir, 'ts', '-reply', '-config', 'ts.cnf', '-queryfile', 'query', '-out', 'reply');
      return readFileSync(join(dir, 'reply'));
    },
    close: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/** A timestamp authority on this machine. */
export async function startTimestampAuthority(certificate = clockCertificate()): Promise<TimestampAuthority> {
  const desk = timestampDesk(certificate);
  const server = createServer(async (request, response) => {
    const query = await request.toArray();
    response.writeHead(200, { 'Content-Type': 'application/timestamp-reply' });
    response.end(desk.answer(Buffer.concat(query)));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}/tsa`,
    host,
    certificate,
    close() {
      server.close();
      server.closeAllConnections();
      desk.close();
    },
  };
}

export interface Appended {
  subFilter: string;
  date?: Date | undefined;
  entries?: Record<string, PdfValue>;
  /** What else the revision changes; `signature` is the dictionary, `field` its field. */
  prepare?: (revision: RevisionDocument, signature: Ref, field: Ref) => void;
}

/** A document with a signature appended whose message the test makes itself, of any kind. */
export async function appendSignature(
  bytes: Buffer,
  { subFilter, date, entries = {}, prepare }: Appended,
  message: (content: Buffer) => Buffer,
): Promise<Buffer> {
  const qpdf = createQpdf({ passwords: [], newFile: () => '' });
  const doc = qpdf.engine.open(fileInMemory('d.pdf', bytes));
  const [page] = doc.pages();
  const end = readFileEnd(bytes.length, (from, to) => bytes.subarray(from, to));
  if (!page || !end) throw new Error('no such document');
  const revision = new RevisionDocument(doc);
  const ref = addSignature(revision, {
    subFilter: 'adbe.pkcs7.detached',
    date: date ?? new Date(),
    name: 'Somebody',
    field: { page },
  });
  const dict = revision.edit(ref);
  dict.set('SubFilter', name(subFilter));
  dict.delete('Name');
  if (!date) dict.delete('M');
  for (const [key, value] of Object.entries(entries)) dict.set(key, value);
  // The field is added right after its signature.
  prepare?.(revision, ref, new Ref(ref.number + 1));
  const { bytes: added, contents } = writeRevision(revision, end, { ref, bytes: 8192 }, undefined);
  qpdf.closeAll();
  const signed = Buffer.concat([bytes, added]);
  const [from, to] = contents.map((place) => bytes.length + place) as [number, number];
  const made = message(Buffer.concat([signed.subarray(0, from), signed.subarray(to)]));
  signed.write(made.toString('hex'), from + 1, 'latin1');
  return signed;
}
