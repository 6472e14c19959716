// PAdES levels under an authority of our own on this machine; pdfsig, qpdf and openssl judge.

import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { failed, type GivenCall, jobOf, made, runHere } from '../../../testing/calls/run-here.ts';
import { corpus, noCorpus } from '../../../testing/documents/collection.ts';
import { pdftotext, qpdfCheck } from '../../../testing/oracles/programs.ts';
import { LEVELS, type Office, openOffice, SIGNER_SERIAL } from '../../../testing/signatures/pades-levels.ts';
import { openssl, pdfsig, rawSignatures } from '../../../testing/signatures/pki.ts';
import { DOCUMENT, inWorker, named, skip } from '../../../testing/signatures/signing.ts';
import { validate } from '../../../testing/signatures/written-revisions.ts';
import { fileInMemory } from '../../contract/files.ts';
import { createQpdf } from '../../engines/qpdf/qpdf.ts';
import { fetchesOf } from '../../jobs/job-rights.ts';
import { readSecurityStore } from '../../pdf/security/signature-fields.ts';

const folder = mkdtempSync(join(tmpdir(), 'bindery-levels-'));
let office: Office;
before(async () => {
  office = await openOffice();
});
after(() => {
  office.close();
  rmSync(folder, { recursive: true, force: true });
});

const sign = (call: GivenCall) => runHere('security/cert-sign', call);

function storeOf(bytes: Buffer) {
  const qpdf = createQpdf({ passwords: [], newFile: () => '' });
  try {
    return readSecurityStore(qpdf.engine.open(fileInMemory('d.pdf', bytes)));
  } finally {
    qpdf.closeAll();
  }
}

/** Whether all is as the level asks; by our own validator and by others. */
async function assertLevel(
  bytes: Buffer,
  level: (typeof LEVELS)[number],
  source: Buffer,
  what: string,
): Promise<void> {
  const [report, stamp, ...others] = await validate(bytes, office.anchor);
  assert.equal(others.length, 0, what);
  const isLasting = level === 'B-LT' || level === 'B-LTA';
  assert.deepEqual(
    {
      valid: report?.valid,
      trust: report?.trustValid,
      revocation: report?.revocationStatus,
      timestamp: report?.timestampStatus,
      time: report?.validationTimeSource,
      forbidden: report?.forbiddenChanges,
      error: report?.errorMessage,
    },
    {
      valid: true,
      trust: true,
      revocation: isLasting ? 'good' : 'not-checked',
      timestamp: level === 'B-B' ? 'none' : 'valid',
      time: level === 'B-B' ? 'signing-time' : 'timestamp',
      forbidden: [],
      error: null,
    },
    `${what} ${level}`,
  );
  if (level !== 'B-LTA') assert.equal(stamp, undefined, what);
  else
    assert.deepEqual(
      [stamp?.valid, stamp?.trustValid, stamp?.revocationStatus, stamp?.coversEntireDocument],
      [true, true, 'good', true],
      `${what} ${stamp?.errorMessage} ${stamp?.chainValidationError}`,
    );
  assert.ok(pdfsig(bytes)[0]?.valid, `${what} ${level}: pdfsig`);
  assert.equal(pdfsig(bytes).length, level === 'B-LTA' ? 2 : 1, what);
  assert.ok(bytes.subarray(0, source.length).equals(source), `${what}: what was there stays`);
}

/** openssl's word on what the document brings. */
function assertEvidence(bytes: Buffer): void {
  const { certificates, crls, ocsps } = storeOf(bytes);
  writeFileSync(join(folder, 'root.pem'), office.authority.root.pem);
  writeFileSync(join(folder, 'signer.pem'), office.signer.pem);
  assert.equal(certificates.length, 3, 'signer, clock and root');
  for (const each of certificates) new X509Certificate(each);
  assert.deepEqual([crls.length, ocsps.length], [1, 1]);
  writeFileSync(join(folder, 'answer'), ocsps[0] ?? '');
  const asked = ['-issuer', 'root.pem', '-cert', 'signer.pem', '-respin', 'answer', '-CAfile', 'root.pem'];
  assert.match(openssl(folder, 'ocsp', ...asked, '-no_nonce'), /signer\.pem: good/);
  writeFileSync(join(folder, 'list'), crls[0] ?? '');
  openssl(folder, 'crl', '-in', 'list', '-inform', 'DER', '-CAfile', 'root.pem', '-noout');
}

function opensslVerifiesStamp(bytes: Buffer): void {
  const stamp = rawSignatures(bytes).find(({ end }) => end === bytes.length);
  assert.ok(stamp);
  writeFileSync(join(folder, 'token'), stamp.message.subarray(0, stamp.message.readUInt16BE(2) + 4));
  writeFileSync(join(folder, 'data'), stamp.content);
  const what = ['-data', 'data', '-in', 'token', '-token_in', '-CAfile', 'root.pem'];
  assert.match(openssl(folder, 'ts', '-verify', ...what), /Verification: OK/);
}

test('a document is signed at every level', { skip }, async () => {
  const source = readFileSync(DOCUMENT);
  for (const level of LEVELS) {
    const signed = made(await sign(office.call({ level, showSignature: 'false' })));
    await assertLevel(signed, level, source, 'everything.pdf');
    qpdfCheck(signed);
    assert.equal(pdftotext(signed), pdftotext(source));
    if (level === 'B-LT' || level === 'B-LTA') {
      assertEvidence(signed);
      assert.match(signed.toString('latin1'), /\/Type \/VRI/);
    }
    if (level === 'B-LTA') opensslVerifiesStamp(signed);
  }
});

test('a certification allows its own proofs and timestamp', { skip }, async () => {
  const signed = made(await sign(office.call({ level: 'B-LTA', certificationLevel: '1' })));
  await assertLevel(signed, 'B-LTA', readFileSync(DOCUMENT), 'certified');
});

test('an encrypted document stays so, with proofs in it', { skip }, async () => {
  const files = { fileInput: DOCUMENT };
  const locked = made(
    await runHere('security/add-password', { files, params: { password: 'word', keyLength: '256' } }),
  );
  const call = office.call({ level: 'B-LTA', inputPassword: 'word' }, named('l.pdf', locked));
  const signed = made(await sign(call));
  assert.ok(pdfsig(signed, 'word')[0]?.valid);
  const [report, stamp] = await validate(signed, office.anchor, { inputPassword: 'word' });
  assert.deepEqual(
    [report?.valid, report?.revocationStatus, stamp?.valid],
    [true, 'good', true],
    `${report?.errorMessage} ${stamp?.errorMessage}`,
  );
});

test('documents of the collection are signed at every level', { skip: skip || noCorpus() }, async () => {
  const all = corpus('pdf').filter((path) => !/unopenable|password|malformed|tampered|certified/.test(path));
  const step = Math.max(1, Math.floor(all.length / 8));
  for (const [index, path] of all.filter((_, at) => at % step === 0).entries()) {
    const source = readFileSync(path);
    if (source.length > 3_000_000 || source.includes('/ByteRange')) continue;
    const level = LEVELS[2 + (index % 2)] ?? 'B-LTA';
    const ran = await sign(office.call({ level }, path));
    if (ran.state === 'failed' && ran.problem.reason === 'invalid_pdf') continue;
    const signed = made(ran);
    const kept = signed.subarray(0, source.length).equals(source) ? source : Buffer.alloc(0);
    await assertLevel(signed, level, kept, basename(path));
    assert.equal(pdftotext(signed), pdftotext(source), path);
  }
});

test('what was asked once serves the second signature', { skip }, async () => {
  const once = made(await sign(office.call({ level: 'B-LT' })));
  const before = office.authority.asked.length;
  const twice = made(await sign(office.call({ level: 'B-LT' }, named('o.pdf', once))));
  assert.equal(office.authority.asked.length, before);
  const { certificates, crls, ocsps } = storeOf(twice);
  assert.deepEqual([certificates.length, crls.length, ocsps.length], [3, 1, 1]);
  assert.equal(twice.toString('latin1').match(/\/Type \/VRI/g)?.length, 3);
  const reports = await validate(twice, office.anchor);
  assert.deepEqual(
    reports.map(({ valid, trustValid, revocationStatus }) => [valid, trustValid, revocationStatus]),
    Array(2).fill([true, true, 'good']),
  );
});

test('an appointed responder is heard, and a missing issuer fetched', { skip }, async (t) => {
  const other = await openOffice({ appointed: true });
  t.after(() => other.close());
  const alone = other.authority.issue({ name: 'Alone', usages: [0] }, 'ocsp', 'issuer');
  const call = other.call({ level: 'B-LT' }, DOCUMENT, alone);
  const signed = made(await sign({ ...call, files: { ...call.files, certFile: named('c.pem', alone.pem) } }));
  const [report] = await validate(signed, other.anchor);
  assert.deepEqual([report?.trustValid, report?.revocationStatus], [true, 'good']);
  assert.ok(other.authority.asked.includes('/issuer'));
  // Signer, responder, clock, root.
  assert.equal(storeOf(signed).certificates.length, 4);
});

test('who cannot be proven is refused, and told why', { skip }, async (t) => {
  const other = await openOffice();
  t.after(() => other.close());
  const refused = async (call: GivenCall) => {
    const { reason, detail } = failed(await sign(call));
    return `${reason}: ${detail}`;
  };
  const { tsaUrl: _, ...bare } = other.call({ level: 'B-T' }).params ?? {};
  assert.match(
    await refused({ ...other.call({}), params: bare }),
    /^invalid_parameter: tsaUrl is required for level B-T/,
  );
  assert.match(
    await refused(other.call({ level: 'B-LT', signatureFormat: 'pkcs7' })),
    /^invalid_parameter: level/,
  );
  const quiet = other.authority.issue({ name: 'Quiet', usages: [0] });
  assert.match(
    await refused(other.call({ level: 'B-LT' }, DOCUMENT, quiet)),
    /^invalid_parameter: level: .*CN=Quiet names nobody/,
  );
  const orphan = other.call({ level: 'B-LT' });
  assert.match(
    await refused({ ...orphan, files: { ...orphan.files, certFile: named('c.pem', other.signer.pem) } }),
    /^invalid_parameter: level: the certificate above CN=Signer is missing/,
  );
  // Addresses that are not public are not reached, though a certificate names them.
  assert.match(
    await refused({ ...other.call({ level: 'B-LT' }), allowHosts: [other.clock.host] }),
    /^url_fetch_failed: Nobody/,
  );
  other.authority.withdraw(SIGNER_SERIAL);
  assert.match(
    await refused(other.call({ level: 'B-LT' })),
    /^invalid_parameter: The certificate of CN=Signer was withdrawn/,
  );
  other.authority.fallSilent();
  assert.match(await refused(other.call({ level: 'B-LT' })), /^url_fetch_failed: Nobody/);
  made(await sign(other.call({ level: 'B-T' })));
});

test('workers ask through the API process, and only for levels that need it', { skip }, async () => {
  const { allowHosts = [], ...call } = office.call({ level: 'B-LTA' });
  const signed = await inWorker(mkdtempSync(join(folder, 'worker-')), call as GivenCall, allowHosts);
  await assertLevel(signed, 'B-LTA', readFileSync(DOCUMENT as string), 'in a worker');
  const most = (level: string) => fetchesOf(jobOf('security/cert-sign', office.call({ level })));
  assert.deepEqual(['B-B', 'B-T'].map(most), [0, 0]);
  assert.ok(most('B-LT') > 0 && most('B-LT') < 100);
});
