import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { failed, made, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { fixture } from '../../../testing/documents/collection.ts';
import {
  askProgram,
  askProgramBytes,
  missing,
  pdfinfo,
  pdftotext,
} from '../../../testing/oracles/programs.ts';

const PATH = 'security/add-password';
const skip = missing('qpdf', 'pdfinfo', 'pdftotext');
const bytes = readFileSync(fixture('text-two-pages.pdf'));

const run = (params: Record<string, string>, given: Uint8Array = bytes) =>
  runHere(PATH, { files: { fileInput: { name: 'my doc.pdf', bytes: given } }, params });
const shown = (result: Uint8Array, password: string) =>
  askProgram('qpdf', ['--show-encryption', `--password=${password}`, '{}'], result);

const METHODS: [keyLength: string, revision: string, pdfinfoSays: RegExp][] = [
  ['40', 'R = 2', /algorithm:RC4/],
  ['128', 'R = 4', /algorithm:AES\b/],
  ['256', 'R = 6', /algorithm:AES-256/],
];
for (const [keyLength, revision, says] of METHODS) {
  test(`${keyLength} bit: both passwords open, others do not`, { skip }, async () => {
    const ran = await run({ password: 'user', ownerPassword: 'owner', keyLength });
    assert.equal(madeName(ran), 'my doc_passworded.pdf');
    const result = made(ran);
    assert.match(shown(result, 'user'), new RegExp(revision));
    assert.match(pdfinfo(result, '-upw', 'user').Encrypted ?? '', says);
    assert.equal(pdfinfo(result, '-opw', 'owner').Pages, '2');
    assert.equal(pdftotext(result, '-upw', 'user'), pdftotext(bytes));
    assert.throws(() => pdfinfo(result), /password/);
    assert.throws(() => pdfinfo(result, '-upw', 'other'), /password/);
  });
}

test('without keyLength it is 256 bit', { skip }, async () => {
  assert.match(shown(made(await run({ password: 'x' })), 'x'), /R = 6/);
});

test('without ownerPassword the user password gives no owner rights', { skip }, async () => {
  for (const keyLength of ['40', '128', '256']) {
    const result = made(await run({ password: 'user', keyLength, preventPrinting: 'on' }));
    assert.match(shown(result, 'user'), /Supplied password is user password/);
    assert.doesNotMatch(shown(result, 'user'), /Supplied password is owner password/);
  }
});

const PASSWORDS: [what: string, keyLength: string, password: string][] = [
  ['127 bytes of UTF-8', '256', `${'\u00fc'.repeat(63)}x`],
  ['CJK and emoji', '256', '\u5bc6\u7801 \u{1f511}'],
  ['32 Latin-1 characters', '128', '\u00fc'.repeat(32)],
  ['32 Latin-1 characters', '40', '\u00e9'.repeat(32)],
  ['commas, quotes and blanks', '256', ' a,b "c" \\d '],
];
for (const [what, keyLength, password] of PASSWORDS) {
  test(`${keyLength} bit takes ${what}`, { skip }, async () => {
    const result = made(await run({ password, keyLength }));
    const opened = await runHere('security/remove-password', {
      files: { fileInput: { name: 'a.pdf', bytes: result } },
      params: { password },
    });
    assert.equal(pdftotext(made(opened)), pdftotext(bytes));
    const encoded = keyLength === '256' ? password : Buffer.from(password, 'latin1');
    if (typeof encoded === 'string') assert.match(shown(result, encoded), /user password/);
  });
}

const RIGHTS: [flag: string, qpdfSays: RegExp][] = [
  ['preventAssembly', /modify document assembly: not allowed/],
  ['preventExtractContent', /extract for any purpose: not allowed/],
  ['preventExtractForAccessibility', /extract for accessibility: not allowed/],
  ['preventFillInForm', /modify forms: not allowed/],
  ['preventModify', /modify other: not allowed/],
  ['preventModifyAnnotations', /modify annotations: not allowed/],
  ['preventPrinting', /print low resolution: not allowed/],
  ['preventPrintingFaithful', /print high resolution: not allowed/],
];
for (const [flag, says] of RIGHTS) {
  test(`${flag} alone makes a file with permissions`, { skip }, async () => {
    for (const keyLength of ['40', '128', '256']) {
      const ran = await run({ [flag]: 'true', keyLength });
      assert.equal(madeName(ran), 'my doc_permissions.pdf');
      const told = shown(made(ran), '');
      assert.match(told, says, `${keyLength} bit`);
      assert.equal(pdfinfo(made(ran)).Pages, '2');
      const others = told.split('\n').filter((line) => /not allowed/.test(line) && !says.test(line));
      // Coarser rights go along: "modify anything", and with 40 bit what one bit stands for.
      if (keyLength !== '40' && flag !== 'preventPrinting') {
        assert.deepEqual(
          others.filter((line) => !/modify anything|for accessibility/.test(line)),
          [],
        );
      }
    }
  });
}

test('no password and nothing denied makes a file with all permissions', { skip }, async () => {
  for (const keyLength of ['40', '128', '256']) {
    const ran = await run({ keyLength, password: '', preventPrinting: 'false' });
    assert.equal(madeName(ran), 'my doc_permissions.pdf');
    assert.doesNotMatch(shown(made(ran), ''), /not allowed/);
    assert.equal(pdftotext(made(ran)), pdftotext(bytes));
  }
});

test('what denies reading aids opens with both passwords, and says what else is denied', {
  skip,
}, async () => {
  const denied = { preventExtractForAccessibility: 'true', preventModify: 'true' };
  for (const [keyLength, revision, says] of METHODS) {
    const result = made(await run({ password: 'user', ownerPassword: 'owner', keyLength, ...denied }));
    assert.match(shown(result, 'user'), new RegExp(revision));
    assert.match(shown(result, 'user'), /Supplied password is user password/);
    assert.match(shown(result, 'owner'), /Supplied password is owner password/);
    assert.match(pdfinfo(result, '-upw', 'user').Encrypted ?? '', says);
    assert.match(pdfinfo(result, '-opw', 'owner').Encrypted ?? '', /print:yes.*change:no/);
    for (const args of [
      ['-upw', 'user'],
      ['-opw', 'owner'],
    ])
      assert.equal(pdftotext(result, ...args), pdftotext(bytes));
    assert.throws(() => pdfinfo(result), /password/);
    askProgram('qpdf', ['--check', '--password=user', '{}'], result);
    assert.doesNotMatch(result.toString('latin1'), /Identity|Lorem/);
  }
});

test('objects in streams stay there when reading aids are denied', { skip }, async () => {
  const packed = askProgramBytes('qpdf', ['--object-streams=generate', '{}', '-'], bytes);
  const result = made(await run({ password: 'user', preventExtractForAccessibility: 'true' }, packed));
  assert.match(result.toString('latin1'), /\/ObjStm/);
  assert.match(shown(result, 'user'), /R = 6[\s\S]*extract for accessibility: not allowed/);
  assert.equal(pdftotext(result, '-upw', 'user'), pdftotext(bytes));
});

test('an encrypted document is encrypted anew', { skip }, async () => {
  const first = made(
    await run({ password: 'old', ownerPassword: 'oldowner', keyLength: '128', preventPrinting: 'true' }),
  );
  assert.equal(failed(await run({ password: 'new' }, first)).reason, 'password_required');
  assert.equal(failed(await run({ password: 'new', inputPassword: 'bad' }, first)).reason, 'wrong_password');
  const second = made(await run({ password: 'new', inputPassword: 'old' }, first));
  assert.match(shown(second, 'new'), /R = 6/);
  assert.doesNotMatch(shown(second, 'new'), /not allowed/);
  assert.throws(() => pdfinfo(second, '-upw', 'old'), /password/i);
});

const REFUSED: [params: Record<string, string>, says: RegExp][] = [
  [{ password: 'x', keyLength: '64' }, /^keyLength.*40, 128, 256/],
  [{ password: 'x', keyLength: 'abc' }, /^keyLength/],
  [{ password: '\u00fc'.repeat(64) }, /^password.*127 bytes/],
  [{ password: 'x', ownerPassword: 'y'.repeat(128) }, /^ownerPassword.*127 bytes/],
  [{ password: 'x'.repeat(33), keyLength: '128' }, /^password.*32 characters/],
  [{ password: 'x', ownerPassword: 'x'.repeat(33), keyLength: '40' }, /^ownerPassword.*32 characters/],
  [{ password: '\u5bc6', keyLength: '128' }, /^password.*Latin-1/],
  [{ password: 'x', preventPrinting: 'maybe' }, /^preventPrinting.*true or false/],
];
for (const [params, says] of REFUSED) {
  test(`refused: ${JSON.stringify(params).slice(0, 60)}`, async () => {
    const problem = failed(await run(params));
    assert.equal(problem.reason, 'invalid_parameter');
    assert.match(problem.detail, says);
    assert.doesNotMatch(
      JSON.stringify(problem),
      /yyyy|xxxx|\u00fc\u00fc|\u5bc6/,
      'the password is not repeated',
    );
  });
}
