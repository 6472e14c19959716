// Signed documents and what others say of them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLog } from '../../src/contract/log.ts';
import { chooseIsolation } from '../../src/jobs/isolation.ts';
import { Pool } from '../../src/jobs/pool.ts';
import { Workspaces } from '../../src/jobs/workspace.ts';
import { type GivenCall, type GivenFile, jobOf, type Ran, runHere } from '../calls/run-here.ts';
import { fixture } from '../documents/collection.ts';
import { missing } from '../oracles/programs.ts';
import { type Issued, opensslVerifies, pdfsig, rawSignatures } from './pki.ts';

export const skip = missing('pdfsig', 'qpdf', 'openssl');
export const DOCUMENT = fixture('everything.pdf');
export const KEY = fixture('keys/signer-key.pem');
export const CERTIFICATE = fixture('keys/signer-cert.pem');
export const AUTHORITY = readFileSync(fixture('keys/ca.pem'), 'utf8');
export const PASSWORD = 'key-word';

export const named = (name: string, content: string | Uint8Array): GivenFile => ({
  name,
  bytes: Buffer.from(content),
});

export const sign = (
  files: GivenCall['files'],
  params: Record<string, string>,
  more: Partial<GivenCall> = {},
) => runHere('security/cert-sign', { files: { fileInput: DOCUMENT, ...files }, params, ...more });

export const signWithPem = (document: GivenFile, params: Record<string, string> = {}): Promise<Ran> =>
  sign({ fileInput: document, privateKeyFile: KEY, certFile: CERTIFICATE }, { certType: 'PEM', ...params });

export const signAs = ({ keyPem, pem }: Issued, params: Record<string, string> = {}): Promise<Ran> =>
  sign(
    { privateKeyFile: named('key.pem', keyPem), certFile: named('cert.pem', pem) },
    { certType: 'PEM', ...params },
  );

/** One valid signature over the whole file, after both judges. */
export function assertSigned(
  bytes: Buffer,
  authority: string,
  options: { type?: string; password?: string } = {},
): void {
  const words = pdfsig(bytes, options.password);
  const last = words.find(({ whole }) => whole);
  assert.ok(last?.valid, JSON.stringify(words));
  assert.equal(last.type, options.type ?? 'ETSI.CAdES.detached');
  const raw = rawSignatures(bytes).find(({ end }) => end === bytes.length);
  assert.ok(raw);
  opensslVerifies(raw.message, raw.content, authority);
}

/** As in service: in a worker process. What is logged and answered goes to `lines`. */
export async function inWorker(
  dataDir: string,
  call: GivenCall,
  allowHosts: string[] = [],
  lines: string[] = [],
  operation = 'security/cert-sign',
): Promise<Buffer> {
  const workspaces = new Workspaces(join(dataDir, 'work'));
  const pool = new Pool(
    {
      count: 1,
      queue: 4,
      waitMs: 60_000,
      deadlineMs: 60_000,
      memoryBytes: 1024 ** 3,
      jobsEach: 10,
      isolation: await chooseIsolation('auto'),
      logLevel: 'debug',
      dataDir,
      allowHosts,
    },
    workspaces,
    createLog('debug', (line) => lines.push(line)),
  );
  try {
    const workspace = workspaces.create();
    const outcome = await pool.run(jobOf(operation, call), workspace, {
      owner: 'test',
      signal: new AbortController().signal,
    });
    lines.push(JSON.stringify(outcome.state === 'failed' ? outcome : outcome.state));
    if (outcome.state !== 'made') return Buffer.alloc(0);
    const { content } = outcome.result;
    return 'bytes' in content ? Buffer.from(content.bytes) : readFileSync(workspace.path(content.file));
  } finally {
    await pool.close();
  }
}
