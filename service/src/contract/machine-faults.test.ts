import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { diskFullError, isDiskFull, machineFaultOf } from './machine-faults.ts';
import { Problem } from './problems.ts';

const withCode = (code: string): Error => Object.assign(new Error(`${code}: something`), { code });
const ofSqlite = (errcode: number): Error =>
  Object.assign(new Error('x'), { code: 'ERR_SQLITE_ERROR', errcode });

const FAULTS: readonly [unknown, string][] = [
  [withCode('ENOSPC'), 'insufficient_storage'],
  [withCode('EDQUOT'), 'insufficient_storage'],
  [withCode('EMFILE'), 'unavailable'],
  [withCode('ENFILE'), 'unavailable'],
  [withCode('EIO'), 'unavailable'],
  [ofSqlite(13), 'insufficient_storage'],
  // SQLITE_BUSY_SNAPSHOT and SQLITE_IOERR_WRITE are extended codes.
  [ofSqlite(5), 'unavailable'],
  [ofSqlite(6), 'unavailable'],
  [ofSqlite(517), 'unavailable'],
  [ofSqlite(778), 'unavailable'],
  ['write out-1.pdf: No space left on device', 'insufficient_storage'],
  [new Error('open: Too many open files'), 'unavailable'],
  [new Error('outer', { cause: new Error('inner', { cause: withCode('ENOSPC') }) }), 'insufficient_storage'],
  [diskFullError('gs'), 'insufficient_storage'],
];

test('faults of the machine are known by code, by words and below other errors', () => {
  for (const [thrown, fault] of FAULTS) assert.equal(machineFaultOf(thrown), fault, String(thrown));
  for (const other of [
    withCode('ENOENT'),
    ofSqlite(1),
    ofSqlite(19),
    new Error('damaged'),
    'no',
    null,
    undefined,
  ])
    assert.equal(machineFaultOf(other), undefined, String(other));
});

test('whatever such a fault was taken for, the answer is 507 or 503, and blames no file', () => {
  for (const [cause, fault] of FAULTS) {
    for (const thrown of [
      cause,
      new Problem('invalid_pdf', 'a.pdf is damaged.', { cause, file: 'a.pdf', step: 1 }),
      new Problem('unsupported_file_type', 'a.docx is damaged.', { cause }),
      new Problem('internal', 'The service failed unexpectedly.', { cause }),
    ]) {
      const problem = Problem.from(thrown);
      assert.equal(problem.reason, fault);
      assert.ok([503, 507].includes(problem.status));
      assert.ok(!problem.detail.includes('a.'), problem.detail);
      assert.equal(problem.toData().file, undefined);
    }
  }
  const damaged = new Problem('invalid_pdf', 'a.pdf is damaged.', { cause: new Error('no xref') });
  assert.equal(Problem.from(damaged), damaged);
});

test('a problem that says already what the machine lacks stays as it is', () => {
  const told = new Problem('insufficient_storage', 'There is no room left for uploads.', {
    cause: withCode('ENOSPC'),
  });
  assert.equal(Problem.from(told), told);
});

test('a disk with room is not full, even under a folder that is yet to be made', () => {
  assert.equal(isDiskFull(tmpdir()), false);
  assert.equal(isDiskFull(join(tmpdir(), 'not', 'there', 'yet')), false);
});
