import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Upload } from '../../src/state/state.ts';
import {
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
  put,
} from './sending.ts';
import type { World } from './world.ts';

/** A sender that stops half way until told how to go on. */
function halting(bytes: Buffer): {
  data: AsyncIterable<Uint8Array>;
  halted: Promise<void>;
  goOn(): void;
  fail(): void;
} {
  const atHalf = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  async function* send() {
    yield bytes.subarray(0, bytes.length / 2);
    atHalf.resolve();
    await gate.promise;
    yield bytes.subarray(bytes.length / 2);
  }
  const fail = () => gate.reject(new Error('connection lost'));
  return { data: send(), halted: atHalf.promise, goOn: () => gate.resolve(), fail };
}

const send = (world: World, upload: Upload, index: number, data: AsyncIterable<Uint8Array>) =>
  world.state.uploads.putChunk(upload.id, OWNER, index, CHUNK, data, CAPS.storageBytes);

async function finished(world: World, upload: Upload): Promise<Buffer> {
  assert.equal(await world.state.uploads.complete(upload.id, OWNER), 'completed');
  return claimedBytes(world, upload);
}

export function chunkLaws(world: World): void {
  it('takes chunks in any order and side by side', async () => {
    const bytes = content(9 * CHUNK + 77);
    const upload = await begun(world, bytes.length);
    const order = [9, 3, 0, 7, 1, 8, 2, 6, 5, 4];
    const verdicts = await Promise.all(order.map((index) => put(world, upload, index, partOf(bytes, index))));
    assert.ok(verdicts.every((verdict) => verdict === 'stored'));
    assert.deepEqual(await world.state.uploads.missingChunks(upload.id, OWNER), []);
    assert.deepEqual(await finished(world, upload), bytes);
  });

  it('tells which chunks are missing, all or the first', async () => {
    const bytes = content(6 * CHUNK);
    const upload = await begun(world, bytes.length);
    for (const index of [1, 4]) await put(world, upload, index, partOf(bytes, index));
    assert.deepEqual(await world.state.uploads.missingChunks(upload.id, OWNER), [0, 2, 3, 5]);
    assert.deepEqual(await world.state.uploads.missingChunks(upload.id, OWNER, 2), [0, 2]);
    assert.deepEqual(await world.state.uploads.missingChunks(upload.id, OWNER, 4), [0, 2, 3, 5]);
    assert.equal(await world.state.uploads.complete(upload.id, OWNER), 'incomplete');
    assert.equal((await world.state.uploads.get(upload.id, OWNER))?.completed, false);
  });

  it('completes an empty upload, and a complete one again', async () => {
    const upload = await begun(world, 0);
    assert.equal(await world.state.uploads.complete(upload.id, OWNER), 'completed');
    assert.equal(await world.state.uploads.complete(upload.id, OWNER), 'completed');
    assert.equal((await claimedBytes(world, upload)).length, 0);
  });

  it('counts no chunk that is too short or too long, and spoils no neighbour', async () => {
    const bytes = content(2 * CHUNK + 10);
    const upload = await begun(world, bytes.length);
    await put(world, upload, 1, partOf(bytes, 1));
    for (const wrong of [0, 1, CHUNK - 1, CHUNK + 1, 3 * CHUNK]) {
      assert.equal(
        await send(world, upload, 0, inPieces(content(wrong, 9))),
        'wrong_size',
        `${wrong} bytes sent`,
      );
      assert.equal(await put(world, upload, 0, content(wrong, 9)), 'wrong_size', `${wrong} bytes announced`);
    }
    assert.equal(await put(world, upload, 2, content(11)), 'wrong_size');
    assert.deepEqual(await world.state.uploads.missingChunks(upload.id, OWNER), [0, 2]);
    for (const index of [0, 2]) assert.equal(await put(world, upload, index, partOf(bytes, index)), 'stored');
    assert.deepEqual(await finished(world, upload), bytes);
  });

  it('knows no chunk outside the upload', async () => {
    const upload = await begun(world, 2 * CHUNK);
    for (const index of [-1, 2, 0.5, Number.NaN, 2 ** 53]) {
      assert.equal(await send(world, upload, index, inPieces(content(CHUNK))), 'no_such_chunk');
    }
  });

  it('reads no further than needed to see that a chunk is too long, and leaves the stream open', async () => {
    const upload = await begun(world, CHUNK);
    const seen = { pieces: 0, closed: false };
    async function* endless() {
      try {
        for (;;) {
          seen.pieces += 1;
          yield content(300);
        }
      } finally {
        seen.closed = true;
      }
    }
    assert.equal(await send(world, upload, 0, endless()), 'wrong_size');
    assert.deepEqual(seen, { pieces: 4, closed: false });
  });

  it('lets the last whole send of a chunk stand', async () => {
    const upload = await begun(world, CHUNK);
    await put(world, upload, 0, content(CHUNK));
    assert.equal(await put(world, upload, 0, content(CHUNK, 5)), 'stored');
    assert.deepEqual(await finished(world, upload), content(CHUNK, 5));
  });

  it('keeps an arrived chunk whole when its re-send fails or is wrong', async () => {
    const upload = await begun(world, CHUNK);
    await put(world, upload, 0, content(CHUNK));
    const broken = halting(content(CHUNK, 5));
    const sending = send(world, upload, 0, broken.data);
    await broken.halted;
    broken.fail();
    await assert.rejects(sending, /connection lost/);
    assert.equal(await send(world, upload, 0, inPieces(content(CHUNK - 1, 6))), 'wrong_size');
    assert.deepEqual(await world.state.uploads.missingChunks(upload.id, OWNER), []);
    assert.deepEqual(await finished(world, upload), content(CHUNK));
  });

  it('counts no chunk whose only send failed', async () => {
    const upload = await begun(world, CHUNK);
    const broken = halting(content(CHUNK));
    const sending = send(world, upload, 0, broken.data);
    await broken.halted;
    broken.fail();
    await assert.rejects(sending, /connection lost/);
    assert.deepEqual(await world.state.uploads.missingChunks(upload.id, OWNER), [0]);
    assert.equal(await put(world, upload, 0, content(CHUNK)), 'stored');
    assert.deepEqual(await finished(world, upload), content(CHUNK));
  });

  for (const end of ['goes on', 'fails'] as const) {
    it(`takes a re-send while the first send hangs, and then ${end}`, async () => {
      const upload = await begun(world, CHUNK);
      const slow = halting(content(CHUNK, 5));
      const first = send(world, upload, 0, slow.data);
      await slow.halted;
      assert.equal(await put(world, upload, 0, content(CHUNK)), 'stored');
      assert.deepEqual(await finished(world, upload), content(CHUNK));
      if (end === 'goes on') {
        slow.goOn();
        assert.ok(['stored', 'completed'].includes(await first));
      } else {
        slow.fail();
        await assert.rejects(first, /connection lost/);
      }
      assert.deepEqual(await claimedBytes(world, upload), content(CHUNK));
    });
  }

  it('ends with one whole chunk when many send it at once', async () => {
    const upload = await begun(world, 3 * CHUNK);
    const salts = [1, 2, 3, 4, 5, 6, 7, 8];
    for (const index of [0, 1, 2]) {
      const verdicts = await Promise.all(
        salts.map((salt) => put(world, upload, index, content(CHUNK, salt))),
      );
      assert.ok(verdicts.every((verdict) => verdict === 'stored'));
    }
    const bytes = await finished(world, upload);
    for (const index of [0, 1, 2]) {
      assert.ok(
        salts.some((salt) => partOf(bytes, index).equals(content(CHUNK, salt))),
        `chunk ${index} is torn`,
      );
    }
  });

  it('writes nothing into a complete upload', async () => {
    const upload = await completed(world, content(CHUNK));
    assert.equal(await put(world, upload, 0, content(CHUNK, 5)), 'completed');
    assert.equal(await put(world, upload, 0, content(CHUNK - 1)), 'wrong_size');
    assert.equal(await put(world, upload, 0, content(CHUNK)), 'stored', 'the same bytes again');
    assert.deepEqual(await claimedBytes(world, upload), content(CHUNK));
  });

  it('writes nothing into an upload completed during a re-send', async () => {
    const upload = await begun(world, CHUNK);
    await put(world, upload, 0, content(CHUNK));
    const late = halting(content(CHUNK, 5));
    const sending = send(world, upload, 0, late.data);
    await late.halted;
    assert.deepEqual(await finished(world, upload), content(CHUNK));
    late.goOn();
    assert.equal(await sending, 'completed');
    assert.deepEqual(await claimedBytes(world, upload), content(CHUNK));
  });

  it('answers gone to a chunk whose upload is dropped or expires on the way', async () => {
    for (const end of [(u: Upload) => world.state.uploads.drop(u.id, OWNER), async () => world.pass(HOUR)]) {
      const upload = await begun(world, CHUNK);
      const slow = halting(content(CHUNK));
      const sending = send(world, upload, 0, slow.data);
      await slow.halted;
      await end(upload);
      await world.state.sweep(world.now());
      slow.goOn();
      assert.equal(await sending, 'gone');
    }
  });
}
