// Other programs judge results in tests: what they say must arrive, above all when it is no.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fixture } from '../service/testing/documents/collection.ts';
import { askProgram, missing, qpdfCheck } from '../service/testing/oracles/programs.ts';
import { runProgram } from '../service/testing/oracles/small-shell.ts';

test('a program gets its words as they are, and says whatever bytes it has to say', () => {
  const words = ["it's", 'two\nlines', '$HOME `id` \\', '', '-n', 'ü'];
  const { status, stdout } = runProgram('printf', ['%s\\000', ...words]);
  assert.equal(status, 0);
  assert.deepEqual(stdout.toString('utf8').split('\0').slice(0, -1), words);
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, value) => value));
  assert.equal(
    askProgram('od', ['-An', '-v', '-tx1', '{}'], bytes).replace(/\s/g, ''),
    bytes.toString('hex'),
  );
});

test('a program that fails, is killed or is not there is told, and the next one is asked', () => {
  assert.throws(
    () => askProgram('sh', ['-c', 'echo no >&2; exit 3'], Buffer.alloc(0)),
    /sh ended with 3: no/,
  );
  assert.equal(runProgram('sh', ['-c', 'kill -9 $$']).status, 137);
  assert.equal(runProgram('no-such-program', []).status, 127);
  assert.equal(runProgram('true', []).status, 0);
});

test('qpdf does not let a damaged file pass', { skip: missing('qpdf') }, () => {
  const bytes = readFileSync(fixture('everything.pdf'));
  qpdfCheck(bytes);
  assert.throws(() => qpdfCheck(bytes.subarray(0, bytes.length - 500)));
});
