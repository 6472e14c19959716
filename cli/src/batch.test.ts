// `bindery batch` against a real service: results in a folder or a ZIP, failures of single files told apart.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  folder = mkdtempSync(join(tmpdir(), 'bindery-batch-'));
  writeFileSync(join(folder, 'broken.pdf'), 'no PDF at all');
  for (const name of ['a.pdf', 'b.pdf']) writeFileSync(join(folder, name), readFileSync(TWO_PAGES));
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service?.remove();
});

const bindery = (...args: string[]) => runCommand(service, folder, args);

const rotationOf = (path: string): string =>
  execFileSync('pdfinfo', [join(folder, path)], { encoding: 'utf8' }).match(/Page rot: +(\d+)/)?.[1] ?? '';

test('each file is done by itself: results in a folder, a failure told by its file and by the exit code', () => {
  const { status, out, err } = bindery(
    ...['batch', 'rotate', 'a.pdf', 'broken.pdf', 'b.pdf', '--angle', '90', '-o', 'turned/'],
  );
  assert.equal(status, 1, err);
  assert.equal(out, '');
  assert.match(err, /^a\.pdf: turned\/a_rotated\.pdf$/m);
  assert.match(err, /^bindery: broken\.pdf: .*\nreason: invalid_pdf$/m);
  assert.match(err, /^b\.pdf: turned\/b_rotated\.pdf$/m);
  assert.deepEqual(readdirSync(join(folder, 'turned')).sort(), ['a_rotated.pdf', 'b_rotated.pdf']);
  assert.equal(rotationOf('turned/b_rotated.pdf'), '90');
  // What is there already stays, and what was made is not lost.
  const again = bindery('batch', 'general', 'rotate-pdf', 'a.pdf', '--angle', '180', '-o', 'turned/');
  assert.equal(again.status, 1);
  assert.match(again.err, /turned\/a_rotated\.pdf exists already/);
  const id = /bindery jobs result (\S+) --output batch\.zip/.exec(again.err)?.[1] ?? '';
  assert.equal(rotationOf('turned/a_rotated.pdf'), '90');
  assert.equal(bindery('jobs', 'result', id, '--output', 'kept.zip').status, 0);
  assert.match(
    execFileSync('unzip', ['-l', join(folder, 'kept.zip')], { encoding: 'utf8' }),
    /a_rotated\.pdf/,
  );
});

test('a ZIP of all, JSON of each, a pipeline from a file, and the background', () => {
  const zipped = bindery(...['batch', 'misc/compress-pdf', '*.pdf', '-o', 'small.zip', '--json']);
  assert.equal(zipped.status, 1, zipped.err);
  const reports = JSON.parse(zipped.out) as { input: string; output?: string; error?: { reason: string } }[];
  assert.deepEqual(
    reports.map(({ input, output, error }) => [input, output ?? error?.reason]),
    [
      ['a.pdf', 'small.zip'],
      ['b.pdf', 'small.zip'],
      ['broken.pdf', 'invalid_pdf'],
    ],
  );
  execFileSync('unzip', ['-t', join(folder, 'small.zip')]);
  writeFileSync(
    join(folder, 'steps.yaml'),
    '- op: general/rotate-pdf\n  params: { angle: 180 }\n- op: general/rotate-pdf\n  params: { angle: 90 }\n',
  );
  const piped = bindery('batch', 'steps.yaml', 'a.pdf', 'b.pdf', '-o', 'piped', '-q');
  assert.deepEqual([piped.status, piped.err], [0, '']);
  assert.deepEqual(
    readdirSync(join(folder, 'piped')).map((name) => rotationOf(`piped/${name}`)),
    ['270', '270'],
  );
  const begun = bindery('batch', 'analysis/page-count', 'a.pdf', 'b.pdf', '--background');
  assert.equal(begun.status, 0, begun.err);
  assert.equal(bindery('jobs', 'wait', begun.out.trim()).status, 0);
});

test('what cannot be done for each of many is refused before anything is sent', () => {
  const refused = (pattern: RegExp, ...args: string[]) => {
    const { status, err } = bindery('batch', ...args);
    assert.equal(status, 2, err);
    assert.match(err, pattern);
  };
  refused(/did you mean rotate/, 'rotat', 'a.pdf');
  refused(/takes no file/, 'convert', 'url/pdf', '--url-input', 'https://example.org');
  refused(/looks like one file/, 'rotate', 'a.pdf', '--angle', '90', '-o', 'one.pdf');
  refused(/--local ends with the command/, 'rotate', 'a.pdf', '--angle', '90', '--local', '--background');
  assert.ok(!existsSync(join(folder, 'one.pdf')));
  assert.match(bindery('complete', '--', 'batch', 'rotat').out, /^rotate\t/m);
  assert.match(
    bindery('complete', '--', 'batch', 'rotate', 'a.pdf', '--ang').out,
    /^--angle\tDegrees clockwise$/m,
  );
});
