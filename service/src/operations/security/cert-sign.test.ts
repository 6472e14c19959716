import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { failed, made, madeJson, runHere } from '../../../testing/calls/run-here.ts';
import { corpus, fixture, noCorpus } from '../../../testing/documents/collection.ts';
import { onePage } from '../../../testing/documents/written-pdf.ts';
import { pdftotext, qpdfCheck } from '../../../testing/oracles/programs.ts';
import { openssl, pdfsig, rawSignatures } from '../../../testing/signatures/pki.ts';

import {
  AUTHORITY,
  assertSigned,
  CERTIFICATE,
  DOCUMENT,
  KEY,
  named,
  PASSWORD,
  sign,
  signWithPem,
  skip,
} from '../../../testing/signatures/signing.ts';

const folder = mkdtempSync(join(tmpdir(), 'bindery-sign-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('the signature says who, when, why and where; the result has its name', { skip }, async () => {
  const params = { name: 'Grace 漢字', reason: 'Ich stimme zu', location: 'Köln' };
  const ran = await signWithPem(DOCUMENT, params);
  assert.equal(ran.state === 'made' && ran.result.name, 'everything_signed.pdf');
  const [report] = madeJson(
    await runHere('security/validate-signature', { files: { fileInput: named('s.pdf', made(ran)) } }),
  ) as Record<string, unknown>[];
  assert.deepEqual([report?.signerName, report?.claimedName], ['Ada Signer', params.name]);
  assert.equal(report?.reason, params.reason);
  assert.equal(report?.location, params.location);
  assert.ok(Math.abs(Date.parse(String(report?.signatureDate)) - Date.now()) < 60_000);
  const bare = made(await signWithPem(DOCUMENT)).toString('latin1');
  assert.ok(!/\/Reason|\/Location/.test(bare.slice(bare.indexOf('/Adobe.PPKLite') - 50)));
  assert.match(bare, /\/SigFlags 3/);
});

test('PAdES keeps the time out of the message, PKCS#7 tells it', { skip }, async () => {
  const hasTime = (bytes: Buffer): boolean => {
    const [raw] = rawSignatures(bytes);
    writeFileSync(join(folder, 'm'), raw?.message ?? '');
    return openssl(folder, 'cms', '-cmsout', '-print', '-inform', 'DER', '-in', 'm', '-noout').includes(
      'signingTime',
    );
  };
  const pades = made(await signWithPem(DOCUMENT));
  const pkcs7 = made(await signWithPem(DOCUMENT, { signatureFormat: 'PKCS7' }));
  assertSigned(pkcs7, AUTHORITY, { type: 'adbe.pkcs7.detached' });
  assert.deepEqual([hasTime(pades), hasTime(pkcs7)], [false, true]);
});

test('what was there stays byte for byte, and two signatures are both valid', { skip }, async () => {
  const before = readFileSync(DOCUMENT);
  const once = made(await signWithPem(DOCUMENT));
  const twice = made(
    await sign(
      { fileInput: named('b.pdf', once), p12File: fixture('keys/signer.p12') },
      { certType: 'PKCS12', password: PASSWORD, showSignature: 'true' },
    ),
  );
  assert.ok(once.subarray(0, before.length).equals(before));
  assert.ok(twice.subarray(0, once.length).equals(once));
  const words = pdfsig(twice);
  assert.deepEqual(
    words.map(({ valid, whole }) => [valid, whole]),
    [
      [true, false],
      [true, true],
    ],
  );
  qpdfCheck(twice);
  assert.match(twice.toString('latin1'), new RegExp(`/T <${Buffer.from('Signature2').toString('hex')}>`));
});

const WORD = /<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(.*?)<\/word>/g;

test('the box stands at the lower-left of the page as displayed, upright on turned pages', {
  skip,
}, async () => {
  for (const turn of [0, 90, 180, 270]) {
    const page = onePage({ page: `/Rotate ${turn} /CropBox [50 60 550 700]`, content: '' });
    const signed = made(
      await signWithPem(named('p.pdf', page), { showSignature: 'true', reason: 'Because' }),
    );
    assertSigned(signed, AUTHORITY);
    const height = turn % 180 ? 500 : 640;
    const words = [...pdftotext(signed, '-bbox', '-cropbox').matchAll(WORD)].map(([, ...parts]) => ({
      box: parts.slice(0, 4).map(Number),
      text: parts[4],
    }));
    assert.deepEqual(
      words.map(({ text }) => text).filter((text) => !/\d/.test(text ?? '')),
      ['Signed', 'by', 'Ada', 'Signer', 'UTC', 'Reason:', 'Because'],
      `turn ${turn}`,
    );
    for (const { box } of words) {
      const [left = 0, top = 0, right = 0, bottom = 0] = box;
      assert.ok(left >= 0 && right <= 200 && top >= height - 50 && bottom <= height, `turn ${turn}: ${box}`);
    }
  }
});

test('the box goes to the page asked for; beyond the last there is none', { skip }, async () => {
  const signed = made(await signWithPem(DOCUMENT, { showSignature: 'true', pageNumber: '2' }));
  assert.match(pdftotext(signed, '-f', '2', '-l', '2'), /Signed by Ada Signer/);
  assert.doesNotMatch(pdftotext(signed, '-f', '1', '-l', '1'), /Signed by/);
  const beyond = failed(await signWithPem(DOCUMENT, { showSignature: 'true', pageNumber: '5' }));
  assert.equal(beyond.reason, 'page_out_of_range');
  assert.match(beyond.detail, /pageNumber 5.*4 pages/);
  assert.equal(
    failed(await signWithPem(DOCUMENT, { showSignature: 'true', pageNumber: '0' })).reason,
    'page_out_of_range',
  );
  // Operations 1.2: fields the chosen mode does not use are ignored.
  made(await signWithPem(DOCUMENT, { pageNumber: '5' }));
});

test('long words still fit into the box', { skip }, async () => {
  const long = 'Donaudampfschifffahrtsgesellschaft '.repeat(8).slice(0, 255);
  const signed = made(
    await signWithPem(DOCUMENT, { showSignature: 'true', name: long, reason: long, location: long }),
  );
  assertSigned(signed, AUTHORITY);
  const shown = pdftotext(signed, '-l', '1', '-x', '0', '-y', String(841 - 50), '-W', '200', '-H', '51');
  assert.equal(shown.match(/Donaudampfschifffahrtsgesellschaft/g)?.length, 3 * 7);
});

const certified = (permission: string): Buffer =>
  onePage({
    catalog: '/AcroForm << /Fields [5 0 R] /SigFlags 3 >> /Perms << /DocMDP 6 0 R >>',
    more: [
      '<< /FT /Sig /T (C) /V 6 0 R >>',
      `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /ByteRange [0 1 2 3] /Contents <00> /Reference [<< /TransformMethod /DocMDP /TransformParams << ${permission} /V /1.2 >> >>] >>`,
    ],
  });

test('a certification that forbids changes is respected', { skip }, async () => {
  const problem = failed(await signWithPem(named('c.pdf', certified('/P 1'))));
  assert.equal(problem.reason, 'invalid_parameter');
  assert.match(problem.detail, /^fileInput .*certif/);
  for (const allowed of ['/P 2', '/P 3', ''])
    assert.ok(pdfsig(made(await signWithPem(named('c.pdf', certified(allowed))))).some(({ valid }) => valid));
});

test('documents of the collection are signed, whatever wrote them', {
  skip: skip || noCorpus(),
}, async () => {
  const all = corpus('pdf', 'signed').filter(
    (path) => !/unopenable|password|malformed|tampered|certified/.test(path),
  );
  const step = Math.max(1, Math.floor(all.length / 24));
  for (const path of all.filter((_, index) => index % step === 0)) {
    if (readFileSync(path).length > 5_000_000) continue;
    const ran = await signWithPem(path, { showSignature: 'true' });
    if (ran.state === 'failed' && ran.problem.reason === 'invalid_pdf') continue;
    assert.ok(
      pdfsig(made(ran)).some(({ valid, whole }) => valid && whole),
      path,
    );
  }
});

test('what the chosen mode does not use is ignored, whatever it holds', { skip }, async () => {
  const junk = Array.from({ length: 2 }, (_, index) => named(`junk${index}`, 'no key at all'));
  const signed = made(
    await sign(
      { privateKeyFile: KEY, certFile: CERTIFICATE, p12File: junk, jksFile: junk },
      { certType: 'PEM', pageNumber: 'first', showLogo: 'perhaps' },
    ),
  );
  assertSigned(signed, AUTHORITY);
  const shown = failed(
    await sign(
      { privateKeyFile: KEY, certFile: CERTIFICATE },
      { certType: 'PEM', showSignature: 'true', pageNumber: '0' },
    ),
  );
  assert.equal(shown.reason, 'page_out_of_range');
});
