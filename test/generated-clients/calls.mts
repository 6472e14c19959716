// The calls of a day through types that openapi-typescript made: node calls.mts <address> <key> <documents> <terms...>.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { components, paths } from './description.d.ts';

type Problem = components['schemas']['Problem'];
type Path = {
  [P in keyof paths]: paths[P] extends {
    post: { requestBody: { content: { 'multipart/form-data': object } } };
  }
    ? P
    : never;
}[keyof paths];
type Form<P extends Path> = paths[P] extends {
  post: { requestBody: { content: { 'multipart/form-data': infer F } } };
}
  ? F
  : never;
/** Files are strings to openapi-typescript. */
type Sent<F> = {
  [K in keyof F]: F[K] extends string | undefined
    ? F[K] | Blob
    : F[K] extends string[] | undefined
      ? F[K] | Blob[]
      : F[K];
};

const [address = '', key = '', folder = '', first = '', second = '', field = ''] = process.argv.slice(2);
const headers = { 'X-API-KEY': key };

/** As the description's `encoding` says: a part for each item of a list. */
function post<P extends Path>(path: P, fields: Sent<Form<P>>): Promise<Response> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields))
    for (const item of [value].flat()) body.append(name, item instanceof Blob ? item : String(item));
  return fetch(`${address}${path}`, { method: 'POST', headers, body });
}

const document = (name: string): Blob => new File([new Uint8Array(readFileSync(join(folder, name)))], name);

async function keep(name: string, answer: Response): Promise<void> {
  if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${await answer.text()}`);
  writeFileSync(join(folder, name), new Uint8Array(await answer.arrayBuffer()));
}

function expect(holds: boolean, what: unknown): void {
  if (!holds) throw new Error(JSON.stringify(what));
}

const counted = await post('/api/v1/analysis/page-count', { fileInput: document('text.pdf') });
const count = (await counted.json()) as components['schemas']['AnalysisPageCountResult'];
expect(count.pageCount === 2, count);

const both = [document('text.pdf'), document('form.pdf')];
await keep('merged.pdf', await post('/api/v1/general/merge-pdfs', { fileInput: both }));

const terms = { fileInput: document('text.pdf'), listOfText: [first, second] };
await keep('redacted.pdf', await post('/api/v1/security/auto-redact', terms));

const data = JSON.stringify({ [field]: 'Grace Hopper' });
await keep('filled.pdf', await post('/api/v1/form/fill', { fileInput: document('form.pdf'), data }));

const whole = readFileSync(join(folder, 'text.pdf'));
const request: components['schemas']['UploadRequest'] = { filename: 'text.pdf', size: whole.length };
const json = { ...headers, 'Content-Type': 'application/json' };
const begun = (await (
  await fetch(`${address}/api/v1/uploads`, { method: 'POST', headers: json, body: JSON.stringify(request) })
).json()) as components['schemas']['Upload'];
for (let index = 0; index < begun.chunkCount; index += 1) {
  const chunk = whole.subarray(index * begun.chunkSize, (index + 1) * begun.chunkSize);
  const place = `${address}/api/v1/uploads/${begun.id}/chunks/${index}`;
  const sent = await fetch(place, { method: 'PUT', headers, body: new Uint8Array(chunk) });
  expect(sent.status === 204, await sent.text());
}
const completed = await fetch(`${address}/api/v1/uploads/${begun.id}/complete`, { method: 'POST', headers });
expect(completed.status === 200, completed.status);
// The description requires a file: an empty one stands beside an upload.
const upload = { fileInput: new Blob([]), 'fileInput@upload': begun.id, angle: 180 };
await keep('turned.pdf', await post('/api/v1/general/rotate-pdf', upload));

const refused = await post('/api/v1/general/rotate-pdf', { fileInput: document('text.pdf'), angle: 45 });
const problem = (await refused.json()) as Problem;
expect(problem.reason === 'invalid_parameter' && problem.detail.includes('angle'), problem);
