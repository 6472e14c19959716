import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { ProgramFailure, type ProgramFault, runProgram } from './process.ts';

const run = (
  script: string,
  options: { timeoutMs?: number; maxOutputBytes?: number; stdin?: Uint8Array; signal?: AbortSignal } = {},
) => runProgram('/bin/sh', ['-c', script], { cwd: tmpdir(), timeoutMs: 10_000, ...options });

async function faultOf(running: Promise<unknown>): Promise<ProgramFault> {
  const error = await running.then(
    () => assert.fail('it came to its end'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ProgramFailure, String(error));
  return error.fault;
}

test('a program is given its input and gives its output, errors and code', async () => {
  const { code, stdout, stderr } = await run('cat; echo lost >&2; exit 3', { stdin: Buffer.from('in') });
  assert.deepEqual([code, stdout.toString(), stderr], [3, 'in', 'lost\n']);
});

test('arguments are never read by a shell', async () => {
  const { stdout } = await runProgram('printf', ['%s', '$(id) `id` ; id'], {
    cwd: tmpdir(),
    timeoutMs: 5000,
  });
  assert.equal(stdout.toString(), '$(id) `id` ; id');
});

test('the environment of the service does not reach it', async () => {
  const { stdout } = await run('env');
  const names = stdout
    .toString()
    .trim()
    .split('\n')
    .map((line) => line.split('=')[0]);
  assert.deepEqual(
    names.filter(
      (name) => !['PATH', 'LANG', 'HOME', 'TMPDIR', 'PWD', 'SHLVL', '_', 'OLDPWD'].includes(name ?? ''),
    ),
    [],
  );
});

test('a program that hangs, crashes, floods, is cancelled or is missing is told apart', async () => {
  assert.equal(await faultOf(run('sleep 60', { timeoutMs: 100 })), 'timeout');
  assert.equal(await faultOf(run('kill -SEGV $$')), 'crashed');
  assert.equal(await faultOf(run('exec yes', { maxOutputBytes: 10_000 })), 'too_much_output');
  assert.equal(await faultOf(run('sleep 60', { signal: AbortSignal.timeout(50) })), 'cancelled');
  assert.equal(await faultOf(run('sleep 60', { signal: AbortSignal.abort() })), 'cancelled');
  assert.equal(
    await faultOf(runProgram('no-such-program', [], { cwd: tmpdir(), timeoutMs: 1000 })),
    'not_found',
  );
});

test('input that is not read does no harm, and little is kept of what it says', async () => {
  const { stderr } = await run('head -c 100000 /dev/zero | tr "\\0" x >&2', { stdin: Buffer.alloc(1 << 20) });
  assert.equal(stderr.length, 8000);
});

test('a program that cannot be started for want of open files is no crash of its own', async () => {
  const held: number[] = [];
  const limit = (soft: string) =>
    execFileSync('prlimit', ['--pid', String(process.pid), `--nofile=${soft}:`]);
  const before = execFileSync('prlimit', [
    '--pid',
    String(process.pid),
    '--nofile',
    '-o',
    'SOFT',
    '--noheadings',
  ]);
  limit('200');
  try {
    for (;;) held.push(openSync('/dev/null', 'r'));
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'EMFILE');
  }
  try {
    await assert.rejects(runProgram('true', [], { cwd: tmpdir(), timeoutMs: 10_000 }), { code: 'EMFILE' });
  } finally {
    for (const descriptor of held) closeSync(descriptor);
    limit(before.toString().trim());
  }
});
