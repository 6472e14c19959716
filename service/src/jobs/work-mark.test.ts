import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { noteStretches, within } from '../contract/work-budget.ts';
import { markStretches, WorkMark } from './work-mark.ts';

function watched(): WorkMark {
  const dir = mkdtempSync(join(tmpdir(), 'bindery-mark-'));
  const mark = new WorkMark(dir);
  assert.deepEqual(readdirSync(dir), [], 'nobody else can find it');
  rmSync(dir, { recursive: true });
  noteStretches(markStretches(mark.fd));
  return mark;
}

test('what takes more processor time than its budget is seen while it lasts, and not when it is over', () => {
  const mark = watched();
  assert.equal(mark.overdrawn(0), undefined);
  within('opening', 500, () => {
    assert.equal(mark.overdrawn(1000), undefined, 'seen for the first time');
    assert.equal(mark.overdrawn(1500), undefined);
    assert.equal(mark.overdrawn(1510), 'opening');
  });
  assert.equal(mark.overdrawn(99_000), undefined);
  mark.close();
  assert.equal(mark.overdrawn(99_000), undefined);
});

test('each stretch has a budget of its own, also one inside another', () => {
  const mark = watched();
  within('reading', 100, () => {
    assert.equal(mark.overdrawn(0), undefined);
    within('drawing', 100, () => assert.equal(mark.overdrawn(150), undefined));
    assert.equal(mark.overdrawn(200), undefined, 'begun anew');
    assert.equal(mark.overdrawn(310), 'reading');
  });
  for (let page = 0; page < 10; page += 1)
    within('drawing', 100, () => assert.equal(mark.overdrawn(1000 + page * 90), undefined));
  assert.throws(() =>
    within('drawing', 1, () => {
      throw new Error('failed');
    }),
  );
  assert.equal(mark.overdrawn(5000), undefined);
  mark.close();
});
