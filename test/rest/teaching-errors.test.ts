// Mistakes that newcomers make, and what they are told.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { filePart, fixture, form, type RunningService, startService } from '../service.ts';

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url));
const fixtureOf = (ending: string): string =>
  join(
    FIXTURES,
    readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith(ending)) ?? '',
  );

let service: RunningService;
before(async () => {
  service = await startService();
});
after(() => service.remove());

interface Told {
  reason: string;
  detail: string;
  hint: string;
  error: string;
}
const told = async (response: Response): Promise<[number, Told]> => [
  response.status,
  (await response.json()) as Told,
];
const PDF = () => filePart(fixture('text-two-pages.pdf'));

describe('a path that is not there names the one that was meant', () => {
  const cases: [path: string, meant: string | undefined][] = [
    ['/api/v1/rotate-pdf', 'POST /api/v1/general/rotate-pdf'],
    ['/general/rotate-pdf', 'POST /api/v1/general/rotate-pdf'],
    ['/api/v1/general/rotate-pdf/', 'POST /api/v1/general/rotate-pdf'],
    ['/api/v1/general/rotatepdf', 'POST /api/v1/general/rotate-pdf'],
    ['/api/v1/misc/merge-pdfs', 'POST /api/v1/general/merge-pdfs'],
    ['/api/v1/convert/docx/pdf', undefined],
    ['/api/v1/info/statsu', 'GET /api/v1/info/status'],
    ['/openapi.json', 'GET /v1/openapi.json'],
    ['/wp-login.php', undefined],
    [`/${'a/'.repeat(4000)}`, undefined],
  ];
  for (const [path, meant] of cases)
    test(path.slice(0, 40), async () => {
      const [status, problem] = await told(await service.fetch(path, { method: 'POST' }));
      assert.deepEqual([status, problem.reason, problem.error], [404, 'not_found', 'Not found']);
      const named = /did you mean (.*)\?$/.exec(problem.detail)?.[1];
      if (meant !== undefined) assert.equal(named, meant);
      else assert.doesNotMatch(problem.detail, /login|a\/a/);
    });
});

test('a DOCX sent as a PDF is called a DOCX, and what converts it is named', async () => {
  const sent = form({ fileInput: filePart(fixtureOf('.docx'), 'letter.pdf'), angle: '90' });
  const [status, problem] = await told(await service.post('general/rotate-pdf', sent));
  assert.deepEqual([status, problem.reason], [400, 'invalid_pdf']);
  assert.equal(problem.detail, 'letter.pdf is a DOCX, not a PDF.');
  assert.match(problem.hint, /POST \/api\/v1\/convert\/file\/pdf/);
});

test('a PDF sent as an image is called a PDF', async () => {
  const [status, problem] = await told(await service.post('convert/img/pdf', form({ fileInput: PDF() })));
  assert.deepEqual([status, problem.reason], [400, 'unsupported_file_type']);
  assert.match(problem.detail, /^text-two-pages\.pdf is a PDF, not of a type this operation takes: /);
});

test('an empty file is called empty', async () => {
  const empty = () => new File([], 'nothing.pdf');
  for (const operation of ['general/rotate-pdf', 'analysis/page-count', 'convert/pdf/text']) {
    const [status, problem] = await told(
      await service.post(operation, form({ fileInput: empty(), angle: '90' })),
    );
    assert.deepEqual([status, problem.reason, problem.detail], [400, 'invalid_pdf', 'nothing.pdf is empty.']);
  }
  const [, problem] = await told(await service.post('convert/img/pdf', form({ fileInput: empty() })));
  assert.match(problem.detail, /^nothing\.pdf is empty; this operation takes: /);
});

test('where something is missing, a wrong name is named', async () => {
  const file = await told(await service.post('general/rotate-pdf', form({ fileInputs: PDF(), angle: '90' })));
  assert.equal(file[0], 400);
  assert.match(
    file[1].detail,
    /^fileInput is required.*nothing reads fileInputs \(did you mean fileInput\?\)\.$/,
  );
  const field = await told(
    await service.post('general/remove-pages', form({ fileInput: PDF(), pageNumbrs: '1' })),
  );
  assert.match(field[1].detail, /nothing reads pageNumbrs/);
});

test('the key may come as a bearer token; other credentials are named', async () => {
  const asked = (authorization: string) =>
    fetch(`${service.url}/api/v1/info/status`, { headers: { authorization } });
  assert.equal((await asked(`Bearer ${service.key}`)).status, 200);
  const [wrong, basic] = [await told(await asked('Bearer nobody')), await told(await asked('Basic YTpi'))];
  assert.match(wrong[1].detail, /in the Authorization header is unknown/);
  assert.match(
    basic[1].detail,
    /X-API-KEY header is missing; the Authorization header holds no bearer token/,
  );
});

test('each of these gets words that lead to the right call', async () => {
  const rotated = (fields: Parameters<typeof form>[0]) => service.post('general/rotate-pdf', form(fields));
  const raw = (type: string, body: string) =>
    service.fetch('/api/v1/general/rotate-pdf', { method: 'POST', headers: { 'content-type': type }, body });
  const steps = (text: string) => service.post('pipeline', form({ fileInput: PDF(), steps: text }));
  const keyless = (path: string, headers = {}) =>
    fetch(`${service.url}/api/v1/info/status${path}`, { headers });
  const cases: [answer: Promise<Response>, detail: RegExp, hint: RegExp][] = [
    [rotated({ fileInput: 'report.pdf' }), /^fileInput must be a file part/, /-F fileInput=@/],
    [rotated({ fileInput: 'https://example.com/a.pdf' }), /^fileInput must be a file part/, /fileInput@url/],
    [rotated({ files: PDF() }), /nothing reads files \(did you mean fileInput\?\)\.$/, /-F fileInput=@/],
    [rotated({ fileInput: PDF(), angle: '45' }), /^angle must be .*got "45"/, /takes angle, pageNumbers;/],
    [raw('application/json', '{}'), /must be a form.*got application\/json/, /-F fileInput=@/],
    [raw('multipart/form-data', ''), /no boundary/, /Leave the Content-Type header to your client/],
    [steps('[{op:rotate-pdf}]'), /it is not valid JSON/, /./],
    [steps('[{"op":"rotate"}]'), /did you mean general\/rotate-pdf\?$/, /openapi\.json/],
    [steps('[{"op":"misc/merge-pdfs"}]'), /did you mean general\/merge-pdfs\?$/, /openapi\.json/],
    [
      service.post('form/fill', form({ fileInput: PDF(), data: "{'a':1}" })),
      /^data must be .*it is not valid JSON\.$/,
      /double quotes/,
    ],
    [keyless('?api_key=x'), /a key in the address is not read/, /X-API-KEY/],
    [keyless('', { 'Api-Key': 'x' }), /a key in api-key is not read/, /X-API-KEY/],
  ];
  for (const [answer, detail, hint] of cases) {
    const [status, problem] = await told(await answer);
    assert.ok(status === 400 || status === 401, problem.detail);
    assert.match(problem.detail, detail);
    assert.match(problem.hint, hint, problem.detail);
  }
});
