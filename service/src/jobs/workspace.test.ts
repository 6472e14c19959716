import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Workspaces } from './workspace.ts';

const dir = mkdtempSync(join(tmpdir(), 'bindery-workspace-'));
after(() => rmSync(dir, { recursive: true, force: true }));

const all = (workspaces: Workspaces): string[] =>
  readdirSync(workspaces.root, { recursive: true, encoding: 'utf8' }).sort();

test('what an earlier life left behind is swept', () => {
  const root = join(dir, 'swept');
  mkdirSync(join(root, 'worker-1', 'x'), { recursive: true });
  writeFileSync(join(root, 'worker-1', 'x', 'document'), 'x');
  assert.deepEqual(all(new Workspaces(root)), ['incoming', 'results']);
});

test('files go to the worker and the result comes back, whatever becomes of the worker', async () => {
  const workspaces = new Workspaces(join(dir, 'there-and-back'));
  const workerDir = workspaces.openForWorker(1);
  const workspace = workspaces.create();
  const name = workspace.newFile();
  writeFileSync(workspace.path(name), 'sent');
  workspace.handTo(workerDir);
  assert.equal(readFileSync(join(workerDir, workspace.id, name), 'utf8'), 'sent');
  writeFileSync(workspace.path('out-1.pdf'), 'result');
  assert.equal(workspace.takeBack('out-1.pdf'), 6);
  assert.deepEqual(readdirSync(workerDir), [], 'the next job finds nothing of this one');
  await workspaces.removeForWorker(1);
  assert.equal(readFileSync(workspace.path('out-1.pdf'), 'utf8'), 'result');
  await workspace.remove();
  assert.deepEqual(all(workspaces), ['incoming', 'results']);
});

test('a request without files makes no directory', async () => {
  const workspaces = new Workspaces(join(dir, 'none'));
  const workspace = workspaces.create();
  workspace.handTo(workspaces.openForWorker(1));
  assert.equal(workspace.takeBack(undefined), 0);
  await workspace.remove();
  assert.deepEqual(all(workspaces), ['incoming', 'results', 'worker-1']);
});

test('a worker cannot have another file sent in place of its result', async () => {
  const secret = join(dir, 'secret');
  writeFileSync(secret, 'secret');
  const workspaces = new Workspaces(join(dir, 'subverted'));
  const workerDir = workspaces.openForWorker(1);
  const tricks: ((own: string) => void)[] = [
    (own) => {
      mkdirSync(own);
      symlinkSync(secret, join(own, 'out-1.pdf'));
    },
    (own) => {
      mkdirSync(join(own, 'out-1.pdf'), { recursive: true });
    },
    (own) => mkdirSync(own),
    () => {},
  ];
  for (const trick of tricks) {
    const workspace = workspaces.create();
    workspace.handTo(workerDir);
    trick(join(workerDir, workspace.id));
    workspace.noteMade();
    assert.throws(() => workspace.takeBack('out-1.pdf'));
    await workspace.remove();
  }
  // The whole directory as a link to where another file of that name is.
  const elsewhere = join(dir, 'elsewhere');
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, 'out-1.pdf'), 'of another request');
  const workspace = workspaces.create();
  workspace.handTo(workerDir);
  symlinkSync(elsewhere, join(workerDir, workspace.id));
  workspace.noteMade();
  assert.throws(() => workspace.takeBack('out-1.pdf'));
  await workspace.remove();
  assert.ok(existsSync(secret) && existsSync(join(elsewhere, 'out-1.pdf')));
  assert.deepEqual(all(workspaces), ['incoming', 'results', 'worker-1']);
});
