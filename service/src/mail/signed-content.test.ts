import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { missing } from '../../testing/oracles/programs.ts';
import { readEml } from './eml.ts';

const skip = missing('openssl');
const dir = mkdtempSync(join(tmpdir(), 'bindery-signed-'));
after(() => rmSync(dir, { recursive: true, force: true }));

/** A message inside its signature, as OpenSSL writes it. */
function signed(...options: string[]): Buffer {
  const at = (name: string) => join(dir, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
  const made = ['-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=Ann', '-days', '3'];
  openssl('req', '-x509', ...made, '-keyout', at('key.pem'), '-out', at('cert.pem'));
  writeFileSync(at('in.txt'), 'Content-Type: text/html\r\n\r\n<p>signed words</p>\r\n');
  const who = ['-signer', at('cert.pem'), '-inkey', at('key.pem'), '-from', 'a@b.c', '-subject', 'outer'];
  openssl('smime', '-sign', '-nodetach', ...options, ...who, '-in', at('in.txt'), '-out', at('out.eml'));
  return readFileSync(at('out.eml'));
}

for (const options of [[], ['-stream', '-indef']]) {
  test(`a message inside its signature is read ${options.join(' ')}`, { skip }, async () => {
    const message = readEml(signed(...options));
    assert.equal(message.subject, 'outer');
    assert.match(message.html ?? '', /<p>signed words<\/p>/);
    assert.deepEqual(
      message.files.map(({ name }) => name),
      ['smime.p7m'],
    );
  });
}

test('signatures that are broken leave a file and no body', async () => {
  const head =
    'From: a@b.c\r\nContent-Type: application/pkcs7-mime; name=smime.p7m\r\nContent-Transfer-Encoding: base64\r\n\r\n';
  for (const hex of [
    '',
    '30',
    '3080',
    '30'.repeat(200),
    '3080'.repeat(5000),
    '3084ffffffff',
    '300b06092a864886f70d010702',
  ]) {
    const message = readEml(Buffer.from(head + Buffer.from(hex, 'hex').toString('base64')));
    assert.equal(message.html ?? message.text ?? '', '', hex.slice(0, 20));
  }
});
