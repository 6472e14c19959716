import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { made } from '../../../testing/calls/run-here.ts';
import { corpus, noCorpus } from '../../../testing/documents/collection.ts';
import { onePage } from '../../../testing/documents/written-pdf.ts';
import { askProgram, pdfinfo, pdftotext, qpdfCheck } from '../../../testing/oracles/programs.ts';
import { opensslVerifies, rawSignatures } from '../../../testing/signatures/pki.ts';

import {
  AUTHORITY,
  assertSigned,
  CERTIFICATE,
  DOCUMENT,
  inWorker,
  KEY,
  named,
  signWithPem,
  skip,
} from '../../../testing/signatures/signing.ts';

const folder = mkdtempSync(join(tmpdir(), 'bindery-sign-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('encrypted documents stay encrypted, with every cipher', { skip }, async () => {
  const cases: [name: string, ...args: string[]][] = [
    ['RC4 40', '--allow-weak-crypto', '--encrypt', 'us', 'ow', '40', '--'],
    ['RC4 128', '--allow-weak-crypto', '--encrypt', 'us', 'ow', '128', '--use-aes=n', '--'],
    ['AES 128', '--allow-weak-crypto', '--encrypt', 'us', 'ow', '128', '--use-aes=y', '--'],
    [
      'AES 128, open metadata',
      '--allow-weak-crypto',
      '--encrypt',
      'us',
      'ow',
      '128',
      '--use-aes=y',
      '--cleartext-metadata',
      '--',
    ],
    ['AES 256, old', '--allow-weak-crypto', '--encrypt', 'us', 'ow', '256', '--force-R5', '--'],
    ['AES 256', '--encrypt', 'us', 'ow', '256', '--'],
  ];
  for (const [name, ...args] of cases) {
    const path = join(folder, 'locked.pdf');
    askProgram('qpdf', [...args, DOCUMENT, path], Buffer.alloc(0));
    for (const inputPassword of ['us', 'ow']) {
      const ran = await signWithPem(path, { inputPassword, showSignature: 'true', reason: 'Because' });
      const signed = made(ran);
      assertSigned(signed, AUTHORITY, { password: 'us' });
      assert.match(pdfinfo(signed, '-upw', 'us').Encrypted ?? '', /^yes/, name);
      assert.match(pdftotext(signed, '-upw', 'us', '-l', '1'), /Reason: Because/, name);
      qpdfCheck(signed, { password: 'us' });
    }
  }
});

test('files with cross-reference tables and streams, and linearized ones, are appended to in their own way', {
  skip,
}, async () => {
  const cases: [string, RegExp, ...string[]][] = [
    ['stream', /\/Type \/XRef/, '--object-streams=generate'],
    ['linearized', /\nxref\n/, '--linearize', '--object-streams=disable'],
    ['table', /\nxref\n/, '--object-streams=disable'],
  ];
  for (const [name, tail, ...args] of cases) {
    const path = join(folder, `${name}.pdf`);
    askProgram('qpdf', [...args, DOCUMENT, path], Buffer.alloc(0));
    const before = readFileSync(path);
    const signed = made(await signWithPem(path));
    assert.ok(signed.subarray(0, before.length).equals(before), name);
    assert.match(signed.subarray(before.length).toString('latin1'), tail, name);
    assertSigned(signed, AUTHORITY);
    qpdfCheck(signed);
  }
});

test('a large document is signed on disk', { skip }, async () => {
  const path = join(folder, 'large.pdf');
  writeFileSync(path, onePage({ content: `% ${'x'.repeat(3_000_000)}\n` }));
  const large = readFileSync(path);
  const dataDir = mkdtempSync(join(folder, 'pool-'));
  const ran = await inWorker(dataDir, {
    files: { fileInput: path, privateKeyFile: KEY, certFile: CERTIFICATE },
    params: { certType: 'PEM' },
  });
  assert.ok(ran.subarray(0, large.length).equals(large));
  assertSigned(ran, AUTHORITY);
});

test('a damaged document is mended first, then signed', { skip }, async () => {
  const broken = Buffer.from(
    readFileSync(DOCUMENT)
      .toString('latin1')
      .replace(/startxref\s+\d+/, 'startxref\n7'),
    'latin1',
  );
  const junk = Buffer.concat([Buffer.from('junk before\n'), readFileSync(DOCUMENT)]);
  for (const bytes of [broken, junk]) {
    const signed = made(await signWithPem(named('b.pdf', bytes), { showSignature: 'true' }));
    assertSigned(signed, AUTHORITY);
    qpdfCheck(signed);
    assert.equal(pdfinfo(signed).Pages, '4');
  }
});

test('odd forms and pages are appended to', { skip }, async () => {
  const cases: [string, Buffer][] = [
    [
      'form as an object, fields as an object',
      onePage({
        catalog: '/AcroForm 5 0 R',
        more: ['<< /Fields 6 0 R /SigFlags 1 >>', '[7 0 R]', '<< /FT /Tx /T (Signature1) >>'],
      }),
    ],
    ['annotations as an object', onePage({ page: '/Annots 5 0 R', more: ['[]'] })],
    ['form of a wrong type', onePage({ catalog: '/AcroForm [1 2]', page: '/Annots 12' })],
    ['form that is missing', onePage({ catalog: '/AcroForm 99 0 R' })],
    [
      'fields in a circle',
      onePage({
        catalog: '/AcroForm << /Fields [5 0 R] >>',
        more: ['<< /FT /Sig /Kids [5 0 R] /Parent 5 0 R /V 5 0 R >>'],
      }),
    ],
  ];
  for (const [name, bytes] of cases) {
    const signed = made(await signWithPem(named('o.pdf', bytes)));
    // pdfsig never ends on fields that go in a circle.
    const [raw] = rawSignatures(signed).slice(-1);
    assert.ok(raw?.end === signed.length, name);
    opensslVerifies(raw.message, raw.content, AUTHORITY);
  }
  const [first] = cases;
  const signed = made(await signWithPem(named('o.pdf', first?.[1] ?? Buffer.alloc(0)))).toString('latin1');
  assert.ok(signed.includes(Buffer.from('Signature2').toString('hex')), 'the name of a field is taken once');
});

test('files with both kinds of cross-references are appended to', { skip: skip || noCorpus() }, async () => {
  const hybrid = corpus('pdf').filter((path) => /testPDFPackage|sampleForSpec|issue11656/.test(path));
  assert.equal(hybrid.length, 3);
  for (const path of hybrid) {
    const before = readFileSync(path);
    assert.match(before.toString('latin1'), /\/XRefStm/);
    const signed = made(await signWithPem(path));
    assert.ok(signed.subarray(0, before.length).equals(before), path);
    assertSigned(signed, AUTHORITY);
  }
});
