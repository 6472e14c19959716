// Long work of the local server, against a real service: progress, a job after the host's patience, and pdf_job.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { fixture, type RunningService, startService } from '../../test/service.ts';

const BIN = join(import.meta.dirname, '..', 'bin', 'bindery-mcp.cjs');

interface Told {
  operation: string;
  kind: string;
  path?: string;
  job?: { job_id: string; status: string; next: string };
}

let service: RunningService;
let folder: string;
let host: Client;

before(async () => {
  service = await startService();
  folder = mkdtempSync(join(tmpdir(), 'bindery-long-'));
  copyFileSync(fixture('text-two-pages.pdf'), join(folder, 'a.pdf'));
  // Far shorter than the work takes.
  host = await startHost({ BINDERY_PATIENCE_MS: '20' });
});
after(async () => {
  await host?.close();
  rmSync(folder, { recursive: true, force: true });
  await service?.remove();
});

async function startHost(env: Record<string, string>): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const settings = {
    PATH: process.env.PATH ?? '',
    BINDERY_URL: service.url,
    BINDERY_API_KEY: service.key,
    BINDERY_ALLOWED_DIRS: folder,
  };
  await client.connect(new StdioClientTransport({ command: BIN, env: { ...settings, ...env } }));
  return client;
}

async function call(name: string, args: Record<string, unknown>) {
  const result = await host.callTool({ name, arguments: args });
  const { isError, content, structuredContent } = result as {
    isError?: boolean;
    content: { text?: string }[];
    structuredContent?: Told;
  };
  return { isError: isError === true, said: content[0]?.text ?? '', told: structuredContent as Told };
}

/** As the answer of a job tells to. */
async function finished(id: string, args: Record<string, unknown> = {}) {
  for (let tries = 0; tries < 300; tries += 1) {
    const answer = await call('pdf_job', { job_id: id, ...args });
    if (answer.told?.kind !== 'job') return answer;
    await pause(50);
  }
  throw new Error('the job does not end');
}

const jobsOf = async (): Promise<unknown[]> =>
  ((await (await service.fetch('/api/v1/jobs')).json()) as { jobs: unknown[] }).jobs;

test('work that outlasts patience is answered with a job; pdf_job brings the result where the call said', async () => {
  const begun = await call('pdf_misc', {
    operation: 'scanner-effect',
    file: 'a.pdf',
    output_name: 'scan.pdf',
  });
  assert.deepEqual([begun.told.operation, begun.told.kind], ['misc/scanner-effect', 'job'], begun.said);
  assert.match(begun.told.job?.next ?? '', /Call pdf_job with job_id/);
  const ended = await finished(begun.told.job?.job_id ?? '');
  assert.deepEqual([ended.told.kind, ended.told.path], ['file', join(folder, 'scan.pdf')], ended.said);
  assert.match(execFileSync('pdfinfo', [join(folder, 'scan.pdf')], { encoding: 'utf8' }), /Pages: +2\n/);
  // What was brought takes no room in the service.
  assert.deepEqual(await jobsOf(), []);
  assert.match((await call('pdf_job', { job_id: begun.told.job?.job_id })).said, /Reason: job_not_found/);
});

test('a host that follows progress is told of it, rising, and waits for the result itself', async () => {
  const patient = await startHost({});
  try {
    const told: number[] = [];
    const result = await patient.callTool(
      { name: 'pdf_pipeline', arguments: { file: 'a.pdf', steps: [{ op: 'misc/scanner-effect' }] } },
      { onprogress: ({ progress }) => void told.push(progress) },
    );
    assert.equal((result.structuredContent as Told | undefined)?.kind, 'file');
    assert.ok(told.length > 1, told.join());
    assert.deepEqual(
      told,
      [...new Set(told)].sort((one, other) => one - other),
    );
    assert.ok((told.at(-1) ?? 2) <= 1);
  } finally {
    await patient.close();
  }
});

test('a job that failed tells why once; one that is not wanted is cancelled; nothing is replaced', async () => {
  const bad = await call('pdf_pages', {
    ...{ operation: 'rotate-pdf', file: 'a.pdf', background: true },
    parameters: { angle: 90, pageNumbers: '99' },
  });
  const failed = await finished(bad.told.job?.job_id ?? '');
  assert.ok(failed.isError);
  assert.match(failed.said, /Reason: page_out_of_range/);
  const unwanted = await call('pdf_misc', { operation: 'scanner-effect', file: 'a.pdf', background: true });
  const id = unwanted.told.job?.job_id;
  assert.match((await call('pdf_job', { job_id: id, output_name: 'a.pdf' })).said, /exists already/);
  assert.match(
    (await call('pdf_job', { job_id: id, output_name: '/etc/x.pdf' })).said,
    /outside of the allowed/,
  );
  assert.equal((await call('pdf_job', { job_id: id, cancel: true })).told.kind, 'none');
  assert.ok(!existsSync(join(folder, 'a-scanner-effect.pdf')));
  assert.match((await call('pdf_job', { job_id: id, wait: 3 })).said, /"wait" is not an argument/);
});
