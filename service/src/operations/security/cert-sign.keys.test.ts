import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { GivenFile } from '../../../testing/calls/run-here.ts';
import { failed, made } from '../../../testing/calls/run-here.ts';
import { corpusFolder, fixture, noCorpus } from '../../../testing/documents/collection.ts';
import { processorMs } from '../../../testing/processor-time.ts';
import {
  ecKey,
  type Issued,
  issue,
  openssl,
  opensslVerifies,
  pdfsig,
  rawSignatures,
  rsaKey,
} from '../../../testing/signatures/pki.ts';
import {
  AUTHORITY,
  assertSigned,
  CERTIFICATE,
  KEY,
  named,
  PASSWORD,
  sign,
  signAs,
  skip,
} from '../../../testing/signatures/signing.ts';
import { OID } from '../../engines/signatures/oids.ts';

const folder = mkdtempSync(join(tmpdir(), 'bindery-sign-'));
after(() => rmSync(folder, { recursive: true, force: true }));

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
  const started = processorMs();
  const cut = Buffer.concat([
    bytes.subarray(0, at - 2),
    Buffer.from('3000', 'hex'),
    Buffer.from('02047fffffff', 'hex'),
  ]);
  failed(await sign({ p12File: named('g', cut) }, { certType: 'PKCS12', password: PASSWORD }));
  assert.ok(processorMs() - started < 10_000);
});

test('keys of the collection sign', { skip: skip || noCorpus() }, async () => {
  const keys = corpusFolder('keys');
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

test('damaged key files are refused, whatever byte is wrong', { skip }, async () => {
  let seed = 7;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const cases: [certType: string, field: string, file: string][] = [
    ['PEM', 'privateKeyFile', 'signer-key.pem'],
    ['PEM', 'certFile', 'signer-cert.pem'],
    ['PKCS12', 'p12File', 'signer.p12'],
    ['PKCS12', 'p12File', 'signer-legacy.p12'],
    ['JKS', 'jksFile', 'signer.jks'],
  ];
  for (const [certType, field, file] of cases) {
    const sound = readFileSync(fixture(`keys/${file}`));
    for (let round = 0; round < 40; round += 1) {
      const bytes = Buffer.from(sound);
      for (let count = random(3); count >= 0; count -= 1) bytes[random(bytes.length)] = random(256);
      const cut = round % 8 === 0 ? bytes.subarray(0, random(bytes.length)) : bytes;
      const files = { privateKeyFile: KEY, certFile: CERTIFICATE, [field]: named('k', cut) };
      const ran = await sign(files, { certType, password: PASSWORD });
      if (ran.state === 'failed') assert.equal(ran.problem.reason, 'invalid_parameter', ran.cause);
      else assert.ok(pdfsig(made(ran))[0]?.valid, 'what is signed is signed well');
    }
  }
});
