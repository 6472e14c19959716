// A report made by a real service, checked by the command: online, offline, and after somebody has had a hand in it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { Bindery } from '@bindery/sdk';
import { zipEntries } from '../../service/testing/oracles/archives.ts';
import { type RunningService, startService } from '../../test/service.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');
const BIN = join(ROOT, 'cli', 'bin', 'bindery.cjs');
const folder = mkdtempSync(join(tmpdir(), 'bindery-verify-'));

let service: RunningService;
let report: string;

before(async () => {
  service = await startService();
  const bindery = new Bindery({ baseUrl: service.url, apiKey: service.key });
  const result = await bindery.security.autoRedact(join(ROOT, 'fixtures', 'text-two-pages.pdf'), {
    listOfText: ['lorem'],
    report: true,
    reportSecret: 'ours',
  });
  assert.equal(result.headers.get('x-redaction-attachments'), 'none');
  const [pdf, json] = await zipEntries(Buffer.from(await result.bytes()));
  assert.ok(pdf && json);
  report = json.bytes.toString('utf8');
  writeFileSync(join(folder, 'out.pdf'), pdf.bytes);
  writeFileSync(join(folder, 'report.json'), report);
  const answer = await fetch(`${service.url}/api/v1/info/redaction-key`);
  assert.equal(answer.status, 200);
  const told = await answer.text();
  writeFileSync(join(folder, 'key.json'), told);
  writeFileSync(join(folder, 'key.pem'), JSON.parse(told).publicKey);
});
after(async () => {
  await service?.remove();
  rmSync(folder, { recursive: true, force: true });
});

function verify(...args: string[]): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(BIN, ['verify-report', ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, BINDERY_URL: 'http://127.0.0.1:9' },
    encoding: 'utf8',
  });
  return { status, said: stdout + stderr };
}

test('a genuine report, by the key of the service and offline by a key file', () => {
  for (const key of [
    ['--url', service.url],
    ['--key', 'key.pem'],
    ['--key', 'key.json'],
  ]) {
    const { status, said } = verify('report.json', '--file', 'out.pdf', ...key);
    assert.equal(status, 0, said);
    assert.match(said, /genuine/);
    assert.match(said, /out\.pdf is the document of the report/);
    assert.match(said, /text \(poppler\): clean/);
  }
  const { said } = verify('report.json', '--key', 'key.pem', '--json');
  assert.deepEqual(JSON.parse(said), JSON.parse(report));
  assert.match(JSON.parse(said).engines.qpdf, /\d/);
});

test('a term that was asked for, and one that was not', () => {
  const asked = verify('report.json', '--key', 'key.pem', '--term', 'lorem', '--secret', 'ours');
  assert.equal(asked.status, 0, asked.said);
  assert.match(asked.said, /was asked for/);
  for (const [term, secret] of [
    ['ipsum', 'ours'],
    ['lorem', 'theirs'],
  ] as const)
    assert.equal(verify('report.json', '--key', 'key.pem', '--term', term, '--secret', secret).status, 1);
});

const other = spawnSync('openssl', ['genpkey', '-algorithm', 'ed25519']).stdout;
const otherKey = spawnSync('openssl', ['pkey', '-pubout'], { input: other }).stdout;

const REFUSED: {
  what: string;
  change?(text: string): string;
  args: string[];
  status: number;
  says: RegExp;
}[] = [
  {
    what: 'a report that was changed',
    change: (text) => text.replace('"strings": 0', '"strings": 1'),
    args: ['--key', 'key.pem'],
    status: 1,
    says: /changed after it was signed[\s\S]*reason: report_invalid/,
  },
  {
    what: 'a member that was added',
    change: (text) => text.replace('"type"', '"approvedBy": "nobody", "type"'),
    args: ['--key', 'key.pem'],
    status: 1,
    says: /changed after it was signed/,
  },
  { what: 'another file', args: ['--key', 'key.pem', '--file', 'key.pem'], status: 1, says: /not the one/ },
  { what: 'another key', args: ['--key', 'other.pem'], status: 1, says: /signed with another key/ },
  { what: 'no key', args: ['--key', 'report.json'], status: 1, says: /no public Ed25519 key/ },
  {
    what: 'no report',
    change: () => '[]',
    args: ['--key', 'key.pem'],
    status: 1,
    says: /no redaction report/,
  },
  { what: 'no JSON', change: () => 'x', args: ['--key', 'key.pem'], status: 1, says: /no redaction report/ },
  {
    what: 'a report nested beyond all measure',
    change: (text) => text.replace('"type"', `"x": ${'['.repeat(1e5)}${']'.repeat(1e5)}, "type"`),
    args: ['--key', 'key.pem'],
    status: 1,
    says: /changed after it was signed|no redaction report/,
  },
  {
    what: 'a newer version',
    change: (text) => text.replace('"version": 1', '"version": 2'),
    args: ['--key', 'key.pem'],
    status: 1,
    says: /newer version/,
  },
  { what: 'a file that is not there', args: ['--key', 'none.pem'], status: 1, says: /input_unreadable/ },
  { what: 'nobody to ask', args: [], status: 4, says: /network_error/ },
  { what: 'half a question', args: ['--key', 'key.pem', '--term', 'x'], status: 2, says: /go together/ },
];

for (const { what, change, args, status, says } of REFUSED)
  test(`refused: ${what}`, () => {
    writeFileSync(join(folder, 'other.pem'), otherKey);
    writeFileSync(join(folder, 'changed.json'), change?.(report) ?? report);
    const ran = verify('changed.json', ...args);
    assert.match(ran.said, says);
    assert.equal(ran.status, status, ran.said);
  });

test('the key is its owner’s alone, and no part of it is told', async () => {
  const path = join(service.dataDir, 'redaction-report-key.pem');
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const secret = readFileSync(path, 'utf8').split('\n')[1] ?? '';
  assert.ok(secret.length > 40);
  assert.ok(!report.includes(secret) && !readFileSync(join(folder, 'key.json'), 'utf8').includes(secret));
  const made = spawnSync('openssl', ['pkey', '-in', path, '-pubout'], { encoding: 'utf8' }).stdout;
  assert.equal(made, readFileSync(join(folder, 'key.pem'), 'utf8'));
});
