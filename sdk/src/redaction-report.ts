// Redaction reports, checked by whoever was given one: offline with the service's public key, or with the key that the
// service tells. Works in browsers too.
import { canonicalJson } from './canonical-json.generated.ts';
import { connect } from './connection.ts';
import { BinderyError } from './errors.ts';
import { CALL_REPEATS, callLimits, requested } from './requests.ts';
import { jsonOf } from './results.ts';
import type { CallOptions } from './types.ts';

/** The members of a report that its checking needs; the schema names all (docs/reference/redaction-report.schema.json). */
export interface RedactionReport {
  type: 'bindery-redaction-report';
  version: 1;
  issuedAt: string;
  service: { name: string; version: string };
  operation: string;
  input: { name?: string; sha256: string; bytes: number; pages: number };
  output: { sha256: string; bytes: number; pages: number };
  asked: { terms?: { count: number; hmac?: string[] } };
  removed: { boxes: number; strings: number };
  attachments: { searched: boolean; files: readonly { name: string; outcome: string }[] };
  verification: { checks: readonly { check: string; reader: string; result: string; note?: string }[] };
  signature: { algorithm: 'Ed25519'; keyId: string; value: string };
  [member: string]: unknown;
}

const VERSION = 1;
const TYPE = 'bindery-redaction-report';
/** Longer ones are none of ours. */
const MOST_CHARACTERS = 16 * 1024 ** 2;
const TIMEOUT_MS = 30_000;

/**
 * The report where its signature is that of the key (a public key as PEM); `fileSha256` is that of the redacted document
 * beside it. Throws BinderyError `report_invalid`.
 */
export async function verifyReport(
  text: string,
  { publicKey, fileSha256 }: { publicKey: string; fileSha256?: string },
): Promise<RedactionReport> {
  const report = readReport(text);
  const key = await importedKey(publicKey);
  if (report.signature.keyId !== key.id)
    throw invalid(
      `The report was signed with another key than the one given: ${report.signature.keyId}.`,
      'Ask the service that made the report for its key; one that was replaced since is known only to its operator.',
    );
  const { signature, ...signed } = report;
  const isGenuine = await crypto.subtle.verify(
    'Ed25519',
    key.key,
    bytesOf(signature.value),
    new TextEncoder().encode(canonicalForm(signed)),
  );
  if (!isGenuine) throw invalid('The signature does not fit: the report was changed after it was signed.');
  if (fileSha256 !== undefined && fileSha256.toLowerCase() !== report.output.sha256)
    throw invalid('The file is not the one the report speaks of: their SHA-256 differ.');
  return report;
}

/** The public key of a service; asks without a key of the API. */
export async function reportKeyOf(
  baseUrl: string | URL,
  { timeoutMs = TIMEOUT_MS, signal, fetch: fetcher = fetch }: CallOptions & { fetch?: typeof fetch } = {},
): Promise<string> {
  const connection = connect(baseUrl, '', fetcher);
  const limits = callLimits(timeoutMs, signal);
  const send = (ended: AbortSignal) => connection.send('info/redaction-key', { signal: ended });
  const told = await jsonOf<{ publicKey: string }>(
    await requested(send, limits, CALL_REPEATS),
    limits.failure,
  );
  if (typeof told.publicKey === 'string') return told.publicKey;
  throw new BinderyError('The service does not tell a key of redaction reports.', {
    code: 'bad_response',
    reason: 'bad_response',
    hint: 'Check that the address is that of a Bindery service.',
  });
}

const invalid = (message: string, hint = 'Trust neither the report nor the file beside it.'): BinderyError =>
  new BinderyError(message, { code: 'bad_request', reason: 'report_invalid', hint });

function canonicalForm(signed: unknown): string {
  try {
    return canonicalJson(signed);
  } catch {
    throw invalid('This is no redaction report: it is nested too deep.');
  }
}

function readReport(text: string): RedactionReport {
  const report = parsed(text);
  if (!isReport(report))
    throw invalid('This is no redaction report.', 'Give the redaction-report.json itself.');
  if (report.version !== VERSION)
    throw invalid('The report has a version that is not known here.', 'Use a newer version of this program.');
  return report;
}

function parsed(text: string): unknown {
  if (text.length > MOST_CHARACTERS) return undefined;
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

function isReport(value: unknown): value is RedactionReport {
  const report = value as Partial<RedactionReport> | null | undefined;
  return (
    report?.type === TYPE &&
    report.signature?.algorithm === 'Ed25519' &&
    typeof report.signature.keyId === 'string' &&
    typeof report.signature.value === 'string' &&
    typeof report.output?.sha256 === 'string'
  );
}

/** Its name is known to browsers' types, not to those of Node alone. */
type PublicKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

async function importedKey(pem: string): Promise<{ key: PublicKey; id: string }> {
  const body = /-----BEGIN PUBLIC KEY-----([\sa-z0-9+/=]+)-----END PUBLIC KEY-----/i.exec(pem)?.[1];
  try {
    if (body === undefined) throw new TypeError('no PEM');
    const der = bytesOf(body.replace(/\s/g, ''));
    const key = await crypto.subtle.importKey('spki', der, 'Ed25519', false, ['verify']);
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', der));
    return { key, id: Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('') };
  } catch {
    throw new BinderyError('The key is no public Ed25519 key in PEM form.', {
      code: 'bad_request',
      reason: 'invalid_parameter',
      hint: 'GET /api/v1/info/redaction-key tells it as publicKey.',
    });
  }
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
