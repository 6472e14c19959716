// What lists and answers in a document are worth: `openssl verify` and `openssl ocsp` judge each by themselves.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { onePage, streamOf } from '../../../testing/documents/written-pdf.ts';
import { missing } from '../../../testing/oracles/programs.ts';
import {
  appendSignature,
  extension,
  type Issued,
  issue,
  openssl,
  opensslMessage,
  revocationList,
  rsaKey,
  timestamped,
  timestampToken,
} from '../../../testing/signatures/pki.ts';
import { named, only, signAs, validate } from '../../../testing/signatures/written-revisions.ts';
import { context, der, integer, NULL, oid, readDer, sequence, TAG } from '../../contract/der.ts';
import { OID } from '../../engines/signatures/oids.ts';

const skip = missing('openssl');
const folder = mkdtempSync(join(tmpdir(), 'bindery-revocation-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const DAY = 86_400_000;
const days = (count: number): Date => new Date(Date.now() + count * DAY);
const SERIAL = 0x77;

const root = issue({ name: 'Root', authority: true, usages: [5, 6], from: days(-100) });
const place = (url: string): Buffer =>
  der(context(0), der(context(0), der(context(6, false), Buffer.from(url))));
const HERE = 'http://lists.example/1.crl';
const lists = extension(OID.crlDistributionPoints, sequence(sequence(place(HERE))), false);
const wish = { name: 'Signer', usages: [0], serial: SERIAL, from: days(-90), more: [lists] };
const signer = issue({ ...wish, issuer: root });

const withStore = (entries: string, ...streams: Buffer[]): Buffer =>
  onePage({
    catalog: `/DSS << ${entries} >>`,
    more: streams.map((bytes) => streamOf(bytes.toString('latin1'))),
  });

const judged = async (entries: string, evidence: Buffer, who = signer, above = root) =>
  only(await signAs(who, withStore(entries, evidence), above.pem), named('a', above.pem));

const files = (given: Record<string, string | Buffer>): void => {
  for (const [name, content] of Object.entries(given)) writeFileSync(join(folder, name), content);
};

/** Whether openssl finds the certificate good by this list alone. */
function opensslFindsGood(list: Buffer, who: Issued, above: Issued): boolean {
  files({ list, 'who.pem': who.pem, 'above.pem': above.pem });
  const made = spawnSync('openssl', ['crl', '-inform', 'DER', '-in', 'list', '-out', 'list.pem'], {
    cwd: folder,
  });
  if (made.status !== 0) return false;
  const how = ['-crl_check', '-CRLfile', 'list.pem', '-CAfile', 'above.pem', 'who.pem'];
  return spawnSync('openssl', ['verify', ...how], { cwd: folder }).status === 0;
}

const point = (...parts: Buffer[]): Buffer => extension(OID.issuingDistributionPoint, sequence(...parts));
const yes = (number: number): Buffer => der(context(number, false), Buffer.of(0xff));

/** openssl takes these for complete lists; the silence of what is kept for others, or tells changes only, says nothing. */
const STRICTER = new Set([
  'kept for others',
  'only what changed',
  'signed with a hash that is broken',
  'with a strange demand in an entry',
  'with an entry of somebody else',
]);

test('a list counts where it is fresh, complete and of the right authority', { skip }, async () => {
  const until = days(7);
  const list = (serials: number[], ...more: Buffer[]) => revocationList(root, serials, { until, more });
  const entry = (serials: number[], ...ofEntries: Buffer[]) =>
    revocationList(root, serials, { until, ofEntries });
  const reason = (code: number) => extension(OID.crlReason, der(TAG.enumerated, Buffer.of(code)), false);
  const relative = readDer(root.name).child(0).content;
  const stranger = issue({ name: 'Stranger', authority: true, usages: [5, 6] });
  const oldRoot = issue({ name: 'Old', authority: true, usages: [5, 6], from: days(-100), key: rsaKey() });
  const oldSigner = issue({ ...wish, issuer: oldRoot });
  const mute = issue({ name: 'Mute', authority: true, usages: [5], from: days(-100) });
  const below = issue({ ...wish, issuer: mute });
  const cases: [string, Buffer, status: string, who?: Issued, above?: Issued][] = [
    ['fresh', list([]), 'good'],
    ['of others', list([1, 2, 3]), 'good'],
    ['withdrawn', list([SERIAL]), 'revoked'],
    ['stale', revocationList(root, [], { at: days(-30), until: days(-20) }), 'soft-fail'],
    ['stale, withdrawn', revocationList(root, [SERIAL], { at: days(-30), until: days(-20) }), 'revoked'],
    ['from the future', revocationList(root, [], { at: days(30), until: days(40) }), 'soft-fail'],
    ['by one that may not sign lists', revocationList(mute, [], { until }), 'soft-fail', below, mute],
    ['for people only', list([], point(yes(1))), 'good'],
    ['for authorities only', list([], point(yes(2))), 'unknown'],
    ['for attributes only', list([], point(yes(5))), 'unknown'],
    ['of this place', list([], point(place(HERE))), 'good'],
    ['of another place', list([], point(place('http://lists.example/2.crl'))), 'unknown'],
    ['with a strange demand', list([], extension('1.2.3.4', NULL)), 'soft-fail'],
    ['with a strange remark', list([], extension('1.2.3.4', NULL, false)), 'good'],
    ['only what changed', list([], extension('2.5.29.27', integer(1))), 'soft-fail'],
    [
      'of a place with another name',
      list([], point(der(context(0), der(context(0), der(context(4), root.name))))),
      'unknown',
    ],
    ['of a place below its issuer', list([], point(der(context(0), der(context(1), relative)))), 'soft-fail'],
    [
      'with an entry of somebody else',
      entry([SERIAL], extension('2.5.29.29', sequence(der(context(4), stranger.name)))),
      'soft-fail',
    ],
    ['with a strange demand in an entry', entry([9], extension('1.2.3.4', NULL)), 'soft-fail'],
    ['with reasons', entry([9], reason(1)), 'good'],
    ['no longer on hold', entry([SERIAL], reason(8)), 'good'],
    ['on hold', entry([SERIAL], reason(6)), 'revoked'],
    [
      'signed with a hash that is broken',
      revocationList(oldRoot, [], { until, hash: 'md5' }),
      'soft-fail',
      oldSigner,
      oldRoot,
    ],
    ['kept for others', list([], point(yes(4))), 'unknown'],
    ['for some reasons', list([], point(der(context(3, false), Buffer.of(5, 0x60)))), 'soft-fail'],
    [
      'for some reasons, withdrawn',
      list([SERIAL], point(der(context(3, false), Buffer.of(5, 0x60)))),
      'revoked',
    ],
  ];
  for (const [name, bytes, status, who = signer, above = root] of cases) {
    const report = await judged('/CRLs [5 0 R]', bytes, who, above);
    assert.equal(report.revocationStatus, status, name);
    assert.equal(report.trustValid, status !== 'revoked', name);
    if (status === 'revoked')
      assert.equal(report.chainValidationError, 'The certificate of CN=Signer was withdrawn.');
    if (!STRICTER.has(name))
      assert.equal(opensslFindsGood(bytes, who, above), status === 'good', `${name}: openssl`);
  }
});

test('evidence that only a signature names counts too', async () => {
  const key = 'A'.repeat(40);
  const bytes = revocationList(root, [SERIAL], { until: days(7) });
  const report = await judged(`/VRI << /${key} << /CRL [5 0 R] >> >>`, bytes);
  assert.equal(report.revocationStatus, 'revoked');
});

/** An answer of openssl's, signed by whom the test wants. */
function answer(responder: Issued, { withdrawn = false, validFor = '7' } = {}): Buffer {
  const [mark, date] = withdrawn ? ['R', '200101000000Z'] : ['V', ''];
  files({
    'ca.pem': root.pem,
    'responder.pem': responder.pem,
    'responder.key': responder.keyPem,
    'who.pem': signer.pem,
    'index.txt': `${mark}\t401231000000Z\t${date}\t${SERIAL.toString(16)}\tunknown\t/CN=Signer\n`,
  });
  openssl(folder, 'ocsp', '-issuer', 'ca.pem', '-cert', 'who.pem', '-reqout', 'request', '-no_nonce');
  const who = ['-CA', 'ca.pem', '-rsigner', 'responder.pem', '-rkey', 'responder.key'];
  openssl(
    folder,
    'ocsp',
    '-index',
    'index.txt',
    ...who,
    '-reqin',
    'request',
    '-respout',
    'answer',
    '-ndays',
    validFor,
  );
  return readFileSync(join(folder, 'answer'));
}

function opensslBelieves(bytes: Buffer): boolean {
  files({ answer: bytes });
  const how = [
    '-issuer',
    'ca.pem',
    '-cert',
    'who.pem',
    '-respin',
    'answer',
    '-CAfile',
    'ca.pem',
    '-no_nonce',
  ];
  const ran = spawnSync('openssl', ['ocsp', ...how], { cwd: folder, encoding: 'utf8' });
  return ran.status === 0 && ran.stdout.includes('who.pem: good') && ran.stderr.includes('verify OK');
}

test('an answer counts where the issuer or whom it appointed gave it', { skip }, async () => {
  const appointed = { name: 'Responder', usages: [0], purposes: [OID.ocspSigning] };
  const stranger = issue({ name: 'Stranger', authority: true, usages: [5, 6] });
  const cases: [string, Buffer, string][] = [
    ['the issuer', answer(root), 'good'],
    ['appointed', answer(issue({ ...appointed, issuer: root })), 'good'],
    ['appointed, withdrawn', answer(issue({ ...appointed, issuer: root }), { withdrawn: true }), 'revoked'],
    ['not appointed', answer(issue({ name: 'Other', usages: [0], issuer: root })), 'soft-fail'],
    ['appointed by a stranger', answer(issue({ ...appointed, issuer: stranger })), 'soft-fail'],
    ['a stranger', answer(stranger), 'soft-fail'],
  ];
  for (const [name, bytes, status] of cases) {
    const report = await judged('/OCSPs [5 0 R]', bytes);
    assert.deepEqual([report.revocationStatus, report.trustValid], [status, status !== 'revoked'], name);
    assert.equal(opensslBelieves(bytes), status === 'good', `${name}: openssl`);
  }
  const past = issue({ ...appointed, issuer: root, from: days(-50), until: days(-40) });
  assert.equal((await judged('/OCSPs [5 0 R]', answer(past))).revocationStatus, 'soft-fail');
});

test('answers inside the signature count', { skip }, async () => {
  const bytes = answer(root, { withdrawn: true });
  const signed = await appendSignature(onePage(), { subFilter: 'adbe.pkcs7.detached' }, (content) =>
    withAnswer(opensslMessage(signer, content), bytes),
  );
  const report = await only(signed, named('a', root.pem));
  assert.deepEqual([report.valid, report.revocationStatus, report.trustValid], [true, 'revoked', false]);
});

/** The message with an answer among its revocation data (RFC 5940). */
function withAnswer(message: Buffer, bytes: Buffer): Buffer {
  const info = readDer(message);
  const data = info.child(1).child(0);
  const parts = data.children.map(({ raw }) => raw);
  const other = der(context(1), oid(OID.ocspInMessage), bytes);
  parts.splice(parts.length - 1, 0, der(context(1), other));
  return sequence(info.child(0).raw, der(context(0), sequence(...parts)));
}

test('what was withdrawn after a trusted clock saw the signature does not touch it', { skip }, async () => {
  const clock = issue({
    name: 'Clock',
    usages: [0],
    purposes: [OID.timeStamping],
    issuer: root,
    serial: 0x99,
  });
  const stampedBy = (who: Issued, evidence: Buffer) =>
    appendSignature(withStore('/CRLs [5 0 R]', evidence), { subFilter: 'adbe.pkcs7.detached' }, (content) =>
      timestamped(opensslMessage(signer, content, '-certfile', writtenRoot()), (signature) =>
        timestampToken(who, signature),
      ),
    );
  const later = revocationList(root, [SERIAL], { at: new Date(Date.now() + 3_600_000), until: days(7) });
  const earlier = revocationList(root, [SERIAL], { at: days(-1), until: days(7) });
  const anchor = named('a', root.pem);
  const strange = issue({ name: 'Strange', usages: [0], purposes: [OID.timeStamping] });
  const broken = revocationList(root, [SERIAL, 0x99], {
    at: new Date(Date.now() + 3_600_000),
    until: days(7),
  });
  const cases: [string, Buffer, status: string][] = [
    ['later', await stampedBy(clock, later), 'good'],
    ['earlier', await stampedBy(clock, earlier), 'revoked'],
    ['by a clock that nobody trusts', await stampedBy(strange, later), 'revoked'],
    ['by a clock that was withdrawn itself', await stampedBy(clock, broken), 'revoked'],
  ];
  for (const [name, bytes, status] of cases) {
    const [report] = await validate(bytes, anchor);
    assert.deepEqual(
      [report?.valid, report?.timestampStatus, report?.revocationStatus, report?.trustValid],
      [true, 'valid', status, status === 'good'],
      name,
    );
  }
});

function writtenRoot(): string {
  files({ 'root.pem': root.pem });
  return join(folder, 'root.pem');
}

test('a withdrawn authority between signer and root is not trusted', async () => {
  const between = issue({ name: 'Between', authority: true, usages: [5, 6], issuer: root, serial: 0x88 });
  const below = issue({ name: 'Below', usages: [0], issuer: between });
  const bytes = revocationList(root, [0x88], { until: days(7) });
  const signed = await signAs(below, withStore('/CRLs [5 0 R]', bytes), between.pem + root.pem);
  const report = await only(signed, named('a', root.pem));
  assert.deepEqual(
    [report.valid, report.trustValid, report.chainValidationError, report.revocationStatus],
    [true, false, 'The certificate of CN=Between was withdrawn.', 'unknown'],
  );
});
