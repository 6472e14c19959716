import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fixture } from '../../../testing/documents/collection.ts';
import { askProgram, missing } from '../../../testing/oracles/programs.ts';
import { fileInMemory } from '../../contract/files.ts';
import { createQpdf } from '../../engines/qpdf/qpdf.ts';
import { fileKey } from './file-key.ts';
import { rc4 } from './rc4.ts';

const folder = mkdtempSync(join(tmpdir(), 'bindery-key-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function keyOf(path: string, password: string): string | undefined {
  const bytes = readFileSync(path);
  const qpdf = createQpdf({ passwords: [password], newFile: () => '' });
  const doc = qpdf.engine.open(fileInMemory('d.pdf', bytes));
  const encrypt = doc.dict(doc.trailer.get('Encrypt'));
  assert.ok(encrypt);
  const key = fileKey(doc, encrypt, [password])?.toString('hex');
  qpdf.closeAll();
  return key;
}

test('the key of a file is the one qpdf finds, by either password, in every revision', {
  skip: missing('qpdf'),
}, () => {
  const weak = ['--allow-weak-crypto'];
  const cases: [string[], string, ...string[]][] = [
    [weak, '40'],
    [weak, '128', '--use-aes=n'],
    [weak, '128', '--use-aes=y'],
    [weak, '128', '--use-aes=y', '--cleartext-metadata'],
    [weak, '256', '--force-R5'],
    // The hash of the newest revision takes as many rounds as chance asks for.
    ...Array.from({ length: 12 }, (): [string[], string] => [[], '256']),
  ];
  for (const [index, [before, bits, ...more]] of cases.entries()) {
    const path = join(folder, `${index}.pdf`);
    const [user, owner] = [`user-${index}`, `owner-${index}`];
    const args = [
      ...before,
      '--encrypt',
      user,
      owner,
      bits,
      ...more,
      '--',
      fixture('text-two-pages.pdf'),
      path,
    ];
    askProgram('qpdf', args, Buffer.alloc(0));
    for (const password of [user, owner]) {
      const told = askProgram(
        'qpdf',
        ['--show-encryption', '--show-encryption-key', `--password=${password}`, path],
        Buffer.alloc(0),
      );
      assert.equal(keyOf(path, password), /Encryption key = ([0-9a-f]+)/.exec(told)?.[1], `${bits} ${more}`);
    }
  }
});

test('RC4 is RC4 (RFC 6229)', () => {
  const key = Buffer.from('0102030405', 'hex');
  assert.equal(rc4(key, Buffer.alloc(16)).toString('hex'), 'b2396305f03dc027ccc3524a0a1118a8');
});
