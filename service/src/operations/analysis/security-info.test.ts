import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { failed, madeJson, runHere } from '../../../testing/calls/run-here.ts';
import { fixture } from '../../../testing/documents/collection.ts';
import { missing } from '../../../testing/oracles/programs.ts';

const PATH = 'analysis/security-info';
const skip = missing('qpdf');

/** The fixture, encrypted by the qpdf program. */
function encrypted(...options: string[]): Buffer {
  const dir = mkdtempSync(join(tmpdir(), 'bindery-encrypted-'));
  try {
    const path = join(dir, 'out.pdf');
    execFileSync('qpdf', [
      '--allow-weak-crypto',
      fixture('text-two-pages.pdf'),
      '--encrypt',
      ...options,
      '--',
      path,
    ]);
    return readFileSync(path);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const OPEN = {
  preventPrinting: false,
  preventModify: false,
  preventExtractContent: false,
  preventModifyAnnotations: false,
};

const cases: Record<string, { options: string[]; keyLength: number; permissions: object }> = {
  '40 bit': {
    options: ['', 'o', '40', '--print=n'],
    keyLength: 40,
    permissions: { ...OPEN, preventPrinting: true },
  },
  '128 bit RC4': {
    options: ['', 'o', '128', '--extract=n'],
    keyLength: 128,
    permissions: { ...OPEN, preventExtractContent: true },
  },
  '128 bit AES': {
    options: ['', 'o', '128', '--use-aes=y', '--annotate=n'],
    keyLength: 128,
    permissions: { ...OPEN, preventModifyAnnotations: true },
  },
  '256 bit': {
    options: ['', 'o', '256', '--modify-other=n'],
    keyLength: 256,
    permissions: { ...OPEN, preventModify: true },
  },
};
for (const [what, { options, keyLength, permissions }] of Object.entries(cases)) {
  test(`security-info describes ${what}`, { skip }, async () => {
    const ran = await runHere(PATH, {
      files: { fileInput: { name: 'a.pdf', bytes: encrypted(...options) } },
    });
    assert.deepEqual(madeJson(ran), { isEncrypted: true, keyLength, permissions });
  });
}

test('a file that is not encrypted has neither key nor permissions', async () => {
  const ran = await runHere(PATH, { files: { fileInput: fixture('text-two-pages.pdf') } });
  assert.deepEqual(madeJson(ran), { isEncrypted: false });
});

test('a file with a user password asks for it, then is described', { skip }, async () => {
  const fileInput = { name: 'a.pdf', bytes: encrypted('u', 'o', '256') };
  assert.equal(failed(await runHere(PATH, { files: { fileInput } })).reason, 'password_required');
  const wrong = await runHere(PATH, { files: { fileInput }, params: { inputPassword: 'x' } });
  assert.equal(failed(wrong).reason, 'wrong_password');
  const right = await runHere(PATH, { files: { fileInput }, params: { inputPassword: ['x', 'u'] } });
  assert.deepEqual(madeJson(right), { isEncrypted: true, keyLength: 256, permissions: OPEN });
});
