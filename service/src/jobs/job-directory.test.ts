// What a job leaves on disk while it runs: no more than it still needs, and never more than its share.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { jobOfPlan } from '../../testing/calls/run-here.ts';
import { pdfOf, streamOf } from '../../testing/documents/written-pdf.ts';
import { MIB } from '../contract/limits.ts';
import { createLog } from '../contract/log.ts';
import { planPipeline } from '../operations/pipeline.ts';
import type { Part } from '../operations/plan.ts';
import { execute } from './execute.ts';
import type { Job, JobFile } from './job.ts';
import { JobDirectory } from './job-directory.ts';

const root = mkdtempSync(join(tmpdir(), 'bindery-room-'));
after(() => rmSync(root, { recursive: true }));

const IMAGE_BYTES = 5 * MIB;

/** Pages that all show one image, which nothing can pack. */
function sharedImage(pages: number): Buffer {
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages} /Kids [${Array.from({ length: pages }, (_, n) => `${n + 5} 0 R`).join(' ')}] >>`,
    streamOf(
      randomBytes(IMAGE_BYTES).toString('latin1'),
      `/Type /XObject /Subtype /Image /Width 2560 /Height ${IMAGE_BYTES / 2560} /ColorSpace /DeviceGray /BitsPerComponent 8`,
    ),
    streamOf('q 100 0 0 100 0 0 cm /I Do Q'),
    ...Array.from(
      { length: pages },
      () =>
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R /Resources << /XObject << /I 3 0 R >> >> >>',
    ),
  ]);
}

/** Checked as a call is, its files lying in the directory of the job. */
function pipelineOf(steps: readonly object[], files: readonly JobFile[], more: Part[] = []): Job {
  const plan = planPipeline([
    ...files.map((file) => ({ field: 'fileInput', file })),
    { field: 'steps', text: JSON.stringify(steps) },
    ...more,
  ]);
  return jobOfPlan(plan, 'room');
}

let count = 0;

function opened(document: Buffer): { dir: string; files: JobFile[] } {
  count += 1;
  const dir = join(root, String(count));
  mkdirSync(dir);
  writeFileSync(join(dir, 'in-1'), document);
  return { dir, files: [{ name: 'a.pdf', size: document.length, content: { file: 'in-1' } }] };
}

const bytesIn = (dir: string): number =>
  readdirSync(dir).reduce((sum, name) => sum + statSync(join(dir, name)).size, 0);

const quiet = createLog('silent');
const ROTATE = { op: 'rotate-pdf', params: { angle: 90 } };

test('a pipeline keeps no file longer than the step that reads it', async () => {
  const document = sharedImage(1);
  const { dir, files } = opened(document);
  const job = pipelineOf(Array(12).fill(ROTATE), files);
  const seen: number[] = [];
  const outcome = await execute(job, new JobDirectory(dir), quiet, () => seen.push(bytesIn(dir)));
  assert.equal(outcome.state, 'made');
  assert.equal(seen.length, 12);
  // One at the beginning of each step, so two at its end.
  assert.ok(Math.max(...seen) < document.length * 1.5, `${Math.max(...seen)} of ${document.length}`);
});

test('several files are dropped one by one, and what later steps came with stays', async () => {
  const document = sharedImage(1);
  const { dir, files } = opened(document);
  writeFileSync(join(dir, 'in-2'), document);
  writeFileSync(join(dir, 'in-3'), document);
  const overlay = { name: 'over.pdf', size: document.length, content: { file: 'in-3' } };
  const second = { name: 'b.pdf', size: document.length, content: { file: 'in-2' } };
  const job = pipelineOf(
    [
      ROTATE,
      { op: 'filter-page-count', params: { pageCount: 1, comparator: 'Equal' } },
      { op: 'overlay-pdfs', params: { 'overlayFiles@part': 'over' } },
      ROTATE,
    ],
    [...files, second],
    [{ field: 'over', file: overlay }],
  );
  const seen: string[][] = [];
  const outcome = await execute(job, new JobDirectory(dir), quiet, () => seen.push(readdirSync(dir).sort()));
  assert.equal(outcome.state, 'made', JSON.stringify(outcome).slice(0, 300));
  assert.deepEqual(
    seen.map((names) => names.length),
    [3, 3, 3, 2],
  );
  assert.ok(seen[2]?.includes('in-3') && !seen[3]?.includes('in-3'));
});

test('parts that hold the same image over and over are stopped before they fill the disk', async () => {
  const { dir, files } = opened(sharedImage(40));
  const job = pipelineOf([{ op: 'split-pages' }], files);
  const outcome = await execute(job, new JobDirectory(dir, 8 * IMAGE_BYTES), quiet);
  assert.ok(outcome.state === 'failed', outcome.state);
  assert.equal(outcome.problem.reason, 'bad_request');
  assert.match(outcome.problem.detail, /take more than .* GiB together/);
  assert.ok(bytesIn(dir) < 12 * IMAGE_BYTES, String(bytesIn(dir)));
});
