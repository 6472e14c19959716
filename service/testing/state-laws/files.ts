import assert from 'node:assert/strict';
import { createPrivateKey } from 'node:crypto';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { GIB } from '../../src/contract/limits.ts';
import type { KeptFile, NewFile } from '../../src/state/state.ts';
import { allOf } from './sending.ts';
import type { World } from './world.ts';

const HOUR_MS = 3_600_000;
const CAPS = { files: 3, storageBytes: 1000 };
const LIMITS = { maxBytes: 100, storageBytes: 1000, last: true };

const bytes = (text: string) => ({ bytes: Buffer.from(text) });
const pieces = async function* (...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
};

export function fileLaws(world: World): void {
  const file = (owner = 'me'): NewFile => ({
    owner,
    filename: 'a.pdf',
    mediaType: 'application/pdf',
    expiresAt: new Date(world.now().getTime() + HOUR_MS),
  });
  const kept = async (content: string, owner = 'me'): Promise<KeptFile> => {
    const made = await world.state.files.keep(file(owner), bytes(content), CAPS);
    assert.ok(typeof made === 'object', String(made));
    return made;
  };
  const read = async (id: string): Promise<string> => {
    const found = await world.state.files.find(id);
    assert.ok(found);
    return (await allOf(await world.state.files.bytesOf(found))).toString('utf8');
  };

  it('keeps a file for its owner, over a restart', async () => {
    const made = await kept('content');
    await world.restart();
    const found = await world.state.files.find(made.id, 'me');
    assert.deepEqual(found, { ...file(), id: made.id, size: 7, writes: 0, ready: true });
    assert.equal(await read(made.id), 'content');
    assert.equal(await world.state.files.find(made.id, 'you'), undefined);
    assert.ok(await world.state.files.find(made.id));
  });

  it('a place is filled piece by piece, once', async () => {
    const { files } = world.state;
    const place = await files.reserve(file(), CAPS);
    assert.ok(typeof place === 'object');
    const { id } = place;
    const first = await files.write(id, 0, pieces('one ', 'two '), { ...LIMITS, last: false });
    assert.deepEqual(
      [typeof first === 'object' && first.size, typeof first === 'object' && first.ready],
      [8, false],
    );
    assert.equal(await files.write(id, 0, pieces('again'), LIMITS), 'taken');
    const second = await files.write(id, 8, pieces('three'), LIMITS);
    assert.ok(typeof second === 'object' && second.ready && second.writes === 2);
    assert.equal(await files.write(id, 13, pieces('more'), LIMITS), 'taken');
    assert.equal(await read(id), 'one two three');
    assert.equal(await files.write('nowhere', 0, pieces('x'), LIMITS), 'gone');
  });

  it('what is too large or breaks off counts for nothing', async () => {
    const { files } = world.state;
    const place = await files.reserve(file(), CAPS);
    assert.ok(typeof place === 'object');
    const { id } = place;
    assert.equal(await files.write(id, 0, pieces('x'.repeat(101)), LIMITS), 'too_large');
    const broken = async function* () {
      yield Buffer.from('half');
      throw new Error('gone');
    };
    await assert.rejects(files.write(id, 0, broken(), LIMITS), /gone/);
    const whole = await files.write(id, 0, pieces('whole'), LIMITS);
    assert.ok(typeof whole === 'object' && whole.ready);
    assert.equal(await read(id), 'whole');
  });

  it('sends side by side share what room is left', async () => {
    const { files } = world.state;
    await kept('1234');
    const [one, two] = [await files.reserve(file('you'), CAPS), await files.reserve(file('her'), CAPS)];
    assert.ok(typeof one === 'object' && typeof two === 'object');
    const limits = { ...LIMITS, storageBytes: 12 };
    const { promise: leave, resolve: goOn } = Promise.withResolvers<void>();
    const slow = async function* () {
      yield Buffer.from('567');
      await leave;
      yield Buffer.from('89');
    };
    const first = files.write(one.id, 0, slow(), limits);
    await new Promise(setImmediate);
    assert.equal(await files.write(two.id, 0, pieces('too', ' long'), limits), 'insufficient_storage');
    goOn();
    assert.ok(typeof (await first) === 'object');
    assert.equal(await files.write(two.id, 0, pieces('1234'), limits), 'insufficient_storage');
    const fitting = await files.write(two.id, 0, pieces('123'), limits);
    assert.ok(typeof fitting === 'object' && fitting.ready);
    assert.equal((await read(one.id)) + (await read(two.id)), '56789123');
  });

  it('gives nobody more than his share of a large room, but a single file', async (t) => {
    if (!world.takesLargeFiles) return t.skip('sparse files are not sparse in a bucket');
    const { files } = world.state;
    const folder = await mkdtemp(join(tmpdir(), 'bindery-large-'));
    const path = join(folder, 'sparse');
    const size = GIB - 10;
    try {
      await writeFile(path, '');
      await truncate(path, size);
      const caps = { files: 9, storageBytes: 4 * GIB };
      const keep = (owner: string) => files.keep(file(owner), { path, size }, caps);
      assert.ok(typeof (await keep('me')) === 'object');
      assert.equal(await keep('me'), 'insufficient_storage');
      assert.ok(typeof (await keep('you')) === 'object');
      const place = await files.reserve(file('you'), caps);
      assert.ok(typeof place === 'object');
      const limits = { ...LIMITS, storageBytes: caps.storageBytes };
      assert.equal(await files.write(place.id, 0, pieces('x'.repeat(11)), limits), 'insufficient_storage');
      assert.ok(typeof (await files.write(place.id, 0, pieces('x'.repeat(10)), limits)) === 'object');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('a place of a declared size takes exactly that', async () => {
    const { files } = world.state;
    const place = await files.reserve({ ...file(), declaredSize: 5 }, CAPS);
    assert.ok(typeof place === 'object');
    const { id } = place;
    await world.restart();
    const again = world.state.files;
    assert.equal((await again.find(id))?.declaredSize, 5);
    assert.equal(await again.write(id, 0, pieces('four'), LIMITS), 'wrong_size');
    assert.equal(await again.write(id, 0, pieces('sixsix'), LIMITS), 'wrong_size');
    const first = await again.write(id, 0, pieces('wh'), { ...LIMITS, last: false });
    assert.ok(typeof first === 'object' && !first.ready);
    const whole = await again.write(id, 2, pieces('ole'), LIMITS);
    assert.ok(typeof whole === 'object' && whole.ready);
    assert.equal(await read(id), 'whole');
  });

  it('files have an end, and owners and the disk their bounds', async () => {
    const { files } = world.state;
    const first = await kept('1');
    await kept('2');
    await kept('3');
    assert.equal(await files.keep(file(), bytes('4'), CAPS), 'upload_limit_reached');
    assert.equal(await files.keep(file('you'), bytes('x'.repeat(998)), CAPS), 'insufficient_storage');
    await kept('another owner has room', 'you');
    world.pass(HOUR_MS);
    assert.equal(await files.find(first.id, 'me'), undefined);
    await kept('4');
    await world.state.sweep(world.now());
    await assert.rejects(async () => allOf(await files.bytesOf(first)));
  });

  it('what was brought can be changed, and changes nothing that is kept', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bindery-brought-'));
    try {
      const file = await kept('content');
      const path = join(folder, 'in-1');
      await (await world.state.files.bytesOf(file)).bringTo(path);
      assert.equal(await readFile(path, 'utf8'), 'content');
      await writeFile(path, 'spoiled', { flag: 'r+' });
      assert.equal(await read(file.id), 'content');
      await assert.rejects((await world.state.files.bytesOf(file)).bringTo(path), { code: 'EEXIST' });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('only its owner drops a file', async () => {
    const { files } = world.state;
    const made = await kept('1');
    const { id } = made;
    await files.drop(id, 'you');
    assert.ok(await files.find(id, 'me'));
    await files.drop(id, 'me');
    assert.equal(await files.find(id, 'me'), undefined);
    await assert.rejects(async () => allOf(await files.bytesOf(made)));
  });

  it('the signing secret stays the same', async () => {
    const before = Buffer.from(world.state.signingSecret).toString('hex');
    await world.restart();
    assert.equal(Buffer.from(world.state.signingSecret).toString('hex'), before);
    assert.equal(before.length, 64);
  });

  it('the key of reports stays the same', async () => {
    const before = world.state.reportKey;
    await world.restart();
    assert.equal(world.state.reportKey, before);
    assert.equal(createPrivateKey(before).asymmetricKeyType, 'ed25519');
  });
}
