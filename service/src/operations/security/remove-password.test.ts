import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { failed, made, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { corpus, fixture, noCorpus } from '../../../testing/documents/collection.ts';
import { missing, pdfinfo, pdftotext, qpdfCheck } from '../../../testing/oracles/programs.ts';

const PATH = 'security/remove-password';
const skip = missing('qpdf', 'pdfinfo', 'pdftotext');
const bytes = readFileSync(fixture('text-two-pages.pdf'));

const encrypted = async (params: Record<string, string>) =>
  made(await runHere('security/add-password', { files: { fileInput: { name: 'a.pdf', bytes } }, params }));
const run = (given: Uint8Array, params: Record<string, string | string[]> = {}) =>
  runHere(PATH, { files: { fileInput: { name: 'a.pdf', bytes: given } }, params });

const GIVEN: Record<string, string | string[]>[] = [
  { password: 'user' },
  { password: 'owner' },
  { inputPassword: 'user' },
  { inputPassword: ['wrong', 'owner'] },
  { password: 'wrong', inputPassword: 'user' },
];
for (const params of GIVEN) {
  test(`opens with ${JSON.stringify(params)}`, { skip }, async () => {
    for (const keyLength of ['40', '128', '256']) {
      const ran = await run(await encrypted({ password: 'user', ownerPassword: 'owner', keyLength }), params);
      assert.equal(madeName(ran), 'a_password_removed.pdf');
      const result = made(ran);
      assert.equal(pdfinfo(result).Encrypted, 'no');
      assert.equal(pdftotext(result), pdftotext(bytes));
      qpdfCheck(result);
    }
  });
}

test('permissions alone are removed without a password', { skip }, async () => {
  const result = made(await run(await encrypted({ preventPrinting: 'true' })));
  assert.equal(pdfinfo(result).Encrypted, 'no');
});

test('a document that is not encrypted is returned unchanged', async () => {
  assert.ok(made(await run(bytes)).equals(bytes));
  assert.ok(made(await run(bytes, { password: 'whatever' })).equals(bytes));
});

test('the right reason is given, and the password is not', { skip }, async () => {
  const given = await encrypted({ password: 'user' });
  assert.equal(failed(await run(given)).reason, 'password_required');
  assert.equal(failed(await run(given, { password: '' })).reason, 'password_required');
  const problem = failed(await run(given, { password: 'hunter2' }));
  assert.equal(problem.reason, 'wrong_password');
  assert.doesNotMatch(JSON.stringify(problem), /hunter2/);
  const long = failed(await run(given, { password: 'hunter2'.repeat(20) }));
  assert.equal(long.reason, 'invalid_parameter');
  assert.match(long.detail, /^password.*127 bytes/);
  assert.doesNotMatch(JSON.stringify(long), /hunter2/);
});

test('files that open without a password lose their encryption', { skip: noCorpus() || skip }, async () => {
  for (const path of corpus('pdf/encrypted-open')) {
    const result = made(await run(readFileSync(path)));
    assert.equal(pdfinfo(result).Encrypted, 'no', path);
    qpdfCheck(result, { tolerant: true });
  }
});
