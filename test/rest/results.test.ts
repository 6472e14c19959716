import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { filePart, fixture, form, problemOf, type RunningService, startService } from '../service.ts';

let service: RunningService;
before(async () => {
  service = await startService();
});
after(() => service.remove());

const pdf = readFileSync(fixture('text-two-pages.pdf'));

/** A PDF made larger than memory spools hold, by an attachment. */
function padded(bytes: number): Uint8Array<ArrayBuffer> {
  const made = join(service.dataDir, 'padded.pdf');
  const attachment = join(service.dataDir, 'attachment.bin');
  writeFileSync(attachment, randomBytes(bytes));
  execFileSync('qpdf', [fixture('text-two-pages.pdf'), '--add-attachment', attachment, '--', made]);
  return new Uint8Array(readFileSync(made));
}

function judge(bytes: Uint8Array): string {
  const made = join(service.dataDir, 'judged.pdf');
  writeFileSync(made, bytes);
  return execFileSync('pdfinfo', [made], { encoding: 'utf8' });
}

test('a result has type, name and length', async () => {
  const response = await service.post(
    'general/rotate-pdf',
    form({ fileInput: filePart(new Uint8Array(pdf), 'Bérich "t" 日.pdf'), angle: '90' }),
  );
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/pdf');
  assert.equal(
    response.headers.get('content-disposition'),
    `attachment; filename="B_rich _t_ __rotated.pdf"; filename*=UTF-8''B%C3%A9rich%20%22t%22%20%E6%97%A5_rotated.pdf`,
  );
  const bytes = await response.bytes();
  assert.equal(response.headers.get('content-length'), String(bytes.length));
  assert.match(judge(bytes), /Page rot:\s+90/);
});

test('a large file goes through whole', async () => {
  const large = padded(6_000_000);
  const response = await service.post(
    'general/rotate-pdf',
    form({ fileInput: filePart(large), angle: '270' }),
  );
  assert.equal(response.status, 200);
  const bytes = await response.bytes();
  assert.equal(response.headers.get('content-length'), String(bytes.length));
  assert.ok(bytes.length > 5_000_000);
  assert.match(judge(bytes), /Page rot:\s+270/);
});

test('many calls at once, small and large, get each its own answer', async () => {
  const large = padded(2_000_000);
  const angles = [90, 180, 270];
  const calls = Array.from({ length: 24 }, async (_none, n) => {
    const angle = angles[n % 3] ?? 90;
    const file = n % 4 === 0 ? filePart(large, `f${n}.pdf`) : filePart(new Uint8Array(pdf), `f${n}.pdf`);
    const response = await service.post(
      'general/rotate-pdf',
      form({ fileInput: file, angle: String(angle) }),
    );
    assert.equal(response.status, 200);
    assert.match(
      response.headers.get('content-disposition') ?? '',
      new RegExp(`filename="f${n}_rotated\\.pdf"`),
    );
    return { angle, bytes: await response.bytes() };
  });
  for (const { angle, bytes } of await Promise.all(calls))
    assert.match(judge(bytes), new RegExp(`Page rot:\\s+${angle}\\b`));
});

test('a urlencoded form reaches the operation', async () => {
  const response = await service.fetch('/api/v1/general/rotate-pdf', {
    method: 'POST',
    body: new URLSearchParams({ angle: '90' }),
  });
  assert.equal(response.status, 400);
  const problem = await problemOf(response);
  assert.equal(problem.reason, 'invalid_parameter');
  assert.match(problem.detail, /fileInput/);
});

test('what is no PDF is 400 invalid_pdf, and no tool speaks', async () => {
  const response = await service.post(
    'general/rotate-pdf',
    form({ fileInput: filePart(new Uint8Array(500), 'x.pdf') }),
  );
  assert.equal(response.status, 400);
  const problem = await problemOf(response);
  assert.equal(problem.code, 'invalid_document');
  assert.equal(problem.reason, 'invalid_pdf');
  assert.doesNotMatch(problem.detail, /qpdf|xref|offset|node/i);
});

test('several files for an operation that takes one are refused, whatever their names', async () => {
  const files = form({ fileInput: filePart(new Uint8Array(pdf)), file: filePart(new Uint8Array(pdf)) });
  assert.equal(
    (await problemOf(await service.post('general/rotate-pdf', files))).reason,
    'invalid_parameter',
  );
});

test('a pipeline runs its steps and tells where one fails', async () => {
  const steps = (list: unknown) =>
    form({ fileInput: filePart(new Uint8Array(pdf), 'a.pdf'), steps: JSON.stringify(list) });
  const twice = await service.post(
    'pipeline',
    steps([
      { op: 'rotate-pdf', params: { angle: 90 } },
      { op: 'general/rotate-pdf', params: { angle: '90' } },
    ]),
  );
  assert.equal(twice.status, 200);
  assert.match(judge(await twice.bytes()), /Page rot:\s+180/);
  const failing = await service.post(
    'pipeline',
    steps([
      { op: 'rotate-pdf', params: { angle: 90 } },
      { op: 'rotate-pdf', params: { pageNumbers: '9' } },
    ]),
  );
  const { reason, step, op } = await problemOf(failing);
  assert.deepEqual({ reason, step, op }, { reason: 'page_out_of_range', step: 1, op: 'general/rotate-pdf' });
});

test('steps may come as a JSON part, with or without a name', async () => {
  const steps = JSON.stringify([{ op: 'rotate-pdf', params: { angle: 90 } }]);
  for (const name of ['steps.json', undefined]) {
    const body = form({ fileInput: filePart(new Uint8Array(pdf)) });
    const part = new Blob([steps], { type: 'application/json' });
    if (name) body.append('steps', part, name);
    else body.append('steps', part);
    assert.equal((await service.post('pipeline', body)).status, 200);
  }
});
