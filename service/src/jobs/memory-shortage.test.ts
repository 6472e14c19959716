import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { endedForMemory, saysOutOfMemory } from './memory-shortage.ts';

const ENDING = { code: null, signal: null, stderr: '', memoryShare: 0 };

test('a crash is a shortage of memory only where its last words say so', () => {
  for (const crash of [{ code: 134 }, { signal: 'SIGABRT' }, { code: 139 }, { code: 1 }]) {
    const stderr = 'GLib-ERROR **: failed to allocate 696127520 bytes';
    assert.ok(endedForMemory({ ...ENDING, ...crash, stderr }), JSON.stringify(crash));
    for (const other of [
      "terminate called after throwing an instance of 'std::range_error'\n  what():  max object id is too high",
      'free(): invalid pointer',
      'node: ../src/a.cc:12: Assertion `ok` failed.',
      'RuntimeError: memory access out of bounds',
      'RangeError: Invalid typed array length: 512',
    ])
      assert.ok(!endedForMemory({ ...ENDING, ...crash, stderr: other, memoryShare: 99 }), other);
  }
});

test('a crash without a word is one, unless nothing was left to be had', () => {
  for (const fault of [{ signal: 'SIGSEGV' }, { code: 139 }, { signal: 'SIGBUS' }]) {
    for (const memoryShare of [0, 20, 50, 60, 90])
      assert.ok(
        !endedForMemory({ ...ENDING, ...fault, memoryShare }),
        JSON.stringify({ fault, memoryShare }),
      );
    assert.ok(endedForMemory({ ...ENDING, ...fault, memoryShare: 97 }), JSON.stringify(fault));
  }
  // Killed from outside, ended by itself or by an assertion: not what a failed allocation looks like.
  for (const other of [
    { signal: 'SIGKILL' },
    { code: 137 },
    { signal: 'SIGABRT' },
    { code: 134 },
    { code: 1 },
  ])
    assert.ok(!endedForMemory({ ...ENDING, ...other, memoryShare: 97 }), JSON.stringify(other));
});

test('words of every library that fails to allocate are known', () => {
  for (const words of [
    'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
    'terminate called after throwing an instance of std::bad_alloc',
    'RangeError: Array buffer allocation failed',
    'VipsJpeg: Insufficient memory (case 4)',
    'glib: Error creating thread: Resource temporarily unavailable',
    "Error: Zlib error { errno: -4, code: 'Z_MEM_ERROR' }",
    'spawn ENOMEM',
    'ERR_DLOPEN_FAILED: libresolv.so.2: failed to map segment from shared object',
  ])
    assert.ok(saysOutOfMemory(words), words);
  for (const words of [
    'unexpected end of file',
    'VipsJpeg: Not a JPEG file',
    'unreachable',
    'RuntimeError: memory access out of bounds',
    // What a view says that does not fit its buffer.
    'RangeError: Invalid typed array length: 512',
    '',
  ])
    assert.ok(!saysOutOfMemory(words), words);
});

test('a process that has taken nearly all it may knows it', () => {
  const told = (share: number): string =>
    execFileSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `import { execFileSync } from 'node:child_process';
        import { readFileSync } from 'node:fs';
        const { isNearlyFull } = await import(${JSON.stringify(new URL('memory-shortage.ts', import.meta.url))});
        const takenKb = Number(/^VmData:\\s+(\\d+)/m.exec(readFileSync('/proc/self/status', 'latin1'))[1]);
        const limit = Math.round((takenKb * 1024) / ${share});
        execFileSync('prlimit', ['--pid', String(process.pid), '--data=' + limit]);
        console.log(isNearlyFull());`,
      ],
      { encoding: 'utf8' },
    ).trim();
  assert.equal(told(0.9), 'true');
  assert.equal(told(0.4), 'false');
});
