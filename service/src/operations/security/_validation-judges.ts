// Signed documents and revisions written by hand, to be validated. For tests: product code does not import this.
import assert from 'node:assert/strict';
import type { Issued } from '../../engines/signatures/pki-judges.ts';
import type { SignatureReport } from '../../engines/signatures/report.ts';
import { type GivenFile, runHere } from '../../jobs/run-here.ts';
import { made, madeJson, onePage } from '../judges.ts';

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

/** Where the first signature's Contents stand, brackets included, and where its revision ends. */
export function gapOf(bytes: Buffer): { from: number; to: number; end: number } {
  const [, from, to, rest] = /ByteRange \[\s*0 +(\d+) +(\d+) +(\d+)/.exec(bytes.toString('latin1')) ?? [];
  return { from: Number(from), to: Number(to), end: Number(to) + Number(rest) };
}
