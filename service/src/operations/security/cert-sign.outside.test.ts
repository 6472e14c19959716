import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { failed, madeJson, runHere } from '../../../testing/calls/run-here.ts';
import { issue, startTimestampAuthority } from '../../../testing/signatures/pki.ts';

import {
  AUTHORITY,
  assertSigned,
  CERTIFICATE,
  DOCUMENT,
  inWorker,
  KEY,
  named,
  sign,
  skip,
} from '../../../testing/signatures/signing.ts';

const folder = mkdtempSync(join(tmpdir(), 'bindery-sign-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('a timestamp comes through the API process, for workers have no network', { skip }, async (t) => {
  const clock = await startTimestampAuthority();
  t.after(() => clock.close());
  const files = { fileInput: DOCUMENT, privateKeyFile: KEY, certFile: CERTIFICATE };
  const call = { files, params: { certType: 'PEM', tsaUrl: clock.url } };
  const signed = await inWorker(mkdtempSync(join(folder, 'tsa-')), call, [clock.host]);
  assertSigned(signed, AUTHORITY);
  const [report] = madeJson(
    await runHere('security/validate-signature', { files: { fileInput: named('s.pdf', signed) } }),
  ) as Record<string, unknown>[];
  assert.equal(report?.valid, true);
  assert.equal(report?.validationTimeSource, 'timestamp');
  const refusedThere: string[] = [];
  await inWorker(mkdtempSync(join(folder, 'tsa-')), call, [], refusedThere);
  assert.match(refusedThere.at(-1) ?? '', /url_not_allowed/);
});

test('an address that is not public, or gives no timestamp, is refused', { skip }, async (t) => {
  const { createServer } = await import('node:http');
  const server = createServer((_, response) => response.end('no timestamp'));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  t.after(() => server.close());
  const { port } = server.address() as { port: number };
  const reason = async (tsaUrl: string, allowHosts: string[] = []) => {
    const files = { privateKeyFile: KEY, certFile: CERTIFICATE };
    return failed(await sign(files, { certType: 'PEM', tsaUrl }, { allowHosts })).reason;
  };
  assert.equal(await reason(`http://127.0.0.1:${port}/`), 'url_not_allowed');
  assert.equal(await reason(`http://localhost:${port}/`), 'url_not_allowed');
  assert.equal(await reason(`http://[::ffff:127.0.0.1]:${port}/`), 'url_not_allowed');
  assert.equal(await reason('http://169.254.169.254/latest'), 'url_not_allowed');
  assert.equal(await reason('ftp://example.org/'), 'url_not_allowed');
  assert.equal(await reason(`http://127.0.0.1:${port}/`, [`127.0.0.1:${port}`]), 'url_fetch_failed');
});

test('no key, password or certificate shows in logs, problems or file names', { skip }, async () => {
  const secret = `pass-${createHash('sha256').update('x').digest('hex')}`;
  const signer = issue({ name: 'Hush Hush' });
  const lockedKey = signer.key
    .export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: secret })
    .toString();
  const lines: string[] = [];
  const words = process.stderr.write.bind(process.stderr);
  process.stderr.write = ((text: string | Uint8Array) =>
    lines.push(String(text)) > 0) as typeof process.stderr.write;
  try {
    for (const password of [secret, `${secret}-wrong`]) {
      const files = {
        fileInput: DOCUMENT,
        privateKeyFile: named('k.pem', lockedKey),
        certFile: named('c.pem', signer.pem),
      };
      await inWorker(
        mkdtempSync(join(folder, 'hush-')),
        { files, params: { certType: 'PEM', password } },
        [],
        lines,
      );
    }
  } finally {
    process.stderr.write = words;
  }
  const told = lines.join('\n');
  assert.match(told, /password does not open/);
  const body = (text: string): string => text.split('\n')[2] ?? '';
  for (const hidden of [secret, body(lockedKey), body(signer.keyPem), body(signer.pem)]) {
    assert.ok(hidden.length > 20);
    assert.ok(!told.includes(hidden));
  }
});
