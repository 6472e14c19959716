import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createLog } from '../../contract/log.ts';
import { OID } from '../../engines/signatures/oids.ts';
import {
  ecKey,
  type Issued,
  issue,
  openssl,
  opensslVerifies,
  pdfsig,
  rawSignatures,
  rsaKey,
  startTimestampAuthority,
} from '../../engines/signatures/pki-judges.ts';
import { chooseFence } from '../../jobs/isolation.ts';
import { Pool } from '../../jobs/pool.ts';
import { type GivenCall, type GivenFile, jobOf, type Ran, runHere } from '../../jobs/run-here.ts';
import { Workspaces } from '../../jobs/workspace.ts';
import {
  corpus,
  failed,
  fixture,
  judge,
  made,
  madeJson,
  missing,
  noCorpus,
  onePage,
  pdfinfo,
  pdftotext,
  qpdfCheck,
} from '../judges.ts';

const skip = missing('pdfsig', 'qpdf', 'openssl');
const DOCUMENT = fixture('everything.pdf');
const KEY = fixture('keys/signer-key.pem');
const CERTIFICATE = fixture('keys/signer-cert.pem');
const AUTHORITY = readFileSync(fixture('keys/ca.pem'), 'utf8');
const PASSWORD = 'key-word';
const folder = mkdtempSync(join(tmpdir(), 'bindery-sign-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const named = (name: string, content: string | Uint8Array): GivenFile => ({
  name,
  bytes: Buffer.from(content),
});

const sign = (files: GivenCall['files'], params: Record<string, string>, more: Partial<GivenCall> = {}) =>
  runHere('security/cert-sign', { files: { fileInput: DOCUMENT, ...files }, params, ...more });

const signWithPem = (document: GivenFile, params: Record<string, string> = {}): Promise<Ran> =>
  sign({ fileInput: document, privateKeyFile: KEY, certFile: CERTIFICATE }, { certType: 'PEM', ...params });

const signAs = ({ keyPem, pem }: Issued, params: Record<string, string> = {}): Promise<Ran> =>
  sign(
    { privateKeyFile: named('key.pem', keyPem), certFile: named('cert.pem', pem) },
    { certType: 'PEM', ...params },
  );

/** One valid signature over the whole file, after both judges. */
function assertSigned(
  bytes: Buffer,
  authority: string,
  options: { type?: string; password?: string } = {},
): void {
  const words = pdfsig(bytes, options.password);
  const last = words.find(({ whole }) => whole);
  assert.ok(last?.valid, JSON.stringify(words));
  assert.equal(last.type, options.type ?? 'ETSI.CAdES.detached');
  const raw = rawSignatures(bytes).find(({ end }) => end === bytes.length);
  assert.ok(raw);
  opensslVerifies(raw.message, raw.content, authority);
}

test('PEM keys of every form sign, as pdfsig and openssl find', { skip }, async () => {
  const write = (name: string, ...args: string[]): Buffer => {
    openssl(folder, ...args, '-out', name);
    return readFileSync(join(folder, name));
  };
  const cases: [name: string, key: Buffer, password: string][] = [
    ['PKCS#8', readFileSync(KEY), ''],
    ['PKCS#8 DER', write('a', 'pkey', '-in', KEY, '-outform', 'DER'), ''],
    ['PKCS#1', write('b', 'rsa', '-in', KEY, '-traditional'), ''],
    ['PKCS#1 DER', write('c', 'rsa', '-in', KEY, '-traditional', '-outform', 'DER'), ''],
    ['PKCS#1 locked', write('d', 'rsa', '-in', KEY, '-traditional', '-aes128', '-passout', 'pass:p'), 'p'],
    ['PKCS#8 locked', write('e', 'pkcs8', '-topk8', '-in', KEY, '-v2', 'aes256', '-passout', 'pass:ß'), 'ß'],
    ['PKCS#8 scrypt', write('f', 'pkcs8', '-topk8', '-in', KEY, '-scrypt', '-passout', 'pass:p'), 'p'],
    [
      'Triple DES',
      write('g', 'pkcs8', '-topk8', '-in', KEY, '-v1', 'PBE-SHA1-3DES', '-passout', 'pass:p'),
      'p',
    ],
    [
      'RC2, DER',
      write(
        'h',
        'pkcs8',
        '-topk8',
        '-in',
        KEY,
        '-v1',
        'PBE-SHA1-RC2-128',
        '-passout',
        'pass:p',
        '-outform',
        'DER',
        '-provider',
        'legacy',
        '-provider',
        'default',
      ),
      'p',
    ],
  ];
  const certificateDer = write('i', 'x509', '-in', CERTIFICATE, '-outform', 'DER');
  for (const [name, key, password] of cases) {
    const ran = await sign(
      {
        privateKeyFile: named('k', key),
        certFile: name.includes('DER') ? named('c', certificateDer) : CERTIFICATE,
      },
      { certType: 'PEM', password },
    );
    assert.doesNotThrow(() => assertSigned(made(ran), AUTHORITY), name);
  }
});

test('ECDSA on every curve, RSA of several lengths and RSA-PSS sign', { skip }, async () => {
  const pss = openssl(folder, 'genpkey', '-algorithm', 'RSA-PSS', '-pkeyopt', 'rsa_keygen_bits:2048');
  const keys = [ecKey('P-256'), ecKey('P-384'), ecKey('P-521'), rsaKey(3072)];
  for (const key of keys) {
    const signer = issue({ name: 'Some Body', key, usages: [0] });
    assertSigned(made(await signAs(signer)), signer.pem);
  }
  const sec1 = ecKey().export({ format: 'pem', type: 'sec1' }).toString();
  const { createPrivateKey } = await import('node:crypto');
  const own = issue({ name: 'Sec One', key: createPrivateKey(sec1) });
  assertSigned(made(await signAs({ ...own, keyPem: sec1 })), own.pem);
  writeFileSync(join(folder, 'pss.key'), pss);
  const pem = openssl(
    folder,
    'req',
    '-x509',
    '-key',
    'pss.key',
    '-subj',
    '/CN=Pss',
    '-days',
    '9',
    '-sigopt',
    'rsa_padding_mode:pss',
  );
  const signed = made(
    await sign({ privateKeyFile: named('k', pss), certFile: named('c', pem) }, { certType: 'PEM' }),
  );
  const [raw] = rawSignatures(signed);
  assert.ok(raw);
  opensslVerifies(raw.message, raw.content, pem);
});

test('key stores sign: PKCS#12 with new and old ciphers, JKS, entries by name', { skip }, async () => {
  const elliptic = 'Eve Elliptic';
  const cases: [certType: string, field: string, file: string, alias: string, signer: string][] = [
    ['PKCS12', 'p12File', 'signer.p12', '', 'Ada Signer'],
    ['pfx', 'p12File', 'signer-legacy.p12', 'signer', 'Ada Signer'],
    ['JKS', 'jksFile', 'signer.jks', '', elliptic],
    ['JKS', 'jksFile', 'signer.jks', 'Signer', 'Ada Signer'],
    ['JKS', 'jksFile', 'signer.jks', 'ELLIPTIC', elliptic],
    ['JKS', 'jksFile', 'signer.p12', '', 'Ada Signer'],
  ];
  for (const [certType, field, file, alias, signer] of cases) {
    const params = { certType, password: PASSWORD, alias };
    const bytes = made(await sign({ [field]: fixture(`keys/${file}`) }, params));
    assert.deepEqual(pdfsig(bytes), [{ valid: true, whole: true, type: 'ETSI.CAdES.detached', signer }]);
    if (signer === 'Ada Signer') assertSigned(bytes, AUTHORITY);
  }
});

test('the signature says who, when, why and where; the result has its name', { skip }, async () => {
  const params = { name: 'Grace 漢字', reason: 'Ich stimme zu', location: 'Köln' };
  const ran = await signWithPem(DOCUMENT, params);
  assert.equal(ran.state === 'made' && ran.result.name, 'everything_signed.pdf');
  const [report] = madeJson(
    await runHere('security/validate-signature', { files: { fileInput: named('s.pdf', made(ran)) } }),
  ) as Record<string, unknown>[];
  assert.equal(report?.signerName, params.name);
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
    judge('qpdf', [...args, DOCUMENT, path], Buffer.alloc(0));
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

test('files with cross-reference streams, linearized and hybrid files are appended to in their own way', {
  skip,
}, async () => {
  const cases: [string, RegExp, ...string[]][] = [
    ['stream', /\/Type \/XRef/, '--object-streams=generate'],
    ['linearized', /\nxref\n/, '--linearize', '--object-streams=disable'],
    ['table', /\nxref\n/, '--object-streams=disable'],
  ];
  for (const [name, tail, ...args] of cases) {
    const path = join(folder, `${name}.pdf`);
    judge('qpdf', [...args, DOCUMENT, path], Buffer.alloc(0));
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

const DAY = 86_400_000;
const ago = (days: number): Date => new Date(Date.now() - days * DAY);

test('every fault of key, certificate and key store is refused, naming the field', { skip }, async () => {
  const good = issue({ name: 'Good' });
  const other = issue({ name: 'Other' });
  const pemCase = (signer: Issued) => ({
    privateKeyFile: named('k', signer.keyPem),
    certFile: named('c', signer.pem),
  });
  const rubbish = named('r', 'rubbish');
  const jks = fixture('keys/signer.jks');
  const p12 = fixture('keys/signer.p12');
  const locked = named(
    'k',
    ecKey().export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'right' }).toString(),
  );
  const cases: [files: Record<string, GivenFile>, params: Record<string, string>, detail: RegExp][] = [
    [{ ...pemCase(good), privateKeyFile: rubbish }, { certType: 'PEM' }, /^privateKeyFile holds no readable/],
    [{ ...pemCase(good), certFile: rubbish }, { certType: 'PEM' }, /^certFile holds no readable/],
    [
      { ...pemCase(good), certFile: named('c', other.pem) },
      { certType: 'PEM' },
      /^privateKeyFile does not match .*certFile/,
    ],
    [{ ...pemCase(good), privateKeyFile: locked }, { certType: 'PEM', password: 'wrong' }, /^password /],
    [{ ...pemCase(good), privateKeyFile: locked }, { certType: 'PEM' }, /^password /],
    [
      pemCase(issue({ name: 'Old', from: ago(20), until: ago(10) })),
      { certType: 'PEM' },
      /^certFile .*expired/,
    ],
    [
      pemCase(issue({ name: 'New', from: ago(-10), until: ago(-20) })),
      { certType: 'PEM' },
      /^certFile .*not valid yet/,
    ],
    [pemCase(issue({ name: 'Cipher', usages: [2, 3] })), { certType: 'PEM' }, /^certFile .*not for signing/],
    [
      pemCase(issue({ name: 'Server', purposes: [OID.serverAuth] })),
      { certType: 'PEM' },
      /^certFile .*not for signing/,
    ],
    [
      pemCase(issue({ name: 'Short', key: rsaKey(1024) })),
      { certType: 'PEM' },
      /^privateKeyFile .*1024 bits/,
    ],
    [
      pemCase(issue({ name: 'Curve', key: ecKey('secp256k1') })),
      { certType: 'PEM' },
      /^privateKeyFile .*P-256/,
    ],
    [{ privateKeyFile: KEY }, { certType: 'PEM' }, /^certFile is required/],
    [{ certFile: CERTIFICATE }, { certType: 'PEM' }, /^privateKeyFile is required/],
    [{ jksFile: jks }, { certType: 'PKCS12' }, /^p12File is required/],
    [{ p12File: p12 }, { certType: 'JKS' }, /^jksFile is required/],
    [{ p12File: p12 }, { certType: 'PKCS12', password: 'wrong' }, /^password /],
    [{ p12File: fixture('keys/signer-legacy.p12') }, { certType: 'PFX' }, /^password /],
    [{ p12File: p12 }, { certType: 'PKCS12', password: PASSWORD, alias: 'nobody' }, /^alias /],
    [{ p12File: jks }, { certType: 'PKCS12', password: PASSWORD }, /^p12File is no PKCS#12/],
    [{ p12File: rubbish }, { certType: 'PKCS12' }, /^p12File is no PKCS#12/],
    [
      { p12File: named('cut', readFileSync(p12).subarray(0, 900)) },
      { certType: 'PKCS12', password: PASSWORD },
      /^p12File /,
    ],
    [{ jksFile: jks }, { certType: 'JKS', password: 'wrong' }, /^password /],
    [{ jksFile: jks }, { certType: 'JKS', password: PASSWORD, alias: 'nobody' }, /^alias /],
    [{ jksFile: rubbish }, { certType: 'JKS' }, /^jksFile is no JKS/],
    [
      { jksFile: fixture('keys/signer.jceks') },
      { certType: 'JKS', password: PASSWORD },
      /^jksFile is a JCEKS/,
    ],
    [{}, { certType: 'SERVER' }, /^certType SERVER/],
    [{}, { certType: 'WINDOWS_STORE' }, /^certType must be one of/],
    [{}, { certType: 'PKCS11' }, /^certType must be one of/],
    [pemCase(good), { certType: 'PEM', name: 'x'.repeat(256) }, /^name /],
    [pemCase(good), { certType: 'PEM', reason: 'x'.repeat(256) }, /^reason /],
    [pemCase(good), { certType: 'PEM', location: 'x'.repeat(256) }, /^location /],
    [pemCase(good), { certType: 'PEM', signatureFormat: 'xades' }, /^signatureFormat /],
  ];
  for (const [files, params, detail] of cases) {
    const problem = failed(await sign(files, params));
    assert.equal(problem.reason, 'invalid_parameter', `${detail} ${problem.detail}`);
    assert.match(problem.detail, detail);
  }
});

test('a key store that asks for years of work is refused at once', { skip }, async () => {
  const bytes = Buffer.from(readFileSync(fixture('keys/signer.p12')));
  // The rounds of the checksum are the last number of the file: 2048.
  const at = bytes.lastIndexOf(Buffer.from('02020800', 'hex'));
  assert.ok(at > 0);
  const greedy = Buffer.concat([
    bytes.subarray(0, at),
    Buffer.from('02027fff', 'hex'),
    bytes.subarray(at + 4),
  ]);
  assert.match(
    failed(await sign({ p12File: named('g', greedy) }, { certType: 'PKCS12', password: PASSWORD })).detail,
    /^password /,
  );
  const started = Date.now();
  const cut = Buffer.concat([
    bytes.subarray(0, at - 2),
    Buffer.from('3000', 'hex'),
    Buffer.from('02047fffffff', 'hex'),
  ]);
  failed(await sign({ p12File: named('g', cut) }, { certType: 'PKCS12', password: PASSWORD }));
  assert.ok(Date.now() - started < 2000);
});

async function inWorker(
  dataDir: string,
  call: GivenCall,
  allowHosts: string[] = [],
  lines: string[] = [],
): Promise<Buffer> {
  const workspaces = new Workspaces(join(dataDir, 'work'));
  const pool = new Pool(
    {
      count: 1,
      queue: 4,
      deadlineMs: 60_000,
      memoryBytes: 1024 ** 3,
      jobsEach: 10,
      fence: await chooseFence('auto'),
      logLevel: 'debug',
      dataDir,
      allowHosts,
    },
    workspaces,
    createLog('debug', (line) => lines.push(line)),
  );
  try {
    const workspace = workspaces.create();
    const outcome = await pool.run(
      jobOf('security/cert-sign', call),
      workspace,
      new AbortController().signal,
    );
    lines.push(JSON.stringify(outcome.state === 'failed' ? outcome : outcome.state));
    if (outcome.state !== 'made') return Buffer.alloc(0);
    const { content } = outcome.result;
    return 'bytes' in content ? Buffer.from(content.bytes) : readFileSync(workspace.path(content.file));
  } finally {
    await pool.close();
  }
}

test('a timestamp comes through the API process, for workers have no network', { skip }, async (t) => {
  const clock = await startTimestampAuthority();
  t.after(() => clock.close());
  const files = { fileInput: DOCUMENT, privateKeyFile: KEY, certFile: CERTIFICATE };
  const call = { files, params: { certType: 'PEM', tsaUrl: clock.url } };
  const signed = await inWorker(mkdtempSync(join(folder, 'tsa-')), call, [clock.host]);
  assertSigned(signed, AUTHORITY);
  const [report] = madeJson(
    await runHere('security/validate-signature', { files: { fileInput: named('s.pdf', signed) } }),
  ) as Record<string, unknown>[];
  assert.equal(report?.valid, true);
  assert.equal(report?.validationTimeSource, 'timestamp');
  const refusedThere: string[] = [];
  await inWorker(mkdtempSync(join(folder, 'tsa-')), call, [], refusedThere);
  assert.match(refusedThere.at(-1) ?? '', /url_not_allowed/);
});

test('an address that is not public, or gives no timestamp, is refused', { skip }, async (t) => {
  const { createServer } = await import('node:http');
  const server = createServer((_, response) => response.end('no timestamp'));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  t.after(() => server.close());
  const { port } = server.address() as { port: number };
  const reason = async (tsaUrl: string, allowHosts: string[] = []) => {
    const files = { privateKeyFile: KEY, certFile: CERTIFICATE };
    return failed(await sign(files, { certType: 'PEM', tsaUrl }, { allowHosts })).reason;
  };
  assert.equal(await reason(`http://127.0.0.1:${port}/`), 'url_not_allowed');
  assert.equal(await reason(`http://localhost:${port}/`), 'url_not_allowed');
  assert.equal(await reason(`http://[::ffff:127.0.0.1]:${port}/`), 'url_not_allowed');
  assert.equal(await reason('http://169.254.169.254/latest'), 'url_not_allowed');
  assert.equal(await reason('ftp://example.org/'), 'url_not_allowed');
  assert.equal(await reason(`http://127.0.0.1:${port}/`, [`127.0.0.1:${port}`]), 'url_fetch_failed');
});

test('no key, password or certificate shows in logs, problems or file names', { skip }, async () => {
  const secret = `pass-${createHash('sha256').update('x').digest('hex')}`;
  const signer = issue({ name: 'Hush Hush' });
  const lockedKey = signer.key
    .export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: secret })
    .toString();
  const lines: string[] = [];
  const words = process.stderr.write.bind(process.stderr);
  process.stderr.write = ((text: string | Uint8Array) =>
    lines.push(String(text)) > 0) as typeof process.stderr.write;
  try {
    for (const password of [secret, `${secret}-wrong`]) {
      const files = {
        fileInput: DOCUMENT,
        privateKeyFile: named('k.pem', lockedKey),
        certFile: named('c.pem', signer.pem),
      };
      await inWorker(
        mkdtempSync(join(folder, 'hush-')),
        { files, params: { certType: 'PEM', password } },
        [],
        lines,
      );
    }
  } finally {
    process.stderr.write = words;
  }
  const told = lines.join('\n');
  assert.match(told, /password does not open/);
  const body = (text: string): string => text.split('\n')[2] ?? '';
  for (const hidden of [secret, body(lockedKey), body(signer.keyPem), body(signer.pem)]) {
    assert.ok(hidden.length > 20);
    assert.ok(!told.includes(hidden));
  }
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

test('keys of the collection sign', { skip: skip || noCorpus() }, async () => {
  const keys = new URL('../../../../../shared/corpus/keys/', import.meta.url);
  const key = (name: string): string => new URL(name, keys).pathname;
  const cases: [string, string, RegExp | true][] = [
    // The tests will see it expire, too.
    ['core__test-signer-aes256.p12', 'test123', Date.now() < Date.UTC(2027, 0, 5) || /^p12File .*expired/],
    ['endesive__demo2_user1.p12', '1234', /^p12File .*expired/],
    ['pdfbox__keystore.p12', '123456', /^p12File .*expired/],
  ];
  for (const [name, password, wanted] of cases) {
    const ran = await sign({ p12File: key(name) }, { certType: 'PKCS12', password });
    if (wanted === true) assert.ok(pdfsig(made(ran))[0]?.valid, name);
    else assert.match(failed(ran).detail, wanted);
  }
});
