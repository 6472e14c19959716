import assert from 'node:assert/strict';
import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { test } from 'node:test';
import { jobOf } from '../../testing/calls/run-here.ts';
import { fixture } from '../../testing/documents/small-pdf.ts';
import { canonicalJson } from '../contract/canonical-json.ts';
import { Problem } from '../contract/problems.ts';
import type { ReportFacts } from '../contract/redaction-report.ts';
import { reportsOf } from './job-rights.ts';
import { readMessage } from './messages.ts';
import { ReportSigner } from './report-signing.ts';

const pem = String(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
const signer = new ReportSigner(pem, '1.2.3');

const FACTS: ReportFacts = {
  operation: 'security/redact',
  input: { name: 'a.pdf', sha256: 'a'.repeat(64), bytes: 10, pages: 1 },
  output: { sha256: 'b'.repeat(64), bytes: 9, pages: 1 },
  asked: { wholePages: [1], attachments: 'keep', convertPDFToImage: false, verifyByOcr: false },
  found: {
    terms: { pdfium: 0, content: 0, poppler: null },
    underBoxes: { pdfium: 3, content: 3, poppler: null },
    outsidePages: 0,
    places: [{ kind: 'page', page: 1, box: [0, 0.25, 10, 1e-7] }],
    omitted: 0,
  },
  removed: { boxes: 1, strings: 0, objects: { texts: 3 } },
  attachments: { searched: true, files: [] },
  verification: { checks: [{ check: 'text', reader: 'pdfium', result: 'clean' }] },
};

test('the signature is over the canonical form without itself', () => {
  const now = new Date('2026-11-16T09:00:00Z');
  const report = JSON.parse(signer.signed(JSON.stringify(FACTS), undefined, now));
  const { signature, ...signed } = report;
  assert.equal(report.issuedAt, '2026-11-16T09:00:00.000Z');
  assert.equal(report.service.version, '1.2.3');
  const key = createPublicKey(signer.publicKey.publicKey);
  const value = Buffer.from(signature.value, 'base64');
  assert.ok(verify(null, Buffer.from(canonicalJson(signed)), key, value));
  const id = createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex');
  assert.equal(signature.keyId, id);
});

test('canonical JSON is as RFC 8785 shows it', () => {
  const given = JSON.parse(
    '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
  );
  assert.equal(
    canonicalJson(given),
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
  assert.equal(
    canonicalJson(JSON.parse('{"\\u20ac":1,"\\r":2,"1":3,"\\ud83d\\ude00":4,"\\ufb33":5}')),
    '{"\\r":2,"1":3,"€":1,"😀":4,"\ufb33":5}',
  );
});

const REFUSED: { what: string; facts: string }[] = [
  { what: 'a member that no report has', facts: JSON.stringify({ ...FACTS, approved: true }) },
  { what: 'a signature of its own', facts: JSON.stringify({ ...FACTS, signature: {} }) },
  { what: 'another operation', facts: JSON.stringify({ ...FACTS, operation: 'security/cert-sign' }) },
  { what: 'a check that found something', facts: JSON.stringify(FACTS).replace('"clean"', '"dirty"') },
  { what: 'no facts', facts: '{}' },
  {
    what: 'too many places',
    facts: JSON.stringify(FACTS).replace('"places":[', `"places":[${'{"kind":"page"},'.repeat(5001)}`),
  },
  { what: 'too much', facts: JSON.stringify({ ...FACTS, x: 'x'.repeat(5_000_000) }) },
  { what: 'nested beyond all measure', facts: `${'['.repeat(1e6)}${']'.repeat(1e6)}` },
];

for (const { what, facts } of REFUSED)
  test(`nothing is signed that is no report: ${what}`, () => {
    assert.throws(
      () => signer.signed(facts, undefined),
      (error) => error instanceof Problem && error.reason === 'internal',
    );
  });

test('a job gets reports signed only where its caller asked for one', () => {
  const files = { fileInput: fixture('text-two-pages.pdf').content.path };
  const jobs = (params: Record<string, string>) =>
    jobOf('security/redact', { files, params: { pageNumbers: '1', ...params } });
  assert.equal(reportsOf(jobs({})), 0);
  assert.ok(reportsOf(jobs({ report: 'true' })) > 0);
  assert.equal(reportsOf(jobOf('general/rotate-pdf', { files, params: { angle: '90' } })), 0);
});

test('messages of workers that are no question for a signature are none', () => {
  const sound = { kind: 'sign', jobId: 'a', askId: 1, facts: '{}' };
  assert.ok(readMessage(sound));
  for (const wrong of [{ facts: {} }, { askId: 'x' }, { jobId: 1 }, { facts: undefined }])
    assert.equal(readMessage({ ...sound, ...wrong }), undefined);
});
