import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { BODY_IDLE_MS, ClientGone } from './body.ts';
import { watched } from './chunk-body.ts';

async function sizeOf(data: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const piece of data) size += piece.length;
  return size;
}

test('a body that brings nothing for too long is given up', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const request = new PassThrough();
  const body = watched(request as unknown as IncomingMessage);
  const stored = body.guard(sizeOf(body.data));
  request.write('begin');
  await new Promise(setImmediate);
  t.mock.timers.tick(BODY_IDLE_MS - 1);
  assert.equal(request.destroyed, false);
  t.mock.timers.tick(1);
  await assert.rejects(stored, ClientGone);
  assert.equal(request.destroyed, true);
});

test('a body refused in its midst is no longer watched: its connection may serve others', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const request = new PassThrough();
  const body = watched(request as unknown as IncomingMessage);
  request.write('begin');
  const firstPiece = async () => (await body.data[Symbol.asyncIterator]().next()).value?.length;
  assert.equal(await body.guard(firstPiece()), 5);
  await new Promise(setImmediate);
  assert.equal(request.listenerCount('readable'), 0);
  t.mock.timers.tick(2 * BODY_IDLE_MS);
  assert.equal(request.destroyed, false);
});
