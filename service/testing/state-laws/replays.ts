import assert from 'node:assert/strict';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import type { NewStoredResponse } from '../../src/state/state.ts';
import { allOf } from './sending.ts';
import type { World } from './world.ts';

const LEASE = 30_000;
const DAY = 24 * 3600 * 1000;
const ANSWER: NewStoredResponse = {
  status: 200,
  headers: { 'content-type': 'application/pdf', 'content-disposition': 'attachment; filename="a.pdf"' },
  body: { bytes: Buffer.from('%PDF-1.7 made') },
};

export function replayLaws(world: World): void {
  const begin = (key = 'k', fingerprint = 'f', owner = 'key_a') =>
    world.state.replays.begin(owner, key, fingerprint, LEASE);
  const tomorrow = () => new Date(world.now().getTime() + DAY);

  async function begunLease(key = 'k', fingerprint = 'f'): Promise<string> {
    const verdict = await begin(key, fingerprint);
    assert.ok(verdict.state === 'begun', verdict.state);
    return verdict.lease;
  }
  async function replayed(key = 'k', fingerprint = 'f') {
    const verdict = await begin(key, fingerprint);
    assert.ok(verdict.state === 'replay', verdict.state);
    const { body, ...rest } = verdict.response;
    const bytes = body && ('bytes' in body ? Buffer.from(body.bytes) : await allOf(body.stored));
    if (body && 'stored' in body) assert.equal(bytes?.length, body.stored.size);
    return { ...rest, size: bytes?.length, text: bytes?.toString('latin1') ?? null };
  }

  it('lets exactly one of many requests begin', async () => {
    const verdicts = await Promise.all(Array.from({ length: 20 }, () => begin()));
    assert.equal(verdicts.filter(({ state }) => state === 'begun').length, 1);
    assert.equal(verdicts.filter(({ state }) => state === 'running').length, 19);
  });

  it('answers the same request with what was stored, through a restart, until it expires', async () => {
    assert.equal(await world.state.replays.store(await begunLease(), ANSWER, tomorrow()), true);
    const expected = { status: ANSWER.status, headers: ANSWER.headers, size: 13, text: '%PDF-1.7 made' };
    assert.deepEqual(await replayed(), expected);
    await world.restart();
    world.pass(DAY - 1);
    await world.state.sweep(world.now());
    assert.deepEqual(await replayed(), expected);
    world.pass(1);
    assert.equal((await begin()).state, 'begun');
  });

  it('stores an answer without a body', async () => {
    await world.state.replays.store(await begunLease(), { status: 204, headers: {}, body: null }, tomorrow());
    assert.deepEqual(await replayed(), { status: 204, headers: {}, size: undefined, text: null });
  });

  it('keeps a body given as a file when that file is removed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bindery-law-'));
    try {
      const path = join(folder, 'result.pdf');
      await writeFile(path, 'from a file');
      await world.state.replays.store(await begunLease(), { ...ANSWER, body: { path } }, tomorrow());
      await rm(path);
      const { size, text } = await replayed();
      assert.deepEqual([size, text], [11, 'from a file']);
      await symlink('/etc/hostname', path);
      await assert.rejects(
        world.state.replays.store(await begunLease('k2'), { ...ANSWER, body: { path } }, tomorrow()),
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('refuses another request under the same key, running or stored', async () => {
    const lease = await begunLease();
    assert.equal((await begin('k', 'other')).state, 'reused');
    await world.state.replays.store(lease, ANSWER, tomorrow());
    assert.equal((await begin('k', 'other')).state, 'reused');
    assert.equal((await replayed()).status, 200);
  });

  it('keeps owners and keys apart', async () => {
    await begunLease();
    assert.equal((await begin('k2')).state, 'begun');
    assert.equal((await begin('k', 'f', 'key_b')).state, 'begun');
  });

  it('lets a request that was abandoned run again, also as another', async () => {
    await world.state.replays.abandon(await begunLease());
    const lease = await begunLease('k', 'other');
    await world.state.replays.abandon(lease);
    await world.state.replays.abandon(lease);
    assert.equal((await begin()).state, 'begun');
  });

  it('does not abandon what is stored', async () => {
    const lease = await begunLease();
    await world.state.replays.store(lease, ANSWER, tomorrow());
    await world.state.replays.abandon(lease);
    assert.equal((await replayed()).status, 200);
  });

  it('holds a lease while it is renewed, and lets a dead one be taken over once', async () => {
    const lease = await begunLease();
    world.pass(LEASE - 1);
    assert.equal(await world.state.replays.renew(lease, LEASE), true);
    world.pass(LEASE - 1);
    assert.equal((await begin()).state, 'running');
    world.pass(1);
    const verdicts = await Promise.all(Array.from({ length: 10 }, () => begin()));
    assert.equal(verdicts.filter(({ state }) => state === 'begun').length, 1);
  });

  it('takes nothing from a holder whose lease was taken over', async () => {
    const late = await begunLease('k', 'first');
    world.pass(LEASE);
    const lease = await begunLease('k', 'second');
    assert.equal(await world.state.replays.renew(late, LEASE), false);
    assert.equal(await world.state.replays.store(late, ANSWER, tomorrow()), false);
    await world.state.replays.abandon(late);
    assert.equal((await begin('k', 'second')).state, 'running');
    assert.equal(await world.state.replays.store(lease, { ...ANSWER, status: 400 }, tomorrow()), true);
    assert.equal((await replayed('k', 'second')).status, 400);
  });

  it('frees the key of a process that died, at the latest when its lease ends', async () => {
    await begunLease();
    await world.restart();
    world.pass(LEASE);
    assert.equal((await begin()).state, 'begun');
  });

  it('sweeps what is expired and keeps what is not', async () => {
    const large = { ...ANSWER, body: { bytes: Buffer.alloc(1_000_000) } };
    await world.state.replays.store(await begunLease('old'), large, new Date(world.now().getTime() + 1000));
    await world.state.replays.store(await begunLease('new'), ANSWER, tomorrow());
    const old = await begin('old');
    assert.ok(old.state === 'replay' && old.response.body && 'stored' in old.response.body);
    world.pass(1000);
    await world.state.sweep(world.now());
    await assert.rejects(allOf(old.response.body.stored));
    assert.equal((await replayed('new')).status, 200);
  });
}
