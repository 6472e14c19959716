import assert from 'node:assert/strict';
import { createHash, sign as signBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { failed, type GivenFile, made, runHere } from '../../../testing/calls/run-here.ts';
import { corpusFolder, fixture, noCorpus } from '../../../testing/documents/collection.ts';
import { onePage, streamOf } from '../../../testing/documents/written-pdf.ts';
import { missing } from '../../../testing/oracles/programs.ts';
import {
  appendSignature,
  type Issued,
  issue,
  openssl,
  opensslMessage,
  revocationList,
  rsaKey,
  timestamped,
  timestampToken,
} from '../../../testing/signatures/pki.ts';
import { named, only, revised, signAs, validate } from '../../../testing/signatures/written-revisions.ts';
import { octetString } from '../../contract/der.ts';
import { OID } from '../../engines/signatures/oids.ts';
import { PdfString } from '../../pdf/objects.ts';

const skip = missing('openssl');
const folder = mkdtempSync(join(tmpdir(), 'bindery-validate-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const authority = issue({ name: 'Authority', authority: true, usages: [5, 6] });
const between = issue({ name: 'Between', authority: true, usages: [5, 6], issuer: authority });
const signer = issue({ name: 'Signer', usages: [0, 1], issuer: between, serial: 0x1234ab });

test('an unsigned document has no signatures', async () => {
  assert.deepEqual(await validate(onePage()), []);
  assert.deepEqual(await validate(readFileSync(fixture('everything.pdf'))), []);
});

test('a report has every member, nulls included', async () => {
  const report = await only(await signAs(signer));
  const { signatureDate, validFrom, validUntil, ...rest } = report;
  for (const date of [signatureDate, validFrom, validUntil])
    assert.match(String(date), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  assert.deepEqual(rest, {
    valid: true,
    chainValid: false,
    trustValid: false,
    chainValidationError: 'No trusted path: the certificate of an issuer above CN=Signer is missing.',
    certPathLength: 0,
    notExpired: true,
    coversEntireDocument: true,
    revocationChecked: false,
    revocationStatus: 'not-checked',
    revocation: {
      mode: 'embedded',
      verdict: 'not-checked',
      reason: 'There is no complete chain to check.',
      certificates: [],
    },
    validationTimeSource: 'signing-time',
    timestampStatus: 'none',
    fieldName: 'Signature1',
    signerName: 'Signer',
    claimedName: 'Signer',
    reason: null,
    location: null,
    errorMessage: null,
    issuerDN: 'CN=Between',
    subjectDN: 'CN=Signer',
    serialNumber: '1234ab',
    signatureAlgorithm: 'SHA256withECDSA',
    keySize: 256,
    version: '3',
    keyUsages: ['Digital Signature', 'Non-Repudiation'],
    selfSigned: false,
    changesAfterSigning: [],
    coversWholeDocument: true,
    allowedChanges: [],
    forbiddenChanges: [],
  });
});

test('chain and trust are told apart, and certFile is an anchor', async () => {
  const chain = between.pem + authority.pem;
  const mayNot = issue({ name: 'No Authority' });
  const below = issue({ name: 'Below', issuer: mayNot });
  const self = issue({ name: 'Self', key: rsaKey() });
  const cases: [
    Buffer,
    GivenFile | undefined,
    chain: boolean,
    trust: boolean,
    length: number,
    error: RegExp | null,
  ][] = [
    [
      await signAs(signer, onePage(), chain),
      undefined,
      true,
      false,
      3,
      /CN=Authority is not among the trusted/,
    ],
    [await signAs(signer, onePage(), chain), named('a', authority.pem), true, true, 3, null],
    [await signAs(signer, onePage(), chain), named('a', authority.der), true, true, 3, null],
    [await signAs(signer, onePage(), between.pem), named('a', authority.pem), true, true, 3, null],
    [await signAs(signer, onePage()), named('a', between.pem), true, true, 2, null],
    [await signAs(signer, onePage()), named('a', authority.pem), false, false, 0, /missing/],
    [await signAs(self), undefined, false, false, 0, /signed by itself/],
    [await signAs(self), named('a', self.pem), true, true, 1, null],
    [
      await signAs(below, onePage(), mayNot.pem),
      undefined,
      false,
      false,
      0,
      /No Authority is no certificate authority/,
    ],
  ];
  for (const [bytes, anchor, chainValid, trustValid, length, error] of cases) {
    const report = await only(bytes, anchor);
    assert.deepEqual(
      [report.valid, report.chainValid, report.trustValid, report.certPathLength],
      [true, chainValid, trustValid, length],
      JSON.stringify(report),
    );
    if (error) assert.match(report.chainValidationError ?? '', error);
    else assert.equal(report.chainValidationError, null);
  }
  assert.equal((await only(await signAs(self))).selfSigned, true);
});

test('an anchor that is no certificate is refused, naming certFile', async () => {
  const bytes = await signAs(signer);
  for (const rubbish of ['rubbish', '', fixture('keys/signer-key.pem')]) {
    const files = {
      fileInput: named('s.pdf', bytes),
      certFile: named('c', rubbish || '-----BEGIN CERTIFICATE-----'),
    };
    const problem = failed(await runHere('security/validate-signature', { files }));
    assert.equal(problem.reason, 'invalid_parameter');
    assert.match(problem.detail, /^certFile /);
  }
});

test('a changed byte, a moved range and an exchanged message are invalid', async () => {
  const good = await signAs(signer);
  const text = good.toString('latin1');
  const changed = Buffer.from(text.replace('MediaBox [0 0 612', 'MediaBox [0 0 613'), 'latin1');
  const other = await signAs(signer, onePage({ content: '0 0 10 10 re f' }));
  const gap = (bytes: Buffer): [number, number] => {
    const [, from, to] = /ByteRange \[0 (\d+)\s+(\d+)/.exec(bytes.toString('latin1')) ?? [];
    return [Number(from), Number(to)];
  };
  const exchanged = Buffer.from(good);
  other.copy(exchanged, gap(good)[0], gap(other)[0], gap(other)[1]);
  const range = (words: string) =>
    Buffer.from(
      text.replace(/ByteRange \[[^\]]*\]/, (old) => `ByteRange [${words}`.padEnd(old.length - 1).concat(']')),
      'latin1',
    );
  const cases: [string, Buffer, RegExp][] = [
    ['a changed byte', changed, /changed/],
    ['another message', exchanged, /changed/],
    ['no range', range('0 0 0 0'), /malformed/],
    ['a range that begins later', range('1 2 3 4'), /malformed/],
    ['a range beyond the end', range(`0 5 9 ${good.length}`), /malformed/],
    ['negative numbers', range('0 -5 9 20'), /malformed/],
    ['words', range('/A /B'), /malformed/],
    [
      'rubbish as message',
      Buffer.from(text.replace(/Contents <30/, 'Contents <77'), 'latin1'),
      /cannot be read/,
    ],
  ];
  for (const [name, bytes, error] of cases) {
    const report = await only(bytes);
    assert.equal(report.valid, false, name);
    assert.match(report.errorMessage ?? '', error, name);
  }
});

test('what was appended after signing is told', async () => {
  const first = await signAs(signer);
  const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Annots [6 0 R %] >>';
  const cases: [Buffer, string[] | null][] = [
    [await signAs(signer, first), ['signature']],
    [revised(first, [4, streamOf('0 0 5 5 re f')]), ['page-content']],
    [
      revised(first, [3, page.replace('4 0 R', '30 0 R').replace(' %', '')], [30, streamOf('1 g')]),
      ['page-content'],
    ],
    [
      revised(
        first,
        [3, page.replace('%', '30 0 R')],
        [30, '<< /Type /Annot /Subtype /Circle /Rect [0 0 1 1] >>'],
      ),
      ['annotations'],
    ],
    [revised(first, [3, page.replace('6 0 R %', '')]), ['form-fields']],
    [revised(first, [2, '<< /Type /Pages /Kids [3 0 R 3 0 R] /Count 2 >>']), ['pages']],
    [revised(first, [30, '<< /Type /Annot /Subtype /Widget /FT /Tx /V (x) >>']), ['other']],
    [Buffer.concat([first, Buffer.from('\n% tail\n')]), ['other']],
  ];
  for (const [bytes, changes] of cases) {
    const report = (await validate(bytes)).at(0);
    assert.equal(report?.valid, true);
    assert.equal(report?.coversEntireDocument, false);
    assert.deepEqual(report?.changesAfterSigning, changes);
  }
});

test('a signature is judged in an encrypted document', async () => {
  const params = { certType: 'PEM', inputPassword: 'open-sesame' };
  const files = {
    fileInput: fixture('everything-locked.pdf'),
    privateKeyFile: named('k', signer.keyPem),
    certFile: named('c', signer.pem),
  };
  const bytes = made(await runHere('security/cert-sign', { files, params }));
  const [report] = await validate(bytes, undefined, { inputPassword: 'open-sesame' });
  assert.deepEqual([report?.valid, report?.coversEntireDocument, report?.signerName], [true, true, 'Signer']);
});

const DAY = 86_400_000;
const at = (days: number): Date => new Date(Date.now() + days * DAY);
const files = (list: Record<string, string | Uint8Array>): void => {
  for (const [name, content] of Object.entries(list)) writeFileSync(join(folder, name), content);
};

test('older forms of signatures are known', { skip }, async () => {
  const rsa = issue({ name: 'Old Rsa', key: rsaKey() });
  const sha1 = (bytes: Buffer) => createHash('sha1').update(bytes).digest();
  const digestSigned = await appendSignature(onePage(), { subFilter: 'adbe.pkcs7.sha1' }, (content) =>
    opensslMessage(rsa, sha1(content), '-nodetach'),
  );
  const bare = await appendSignature(
    onePage(),
    { subFilter: 'adbe.x509.rsa_sha1', entries: { Cert: new PdfString(rsa.der) } },
    (content) => octetString(signBytes('sha1', content, rsa.key)),
  );
  const noAttributes = await appendSignature(onePage(), { subFilter: 'adbe.pkcs7.detached' }, (content) =>
    opensslMessage(rsa, content, '-noattr', '-md', 'sha512'),
  );
  const byKeyId = await appendSignature(onePage(), { subFilter: 'adbe.pkcs7.detached' }, (content) =>
    opensslMessage(rsa, content, '-md', 'sha384'),
  );
  const cases: [Buffer, string][] = [
    [digestSigned, 'SHA256withRSA'],
    [bare, 'SHA1withRSA'],
    [noAttributes, 'SHA512withRSA'],
    [byKeyId, 'SHA384withRSA'],
  ];
  for (const [bytes, algorithm] of cases) {
    const report = await only(bytes, named('a', rsa.pem));
    assert.deepEqual([report.valid, report.trustValid, report.signatureAlgorithm], [true, true, algorithm]);
    const spoiled = Buffer.from(bytes.toString('latin1').replace('0 0 612', '0 0 611'), 'latin1');
    assert.equal((await only(spoiled)).valid, false, algorithm);
  }
  assert.match((await only(bare)).errorMessage ?? '', /SHA1withRSA with 2048 bits is weak/);
});

test('weak keys are told, forgeable ones are not trusted', { skip }, async () => {
  const [weak, broken] = [
    issue({ name: 'Weak', key: rsaKey(1024) }),
    issue({ name: 'Broken', key: rsaKey(768) }),
  ];
  const signed = (who: Issued) =>
    appendSignature(onePage(), { subFilter: 'adbe.pkcs7.detached' }, (content) =>
      opensslMessage(who, content),
    );
  const one = await only(await signed(weak), named('a', weak.pem));
  assert.deepEqual([one.valid, one.trustValid, one.keySize], [true, true, 1024]);
  assert.match(one.errorMessage ?? '', /weak/);
  const other = await only(await signed(broken), named('a', broken.pem));
  assert.deepEqual([other.valid, other.trustValid, other.keySize], [true, false, 768]);
  assert.match(other.chainValidationError ?? '', /forged/);
});

test('a certificate is judged at the time of signing', { skip }, async () => {
  const gone = issue({ name: 'Gone', from: at(-30), until: at(-10) });
  const message = (content: Buffer) => opensslMessage(gone, content, '-noattr');
  const signedAt = (date: Date | undefined) =>
    appendSignature(onePage(), { subFilter: 'adbe.pkcs7.detached', date }, message);
  const then = await only(await signedAt(at(-20)), named('a', gone.pem));
  assert.deepEqual([then.notExpired, then.validationTimeSource], [true, 'signing-time']);
  const later = await only(await signedAt(at(-5)));
  assert.deepEqual([later.valid, later.notExpired, later.chainValid], [true, false, false]);
  const unknown = await only(await signedAt(undefined));
  assert.deepEqual([unknown.notExpired, unknown.validationTimeSource], [false, 'current']);
});

test('document timestamps are signatures, and date those before them', { skip }, async () => {
  const clock = issue({ name: 'Clock', usages: [0], purposes: [OID.timeStamping] });
  const first = await signAs(signer, onePage(), between.pem + authority.pem);
  const stamped = await appendSignature(first, { subFilter: 'ETSI.RFC3161' }, (content) =>
    timestampToken(clock, content),
  );
  const [signature, stamp] = await validate(stamped, named('a', clock.pem));
  assert.deepEqual([signature?.valid, signature?.validationTimeSource], [true, 'document-timestamp']);
  assert.deepEqual(signature?.changesAfterSigning, ['document-timestamp']);
  assert.deepEqual(
    [
      stamp?.valid,
      stamp?.trustValid,
      stamp?.validationTimeSource,
      stamp?.signerName,
      stamp?.coversEntireDocument,
    ],
    [true, true, 'timestamp', 'Clock', true],
  );
  const spoiled = Buffer.from(stamped.toString('latin1').replace('0 0 612', '0 0 611'), 'latin1');
  assert.deepEqual(
    (await validate(spoiled)).map(({ valid }) => valid),
    [false, false],
  );
  const noClock = issue({ name: 'No Clock', usages: [0] });
  const wrong = await appendSignature(onePage(), { subFilter: 'ETSI.RFC3161' }, (content) =>
    opensslMessage(noClock, content),
  );
  assert.equal((await only(wrong)).valid, false);
});

test('a timestamp is told apart: of this signature, of another, without its certificate', {
  skip,
}, async () => {
  const clock = issue({ name: 'Clock', usages: [0], purposes: [OID.timeStamping] });
  const signed = (token: (signature: Buffer) => Buffer, base = onePage()) =>
    appendSignature(base, { subFilter: 'adbe.pkcs7.detached' }, (content) =>
      timestamped(opensslMessage(signer, content), token),
    );
  const spoiled = (token: Buffer) => {
    token[token.length - 3] = (token[token.length - 3] ?? 0) ^ 1;
    return token;
  };
  const store = withStore('/Certs [5 0 R]', clock.der);
  const cases: [string, Buffer, status: string, source: string, error: RegExp | null][] = [
    ['with its certificate', await signed((it) => timestampToken(clock, it)), 'valid', 'timestamp', null],
    [
      'of something else',
      await signed(() => timestampToken(clock, Buffer.from('x'))),
      'invalid',
      'signing-time',
      /imprint does not match/,
    ],
    [
      'without its certificate',
      await signed((it) => timestampToken(clock, it, false)),
      'indeterminate',
      'signing-time',
      /certificate of the timestamp authority is missing/,
    ],
    [
      'with its certificate elsewhere',
      await signed((it) => timestampToken(clock, it, false), store),
      'valid',
      'timestamp',
      null,
    ],
    [
      'forged',
      await signed((it) => spoiled(timestampToken(clock, it))),
      'invalid',
      'signing-time',
      /not genuine/,
    ],
    ['rubbish', await signed(() => Buffer.from([0x30, 0])), 'invalid', 'signing-time', /cannot be read/],
  ];
  for (const [what, bytes, status, source, error] of cases) {
    const report = await only(bytes, named('a', clock.pem));
    assert.deepEqual(
      [report.valid, report.timestampStatus, report.validationTimeSource],
      [true, status, source],
      `${what} ${JSON.stringify(report)}`,
    );
    if (error) assert.match(report.errorMessage ?? '', error, what);
    else assert.equal(report.errorMessage, null, what);
  }
  const bare = await appendSignature(onePage(), { subFilter: 'ETSI.RFC3161' }, (content) =>
    timestampToken(clock, content, false),
  );
  const report = await only(bare);
  assert.deepEqual([report.valid, report.timestampStatus], [false, 'indeterminate']);
});

test('a signer whose key or purpose is another is not trusted, and weak links are named', {
  skip,
}, async () => {
  const byOpenssl = (who: Issued) =>
    appendSignature(onePage(), { subFilter: 'adbe.pkcs7.detached' }, (content) =>
      opensslMessage(who, content),
    );
  const encrypts = issue({ name: 'Encrypts', usages: [2], issuer: authority });
  const serves = issue({ name: 'Serves', purposes: [OID.serverAuth], issuer: authority });
  for (const [who, error] of [
    [encrypts, /is not for signatures/],
    [serves, /is not for signing documents/],
  ] as const) {
    const report = await only(await byOpenssl(who), named('a', authority.pem));
    assert.deepEqual([report.valid, report.chainValid, report.trustValid], [true, false, false]);
    assert.match(report.chainValidationError ?? '', error);
  }
  const old = issue({ name: 'Old', key: rsaKey(), authority: true });
  const weak = issue({ name: 'Weak', issuer: old, hash: 'sha1' });
  const told = await only(await signAs(weak), named('a', old.pem));
  assert.equal(told.trustValid, true);
  assert.match(told.errorMessage ?? '', /CN=Weak is signed with SHA1withRSA of 2048 bits, which is weak/);
  const broken = issue({ name: 'Broken', issuer: old, hash: 'md5' });
  const refused = await only(await signAs(broken), named('a', old.pem));
  assert.equal(refused.trustValid, false);
  assert.match(refused.chainValidationError ?? '', /MD5withRSA/);
});

/** A page whose document brings this revocation data. */
const withStore = (entries: string, ...streams: Buffer[]): Buffer =>
  onePage({
    catalog: `/DSS << ${entries} >>`,
    more: streams.map((bytes) => streamOf(bytes.toString('latin1'))),
  });

test('revocation lists in the document are used', async () => {
  const chain = between.pem + authority.pem;
  const revoked = async (list: Buffer) =>
    only(await signAs(signer, withStore('/CRLs [5 0 R]', list), chain), named('a', authority.pem));
  const cases: [string, Buffer, string, boolean][] = [
    ['nobody revoked', revocationList(between, []), 'good', true],
    ['others revoked', revocationList(between, [1, 2]), 'good', true],
    ['revoked', revocationList(between, [1, 0x1234ab]), 'revoked', false],
    ['of another authority', revocationList(authority, [0x1234ab]), 'unknown', true],
    ['forged', revocationList({ ...between, key: authority.key }, [0x1234ab]), 'soft-fail', true],
    ['rubbish', Buffer.from('rubbish'), 'soft-fail', true],
  ];
  for (const [name, list, status, trusted] of cases) {
    const report = await revoked(list);
    assert.deepEqual([report.revocationStatus, report.trustValid], [status, trusted], name);
    assert.equal(report.revocationChecked, status === 'good' || status === 'revoked', name);
  }
});

test('answers of responders in the document are used', { skip }, async () => {
  const chain = between.pem + authority.pem;
  for (const status of ['good', 'revoked']) {
    const [mark, date] = status === 'good' ? ['V', ''] : ['R', '200101000000Z'];
    files({
      'ca.pem': between.pem,
      'ca.key': between.keyPem,
      'cert.pem': signer.pem,
      'index.txt': `${mark}\t401231000000Z\t${date}\t1234AB\tunknown\t/CN=Signer\n`,
    });
    openssl(folder, 'ocsp', '-issuer', 'ca.pem', '-cert', 'cert.pem', '-reqout', 'request', '-no_nonce');
    openssl(
      folder,
      'ocsp',
      '-index',
      'index.txt',
      '-CA',
      'ca.pem',
      '-rsigner',
      'ca.pem',
      '-rkey',
      'ca.key',
      '-reqin',
      'request',
      '-respout',
      'answer',
      '-ndays',
      '9',
    );
    const answer = readFileSync(join(folder, 'answer'));
    const report = await only(
      await signAs(signer, withStore('/OCSPs [5 0 R]', answer), chain),
      named('a', authority.pem),
    );
    assert.equal(report.revocationStatus, status);
    assert.equal(report.trustValid, status === 'good');
  }
});

test('hostile signatures give a report, never a failure', async () => {
  const field = (signature: string) =>
    onePage({
      catalog: '/AcroForm << /Fields [5 0 R] >>',
      more: ['<< /FT /Sig /T (x) /V 6 0 R >>', signature],
    });
  const nested = Buffer.concat([Buffer.alloc(4000, Buffer.from([0x30, 0x80]))]).toString('hex');
  const cases = [
    '<< >>',
    '<< /Contents 5 /ByteRange 7 /SubFilter 3 /Name 1 /M 2 >>',
    '<< /ByteRange [0 10 20 30] /Contents <> /SubFilter /ETSI.CAdES.detached >>',
    `<< /ByteRange [0 10 20 30] /Contents <${nested}> /SubFilter /adbe.pkcs7.detached >>`,
    '<< /ByteRange [0 10 20 30] /Contents <3006> /SubFilter /adbe.x509.rsa_sha1 /Cert [1 null (x)] >>',
    '<< /ByteRange [0 9007199254740991 20 30] /Contents <30> >>',
    '<< /SubFilter /ETSI.RFC3161 /ByteRange [0 10 20 30] /Contents <3080> /M (D:99999999) >>',
  ];
  for (const signature of cases) {
    const report = await only(field(signature));
    assert.equal(report.valid, false, signature.slice(0, 80));
    assert.ok(report.errorMessage);
  }
});

test('every label of the collection is told', { skip: noCorpus() }, async () => {
  const folder = corpusFolder('.');
  const [, ...rows] = readFileSync(new URL('signed/EXPECTED.tsv', folder), 'utf8').trim().split('\n');
  assert.ok(rows.length >= 10);
  for (const row of rows) {
    const [path = '', label = '', count, , coverage = ''] = row.split('\t');
    const bytes = readFileSync(new URL(path.replace('shared/', ''), folder));
    const reports = await validate(bytes);
    const isValid = !['invalid', 'timestamp-invalid'].includes(label);
    assert.equal(reports.length, Number(count), path);
    assert.equal(
      reports.every(({ valid }) => valid),
      isValid,
      path,
    );
    assert.deepEqual(
      reports.map((report) => report.coversEntireDocument),
      coverage.split(' | ').map((words) => words === 'Total document signed'),
      path,
    );
    if (label === 'partial' || label === 'modified-after')
      assert.ok(
        reports.some((report) => !report.coversEntireDocument),
        path,
      );
  }
});
