// Chains of certificates, lawful and hostile: openssl is the judge of each.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { missing } from '../../../testing/oracles/programs.ts';
import {
  extension,
  type Issued,
  issue,
  openssl,
  rsaKey,
  type Wish,
} from '../../../testing/signatures/pki.ts';
import { context, der, integer, octetString, oid, sequence, TAG } from '../../contract/der.ts';
import { readCertificate } from './certificate.ts';
import { buildChain } from './chain.ts';
import { OID } from './oids.ts';
import { storeOf } from './trust-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'bindery-chain-'));
after(() => rmSync(folder, { recursive: true, force: true }));

type Part = Omit<Wish, 'issuer' | 'name'> & { name?: string };

interface Chain {
  what: string;
  /** From the root down to the signer. */
  parts: Part[];
  /** What openssl is to look at beside the path itself. */
  ask?: string[];
}

const CA: Part = { authority: true, usages: [5, 6] };
const END: Part = { usages: [0, 1] };
const LATER = { from: new Date(Date.now() + 86_400_000 * 2) };
const GONE = { from: new Date(Date.now() - 86_400_000 * 9), until: new Date(Date.now() - 86_400_000 * 2) };

const text = (number: number, words: string): Buffer => der(context(number, false), Buffer.from(words));
const bytes = (...list: number[]): Buffer => der(context(7, false), Uint8Array.from(list));
const directory = (organization: string): Buffer =>
  der(
    context(4),
    sequence(der(TAG.set, sequence(oid('2.5.4.10'), der(TAG.utf8, Buffer.from(organization))))),
  );
const other = der(context(0), oid('1.2.3.4'), der(context(0), der(TAG.utf8, Buffer.from('x'))));
const names = (...list: Buffer[]): Buffer => extension(OID.subjectAltName, sequence(...list), false);
const bound = (number: 0 | 1, ...list: Buffer[]): Buffer =>
  extension(OID.nameConstraints, sequence(der(context(number), ...list.map((base) => sequence(base)))));
const permits = (...list: Buffer[]): Part => ({ ...CA, more: [bound(0, ...list)] });
const excludes = (...list: Buffer[]): Part => ({ ...CA, more: [bound(1, ...list)] });
const called = (...list: Buffer[]): Part => ({ ...END, more: [names(...list)] });
const of = (organization: string): Part => ({ ...END, parts: [['2.5.4.10', organization]] });

const policies = (...ids: string[]): Buffer =>
  extension(OID.certificatePolicies, sequence(...ids.map((id) => sequence(oid(id)))), false);
const demands = (explicit?: number, mapping?: number): Buffer =>
  extension(
    OID.policyConstraints,
    sequence(
      ...[explicit, mapping].flatMap((skip, number) =>
        skip === undefined ? [] : [der(context(number, false), Uint8Array.of(skip))],
      ),
    ),
  );
const maps = (from: string, to: string): Buffer =>
  extension(OID.policyMappings, sequence(sequence(oid(from), oid(to))));
const noAny = extension(OID.inhibitAnyPolicy, integer(0));
const [P1, P2] = ['1.2.3.1', '1.2.3.2'];
/** Any policy will do for us. */
const POLICIES = ['-policy_check', '-policy', OID.anyPolicy];
const strange = extension('1.2.3.4.5', sequence());
const SMIME = ['-purpose', 'smimesign'];
const having = (part: Part, ...more: Buffer[]): Part => ({ ...part, more: [...(part.more ?? []), ...more] });

const LAWFUL: Chain[] = [
  { what: 'two certificates', parts: [CA, END] },
  { what: 'three certificates', parts: [CA, CA, END] },
  {
    what: 'an unknown extension that need not be known',
    parts: [CA, having(END, extension('1.2.3.4.5', sequence(), false))],
  },
  { what: 'a path as long as allowed', parts: [{ ...CA, pathLength: 1 }, { ...CA, pathLength: 0 }, END] },
  {
    what: 'a critical alternative name',
    parts: [CA, having(END, extension(OID.subjectAltName, sequence(text(1, 'a@b.example'))))],
  },
  { what: 'a name within bounds', parts: [CA, permits(directory('Good')), of('Good')] },
  {
    what: 'a name within bounds, in other letters',
    parts: [CA, permits(directory('Good Firm')), of('good  FIRM')],
  },
  {
    what: 'a mail address within bounds',
    parts: [CA, permits(text(1, 'good.example')), called(text(1, 'a@good.example'))],
  },
  {
    what: 'a mail address below a domain',
    parts: [CA, permits(text(1, '.good.example')), called(text(1, 'a@x.good.example'))],
  },
  {
    what: 'a host within bounds',
    parts: [CA, permits(text(2, 'good.example')), called(text(2, 'www.good.example'))],
  },
  {
    what: 'an address of the web within bounds',
    parts: [CA, permits(text(6, '.good.example')), called(text(6, 'https://www.good.example/x'))],
  },
  {
    what: 'a number within bounds',
    parts: [CA, permits(bytes(10, 0, 0, 0, 255, 0, 0, 0)), called(bytes(10, 1, 2, 3))],
  },
  {
    what: 'bounds for names that it has not',
    parts: [CA, permits(text(2, 'good.example')), called(text(1, 'a@b.example'))],
  },
  { what: 'nobody excluded', parts: [CA, excludes(directory('Bad')), of('Good')] },
  {
    what: 'policies that are asked for',
    parts: [CA, having(CA, demands(0), policies(P1)), having(END, policies(P1))],
    ask: POLICIES,
  },
  {
    what: 'any policy',
    parts: [CA, having(CA, demands(0), policies(OID.anyPolicy)), having(END, policies(P1))],
    ask: POLICIES,
  },
  {
    what: 'policies by other names',
    parts: [CA, having(CA, demands(0), policies(P1), maps(P1, P2)), having(END, policies(P2))],
    ask: POLICIES,
  },
  {
    what: 'a purpose that fits',
    parts: [CA, { ...END, purposes: [OID.emailProtection, OID.clientAuth] }],
    ask: SMIME,
  },
  { what: 'any purpose', parts: [CA, { ...END, purposes: [OID.anyPurpose] }] },
  { what: 'non-repudiation alone', parts: [CA, { usages: [1] }], ask: SMIME },
];

const HOSTILE: Chain[] = [
  { what: 'an unknown critical extension of the signer', parts: [CA, having(END, strange)] },
  { what: 'an unknown critical extension between', parts: [CA, having(CA, strange), END] },
  { what: 'an unknown critical extension of the root', parts: [having(CA, strange), END] },
  {
    what: 'a critical key identifier',
    parts: [CA, having(END, extension(OID.subjectKeyId, octetString(Buffer.alloc(20))))],
  },
  {
    what: 'critical statements on qualified certificates',
    parts: [CA, having(END, extension('1.3.6.1.5.5.7.1.3', sequence()))],
  },
  { what: 'a name outside of bounds', parts: [CA, permits(directory('Good')), of('Bad')] },
  { what: 'a name without the part that bounds ask for', parts: [CA, permits(directory('Good')), END] },
  { what: 'a name that is excluded', parts: [CA, excludes(directory('Bad')), of('Bad')] },
  {
    what: 'an alternative name outside of bounds',
    parts: [CA, permits(directory('Good')), having(of('Good'), names(directory('Bad')))],
  },
  {
    what: 'a mail address outside of bounds',
    parts: [CA, permits(text(1, 'good.example')), called(text(1, 'a@bad.example'))],
  },
  {
    what: 'a mail address below a host',
    parts: [CA, permits(text(1, 'good.example')), called(text(1, 'a@x.good.example'))],
  },
  {
    what: 'another person of the host',
    parts: [CA, permits(text(1, 'a@good.example')), called(text(1, 'b@good.example'))],
  },
  {
    what: 'a mail address that is excluded',
    parts: [CA, excludes(text(1, 'bad.example')), called(text(1, 'a@BAD.example'))],
  },
  {
    what: 'a mail address in the subject',
    parts: [CA, permits(text(1, 'good.example')), { ...END, parts: [[OID.emailAddress, 'a@bad.example']] }],
  },
  {
    what: 'a host outside of bounds',
    parts: [CA, permits(text(2, 'good.example')), called(text(2, 'notgood.example'))],
  },
  {
    what: 'a host that is excluded',
    parts: [CA, excludes(text(2, 'bad.example')), called(text(2, 'x.bad.example'))],
  },
  {
    what: 'a host as common name',
    parts: [CA, permits(text(2, 'good.example')), { ...END, name: 'www.bad.example' }],
  },
  {
    what: 'an address of the web outside of bounds',
    parts: [CA, permits(text(6, 'good.example')), called(text(6, 'https://bad.example/good.example'))],
  },
  {
    what: 'an address of the web with a name before the host',
    parts: [CA, permits(text(6, 'good.example')), called(text(6, 'https://good.example@bad.example/'))],
  },
  {
    what: 'a number outside of bounds',
    parts: [CA, permits(bytes(10, 0, 0, 0, 255, 0, 0, 0)), called(bytes(11, 1, 2, 3))],
  },
  {
    what: 'a number that is excluded',
    parts: [CA, excludes(bytes(10, 0, 0, 0, 255, 0, 0, 0)), called(bytes(10, 1, 2, 3))],
  },
  { what: 'bounds of the root', parts: [permits(directory('Good')), CA, of('Bad')] },
  {
    what: 'bounds that an authority between breaks',
    parts: [CA, permits(directory('Good')), { ...CA, parts: [['2.5.4.10', 'Bad']] }, of('Good')],
  },
  { what: 'bounds of a kind that is not known', parts: [CA, permits(other), called(other)] },
  {
    what: 'bounds with a minimum',
    parts: [
      CA,
      having(
        CA,
        extension(
          OID.nameConstraints,
          sequence(der(context(0), sequence(text(1, 'good.example'), text(0, '\u0001')))),
        ),
      ),
      called(text(1, 'a@good.example')),
    ],
  },
  { what: 'a longer path than the root allows', parts: [{ ...CA, pathLength: 0 }, CA, END] },
  { what: 'a longer path than an authority allows', parts: [CA, { ...CA, pathLength: 0 }, CA, END] },
  { what: 'a much longer path', parts: [{ ...CA, pathLength: 1 }, CA, CA, CA, END] },
  { what: 'an issuer that is no authority', parts: [CA, END, END] },
  {
    what: 'an issuer that says it is none',
    parts: [CA, having(END, extension(OID.basicConstraints, sequence())), END],
  },
  { what: 'an issuer that may not sign certificates', parts: [CA, { ...CA, usages: [0, 6] }, END] },
  { what: 'a signer that is not valid any more', parts: [CA, { ...END, ...GONE }] },
  { what: 'a signer that is not valid yet', parts: [CA, { ...END, ...LATER }] },
  { what: 'an authority that is not valid any more', parts: [CA, { ...CA, ...GONE }, END] },
  {
    what: 'no policy where one is asked for',
    parts: [CA, having(CA, demands(0), policies(P1)), END],
    ask: POLICIES,
  },
  {
    what: 'another policy than that of the issuer',
    parts: [CA, having(CA, demands(0), policies(P1)), having(END, policies(P2))],
    ask: POLICIES,
  },
  {
    what: 'any policy where that is inhibited',
    parts: [CA, having(CA, demands(0), policies(P1), noAny), having(END, policies(OID.anyPolicy))],
    ask: POLICIES,
  },
  {
    what: 'policies mapped though that is inhibited',
    parts: [
      CA,
      having(CA, demands(0, 0), policies(P1)),
      having(CA, policies(P1), maps(P1, P2)),
      having(END, policies(P2)),
    ],
    ask: POLICIES,
  },
  {
    what: 'policies mapped to any',
    parts: [CA, having(CA, demands(0), policies(P1), maps(P1, OID.anyPolicy)), having(END, policies(P2))],
    ask: POLICIES,
  },
  {
    what: 'a signer that asks for policies it lacks',
    parts: [CA, CA, having(END, demands(0))],
    ask: POLICIES,
  },
  {
    what: 'a certificate of a web server',
    parts: [CA, { ...END, purposes: [OID.serverAuth, OID.clientAuth] }],
    ask: SMIME,
  },
  { what: 'a certificate for timestamps', parts: [CA, { ...END, purposes: [OID.timeStamping] }], ask: SMIME },
  {
    what: 'a certificate for answers on withdrawal',
    parts: [CA, { ...END, purposes: [OID.ocspSigning] }],
    ask: SMIME,
  },
  {
    what: 'an authority for web servers',
    parts: [CA, { ...CA, purposes: [OID.serverAuth] }, END],
    ask: SMIME,
  },
  { what: 'a key that only encrypts', parts: [CA, { usages: [2] }], ask: SMIME },
  {
    what: 'MD5',
    parts: [
      { ...CA, key: rsaKey() },
      { ...END, hash: 'md5' },
    ],
    ask: ['-auth_level', '1'],
  },
  {
    what: 'a short key of the authority',
    parts: [{ ...CA, key: rsaKey(768) }, END],
    ask: ['-auth_level', '1'],
  },
  {
    what: 'bounds that cannot be read',
    parts: [CA, having(CA, extension(OID.nameConstraints, Buffer.from('??'))), END],
  },
];

/** Each issued by the one before. */
function issued({ parts }: Chain): Issued[] {
  const made: Issued[] = [];
  for (const [index, part] of parts.entries()) {
    const issuer = made.at(-1);
    made.push(issue({ name: `Part ${index}`, ...part, ...(issuer ? { issuer } : {}) }));
  }
  return made;
}

function opensslTrusts(chain: readonly Issued[], ask: readonly string[]): boolean {
  const [root, ...rest] = chain;
  writeFileSync(join(folder, 'root.pem'), root?.pem ?? '');
  writeFileSync(
    join(folder, 'between.pem'),
    rest
      .slice(0, -1)
      .map(({ pem }) => pem)
      .join('') ||
      (root?.pem ?? ''),
  );
  writeFileSync(join(folder, 'end.pem'), rest.at(-1)?.pem ?? '');
  try {
    openssl(folder, 'verify', ...ask, '-CAfile', 'root.pem', '-untrusted', 'between.pem', 'end.pem');
    return true;
  } catch {
    return false;
  }
}

function weTrust(chain: readonly Issued[]): { isTrusted: boolean; error: string | null } {
  const [root, ...rest] = chain.map((one) => readCertificate(one.der));
  const signer = rest.pop();
  assert.ok(root && signer);
  return buildChain(signer, rest, storeOf([root]), new Date(), 'signature');
}

const skip = missing('openssl');

for (const chain of LAWFUL)
  test(`trusted: ${chain.what}`, { skip }, () => {
    const made = issued(chain);
    assert.equal(opensslTrusts(made, chain.ask ?? []), true, 'openssl');
    const { isTrusted, error } = weTrust(made);
    assert.deepEqual([isTrusted, error], [true, null]);
  });

for (const chain of HOSTILE)
  test(`not trusted: ${chain.what}`, { skip }, () => {
    const made = issued(chain);
    assert.equal(opensslTrusts(made, chain.ask ?? []), false, 'openssl');
    const { isTrusted, error } = weTrust(made);
    assert.equal(isTrusted, false);
    assert.ok(error);
  });

test('not trusted: a certificate that another key signed', { skip }, () => {
  const root = issue({ name: 'Root', authority: true });
  const forged = issue({ name: 'End', issuer: { ...root, key: issue({ name: 'Other' }).key } });
  assert.equal(opensslTrusts([root, forged], []), false);
  assert.equal(weTrust([root, forged]).isTrusted, false);
});

test('another path is found where one is refused', () => {
  const root = issue({ name: 'Root', authority: true });
  const narrow = issue({
    name: 'Between',
    authority: true,
    issuer: root,
    more: [bound(0, directory('Other'))],
  });
  const wide = issue({ name: 'Between', authority: true, issuer: root, key: narrow.key });
  const end = issue({ name: 'End', issuer: wide });
  const [signer, ...others] = [end, narrow, wide].map((one) => readCertificate(one.der));
  assert.ok(signer);
  const found = buildChain(signer, others, storeOf([readCertificate(root.der)]), new Date(), 'signature');
  assert.deepEqual([found.isTrusted, found.path.length], [true, 3]);
});
