import assert from 'node:assert/strict';
import { it } from 'node:test';
import { GIB } from '../../src/contract/limits.ts';
import type { Upload } from '../../src/state/state.ts';
import {
  allOf,
  begun,
  CAPS,
  CHUNK,
  claimedBytes,
  completed,
  content,
  HOUR,
  inPieces,
  OWNER,
  partOf,
  planFor,
  put,
} from './sending.ts';
import type { World } from './world.ts';

const MINUTE = HOUR / 60;

export function uploadLaws(world: World): void {
  it('gives out ids nobody can guess', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => begun(world, 10)));
    assert.equal(new Set(made.map(({ id }) => id)).size, 5);
    for (const { id } of made) assert.match(id, /^[\w-]{22,}$/);
  });

  it('shows an upload to its owner as it was begun, and to nobody else', async () => {
    const upload = await begun(world, 2500, { contentType: 'application/pdf' });
    assert.deepEqual(await world.state.uploads.get(upload.id, OWNER), upload);
    assert.equal(await world.state.uploads.get('unknown', OWNER), undefined);
    const stranger = 'key_stranger';
    assert.equal(await world.state.uploads.get(upload.id, stranger), undefined);
    assert.equal(await world.state.uploads.missingChunks(upload.id, stranger), undefined);
    assert.equal(await world.state.uploads.complete(upload.id, stranger), 'gone');
    assert.equal(
      await world.state.uploads.putChunk(
        upload.id,
        stranger,
        0,
        CHUNK,
        inPieces(content(CHUNK)),
        CAPS.storageBytes,
      ),
      'gone',
    );
    await world.state.uploads.drop(upload.id, stranger);
    assert.deepEqual(await world.state.uploads.missingChunks(upload.id, OWNER), [0, 1, 2]);
  });

  it('lets no stranger claim', async () => {
    const upload = await completed(world, content(100));
    assert.equal(await world.state.uploads.claim(upload.id, 'key_stranger', 'c1'), undefined);
    assert.ok(await world.state.uploads.claim(upload.id, OWNER, 'c2'));
  });

  it('gives the last places to exactly as many as there are, in a race', async () => {
    const verdicts = await Promise.all(
      Array.from({ length: 20 }, () => world.state.uploads.begin(planFor(world, 10), CAPS)),
    );
    assert.equal(verdicts.filter((verdict) => verdict === 'upload_limit_reached').length, 15);
    assert.equal(
      typeof (await world.state.uploads.begin(planFor(world, 10, { owner: 'key_other' }), CAPS)),
      'object',
    );
  });

  it('reserves room for all owners together, in a race', async () => {
    const verdicts = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        world.state.uploads.begin(planFor(world, 300_000, { owner: `key_${n}` }), CAPS),
      ),
    );
    assert.equal(verdicts.filter((verdict) => verdict === 'insufficient_storage').length, 7);
    assert.equal(
      typeof (await world.state.uploads.begin(planFor(world, 100_000, { owner: 'key_x' }), CAPS)),
      'object',
    );
    assert.equal(
      await world.state.uploads.begin(planFor(world, 1, { owner: 'key_y' }), CAPS),
      'insufficient_storage',
    );
  });

  it('lets nobody take more than his share of a large room by word alone', async () => {
    const caps = { inProgress: 5, storageBytes: 4 * GIB };
    const begin = (owner: string, size: number) =>
      world.state.uploads.begin(planFor(world, size, { owner, chunkSize: GIB }), caps);
    const sent = await completed(world, content(CHUNK));
    assert.equal(typeof (await begin('key_a', GIB - 100)), 'object');
    assert.equal(await begin('key_a', 200), 'insufficient_storage');
    assert.equal(typeof (await begin('key_a', 100)), 'object');
    assert.equal(typeof (await begin('key_b', GIB)), 'object', 'it is nobody else who is refused');
    assert.equal(typeof (await begin(sent.owner, GIB)), 'object', 'what came is not by word alone');
  });

  it('keeps room for what was declared only while chunks come', async () => {
    const caps = { inProgress: 5, storageBytes: 4 * CHUNK };
    const begin = (owner: string, size: number) =>
      world.state.uploads.begin(planFor(world, size, { owner }), caps);
    const putInto = (upload: Upload, index: number) =>
      world.state.uploads.putChunk(
        upload.id,
        upload.owner,
        index,
        CHUNK,
        inPieces(content(CHUNK)),
        caps.storageBytes,
      );
    const paused = await begin('key_a', 3 * CHUNK);
    assert.ok(typeof paused === 'object');
    assert.equal(await putInto(paused, 0), 'stored');
    assert.equal(await begin('key_b', 2 * CHUNK), 'insufficient_storage');
    world.pass(20 * MINUTE);
    const other = await begin('key_b', 2 * CHUNK);
    assert.ok(typeof other === 'object');
    assert.equal(await putInto(paused, 1), 'no_room');
    await world.state.uploads.drop(other.id, 'key_b');
    assert.equal(await putInto(paused, 1), 'stored');
    assert.equal(await begin('key_b', 2 * CHUNK), 'insufficient_storage', 'it has its room again');
    assert.equal(await putInto(paused, 2), 'stored');
    assert.equal(await world.state.uploads.complete(paused.id, 'key_a'), 'completed');
  });

  it('frees places and room when uploads are dropped, used or expired', async () => {
    const caps = { inProgress: 1, storageBytes: 100 };
    const begin = () => world.state.uploads.begin(planFor(world, 100, { chunkCount: 1 }), caps);
    const first = await begin();
    assert.ok(typeof first === 'object');
    assert.equal(await begin(), 'upload_limit_reached');
    await world.state.uploads.drop(first.id, OWNER);
    const second = await begin();
    assert.ok(typeof second === 'object');
    await put(world, second, 0, content(100));
    await world.state.uploads.complete(second.id, OWNER);
    assert.equal(await begin(), 'upload_limit_reached', 'an unused upload counts');
    await world.state.uploads.claim(second.id, OWNER, 'c1');
    await world.state.uploads.consume('c1');
    assert.equal(typeof (await begin()), 'object');
    world.pass(HOUR);
    assert.equal(typeof (await begin()), 'object', 'an expired one does not count, swept or not');
  });

  it('lets exactly one of many requests claim an upload', async () => {
    const upload = await completed(world, content(100));
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, n) => world.state.uploads.claim(upload.id, OWNER, `c${n}`)),
    );
    assert.equal(claims.filter(Boolean).length, 1);
  });

  it('lets one request claim an upload twice, and several uploads under one claim', async () => {
    const [a, b] = [await completed(world, content(100)), await completed(world, content(100, 1))];
    for (const { id } of [a, b, a]) assert.ok(await world.state.uploads.claim(id, OWNER, 'c1'));
    await world.state.uploads.consume('c1');
    for (const { id } of [a, b]) assert.equal(await world.state.uploads.get(id, OWNER), undefined);
  });

  it('removes an upload when it is consumed', async () => {
    const upload = await completed(world, content(100));
    const claim = await world.state.uploads.claim(upload.id, OWNER, 'c1');
    assert.deepEqual([claim?.filename, claim?.bytes.size], [upload.filename, 100]);
    await world.state.uploads.consume('c1');
    assert.equal(await world.state.uploads.get(upload.id, OWNER), undefined);
    assert.equal(await world.state.uploads.claim(upload.id, OWNER, 'c2'), undefined);
    await assert.rejects(allOf(claim?.bytes));
  });

  it('keeps an upload that is released, for another try', async () => {
    const bytes = content(2300);
    const upload = await completed(world, bytes);
    await world.state.uploads.claim(upload.id, OWNER, 'c1');
    await world.state.uploads.release('c1');
    await world.state.uploads.consume('c1');
    assert.deepEqual(await claimedBytes(world, upload, 'c2'), bytes);
  });

  it('gives nothing incomplete, dropped or expired to a request', async () => {
    const incomplete = await begun(world, 10);
    const dropped = await completed(world, content(10));
    const expired = await completed(world, content(10));
    await world.state.uploads.drop(dropped.id, OWNER);
    await world.state.uploads.drop(dropped.id, OWNER);
    assert.equal(await world.state.uploads.claim(incomplete.id, OWNER, 'c1'), undefined);
    assert.equal(await world.state.uploads.claim(dropped.id, OWNER, 'c1'), undefined);
    world.pass(HOUR - 1);
    assert.ok(await world.state.uploads.get(expired.id, OWNER));
    world.pass(1);
    assert.equal(await world.state.uploads.get(expired.id, OWNER), undefined);
    assert.equal(await world.state.uploads.claim(expired.id, OWNER, 'c1'), undefined);
    assert.equal(await world.state.uploads.complete(expired.id, OWNER), 'gone');
    assert.equal(await world.state.uploads.missingChunks(expired.id, OWNER), undefined);
  });

  it('leaves the file of a running request alone when its upload expires', async () => {
    const upload = await completed(world, content(100));
    const claim = await world.state.uploads.claim(upload.id, OWNER, 'c1');
    world.pass(HOUR);
    await world.state.sweep(world.now());
    assert.deepEqual(await allOf(claim?.bytes), content(100));
    await world.state.uploads.release('c1');
    await world.state.sweep(world.now());
    await assert.rejects(allOf(claim?.bytes));
  });

  it('goes on after a restart where it was, claims of the dead process undone', async () => {
    const bytes = content(2500);
    const upload = await begun(world, bytes.length);
    await put(world, upload, 2, partOf(bytes, 2));
    await world.restart();
    assert.deepEqual(await world.state.uploads.missingChunks(upload.id, OWNER), [0, 1]);
    await put(world, upload, 0, partOf(bytes, 0));
    await put(world, upload, 1, partOf(bytes, 1));
    assert.equal(await world.state.uploads.complete(upload.id, OWNER), 'completed');
    assert.ok(await world.state.uploads.claim(upload.id, OWNER, 'c1'));
    await world.restart();
    await world.state.sweep(world.now());
    assert.deepEqual(await claimedBytes(world, upload, 'c2'), bytes);
  });
}
