// Work that takes longer than an agent waits: the answer is a job, and pdf_job goes on with it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { callTool } from '../agents.ts';
import { fixture, type RunningService, startService } from '../service.ts';

interface Told {
  kind: string;
  operation: string;
  data?: unknown;
  file?: { filename: string; size: number };
  job?: { job_id: string; status: string; done: number; next: string };
}

let service: RunningService;
let fileId = '';

before(async () => {
  service = await startService();
  const content_base64 = readFileSync(fixture('text-two-pages.pdf')).toString('base64');
  const uploaded = await callTool(service, 'pdf_upload', { filename: 'two.pdf', content_base64 });
  fileId = String((uploaded.structuredContent as { file_id: string }).file_id);
});
after(() => service?.remove());

const told = async (name: string, args: Record<string, unknown>): Promise<Told> => {
  const { isError, content, structuredContent } = await callTool(service, name, args);
  assert.ok(!isError, content[0]?.text);
  return structuredContent as unknown as Told;
};

async function result(jobId: string): Promise<Told> {
  for (let tries = 0; tries < 20; tries += 1) {
    const answer = await told('pdf_job', { job_id: jobId, wait_seconds: 5 });
    if (answer.kind !== 'job') return answer;
  }
  throw new Error('the job did not end');
}

test('a call in the background is answered with a job, and pdf_job with what came of it', async () => {
  const begun = await told('pdf_misc', { operation: 'scanner-effect', file: fileId, background: true });
  assert.equal(begun.kind, 'job');
  const { job_id: id = '', next = '' } = begun.job ?? {};
  assert.match(next, /Call pdf_job with job_id/);
  const made = await result(id);
  assert.deepEqual([made.kind, made.operation], ['file', 'misc/scanner-effect']);
  assert.match(made.file?.filename ?? '', /^two.*\.pdf$/);
  // As often as wanted, until it is removed.
  assert.equal((await told('pdf_job', { job_id: id, output_name: 'x.pdf' })).file?.filename, 'x.pdf');
  await told('pdf_job', { job_id: id, cancel: true });
  const gone = await callTool(service, 'pdf_job', { job_id: id });
  assert.match(gone.content[0]?.text ?? '', /Reason: job_not_found/);
});

test('a pipeline, a failure and work that ends in time', async () => {
  const steps = [{ op: 'analysis/page-count' }];
  const piped = await told('pdf_pipeline', { file: fileId, steps, background: true });
  assert.deepEqual((await result(piped.job?.job_id ?? '')).data, { pageCount: 2 });
  const wrong = { operation: 'rotate-pdf', file: fileId, parameters: { angle: 90, pageNumbers: '99' } };
  const failing = await told('pdf_pages', { ...wrong, background: true });
  const failed = await callTool(service, 'pdf_job', { job_id: failing.job?.job_id });
  assert.match(failed.content[0]?.text ?? '', /Reason: page_out_of_range/);
  // Slow by its nature, and yet done while its caller waits: no job is left of it.
  const before = (await jobs()).length;
  const drawn = await told('pdf_convert', { operation: 'pdf/img', file: fileId });
  assert.equal(drawn.kind, 'file');
  assert.equal((await jobs()).length, before);
});

test('a call that was thought to be short, and is not, becomes a job all the same', async () => {
  const impatient = await startService({
    env: { BINDERY_MCP_PATIENCE_MS: '6000', BINDERY_ISOLATION: 'none' },
  });
  try {
    const content_base64 = readFileSync(fixture('text-two-pages.pdf')).toString('base64');
    const uploaded = await callTool(impatient, 'pdf_upload', { filename: 'two.pdf', content_base64 });
    const { file_id: file } = uploaded.structuredContent as { file_id: string };
    const count = { operation: 'page-count', file };
    const quick = await callTool(impatient, 'pdf_analyze', count);
    assert.deepEqual((quick.structuredContent as unknown as Told).data, { pageCount: 2 });
    for (const pid of impatient.workers()) process.kill(pid, 'SIGSTOP');
    const startedAt = performance.now();
    const begun = (await callTool(impatient, 'pdf_analyze', count)).structuredContent as unknown as Told;
    assert.ok(performance.now() - startedAt < 20_000, 'the worker that stands still is not waited for');
    // It is ended with its call: the job may be done before the client has lost its patience.
    const asked = { job_id: begun.job?.job_id, wait_seconds: 20 };
    const made =
      begun.kind === 'job'
        ? ((await callTool(impatient, 'pdf_job', asked)).structuredContent as unknown as Told)
        : begun;
    assert.deepEqual([made.kind, made.data], ['json', { pageCount: 2 }]);
  } finally {
    await impatient.remove();
  }
});

const jobs = async (): Promise<unknown[]> =>
  ((await (await service.fetch('/api/v1/jobs')).json()) as { jobs: unknown[] }).jobs;
