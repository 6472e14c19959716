import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { World } from './world.ts';

const WINDOW = 60_000;

export function rateLaws(world: World): void {
  it('allows exactly the limit, however many come at once', async () => {
    const verdicts = await Promise.all(
      Array.from({ length: 100 }, () => world.state.rates.take('a', 30, WINDOW)),
    );
    assert.equal(verdicts.filter(({ allowed }) => allowed).length, 30);
    assert.deepEqual(
      verdicts
        .filter(({ allowed }) => allowed)
        .map(({ remaining }) => remaining)
        .sort((a, b) => a - b),
      Array.from({ length: 30 }, (_, n) => n),
    );
    assert.ok(
      verdicts.every(({ limit, allowed, remaining }) => limit === 30 && (allowed || remaining === 0)),
    );
  });

  it('counts several calls as what they are, all or none', async () => {
    assert.equal((await world.state.rates.take('a', 10, WINDOW, 7)).remaining, 3);
    const refused = await world.state.rates.take('a', 10, WINDOW, 4);
    assert.deepEqual([refused.allowed, refused.remaining], [false, 3]);
    assert.equal((await world.state.rates.take('a', 10, WINDOW, 3)).allowed, true);
    assert.equal((await world.state.rates.take('a', 10, WINDOW)).allowed, false);
  });

  it('tells when the window ends, and counts anew from then on', async () => {
    const first = await world.state.rates.take('a', 1, WINDOW);
    const refused = await world.state.rates.take('a', 1, WINDOW);
    assert.deepEqual([first.allowed, refused.allowed], [true, false]);
    assert.deepEqual(refused.resetAt, first.resetAt);
    const left = first.resetAt.getTime() - world.now().getTime();
    assert.ok(left > 0 && left <= WINDOW);
    world.pass(left - 1);
    assert.equal((await world.state.rates.take('a', 1, WINDOW)).allowed, false);
    world.pass(1);
    await world.state.sweep(world.now());
    assert.equal((await world.state.rates.take('a', 1, WINDOW)).allowed, true);
  });

  it('counts each key for itself', async () => {
    await world.state.rates.take('a', 1, WINDOW);
    assert.equal((await world.state.rates.take('a', 1, WINDOW)).allowed, false);
    assert.equal((await world.state.rates.take('b', 1, WINDOW)).allowed, true);
  });

  it('keeps a window through a sweep in its midst', async () => {
    await world.state.rates.take('a', 1, WINDOW);
    await world.state.sweep(world.now());
    assert.equal((await world.state.rates.take('a', 1, WINDOW)).allowed, false);
  });

  it('never refuses where there is no limit', async () => {
    for (let n = 0; n < 50; n += 1) {
      const { allowed, limit, remaining } = await world.state.rates.take('a', null, WINDOW);
      assert.ok(allowed && limit === Number.MAX_SAFE_INTEGER && remaining > 0);
    }
  });
}
