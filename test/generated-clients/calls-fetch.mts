// The calls of a day through a client that OpenAPI Generator made (typescript-fetch): as calls.mts.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  AnalysisApi,
  Configuration,
  FormApi,
  GeneralApi,
  ResponseError,
  SecurityApi,
  UploadsApi,
} from './client/index.ts';

const [address = '', key = '', folder = '', first = '', second = '', field = ''] = process.argv.slice(2);
const settings = new Configuration({ basePath: address, apiKey: key });
const general = new GeneralApi(settings);
const uploads = new UploadsApi(settings);

const document = (name: string): Blob => new File([new Uint8Array(readFileSync(join(folder, name)))], name);
const keep = async (name: string, made: Blob): Promise<void> =>
  writeFileSync(join(folder, name), new Uint8Array(await made.arrayBuffer()));
function expect(holds: boolean, what: unknown): void {
  if (!holds) throw new Error(JSON.stringify(what));
}

const count = await new AnalysisApi(settings).analysisPageCount({ fileInput: document('text.pdf') });
expect(count.pageCount === 2, count);

const both = [document('text.pdf'), document('form.pdf')];
await keep('merged.pdf', await general.generalMergePdfs({ fileInput: both }));

const terms = { fileInput: document('text.pdf'), listOfText: [first, second] };
await keep('redacted.pdf', await new SecurityApi(settings).securityAutoRedact(terms));

const data = JSON.stringify({ [field]: 'Grace Hopper' });
await keep('filled.pdf', await new FormApi(settings).formFill({ fileInput: document('form.pdf'), data }));

const whole = readFileSync(join(folder, 'text.pdf'));
const begun = await uploads.uploadBegin({ uploadRequest: { filename: 'text.pdf', size: whole.length } });
for (let index = 0; index < begun.chunkCount; index += 1) {
  const chunk = whole.subarray(index * begun.chunkSize, (index + 1) * begun.chunkSize);
  await uploads.uploadChunk({ id: begun.id, index, body: new Blob([new Uint8Array(chunk)]) });
}
const { id } = await uploads.uploadComplete({ id: begun.id });
// The description requires a file: an empty one stands beside an upload.
const upload = { fileInput: new File([], 'none'), fileInputupload: id, angle: 180 };
await keep('turned.pdf', await general.generalRotatePdf(upload));

try {
  await general.generalRotatePdf({ fileInput: document('text.pdf'), angle: 45 });
  throw new Error('an angle of 45 was accepted');
} catch (error) {
  if (!(error instanceof ResponseError)) throw error;
  const problem = (await error.response.json()) as { reason: string; detail: string };
  expect(problem.reason === 'invalid_parameter' && problem.detail.includes('angle'), problem);
}
