import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { stateLaws } from '../../../testing/state-laws/state-laws.ts';
import { createLog } from '../../contract/log.ts';
import type { State } from '../state.ts';
import { databaseFile, openDatabase } from './database.ts';
import { type EmbeddedOptions, openEmbeddedState } from './embedded.ts';
import { createKeys } from './keys.ts';

const log = createLog('silent');
const newFolder = () => mkdtemp(join(tmpdir(), 'bindery-state-'));

stateLaws('embedded', async () => {
  const dataDir = await newFolder();
  return {
    open: (now) => openEmbeddedState({ dataDir, log, now }),
    remove: () => rm(dataDir, { recursive: true }),
    takesLargeFiles: true,
  };
});

describe('embedded state', () => {
  let dataDir: string;
  let states: State[];
  const open = async (more: Partial<EmbeddedOptions> = {}) => {
    const state = await openEmbeddedState({ dataDir, log, ...more });
    states.push(state);
    return state;
  };
  beforeEach(async () => {
    dataDir = await newFolder();
    states = [];
  });
  afterEach(async () => {
    for (const state of states) await state.close();
    await rm(dataDir, { recursive: true });
  });

  const CAPS = { inProgress: 100, storageBytes: 2 ** 40 };
  const inAnHour = () => new Date(Date.now() + 3600_000);
  const plan = (size: number) => ({
    owner: 'key_a',
    filename: 'a.pdf',
    contentType: null,
    size,
    chunkSize: 1024,
    chunkCount: Math.ceil(size / 1024),
    expiresAt: inAnHour(),
  });
  const keptAnswer = async (state: State, key: string, bytes: number, owner = 'key_a') => {
    const verdict = await state.replays.begin(owner, key, 'f', 1000);
    assert.ok(verdict.state === 'begun');
    const body = { bytes: Buffer.alloc(bytes) };
    assert.ok(await state.replays.store(verdict.lease, { status: 200, headers: {}, body }, inAnHour()));
  };

  it('refuses a data folder that another service uses, and takes it when that one is gone', async () => {
    const first = await open();
    await assert.rejects(open(), /in use by another Bindery service/);
    await first.close();
    await open();
  });

  it('keeps its folders and files to itself', async () => {
    const state = await open();
    await state.uploads.begin(plan(10), CAPS);
    await keptAnswer(state, 'k', 10_000);
    const modeOf = async (path: string) => (await stat(join(dataDir, path))).mode & 0o777;
    for (const folder of ['state', 'uploads', 'replays']) {
      assert.equal(await modeOf(folder), 0o700, folder);
      const names = await readdir(join(dataDir, folder));
      assert.ok(names.length > 0, folder);
      for (const name of names) assert.equal(await modeOf(join(folder, name)), 0o600, `${folder}/${name}`);
    }
  });

  it('has no secret in its files, only the hash', async () => {
    const state = await open();
    const { secret } = await state.keys.create({
      name: 'n',
      plan: 'standard',
      scopes: ['*'],
      expiresAt: null,
    });
    await state.close();
    assert.ok(!(await readFile(databaseFile(dataDir), 'latin1')).includes(secret.slice(4)));
  });

  it('obeys at once when a key is revoked, rotated or made through another connection', async () => {
    const state = await open();
    const other = openDatabase(dataDir);
    try {
      const keys = createKeys(other, () => new Date(), log);
      const { key, secret } = await keys.create({
        name: 'n',
        plan: 'standard',
        scopes: ['*'],
        expiresAt: null,
      });
      assert.equal((await state.keys.find(secret))?.id, key.id);
      const fresh = await keys.rotate(key.id, 0);
      assert.equal(await state.keys.find(secret), undefined);
      assert.equal((await state.keys.find(fresh ?? ''))?.id, key.id);
      await keys.revoke(key.id);
      assert.equal(await state.keys.find(fresh ?? ''), undefined);
    } finally {
      other.close();
    }
  });

  it('still lets keys be used while another process holds the write lock', async () => {
    const state = await open();
    const { secret } = await state.keys.create({
      name: 'n',
      plan: 'standard',
      scopes: ['*'],
      expiresAt: null,
    });
    await state.keys.find(secret);
    const other = new DatabaseSync(databaseFile(dataDir));
    other.exec('BEGIN IMMEDIATE');
    try {
      assert.ok(await state.keys.find(secret));
    } finally {
      other.close();
    }
  });

  it('holds no disk for bytes that have not come', async () => {
    const state = await open();
    const upload = await state.uploads.begin(plan(100 * 1024 * 1024), CAPS);
    assert.ok(typeof upload === 'object');
    const { size, blocks } = await stat(join(dataDir, 'uploads', upload.id));
    assert.equal(size, 100 * 1024 * 1024);
    assert.ok(blocks * 512 < 1024 * 1024, `${blocks} blocks`);
  });

  it('refuses an upload that the disk has no room for', async () => {
    const state = await open();
    assert.equal(
      await state.uploads.begin(plan(2 ** 52), { ...CAPS, storageBytes: 2 ** 53 }),
      'insufficient_storage',
    );
    assert.deepEqual(await readdir(join(dataDir, 'uploads')), []);
  });

  it('lets a request run again that was given up while the database could not be written', async () => {
    const state = await open();
    const first = await state.replays.begin('key_a', 'k', 'f', 30_000);
    assert.ok(first.state === 'begun');
    const other = new DatabaseSync(databaseFile(dataDir));
    other.exec('BEGIN IMMEDIATE');
    await assert.rejects(state.replays.abandon(first.lease), /locked/);
    other.exec('ROLLBACK');
    other.close();
    assert.equal((await state.replays.begin('key_a', 'k', 'f', 30_000)).state, 'begun');
    await state.sweep(new Date());
  });

  it('sweeps files without a row and rows without a file, and nothing else', async () => {
    const state = await open();
    const kept = await state.uploads.begin(plan(10), CAPS);
    const lost = await state.uploads.begin(plan(10), CAPS);
    assert.ok(typeof kept === 'object' && typeof lost === 'object');
    await keptAnswer(state, 'lost', 10_000);
    const [lostBody = ''] = await readdir(join(dataDir, 'replays'));
    await keptAnswer(state, 'k', 10_000);
    await rm(join(dataDir, 'uploads', lost.id));
    await rm(join(dataDir, 'replays', lostBody));
    await writeFile(join(dataDir, 'uploads', 'orphan'), 'x');
    await writeFile(join(dataDir, 'replays', 'orphan'), 'x');
    await state.sweep(new Date());
    assert.deepEqual(await readdir(join(dataDir, 'uploads')), [kept.id]);
    assert.equal((await readdir(join(dataDir, 'replays'))).length, 1);
    assert.equal(await state.uploads.get(lost.id, 'key_a'), undefined);
    assert.ok(await state.uploads.get(kept.id, 'key_a'));
    assert.equal((await state.replays.begin('key_a', 'k', 'f', 1000)).state, 'replay');
    assert.equal((await state.replays.begin('key_a', 'lost', 'f', 1000)).state, 'begun');
  });

  it('does not mistake work in progress for orphans', async () => {
    const state = await open();
    const upload = await state.uploads.begin(plan(1024), CAPS);
    assert.ok(typeof upload === 'object');
    async function* sweeping() {
      yield Buffer.alloc(512, 1);
      await state.sweep(new Date());
      yield Buffer.alloc(512, 2);
    }
    // The first send goes into the file, the second beside it.
    for (const _ of [1, 2])
      assert.equal(
        await state.uploads.putChunk(upload.id, 'key_a', 0, 1024, sweeping(), CAPS.storageBytes),
        'stored',
      );
    const begun = Promise.all(Array.from({ length: 20 }, () => state.uploads.begin(plan(10), CAPS)));
    let beginning = true;
    begun.finally(() => {
      beginning = false;
    });
    const sweeps: Promise<void>[] = [];
    while (beginning) {
      sweeps.push(state.sweep(new Date()));
      await new Promise(setImmediate);
    }
    await Promise.all(sweeps);
    for (const made of await begun) {
      assert.ok(typeof made === 'object' && (await state.uploads.get(made.id, 'key_a')));
    }
    assert.equal((await readdir(join(dataDir, 'uploads'))).length, 21);
  });

  it('lets no failing send near a chunk that is just being moved in', async () => {
    const state = await open();
    const size = 4 * 1024 * 1024;
    const upload = await state.uploads.begin({ ...plan(size), chunkSize: size, chunkCount: 1 }, CAPS);
    assert.ok(typeof upload === 'object');
    const send = (data: AsyncIterable<Uint8Array>) =>
      state.uploads.putChunk(upload.id, 'key_a', 0, size, data, CAPS.storageBytes);
    let moving = false;
    async function* whole(value: number) {
      yield Buffer.alloc(size, value);
      moving = true;
    }
    async function* broken() {
      yield Buffer.alloc(1000, 0xff);
      throw new Error('connection lost');
    }
    await send(whole(1));
    moving = false;
    const sent = send(whole(2)).finally(() => {
      moving = false;
    });
    while (!moving) await new Promise(setImmediate);
    const failures: Promise<unknown>[] = [];
    for (; moving; await new Promise(setImmediate)) failures.push(assert.rejects(send(broken())));
    assert.equal(await sent, 'stored');
    await Promise.all(failures);
    assert.ok(failures.length > 0);
    assert.equal(await state.uploads.complete(upload.id, 'key_a'), 'completed');
    const bytes = await readFile(join(dataDir, 'uploads', upload.id));
    assert.ok(bytes.equals(Buffer.alloc(size, 2)));
  });

  it('counts a chunk as missing whose overwriting failed half-way', async () => {
    const state = await open();
    const upload = await state.uploads.begin(plan(1024), CAPS);
    assert.ok(typeof upload === 'object');
    const path = join(dataDir, 'uploads', upload.id);
    const send = (data: AsyncIterable<Uint8Array>) =>
      state.uploads.putChunk(upload.id, 'key_a', 0, 1024, data, CAPS.storageBytes);
    async function* whole(then = async () => {}) {
      yield Buffer.alloc(1024, 1);
      await then();
    }
    assert.equal(await send(whole()), 'stored');
    // It came whole again; then its place cannot be written.
    const spoil = async () => {
      await rename(path, `${path}-kept`);
      await mkdir(path);
    };
    await assert.rejects(send(whole(spoil)));
    await rmdir(path);
    await rename(`${path}-kept`, path);
    assert.deepEqual(await state.uploads.missingChunks(upload.id, 'key_a'), [0]);
    assert.equal(await state.uploads.complete(upload.id, 'key_a'), 'incomplete');
    assert.equal(await send(whole()), 'stored');
    assert.equal(await state.uploads.complete(upload.id, 'key_a'), 'completed');
  });

  it('leaves nothing behind when uploads and re-sends are over', async () => {
    const state = await open();
    const upload = await state.uploads.begin(plan(1024), CAPS);
    assert.ok(typeof upload === 'object');
    async function* broken() {
      yield Buffer.alloc(100);
      throw new Error('connection lost');
    }
    async function* whole() {
      yield Buffer.alloc(1024);
    }
    await state.uploads.putChunk(upload.id, 'key_a', 0, 1024, whole(), CAPS.storageBytes);
    await state.uploads.putChunk(upload.id, 'key_a', 0, 1024, whole(), CAPS.storageBytes);
    await assert.rejects(state.uploads.putChunk(upload.id, 'key_a', 0, 1024, broken(), CAPS.storageBytes));
    await state.uploads.complete(upload.id, 'key_a');
    await state.uploads.claim(upload.id, 'key_a', 'c');
    await state.uploads.consume('c');
    assert.deepEqual(await readdir(join(dataDir, 'uploads')), []);
  });

  it('drops the oldest stored answers when they fill their room', async () => {
    let time = Date.now();
    const state = await open({ maxReplayBytes: 25_000, now: () => new Date(time) });
    for (const key of ['a', 'b', 'c']) {
      time += 1;
      await keptAnswer(state, key, 10_000);
    }
    assert.equal((await readdir(join(dataDir, 'replays'))).length, 2);
    assert.equal((await state.replays.begin('key_a', 'a', 'f', 1000)).state, 'begun');
    assert.equal((await state.replays.begin('key_a', 'c', 'f', 1000)).state, 'replay');
  });

  it('drops answers of who has most, never those of others', async () => {
    let time = Date.now();
    const state = await open({ maxReplayBytes: 45_000, now: () => new Date(time) });
    await keptAnswer(state, 'first', 10_000, 'key_b');
    for (let n = 0; n < 10; n += 1) {
      time += 1;
      await keptAnswer(state, `k${n}`, 10_000);
    }
    assert.equal((await state.replays.begin('key_b', 'first', 'f', 1000)).state, 'replay');
    assert.equal((await state.replays.begin('key_a', 'k9', 'f', 1000)).state, 'replay');
    assert.equal((await state.replays.begin('key_a', 'k0', 'f', 1000)).state, 'begun');
  });

  it('keeps small answers in their rows, and no more of a key than it may have', async () => {
    let time = Date.now();
    const state = await open({ maxReplaysOfKey: 20, now: () => new Date(time) });
    await keptAnswer(state, 'other', 100, 'key_b');
    for (let n = 0; n < 50; n += 1) {
      time += 1;
      await keptAnswer(state, `k${n}`, 100);
    }
    assert.deepEqual(await readdir(join(dataDir, 'replays')), []);
    const kept = await Promise.all(
      Array.from({ length: 50 }, (_, n) => state.replays.begin('key_a', `k${n}`, 'f', 1000)),
    );
    assert.deepEqual(
      kept.flatMap(({ state: how }, n) => (how === 'replay' ? [n] : [])),
      Array.from({ length: 20 }, (_, n) => 30 + n),
    );
    assert.equal((await state.replays.begin('key_b', 'other', 'f', 1000)).state, 'replay');
  });

  it('serves callers while it sweeps tens of thousands of answers', async () => {
    const state = await open({ maxReplaysOfKey: 100_000 });
    const db = new DatabaseSync(databaseFile(dataDir));
    const insert = db.prepare(
      `INSERT INTO replays (owner, key, fingerprint, status, headers, body, body_size, stored_at, expires_at)
       VALUES (?, ?, 'f', 400, '{}', zeroblob(300), 300, 1, 2)`,
    );
    db.exec('BEGIN');
    for (let n = 0; n < 40_000; n += 1) insert.run('key_a', `k${n}`);
    db.exec('COMMIT');
    db.close();
    let turns = 0;
    const counter = setInterval(() => {
      turns += 1;
    }, 0);
    await state.sweep(new Date());
    clearInterval(counter);
    assert.ok(turns >= 20, `others had ${turns} turns`);
    assert.equal((await state.replays.begin('key_a', 'k1', 'f', 1000)).state, 'begun');
  });

  it('takes over at once what a service was doing when it ended', async () => {
    const state = await open();
    assert.equal((await state.replays.begin('key_a', 'k', 'f', 60_000)).state, 'begun');
    await state.close();
    assert.equal((await (await open()).replays.begin('key_a', 'k', 'f', 60_000)).state, 'begun');
  });

  it('does not touch a database of a newer version', async () => {
    await (await open()).close();
    const db = new DatabaseSync(databaseFile(dataDir));
    db.exec('PRAGMA user_version = 1000');
    db.close();
    await assert.rejects(open(), /newer version of Bindery/);
  });
});
