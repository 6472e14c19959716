// The report of a redaction as a third party reads it: OpenSSL and jq check the signature, a JSON Schema validator the
// form, and nothing in it tells what was taken out.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type GivenFile, made, runHere, SIGNER } from '../../../testing/calls/run-here.ts';
import { fixture } from '../../../testing/documents/small-pdf.ts';
import { onePage, streamOf } from '../../../testing/documents/written-pdf.ts';
import { zipEntries } from '../../../testing/oracles/archives.ts';
import { askProgram, missing } from '../../../testing/oracles/programs.ts';

const skip = missing('pdftotext', 'jq', 'openssl');
const dir = mkdtempSync(join(tmpdir(), 'bindery-report-'));
after(() => rmSync(dir, { recursive: true, force: true }));

const TEXT = fixture('text-two-pages.pdf').content.path;
const SCHEMA = JSON.parse(
  readFileSync(new URL('../../../../docs/reference/redaction-report.schema.json', import.meta.url), 'utf8'),
);
const isReport = new Ajv2020({ strict: false, validateFormats: false }).compile(SCHEMA);

async function reportOf(
  params: Record<string, string>,
  fileInput: GivenFile = TEXT,
): Promise<{ text: string; pdf: Buffer }> {
  const ran = await runHere('security/auto-redact', {
    files: { fileInput },
    params: { report: 'true', ...params },
  });
  const [pdf, report] = await zipEntries(made(ran));
  assert.ok(pdf && report);
  const text = report.bytes.toString('utf8');
  assert.ok(isReport(JSON.parse(text)), JSON.stringify(isReport.errors));
  return { text, pdf: pdf.bytes };
}

/** What OpenSSL says of the signature, of the bytes that jq makes canonical. */
function opensslAccepts(report: string): boolean {
  const canonical = askProgram('jq', ['-cSj', 'del(.signature)', '{}'], Buffer.from(report));
  writeFileSync(join(dir, 'signed'), canonical);
  writeFileSync(join(dir, 'signature'), Buffer.from(JSON.parse(report).signature.value, 'base64'));
  writeFileSync(join(dir, 'key.pem'), SIGNER.publicKey.publicKey);
  const { status } = spawnSync(
    'openssl',
    'pkeyutl -verify -pubin -inkey key.pem -rawin -in signed -sigfile signature'.split(' '),
    { cwd: dir },
  );
  return status === 0;
}

test('OpenSSL accepts the signature, and no longer once a value was changed', { skip }, async () => {
  const { text } = await reportOf({ listOfText: 'lorem' });
  assert.ok(opensslAccepts(text));
  const { keyId } = JSON.parse(text).signature;
  const der = askProgram('openssl', 'pkey -pubin -in {} -outform DER -out -'.split(' '), keyFile());
  assert.ok(der.length > 0);
  const hash = spawnSync('sh', ['-c', 'openssl pkey -pubin -outform DER | sha256sum'], { input: keyFile() });
  assert.equal(hash.stdout.toString('utf8').slice(0, 64), keyId);
  for (const [from, to] of [
    ['"boxes": 21', '"boxes": 0'],
    ['"result": "clean"', '"result": "not-run"'],
    ['"version": 1', '"version": 2'],
  ] as const) {
    const changed = text.replace(from, to);
    assert.notEqual(changed, text, from);
    assert.ok(!opensslAccepts(changed), from);
  }
});

const keyFile = (): Buffer => Buffer.from(SIGNER.publicKey.publicKey);

test('the report names no term: not in what was asked, found, called', { skip }, async () => {
  const bytes = onePage({
    catalog: '/Names << /EmbeddedFiles << /Names [(Kowalski.txt) 6 0 R] >> >>',
    page: '/Resources << /Font << /Kowalski 5 0 R >> >>',
    content: 'BT /Kowalski 20 Tf 72 700 Td (Mr Kowalski lives here) Tj ET',
    more: [
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      '<< /Type /Filespec /F (Kowalski.txt) /EF << /F 7 0 R >> >>',
      streamOf('nothing', '/Type /EmbeddedFile'),
    ],
    trailer: '/Info << /Title (About Kowalski) >>',
  });
  const { text } = await reportOf({ listOfText: 'Kowalski' }, { name: 'kowalski, letter.pdf', bytes });
  assert.doesNotMatch(text, /kowalski/i);
  const report = JSON.parse(text);
  assert.equal(report.input.name, '█, letter.pdf');
  assert.deepEqual(report.attachments, { searched: false, files: [{ name: '█.txt', outcome: 'kept' }] });
  const kinds = new Set(report.found.places.map(({ kind }: { kind: string }) => kind));
  assert.deepEqual([...kinds].sort(), ['name', 'page', 'string']);
  const [place] = report.found.places;
  // 72 from the left, 20 points high, 72 + 20 from the top of 792.
  assert.equal(place.page, 1);
  const [x, y, width, height] = place.box;
  assert.ok(x > 90 && x < 110 && y > 70 && y < 92 && width > 60 && width < 110 && height > 10 && height < 30);
});

test('with a secret of the caller, who has it and a term can tell that it was asked for', {
  skip,
}, async () => {
  const { text } = await reportOf({ listOfText: 'lorem\nipsum', reportSecret: 'between us' });
  const hmac = (term: string): string => createHmac('sha256', 'between us').update(term).digest('hex');
  assert.deepEqual(JSON.parse(text).asked.terms.hmac, [hmac('lorem'), hmac('ipsum')]);
  const said = spawnSync('openssl', ['dgst', '-sha256', '-hmac', 'between us'], { input: 'lorem' });
  assert.match(said.stdout.toString('utf8'), new RegExp(hmac('lorem')));
});

test('the hashes are those of the files, the checks those that were run', { skip }, async () => {
  const { text, pdf } = await reportOf({ listOfText: 'lorem' });
  const report = JSON.parse(text);
  const sum = (bytes: Uint8Array): string => askProgram('sha256sum', ['{}'], bytes).slice(0, 64);
  assert.equal(report.input.sha256, sum(readFileSync(TEXT)));
  assert.equal(report.output.sha256, sum(pdf));
  assert.equal(report.output.bytes, pdf.length);
  const told = report.verification.checks.map(
    ({ check, reader, result }: Record<string, string>) => `${check} ${reader} ${result}`,
  );
  const poppler = report.verification.checks.find(({ reader }: { reader: string }) => reader === 'poppler');
  const said = spawnSync('pdftotext', ['-v'], { encoding: 'utf8' }).stderr;
  assert.ok(poppler.version.length > 2 && said.includes(` ${poppler.version}\n`));
  assert.ok(told.includes('text poppler clean') && told.includes('text pdfium clean'), told.join());
});

for (const angle of ['0', '90', '180', '270'])
  test(`the readers agree on where words stand: no page turned by ${angle} becomes an image`, {
    skip,
  }, async () => {
    const turned = await runHere('general/rotate-pdf', { files: { fileInput: TEXT }, params: { angle } });
    const bytes = angle === '0' ? readFileSync(TEXT) : made(turned);
    const { text, pdf } = await reportOf({ listOfText: 'lorem' }, { name: 'turned.pdf', bytes });
    const { removed, found } = JSON.parse(text);
    assert.equal(removed.objects.pictures, 0);
    assert.deepEqual([found.terms.poppler, removed.boxes], [21, 21]);
    const left = askProgram('pdftotext', ['{}', '-'], pdf);
    assert.match(left, /ipsum/);
    assert.doesNotMatch(left, /lorem/i);
  });
