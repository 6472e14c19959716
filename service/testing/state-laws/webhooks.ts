import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { World } from './world.ts';

const HOUR = 3_600_000;

export function webhookLaws(world: World): void {
  const after = (ms: number): Date => new Date(world.now().getTime() + ms);
  const add = (id: string, dueMs: number, owner = 'a') =>
    world.state.webhooks.add({ id, owner, data: { to: id } }, after(dueMs), after(HOUR));
  const claimed = async () => (await world.state.webhooks.claim(1000))?.id;

  it('gives out what is due, the longest due first, each to one who asks', async () => {
    await add('second', -10);
    await add('first', -20);
    await add('later', 10);
    assert.deepEqual(await Promise.all([claimed(), claimed(), claimed()]), ['first', 'second', undefined]);
    world.pass(11);
    assert.equal(await claimed(), 'later');
  });

  it('gives out again what nobody settled, also after a restart', async () => {
    await add('one', 0);
    assert.equal(await claimed(), 'one');
    world.pass(999);
    assert.equal(await claimed(), undefined);
    await world.restart();
    world.pass(2);
    const again = await world.state.webhooks.claim(1000);
    assert.deepEqual([again?.id, again?.owner, again?.data], ['one', 'a', { to: 'one' }]);
  });

  it('knows what was settled, and gives out no more what is over', async () => {
    await add('one', 0);
    await claimed();
    await world.state.webhooks.settle('one', { tries: 1 }, after(500), after(HOUR));
    assert.deepEqual((await world.state.webhooks.get('one', 'a'))?.data, { tries: 1 });
    assert.deepEqual((await world.state.webhooks.get('one', 'a'))?.dueAt, after(500));
    world.pass(500);
    assert.equal(await claimed(), 'one');
    await world.state.webhooks.settle('one', { tries: 2 }, null, after(HOUR));
    world.pass(2000);
    await world.state.webhooks.wake('one');
    assert.equal(await claimed(), undefined);
    assert.deepEqual(await world.state.webhooks.get('one', 'a'), {
      ...{ id: 'one', owner: 'a', data: { tries: 2 }, dueAt: null },
    });
  });

  it('is due at once when it is woken, and stays what it was when it is added again', async () => {
    await add('one', HOUR / 2);
    await world.state.webhooks.add({ id: 'one', owner: 'b', data: {} }, after(0), after(HOUR));
    assert.equal(await claimed(), undefined);
    await world.state.webhooks.wake('one');
    await world.state.webhooks.wake('unknown');
    assert.equal(await claimed(), 'one');
    assert.equal(await world.state.webhooks.get('one', 'b'), undefined);
  });

  it('is gone when it was dropped', async () => {
    await add('one', 0);
    await world.state.webhooks.drop('one');
    assert.equal(await claimed(), undefined);
    assert.equal(await world.state.webhooks.get('one', 'a'), undefined);
  });
}
