import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { NewKey } from '../../src/state/state.ts';
import type { World } from './world.ts';

const MINUTE = 60_000;
const PLAIN: NewKey = { name: 'ci', plan: 'standard', scopes: ['general', 'misc'], expiresAt: null };
const SEED = { name: 'operator', plan: 'unlimited', scopes: ['*'], secret: 'chosen-by-the-operator' };

export function keyLaws(world: World): void {
  it('finds a key by its secret and by nothing else', async () => {
    const { key, secret } = await world.state.keys.create(PLAIN);
    assert.match(secret, /^bdy_[\w-]{43}$/);
    assert.equal((await world.state.keys.find(secret))?.id, key.id);
    for (const wrong of ['', key.id, secret.slice(0, -1), `${secret}A`, secret.toUpperCase()]) {
      assert.equal(await world.state.keys.find(wrong), undefined);
    }
  });

  it('keeps what a key was made with, through a restart', async () => {
    const expiresAt = new Date(world.now().getTime() + MINUTE);
    const { key, secret } = await world.state.keys.create({ ...PLAIN, expiresAt });
    await world.restart();
    const [listed] = await world.state.keys.list();
    assert.deepEqual(listed, key);
    assert.deepEqual(listed, {
      ...PLAIN,
      id: key.id,
      createdAt: world.now(),
      lastUsedAt: null,
      expiresAt,
      revokedAt: null,
      seeded: false,
    });
    assert.equal((await world.state.keys.find(secret))?.id, key.id);
  });

  it('never shows a secret or its hash in the list', async () => {
    const { secret } = await world.state.keys.create(PLAIN);
    assert.ok(!JSON.stringify(await world.state.keys.list()).includes(secret.slice(4)));
  });

  it('makes distinct keys side by side', async () => {
    const made = await Promise.all(Array.from({ length: 50 }, () => world.state.keys.create(PLAIN)));
    assert.equal(new Set(made.map(({ key }) => key.id)).size, 50);
    assert.equal(new Set(made.map(({ secret }) => secret)).size, 50);
    assert.equal((await world.state.keys.list()).length, 50);
  });

  it('refuses a key from the moment it expires', async () => {
    const { secret } = await world.state.keys.create({
      ...PLAIN,
      expiresAt: new Date(world.now().getTime() + MINUTE),
    });
    world.pass(MINUTE - 1);
    assert.ok(await world.state.keys.find(secret));
    world.pass(1);
    assert.equal(await world.state.keys.find(secret), undefined);
  });

  it('refuses a revoked key at once and for good, and revokes only once', async () => {
    const { key, secret } = await world.state.keys.create(PLAIN);
    assert.equal(await world.state.keys.revoke(key.id), true);
    assert.equal(await world.state.keys.find(secret), undefined);
    assert.equal(await world.state.keys.revoke(key.id), false);
    assert.equal(await world.state.keys.revoke('key_unknown'), false);
    await world.restart();
    assert.equal(await world.state.keys.find(secret), undefined);
    assert.deepEqual((await world.state.keys.list())[0]?.revokedAt, world.now());
  });

  it('lets the old secret work until its grace ends', async () => {
    const { key, secret: old } = await world.state.keys.create(PLAIN);
    const fresh = await world.state.keys.rotate(key.id, MINUTE);
    assert.ok(fresh && fresh !== old);
    world.pass(MINUTE - 1);
    assert.equal((await world.state.keys.find(old))?.id, key.id);
    assert.equal((await world.state.keys.find(fresh))?.id, key.id);
    world.pass(1);
    assert.equal(await world.state.keys.find(old), undefined);
    await world.state.sweep(world.now());
    assert.equal((await world.state.keys.find(fresh))?.id, key.id);
  });

  it('does not lengthen the grace of an older secret by rotating again', async () => {
    const { key, secret: first } = await world.state.keys.create(PLAIN);
    await world.state.keys.rotate(key.id, MINUTE);
    const third = await world.state.keys.rotate(key.id, 10 * MINUTE);
    world.pass(MINUTE);
    assert.equal(await world.state.keys.find(first), undefined);
    assert.ok(third && (await world.state.keys.find(third)));
  });

  it('ends the old secret at once when the grace is nothing', async () => {
    const { key, secret: old } = await world.state.keys.create(PLAIN);
    assert.ok(await world.state.keys.rotate(key.id, 0));
    assert.equal(await world.state.keys.find(old), undefined);
  });

  it('rotates only keys that work', async () => {
    const { key: revoked } = await world.state.keys.create(PLAIN);
    const { key: expired } = await world.state.keys.create({ ...PLAIN, expiresAt: world.now() });
    const seeded = await world.state.keys.seed(SEED);
    await world.state.keys.revoke(revoked.id);
    for (const id of [revoked.id, expired.id, seeded?.id ?? '', 'key_unknown']) {
      assert.equal(await world.state.keys.rotate(id, MINUTE), undefined);
    }
  });

  it('tells which keys are live', async () => {
    const { key: lasting } = await world.state.keys.create(PLAIN);
    const { key: passing } = await world.state.keys.create({
      ...PLAIN,
      expiresAt: new Date(world.now().getTime() + MINUTE),
    });
    const live = async () => [
      await world.state.keys.isLive(lasting.id),
      await world.state.keys.isLive(passing.id),
    ];
    assert.deepEqual(await live(), [true, true]);
    world.pass(MINUTE);
    assert.deepEqual(await live(), [true, false]);
    await world.state.keys.revoke(lasting.id);
    assert.deepEqual(await live(), [false, false]);
    assert.equal(await world.state.keys.isLive('key_unknown'), false);
  });

  it('notes the last use, at most once a minute', async () => {
    const { secret } = await world.state.keys.create(PLAIN);
    const lastUsed = async () => (await world.state.keys.list())[0]?.lastUsedAt;
    const first = world.now();
    await world.state.keys.find(secret);
    assert.deepEqual(await lastUsed(), first);
    world.pass(MINUTE - 1);
    await world.state.keys.find(secret);
    assert.deepEqual(await lastUsed(), first);
    world.pass(1);
    await world.state.keys.find(secret);
    assert.deepEqual(await lastUsed(), world.now());
  });

  it('seeds the same secret again and again as one key', async () => {
    const first = await world.state.keys.seed(SEED);
    await world.restart();
    const again = await world.state.keys.seed({ ...SEED, name: 'renamed' });
    assert.equal(again?.id, first?.id);
    assert.equal(again?.seeded, true);
    const found = await world.state.keys.find(SEED.secret);
    assert.deepEqual([found?.id, found?.name, found?.plan], [first?.id, 'renamed', 'unlimited']);
    assert.equal((await world.state.keys.list()).length, 1);
  });

  it('takes a seeded secret away when another is set, or none', async () => {
    const first = await world.state.keys.seed(SEED);
    const second = await world.state.keys.seed({ ...SEED, secret: 'another-secret' });
    assert.equal(second?.id, first?.id);
    assert.equal(await world.state.keys.find(SEED.secret), undefined);
    assert.ok(await world.state.keys.find('another-secret'));
    assert.equal(await world.state.keys.seed(null), null);
    assert.equal(await world.state.keys.find('another-secret'), undefined);
  });

  it('makes a seeded key work again though it was revoked', async () => {
    const key = await world.state.keys.seed(SEED);
    await world.state.keys.revoke(key?.id ?? '');
    assert.equal(await world.state.keys.find(SEED.secret), undefined);
    await world.state.keys.seed(SEED);
    assert.equal((await world.state.keys.find(SEED.secret))?.id, key?.id);
  });

  it('lets the seeded key speak for a secret made before, and gives it back', async () => {
    const { key, secret } = await world.state.keys.create(PLAIN);
    const seeded = await world.state.keys.seed({ ...SEED, secret });
    assert.equal((await world.state.keys.find(secret))?.id, seeded?.id);
    await world.state.keys.seed(null);
    assert.equal((await world.state.keys.find(secret))?.id, key.id);
  });
}
