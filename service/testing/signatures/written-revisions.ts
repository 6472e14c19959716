// Signed documents and revisions written by hand, to be validated.
import assert from 'node:assert/strict';
import type { SignatureReport } from '../../src/engines/signatures/report.ts';
import { type GivenFile, made, madeJson, runHere } from '../calls/run-here.ts';
import { onePage, streamOf } from '../documents/written-pdf.ts';
import type { Issued } from './pki.ts';

export const named = (name: string, content: string | Uint8Array): GivenFile => ({
  name,
  bytes: Buffer.from(content),
});

export async function validate(
  bytes: Uint8Array,
  certFile?: GivenFile,
  params = {},
): Promise<SignatureReport[]> {
  const files = { fileInput: named('s.pdf', bytes), ...(certFile ? { certFile } : {}) };
  return madeJson(await runHere('security/validate-signature', { files, params })) as SignatureReport[];
}

export async function only(bytes: Uint8Array, certFile?: GivenFile): Promise<SignatureReport> {
  const [report, ...others] = await validate(bytes, certFile);
  assert.ok(report && others.length === 0);
  return report;
}

export async function signAs(
  signer: Issued,
  bytes: Uint8Array = onePage(),
  more = '',
  params: Record<string, string> = {},
): Promise<Buffer> {
  const files = {
    fileInput: named('d.pdf', bytes),
    privateKeyFile: named('k.pem', signer.keyPem),
    certFile: named('c.pem', signer.pem + more),
  };
  return made(await runHere('security/cert-sign', { files, params: { certType: 'PEM', ...params } }));
}

/** A revision written by hand: objects, a table, a trailer that leads back. */
export function revised(bytes: Buffer, ...objects: [number, string][]): Buffer {
  let body = '\n';
  const rows = objects.map(([number, text]) => {
    const at = bytes.length + body.length;
    body += `${number} 0 obj\n${text}\nendobj\n`;
    return `${number} 1\n${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const [, previous] = [...bytes.toString('latin1').matchAll(/startxref\s+(\d+)/g)].at(-1) ?? [];
  const size = Math.max(...objects.map(([number]) => number), 40) + 1;
  const section = bytes.length + body.length;
  body += `xref\n${rows.join('')}trailer\n<< /Size ${size} /Root 1 0 R /Prev ${previous} >>\nstartxref\n${section}\n%%EOF\n`;
  return Buffer.concat([bytes, Buffer.from(body, 'latin1')]);
}

/** The same, found by a stream; objects that are no streams are packed into another. */
export function revisedPacked(bytes: Buffer, ...objects: [number, string][]): Buffer {
  const sections = [...bytes.toString('latin1').matchAll(/startxref\s+(\d+)/g)];
  // Each revision has streams of its own.
  const container = 50 + 2 * sections.length;
  const section = container + 1;
  const isStream = (text: string) => text.includes('endstream');
  const row = (kind: number, second: number, third: number): string =>
    String.fromCharCode(kind, (second >> 16) & 255, (second >> 8) & 255, second & 255, third);
  const rows: [number, string][] = [];
  let [body, head, inner] = ['\n', '', ''];
  const write = (number: number, text: string): void => {
    rows.push([number, row(1, bytes.length + body.length, 0)]);
    body += `${number} 0 obj\n${text}\nendobj\n`;
  };
  const inside = objects.filter(([, text]) => !isStream(text));
  for (const [index, [number, text]] of inside.entries()) {
    rows.push([number, row(2, container, index)]);
    head += `${number} ${inner.length} `;
    inner += `${text} `;
  }
  for (const [number, text] of objects) if (isStream(text)) write(number, text);
  const dict = `/Type /ObjStm /N ${inside.length} /First ${head.length}`;
  if (inside.length > 0) write(container, streamOf(head + inner, dict));
  const at = bytes.length + body.length;
  rows.push([section, row(1, at, 0)]);
  rows.sort(([one], [other]) => one - other);
  const [, previous] = sections.at(-1) ?? [];
  const index = rows.map(([number]) => `${number} 1`).join(' ');
  const table = streamOf(
    rows.map(([, text]) => text).join(''),
    `/Type /XRef /W [1 3 1] /Index [${index}] /Size ${section + 1} /Root 1 0 R /Prev ${previous}`,
  );
  const text = `${body}${section} 0 obj\n${table}\nendobj\nstartxref\n${at}\n%%EOF\n`;
  return Buffer.concat([bytes, Buffer.from(text, 'latin1')]);
}

/** Where the first signature's Contents stand, brackets included, and where its revision ends. */
export function gapOf(bytes: Buffer): { from: number; to: number; end: number } {
  const [, from, to, rest] = /ByteRange \[\s*0 +(\d+) +(\d+) +(\d+)/.exec(bytes.toString('latin1')) ?? [];
  return { from: Number(from), to: Number(to), end: Number(to) + Number(rest) };
}
