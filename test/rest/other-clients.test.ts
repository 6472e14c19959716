// Requests as clients written for other services of this kind send them: they work unchanged.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { filePart, fixture, form, problemOf, type RunningService, startService } from '../service.ts';

let service: RunningService;
before(async () => {
  service = await startService();
});
after(() => service.remove());

const pdf = () => filePart(new Uint8Array(readFileSync(fixture('text-two-pages.pdf'))), 'a.pdf');

function judge(bytes: Uint8Array, ...command: [string, ...string[]]): string {
  const made = join(service.dataDir, 'judged');
  writeFileSync(made, bytes);
  const [program, ...args] = command;
  return execFileSync(program, [...args, made], { encoding: 'utf8' });
}
const rotations = (bytes: Uint8Array): string[] =>
  [...judge(bytes, 'pdfinfo', '-l', '9').matchAll(/rot:\s+(\d+)/g)].map(([, angle]) => angle ?? '');

async function bytesOf(response: Response): Promise<Uint8Array> {
  assert.equal(response.status, 200, response.ok ? '' : await response.text());
  return response.bytes();
}

test('query parameters are fields, and the body wins', async () => {
  const turned = async (query: string, fields: Record<string, string> = {}) =>
    rotations(
      await bytesOf(await service.post(`general/rotate-pdf?${query}`, form({ fileInput: pdf(), ...fields }))),
    );
  assert.deepEqual(await turned('angle=180'), ['180', '180']);
  assert.deepEqual(await turned('angle=180&pageNumbers=1'), ['180', '0']);
  assert.deepEqual(await turned('angle=180', { angle: '270' }), ['270', '270']);
  assert.deepEqual(await turned('angle=180&angle=90', { angle: '270' }), ['270', '270']);
  const twice = await service.post('general/rotate-pdf?angle=180&angle=90', form({ fileInput: pdf() }));
  assert.match((await problemOf(twice)).detail, /angle was sent 2 times/);
  const wrong = await service.post('general/rotate-pdf?angle=45', form({ fileInput: pdf() }));
  assert.match((await problemOf(wrong)).detail, /angle/);
});

test('the body wins under any of the names a field has', async () => {
  const address = await service.post(
    'convert/url/pdf?url=http%3A%2F%2F10.0.0.1%2F',
    form({ urlInput: 'ftp://x/' }),
  );
  const { reason, detail } = await problemOf(address);
  assert.equal(reason, 'url_not_allowed');
  assert.doesNotMatch(detail, /2 times/);
  const upload = await service.post('analysis/page-count?fileInput%40upload=none', form({ file: pdf() }));
  assert.deepEqual(await upload.json(), { pageCount: 2 });
});

test('a query is part of what makes two requests the same', async () => {
  const headers = { 'idempotency-key': 'query-1' };
  const post = (query: string) =>
    service.post(`general/rotate-pdf?${query}`, form({ fileInput: pdf() }), headers);
  await bytesOf(await post('angle=90'));
  const again = await post('angle=90');
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.equal((await problemOf(await post('angle=180'))).reason, 'idempotency_key_reused');
});

test('text beside a file is ignored, text instead of one is not', async () => {
  const body = form({ fileInput: 'a.pdf', file: pdf(), angle: '90' });
  assert.deepEqual(rotations(await bytesOf(await service.post('general/rotate-pdf', body))), ['90', '90']);
  const lines = form({ fileInput: '{\n  "a": "b"\n}', file: pdf(), angle: '90' });
  assert.deepEqual(rotations(await bytesOf(await service.post('general/rotate-pdf', lines))), ['90', '90']);
  const alone = await service.post('general/rotate-pdf', form({ fileInput: 'some text in a line' }));
  assert.match((await problemOf(alone)).detail, /fileInput must be a file part/);
  const steps = JSON.stringify([{ op: 'rotate-pdf', params: { angle: 90 } }]);
  const piped = await service.post('pipeline', form({ file: 'a text', fileInput: pdf(), steps }));
  assert.deepEqual(rotations(await bytesOf(piped)), ['90', '90']);
  assert.equal(piped.headers.get('x-ignored-fields'), null);
});

test('an empty selection numbers all pages', async () => {
  const made = await service.post(
    'misc/add-page-numbers',
    form({ fileInput: pdf(), pagesToNumber: '', customText: 'N{n}N' }),
  );
  const text = judge(await bytesOf(made), 'sh', '-c', 'pdftotext "$0" -');
  assert.match(text, /N1N[\s\S]*N2N/);
});

test('words that others use for the same are taken', async () => {
  const drawn = await service.post(
    'convert/pdf/img',
    form({ fileInput: pdf(), pageNumbers: '1', dpi: '20' }),
  );
  const png = filePart(new Uint8Array(await bytesOf(drawn)), 'p.png');
  for (const [path, fields] of [
    ['convert/img/pdf', { fileInput: png, fitOption: 'fitDocumentToPage', colorType: 'grayscale' }],
    ['convert/pdf/img', { fileInput: pdf(), colorType: 'grayscale', imageFormat: 'bmp', dpi: '30' }],
    ['general/multi-page-layout', { fileInput: pdf(), addBorder: 'true', borderWidth: '0' }],
  ] as const) {
    await bytesOf(await service.post(path, form(fields)));
  }
});

test('no password and nothing denied is no fault', async () => {
  const response = await service.post('security/add-password', form({ fileInput: pdf(), password: '' }));
  assert.match(response.headers.get('content-disposition') ?? '', /a_permissions\.pdf/);
  assert.match(
    judge(await bytesOf(response), 'pdfinfo'),
    /Encrypted:\s+yes \(print:yes copy:yes change:yes addNotes:yes/,
  );
});

test('names that no field has are told, with the answer, with a refusal and when it is given again', async () => {
  const told = async (response: Response) => {
    await response.bytes();
    return response.headers.get('x-ignored-fields');
  };
  const headers = { 'idempotency-key': 'ignored-1' };
  const post = (path: string, fields: Record<string, string>, own = {}) =>
    service.post(path, form({ fileInput: pdf(), ...fields }), own);
  assert.equal(await told(await post('general/rotate-pdf', { angle: '90' })), null);
  assert.equal(await told(await post('general/rotate-pdf?utm=1', { angel: '90' })), 'utm, angel');
  assert.equal(await told(await post('general/rotate-pdf', { angel: '90' }, headers)), 'angel');
  assert.equal(await told(await post('general/rotate-pdf', { angel: '90' }, headers)), 'angel');
  const refused = await post('general/remove-pages', { pageNumber: '1' });
  assert.equal(refused.status, 400);
  assert.equal(await told(refused), 'pageNumber');
  assert.equal(
    await told(await post('general/rotate-pdf', { 'no\u001b]0;x\u202ename, b': '1' })),
    'no_]0_x_name__b',
  );
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`${at}`.padStart(900, 'x'), 'y']));
  const long = (await told(await post('general/rotate-pdf', many))) ?? '';
  assert.ok(long.length < 20 * 66, `${long.length} characters`);
  const steps = JSON.stringify([{ op: 'rotate-pdf', params: { angel: 180 } }]);
  assert.equal(await told(await post('pipeline', { steps, stepz: '' })), 'stepz, steps[0].params.angel');
});

test('an empty file beside an upload is no second file; without an upload it is refused', async () => {
  const bytes = new Uint8Array(readFileSync(fixture('text-two-pages.pdf')));
  const json = { 'content-type': 'application/json' };
  const begin = JSON.stringify({ filename: 'a.pdf', size: bytes.length });
  const begun = await service.fetch('/api/v1/uploads', { method: 'POST', headers: json, body: begin });
  const { id } = (await begun.json()) as { id: string };
  await service.fetch(`/api/v1/uploads/${id}/chunks/0`, { method: 'PUT', body: bytes });
  await service.fetch(`/api/v1/uploads/${id}/complete`, { method: 'POST' });
  const none = filePart(new Uint8Array(), 'none');
  const made = await service.post(
    'general/rotate-pdf',
    form({ fileInput: none, 'fileInput@upload': id, angle: '90' }),
  );
  assert.deepEqual(rotations(await bytesOf(made)), ['90', '90']);
  const alone = await service.post('general/rotate-pdf', form({ fileInput: none }));
  assert.equal((await problemOf(alone)).reason, 'invalid_pdf');
});
