// Calls in the background on the command line, against a real service.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runCommand } from '../../test/command-line.ts';
import { fixture, type RunningService, startService } from '../../test/service.ts';

const TWO_PAGES = fixture('text-two-pages.pdf');

let service: RunningService;
let folder: string;

before(async () => {
  service = await startService();
  folder = mkdtempSync(join(tmpdir(), 'bindery-jobs-'));
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service?.remove();
});

const bindery = (...args: string[]) => runCommand(service, folder, args);

test('--background prints the job, and bindery jobs goes on with it', () => {
  const begun = bindery('general', 'rotate-pdf', TWO_PAGES, '--angle', '90', '--background');
  assert.deepEqual([begun.status, begun.err], [0, '']);
  const id = begun.out.trim();
  assert.match(id, /^[\w-]{20,}$/);
  const waited = bindery('jobs', 'wait', id);
  assert.equal(waited.status, 0, waited.err);
  assert.match(waited.out, /status +succeeded\n +call +general\/rotate-pdf/);
  const fetched = bindery('jobs', 'result', id, '--output', 'rotated.pdf');
  assert.equal(fetched.status, 0, fetched.err);
  assert.equal(readFileSync(join(folder, 'rotated.pdf')).subarray(0, 5).toString(), '%PDF-');
  const shown = JSON.parse(bindery('jobs', 'show', id, '--json').out) as { status: string };
  assert.equal(shown.status, 'succeeded');
  assert.match(bindery('jobs', 'list').out, new RegExp(`${id} +succeeded .*general/rotate-pdf`));
  assert.equal(bindery('jobs', 'cancel', id).status, 0);
  const gone = bindery('jobs', 'show', id);
  assert.equal(gone.status, 1);
  assert.match(gone.err, /reason: job_not_found/);
});

test('several files are several jobs; one that fails says so; --local cannot leave work behind', () => {
  const both = bindery('analysis', 'page-count', TWO_PAGES, TWO_PAGES, '--background', '--json');
  const reports = JSON.parse(both.out) as { job: string }[];
  assert.equal(new Set(reports.map(({ job }) => job)).size, 2);
  assert.match(bindery('jobs', 'result', reports[0]?.job ?? '').out, /"pageCount": 2/);
  const bad = bindery(
    'general',
    'rotate-pdf',
    TWO_PAGES,
    '--angle',
    '90',
    '--page-numbers',
    '99',
    '--background',
  );
  const waited = bindery('jobs', 'wait', bad.out.trim());
  assert.equal(waited.status, 1);
  assert.match(waited.out, /page_out_of_range/);
  assert.match(bindery('jobs', 'result', bad.out.trim()).err, /reason: page_out_of_range/);
  const local = bindery('analysis', 'page-count', TWO_PAGES, '--local', '--background');
  assert.equal(local.status, 2);
  assert.match(local.err, /--local ends with the command/);
});
