import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { endedForMemory, saysOutOfMemory } from './memory-shortage.ts';

const ENDING = { code: null, signal: null, stderr: '', memoryShare: 0 };

test('a crash is a shortage of memory only where memory was short, or where the last words say so', () => {
  for (const crash of [{ signal: 'SIGSEGV' }, { code: 139 }, { code: 134 }, { signal: 'SIGABRT' }]) {
    assert.ok(endedForMemory({ ...ENDING, ...crash, memoryShare: 97 }), JSON.stringify(crash));
    assert.ok(!endedForMemory({ ...ENDING, ...crash, memoryShare: 20 }), JSON.stringify(crash));
  }
  // Killed from outside, or ended by itself: not what a failed allocation looks like.
  for (const other of [{ signal: 'SIGKILL' }, { code: 137 }, { code: 1 }, { code: 0 }])
    assert.ok(!endedForMemory({ ...ENDING, ...other, memoryShare: 97 }), JSON.stringify(other));
  const stderr = 'GLib-ERROR **: failed to allocate 696127520 bytes';
  assert.ok(endedForMemory({ ...ENDING, code: 134, stderr }));
});

test('words of every library that fails to allocate are known', () => {
  for (const words of [
    'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
    'terminate called after throwing an instance of std::bad_alloc',
    'RangeError: Array buffer allocation failed',
    'RangeError: Invalid typed array length: 900000000',
    'VipsJpeg: Insufficient memory (case 4)',
    'glib: Error creating thread: Resource temporarily unavailable',
    'RuntimeError: memory access out of bounds',
    'spawn ENOMEM',
    'ERR_DLOPEN_FAILED: libresolv.so.2: failed to map segment from shared object',
  ])
    assert.ok(saysOutOfMemory(words), words);
  for (const words of ['unexpected end of file', 'VipsJpeg: Not a JPEG file', 'unreachable', ''])
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
