// Withdrawals asked of an authority of our own on this machine, honest and not; openssl judges every answer it gave.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type GivenCall, jobOf, madeJson, runHere } from '../../../testing/calls/run-here.ts';
import { onePage, streamOf } from '../../../testing/documents/written-pdf.ts';
import { type Authority, startAuthority } from '../../../testing/signatures/certificate-authority.ts';
import {
  type AnswerWish,
  extension,
  type Issued,
  issue,
  responderAnswer,
  revocationList,
  startTimestampAuthority,
} from '../../../testing/signatures/pki.ts';
import { inWorker, skip } from '../../../testing/signatures/signing.ts';
import { named, signAs } from '../../../testing/signatures/written-revisions.ts';
import { context, der, NULL, readDer, sequence } from '../../contract/der.ts';
import { OID } from '../../engines/signatures/oids.ts';
import type { SignatureReport } from '../../engines/signatures/report.ts';
import { fetchesOf } from '../../jobs/job-rights.ts';

const folder = mkdtempSync(join(tmpdir(), 'bindery-fetching-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const SERIAL = 0x77;
const days = (count: number): Date => new Date(Date.now() + count * 86_400_000);

const callOf = (bytes: Buffer, root: Issued, revocation = 'fetch', allowHosts: string[] = []): GivenCall => ({
  files: { fileInput: named('s.pdf', bytes), certFile: named('root.pem', root.pem) },
  params: { revocation },
  allowHosts,
});

async function judge(...call: Parameters<typeof callOf>): Promise<SignatureReport> {
  const [report] = madeJson(
    await runHere('security/validate-signature', callOf(...call)),
  ) as SignatureReport[];
  assert.ok(report);
  return report;
}

/** What counts of a report: status of the signer, verdict, trust, and each answer. */
const brief = ({ revocationStatus, revocation, trustValid }: SignatureReport) => [
  revocationStatus,
  revocation.verdict,
  trustValid,
  revocation.certificates.flatMap(({ asked }) => asked.map(({ method, answer }) => `${method} ${answer}`)),
];

type Names = Parameters<Authority['issue']>[1][];

async function opened(
  t: { after(end: () => void): void },
  names: Names = ['ocsp'],
  { appointed = false, params = {} as Record<string, string>, from = days(-30) } = {},
) {
  const authority = await startAuthority({ appointed });
  t.after(() => authority.close());
  const signer = authority.issue({ name: 'Signer', usages: [0], serial: SERIAL, from }, ...names);
  const signed = await signAs(signer, onePage(), authority.root.pem, params);
  const ask = (mode = 'fetch') => judge(signed, authority.root, mode, [authority.host]);
  return { authority, signer, signed, ask };
}

/** Whether openssl finds the certificate good by this answer. */
function opensslBelieves(answer: Buffer, signer: Issued, root: Issued): boolean {
  for (const [name, content] of Object.entries({ answer, 'who.pem': signer.pem, 'ca.pem': root.pem }))
    writeFileSync(join(folder, name), content);
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
  const { status, stdout, stderr } = spawnSync('openssl', ['ocsp', ...how], {
    cwd: folder,
    encoding: 'utf8',
  });
  const said = stdout + stderr;
  return (
    status === 0 &&
    said.includes('who.pem: good') &&
    said.includes('verify OK') &&
    !said.includes('Status times invalid')
  );
}

function opensslFindsGood(list: Buffer, signer: Issued, root: Issued): boolean {
  for (const [name, content] of Object.entries({ list, 'who.pem': signer.pem, 'ca.pem': root.pem }))
    writeFileSync(join(folder, name), content);
  const run = (...args: string[]) => spawnSync('openssl', args, { cwd: folder }).status === 0;
  return (
    run('crl', '-inform', 'DER', '-in', 'list', '-out', 'list.pem') &&
    run('verify', '-crl_check', '-CRLfile', 'list.pem', '-CAfile', 'ca.pem', 'who.pem')
  );
}

test('nobody is asked unless that is wanted', { skip }, async (t) => {
  const { authority, ask } = await opened(t);
  assert.deepEqual(brief(await ask('embedded')), ['not-checked', 'not-checked', true, []]);
  assert.deepEqual(authority.asked, []);
  const fetches = (mode: string) =>
    fetchesOf(jobOf('security/validate-signature', callOf(onePage(), authority.root, mode)));
  assert.equal(fetches('embedded'), 0);
  assert.ok(fetches('fetch') > 0 && fetches('fetch') < 100);
});

test('responders are asked first, lists where they do not tell', { skip }, async (t) => {
  const cases: [Names, status: string, asked: string[]][] = [
    [['ocsp'], 'good', ['ocsp good']],
    [['crl'], 'good', ['crl good']],
    [['ocsp', 'crl'], 'good', ['ocsp good']],
    [[], 'unknown', []],
  ];
  for (const [names, status, asked] of cases) {
    const { ask } = await opened(t, names);
    const report = await ask();
    const isGood = status === 'good';
    assert.deepEqual(brief(report), [status, isGood ? 'good' : 'indeterminate', isGood, asked], `${names}`);
    const [one] = report.revocation.certificates;
    assert.equal(one?.evidence, isGood ? 'fetched' : null);
    if (!isGood) assert.match(report.chainValidationError ?? '', /CN=Signer: .*names nobody/);
  }
  const { authority, ask } = await opened(t, ['ocsp', 'crl']);
  authority.answer('/ocsp', () => ({ status: 503, headers: {} }));
  const report = await ask();
  assert.deepEqual(brief(report), ['good', 'good', true, ['ocsp none', 'crl good']]);
  assert.deepEqual(
    report.revocation.certificates[0]?.asked.map(({ url, detail }) => [url, detail]),
    [
      [`http://${authority.host}/ocsp`, 'The answer has status 503.'],
      [`http://${authority.host}/crl`, null],
    ],
  );
});

test('withdrawn before and after signing, with a trusted clock and without', { skip }, async (t) => {
  for (const names of [['ocsp'], ['crl']] as Names[]) {
    const [method] = names;
    const plain = await opened(t, names);
    plain.authority.withdraw(SERIAL, days(-1));
    const report = await plain.ask();
    assert.deepEqual(brief(report), ['revoked', 'revoked', false, [`${method} revoked`]]);
    assert.match(report.chainValidationError ?? '', /CN=Signer was withdrawn/);
    assert.equal(report.valid, true);

    const { authority } = await opened(t, names);
    const clock = await startTimestampAuthority(
      authority.issue({ name: 'Clock', usages: [0], purposes: [OID.timeStamping], serial: 0x99 }, ...names),
    );
    t.after(() => clock.close());
    const signer = authority.issue({ name: 'Stamped', usages: [0], serial: 0x78 }, ...names);
    const files = {
      fileInput: named('d.pdf', onePage()),
      privateKeyFile: named('k.pem', signer.keyPem),
      certFile: named('c.pem', signer.pem + authority.root.pem),
    };
    const params = { certType: 'PEM', tsaUrl: clock.url };
    const ran = await runHere('security/cert-sign', { files, params, allowHosts: [clock.host] });
    assert.equal(ran.state, 'made');
    const stamped = Buffer.from(
      ran.state === 'made' && 'bytes' in ran.result.content ? ran.result.content.bytes : [],
    );
    const ask = () => judge(stamped, authority.root, 'fetch', [authority.host]);
    // One list is for both, and asked for once.
    const clockWord = (word: string) => (method === 'crl' ? [] : [`${method} ${word}`]);
    const first = await ask();
    assert.deepEqual(brief(first), ['good', 'good', true, [...clockWord('good'), `${method} good`]]);
    assert.deepEqual(
      first.revocation.certificates.map(({ role, status, evidence, source }) => [
        role,
        status,
        evidence,
        source,
      ]),
      ['signer', 'timestamp'].map((role) => [role, 'good', 'fetched', `http://${authority.host}/${method}`]),
    );
    // Later than the timestamp: it was good when it signed.
    authority.withdraw(0x78, new Date(Date.now() + 3_600_000));
    const later = await ask();
    assert.deepEqual(brief(later), ['good', 'good', true, [...clockWord('revoked'), `${method} good`]]);
    assert.match(later.revocation.certificates[0]?.reason ?? '', /after a trusted clock/);
    assert.ok(later.revocation.certificates[0]?.revokedAt);
    // A clock that was withdrawn proves nothing.
    authority.withdraw(0x99);
    const untrue = await ask();
    assert.deepEqual(brief(untrue), [
      'revoked',
      'revoked',
      false,
      [...clockWord('revoked'), `${method} revoked`],
    ]);
  }
});

test('what is asked outweighs old evidence that a thief of the key put in', { skip }, async (t) => {
  const { authority, signer } = await opened(t);
  const issuer = authority.root;
  const old = responderAnswer({
    responder: issuer,
    issuer,
    serial: SERIAL,
    from: days(-10),
    until: days(-3),
  });
  authority.withdraw(SERIAL, days(-2));
  const document = onePage({
    catalog: '/DSS << /OCSPs [5 0 R] >>',
    more: [streamOf(old.toString('latin1'))],
  });
  const signed = await signAs(signer, document, issuer.pem);
  assert.deepEqual(brief(await judge(signed, issuer, 'fetch', [authority.host])), [
    'revoked',
    'revoked',
    false,
    ['ocsp revoked'],
  ]);
  const held = responderAnswer({ responder: issuer, issuer, serial: SERIAL, until: days(3) });
  const fresh = onePage({ catalog: '/DSS << /OCSPs [5 0 R] >>', more: [streamOf(held.toString('latin1'))] });
  const answered = await signAs(signer, fresh, issuer.pem);
  const report = await judge(answered, issuer, 'fetch', [authority.host]);
  // What the document brings and still holds is asked of nobody.
  assert.deepEqual(brief(report), ['good', 'good', true, []]);
  assert.equal(report.revocation.certificates[0]?.evidence, 'embedded');
});

test('an answer counts only where it is genuine, fresh and to this question', { skip }, async (t) => {
  const { authority, signer, ask } = await opened(t);
  const { root } = authority;
  const stranger = issue({ name: 'Stranger', authority: true, usages: [5, 6] });
  const noCheck = extension(OID.ocspNoCheck, NULL, false);
  const appointed = { name: 'Responder', usages: [0], purposes: [OID.ocspSigning], issuer: root };
  const checked = issue({ ...appointed, more: [noCheck] });
  const nonceOf = (request: Buffer): Buffer => {
    const [, extensions] = readDer(request).child(0).children;
    return readDer(extensions?.child(0).child(0).child(1).octets() ?? request).octets();
  };
  const until = days(1);
  const honest = { responder: root, issuer: root, serial: SERIAL, until };
  const strange = extension('1.2.3.4', NULL);
  const cases: [string, Partial<AnswerWish>, answer: string, detail?: RegExp][] = [
    ['the issuer', {}, 'good'],
    ['without an end', { until: undefined as unknown as Date }, 'good'],
    ['appointed', { responder: checked }, 'good'],
    ['a stranger', { responder: stranger }, 'unusable', /not signed by|not appointed/],
    [
      'a stranger by the name of the issuer',
      { responder: issue({ name: 'Root', authority: true }) },
      'unusable',
      /not appointed/,
    ],
    ['under another name', { responder: checked, name: root.name }, 'unusable', /not signed by/],
    [
      'appointed for something else',
      { responder: issue({ ...appointed, purposes: [OID.serverAuth] }) },
      'unusable',
      /not for answers/,
    ],
    [
      'appointed by a stranger',
      { responder: issue({ ...appointed, issuer: stranger }) },
      'unusable',
      /not appointed/,
    ],
    [
      'appointed once',
      { responder: issue({ ...appointed, from: days(-9), until: days(-2) }) },
      'unusable',
      /not valid when/,
    ],
    [
      'with a demand',
      { responder: issue({ ...appointed, more: [noCheck, strange] }) },
      'unusable',
      /relied on/,
    ],
    ['ended', { from: days(-9), until: days(-2) }, 'unusable', /has ended/],
    ['old, without an end', { from: days(-9), until: undefined as unknown as Date }, 'unusable', /has ended/],
    ['ended before it began', { from: days(-1), until: days(-2) }, 'unusable', /has ended/],
    ['from the future', { from: days(1), until: days(2) }, 'unusable', /future/],
    ['of another certificate', { serial: SERIAL + 1 }, 'unusable', /other certificates/],
    ['of another issuer', { issuer: stranger, responder: root }, 'unusable', /other certificates/],
    ['unknown', { status: 'unknown' }, 'unknown'],
    ['withdrawn', { status: days(-1) }, 'revoked'],
    ['with a strange demand', { more: [strange] }, 'unusable', /not understood/],
  ];
  for (const [name, wish, answer, detail] of cases) {
    let given: Buffer = Buffer.alloc(0);
    authority.answer('/ocsp', (_, request) => {
      given = responderAnswer({ ...honest, nonce: nonceOf(request), ...wish });
      return given;
    });
    const report = await ask();
    const [one] = report.revocation.certificates;
    assert.equal(one?.asked[0]?.answer, answer, `${name}: ${one?.asked[0]?.detail}`);
    assert.match(one?.asked[0]?.detail ?? '', detail ?? /^$/, name);
    assert.equal(report.trustValid, answer === 'good', name);
    const verdict = answer === 'good' || answer === 'revoked' ? answer : 'indeterminate';
    assert.equal(report.revocation.verdict, verdict, name);
    if (!STRICTER.has(name))
      assert.equal(opensslBelieves(given, signer, root), answer === 'good', `${name}: openssl`);
  }
  // An answer that somebody kept.
  const kept = responderAnswer({ ...honest, nonce: Buffer.alloc(32, 7) });
  authority.answer('/ocsp', () => kept);
  assert.match((await ask()).revocation.reason ?? '', /CN=Signer: The answer is to another request/);
  // Prepared answers have no nonce; their dates count.
  authority.answer('/ocsp', () => responderAnswer(honest));
  assert.equal((await ask()).revocation.verdict, 'good');
  for (const code of [1, 2, 3, 5, 6]) {
    authority.answer('/ocsp', () => Buffer.from([0x30, 0x03, 0x0a, 0x01, code]));
    assert.match((await ask()).revocation.reason ?? '', /CN=Signer: The responder/, `${code}`);
  }
  for (const bytes of [Buffer.alloc(0), Buffer.from('<html>'), kept.subarray(0, 90)]) {
    authority.answer('/ocsp', () => bytes);
    assert.deepEqual(brief(await ask()), ['soft-fail', 'indeterminate', false, ['ocsp unusable']]);
  }
});

/** openssl asks for no more than a signature here. */
const STRICTER = new Set(['with a demand', 'with a strange demand', 'old, without an end']);

test('a responder without a word that it need not be checked is checked itself', { skip }, async (t) => {
  const { authority, ask } = await opened(t);
  const { root } = authority;
  const place = der(context(6, false), Buffer.from(`http://${authority.host}/crl`));
  const lists = extension(
    OID.crlDistributionPoints,
    sequence(sequence(der(context(0), der(context(0), place)))),
    false,
  );
  const wish = { name: 'Responder', usages: [0], purposes: [OID.ocspSigning], issuer: root, serial: 0x66 };
  const answerBy = (responder: Issued) =>
    authority.answer('/ocsp', () =>
      responderAnswer({ responder, issuer: root, serial: SERIAL, until: days(1) }),
    );
  answerBy(issue(wish));
  assert.match((await ask()).revocation.reason ?? '', /whether the responder was withdrawn/);
  answerBy(issue({ ...wish, more: [lists] }));
  assert.equal((await ask()).revocation.verdict, 'good');
  assert.ok(authority.asked.includes('/crl'));
  authority.answer('/crl', () => revocationList(root, [0x66], { until: days(1) }));
  assert.match((await ask()).revocation.reason ?? '', /responder was withdrawn itself/);
});

test('lists count by the same rules', { skip }, async (t) => {
  const { authority, signer, ask } = await opened(t, ['crl']);
  const { root } = authority;
  const stranger = issue({ name: 'Root', authority: true, usages: [5, 6] });
  const until = days(1);
  const point = (...parts: Buffer[]) => extension(OID.issuingDistributionPoint, sequence(...parts));
  const cases: [string, Buffer, answer: string][] = [
    ['fresh', revocationList(root, [1, 2], { until }), 'good'],
    ['withdrawn', revocationList(root, [SERIAL], { until }), 'revoked'],
    ['ended', revocationList(root, [], { at: days(-9), until: days(-2) }), 'unusable'],
    ['from the future', revocationList(root, [], { at: days(1), until: days(2) }), 'unusable'],
    ['by a stranger', revocationList(stranger, [], { until }), 'unusable'],
    [
      'for authorities',
      revocationList(root, [], { until, more: [point(der(context(2, false), Buffer.of(0xff)))] }),
      'unusable',
    ],
    ['nothing', Buffer.alloc(0), 'unusable'],
    ['a page', Buffer.from('<html>not found</html>'), 'unusable'],
  ];
  for (const [name, list, answer] of cases) {
    authority.answer('/crl', () => list);
    const report = await ask();
    assert.deepEqual(brief(report)[3], [`crl ${answer}`], name);
    assert.equal(report.trustValid, answer === 'good', name);
    assert.equal(opensslFindsGood(list, signer, root), answer === 'good', `${name}: openssl`);
  }
});

test('who does not answer, or too much, or elsewhere, leaves it undetermined', { skip }, async (t) => {
  let hits = 0;
  const inner = createServer((_, response) => {
    hits += 1;
    response.end('secret');
  });
  await new Promise<void>((ready) => inner.listen(0, '127.0.0.1', ready));
  t.after(() => inner.close());
  const within = `127.0.0.1:${(inner.address() as AddressInfo).port}`;
  for (const [name, path, most] of [
    ['ocsp', '/ocsp', 100_000],
    ['crl', '/crl', 21 * 1024 * 1024],
  ] as const) {
    const { authority, ask } = await opened(t, [name]);
    const answers = async (give: Parameters<Authority['answer']>[1], detail: RegExp) => {
      authority.answer(path, give);
      const report = await ask();
      assert.deepEqual(brief(report), ['soft-fail', 'indeterminate', false, [`${name} none`]]);
      assert.match(report.revocation.reason ?? '', detail);
      assert.match(report.chainValidationError ?? '', /^It cannot be told whether .* withdrawn/);
    };
    await answers(() => Buffer.alloc(most), /too large/);
    const to = (place: string) => ({ status: 307, headers: { Location: place } });
    await answers(() => to(`http://${within}/`), /not a public/);
    await answers(() => to('http://10.0.0.1/'), /not a public/);
    await answers(() => to('http://[::1]/'), /not a public/);
    await answers(() => to('file:///etc/passwd'), /not a public/);
    await answers(() => to(path), /too often/);
    await answers(() => ({ status: 302, headers: {} }), /status 302/);
    await answers(() => ({ status: 404, headers: {} }), /status 404/);
    assert.equal(hits, 0, 'nobody inside was reached');
    // A redirection that may be followed is.
    let turns = 0;
    authority.answer(path, (honest) => {
      turns += 1;
      return turns === 1 ? to(`http://${authority.host}${path}`) : honest();
    });
    assert.deepEqual(brief(await ask()), ['good', 'good', true, [`${name} good`]]);
  }
});

test('a responder that is slow, or gone, is not waited for', { skip }, async (t) => {
  const { authority, signed, ask } = await opened(t);
  authority.answer('/ocsp', () => undefined);
  const slow = await ask();
  assert.deepEqual(brief(slow), ['soft-fail', 'indeterminate', false, ['ocsp none']]);
  assert.match(slow.revocation.reason ?? '', /did not answer in time/);
  authority.close();
  assert.match((await ask()).revocation.reason ?? '', /refused the connection/);
  const refused = await judge(signed, authority.root, 'fetch');
  assert.match(refused.revocation.reason ?? '', /not a public/);
});

test('authorities between signer and root are asked about, strangers are not', { skip }, async (t) => {
  const { authority } = await opened(t);
  const between = authority.issue({ name: 'Between', authority: true, usages: [5, 6], serial: 0x88 }, 'crl');
  const below = issue({ name: 'Below', usages: [0], issuer: between, serial: 5 });
  const signed = await signAs(below, onePage(), between.pem + authority.root.pem);
  const ask = () => judge(signed, authority.root, 'fetch', [authority.host]);
  const report = await ask();
  // The signer names nobody.
  assert.deepEqual(brief(report), ['unknown', 'indeterminate', false, ['crl good']]);
  authority.withdraw(0x88);
  const withdrawn = await ask();
  assert.deepEqual(brief(withdrawn).slice(1), ['revoked', false, ['crl revoked']]);
  assert.match(withdrawn.chainValidationError ?? '', /CN=Between was withdrawn/);
  const before = authority.asked.length;
  const stranger = await judge(signed, issue({ name: 'Other', authority: true }), 'fetch', [authority.host]);
  assert.deepEqual(brief(stranger).slice(1), ['indeterminate', false, []]);
  assert.match(stranger.revocation.reason ?? '', /nobody was asked/);
  assert.equal(authority.asked.length, before);
});

test('workers ask through the API process', { skip }, async (t) => {
  const { authority, signed } = await opened(t, ['ocsp', 'crl']);
  const { allowHosts: _, ...call } = callOf(signed, authority.root);
  const ask = async (hosts: string[]): Promise<SignatureReport> => {
    const dir = mkdtempSync(join(folder, 'worker-'));
    const bytes = await inWorker(dir, call as GivenCall, hosts, [], 'security/validate-signature');
    return JSON.parse(bytes.toString())[0];
  };
  assert.deepEqual(brief(await ask([authority.host])), ['good', 'good', true, ['ocsp good']]);
  const refused = await ask([]);
  assert.deepEqual(brief(refused), ['soft-fail', 'indeterminate', false, ['ocsp none', 'crl none']]);
  assert.match(refused.revocation.reason ?? '', /not a public/);
});
