// Document timestamps by an authority of our own on this machine; pdfsig and openssl judge.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { failed, type GivenFile, made, runHere } from '../../../testing/calls/run-here.ts';
import { corpus, noCorpus } from '../../../testing/documents/collection.ts';
import { pdftotext, qpdfCheck } from '../../../testing/oracles/programs.ts';
import { type Office, openOffice } from '../../../testing/signatures/pades-levels.ts';
import { openssl, pdfsig, rawSignatures } from '../../../testing/signatures/pki.ts';
import { DOCUMENT, named, signWithPem, skip } from '../../../testing/signatures/signing.ts';
import { validate } from '../../../testing/signatures/written-revisions.ts';

const folder = mkdtempSync(join(tmpdir(), 'bindery-timestamp-'));
let office: Office;
before(async () => {
  office = await openOffice();
});
after(() => {
  office.close();
  rmSync(folder, { recursive: true, force: true });
});

const stamp = (fileInput: GivenFile, params: Record<string, string> = {}) =>
  runHere('security/timestamp-pdf', {
    files: { fileInput },
    params: { tsaUrl: office.clock.url, ...params },
    allowHosts: [office.clock.host, office.authority.host],
  });

async function assertStamped(bytes: Buffer, source: Buffer, what: string): Promise<void> {
  const report = (await validate(bytes, office.anchor)).at(-1);
  assert.deepEqual(
    [report?.valid, report?.trustValid, report?.coversEntireDocument, report?.signerName],
    [true, true, true, 'Clock'],
    `${what}: ${report?.errorMessage} ${report?.chainValidationError}`,
  );
  assert.ok(Math.abs(Date.parse(String(report?.signatureDate)) - Date.now()) < 60_000);
  // It knows the field and its range, not this kind of message.
  assert.ok(
    pdfsig(bytes).some(({ whole }) => whole),
    what,
  );
  const raw = rawSignatures(bytes).find(({ end }) => end === bytes.length);
  assert.ok(raw);
  writeFileSync(join(folder, 'root.pem'), office.authority.root.pem);
  writeFileSync(join(folder, 'token'), raw.message.subarray(0, raw.message.readUInt16BE(2) + 4));
  writeFileSync(join(folder, 'data'), raw.content);
  const asked = ['-data', 'data', '-in', 'token', '-token_in', '-CAfile', 'root.pem'];
  assert.match(openssl(folder, 'ts', '-verify', ...asked), /Verification: OK/);
  assert.equal(pdftotext(bytes), pdftotext(source), what);
}

test('a document gets a timestamp over all of it, again and again', { skip }, async () => {
  const source = readFileSync(DOCUMENT);
  const ran = await stamp(DOCUMENT);
  assert.equal(ran.state === 'made' && ran.result.name, 'everything_timestamped.pdf');
  const once = made(ran);
  await assertStamped(once, source, 'once');
  qpdfCheck(once);
  assert.ok(once.subarray(0, source.length).equals(source));
  const twice = made(await stamp(named('o.pdf', once)));
  await assertStamped(twice, source, 'twice');
  assert.ok(twice.subarray(0, once.length).equals(once));
  assert.ok((await validate(twice, office.anchor)).every(({ valid }) => valid));
});

test('a certification that forbids changes allows it', { skip }, async () => {
  const certified = made(await signWithPem(DOCUMENT, { certificationLevel: '1' }));
  const stamped = made(await stamp(named('c.pdf', certified)));
  const [report] = await validate(stamped);
  assert.deepEqual(
    [report?.valid, report?.forbiddenChanges, report?.changesAfterSigning],
    [true, [], ['document-timestamp']],
  );
  assert.equal(report?.validationTimeSource, 'document-timestamp');
});

test('signatures that are there get their proofs', { skip }, async () => {
  const { params, files, allowHosts } = office.call({ level: 'B-T' });
  const signed = made(await runHere('security/cert-sign', { params, files, allowHosts }));
  const bare = made(await stamp(named('s.pdf', signed)));
  assert.equal((await validate(bare, office.anchor))[0]?.revocationStatus, 'not-checked');
  const lasting = made(await stamp(named('s.pdf', signed), { proofs: 'true' }));
  await assertStamped(lasting, signed, 'with proofs');
  const [report] = await validate(lasting, office.anchor);
  assert.deepEqual([report?.valid, report?.trustValid, report?.revocationStatus], [true, true, 'good']);
  assert.ok(pdfsig(lasting)[0]?.valid);
  // A later one renews the proof of the earlier timestamp.
  const renewed = made(await stamp(named('l.pdf', lasting), { proofs: 'true' }));
  await assertStamped(renewed, signed, 'renewed');
  assert.ok((await validate(renewed, office.anchor)).every(({ valid, trustValid }) => valid && trustValid));
});

test('who gives no timestamp is named', { skip }, async () => {
  const nowhere = failed(await stamp(DOCUMENT, { tsaUrl: `http://${office.authority.host}/issuer` }));
  assert.deepEqual([nowhere.reason, /tsaUrl/.test(nowhere.detail)], ['url_fetch_failed', true]);
  assert.equal(failed(await stamp(DOCUMENT, { tsaUrl: 'http://127.0.0.1:1/' })).reason, 'url_not_allowed');
  const files = { fileInput: DOCUMENT };
  assert.match(failed(await runHere('security/timestamp-pdf', { files })).detail, /tsaUrl/);
});

test('documents of the collection get a timestamp', { skip: skip || noCorpus() }, async () => {
  const all = corpus('pdf', 'signed').filter((path) => !/unopenable|password|malformed/.test(path));
  const step = Math.max(1, Math.floor(all.length / 8));
  for (const path of all.filter((_, index) => index % step === 1)) {
    const source = readFileSync(path);
    if (source.length > 3_000_000) continue;
    const ran = await stamp(path);
    if (ran.state === 'failed' && ran.problem.reason === 'invalid_pdf') continue;
    await assertStamped(made(ran), source, basename(path));
  }
});
