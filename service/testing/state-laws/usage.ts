import assert from 'node:assert/strict';
import { it } from 'node:test';
import { USAGE_DAYS } from '../../src/state/state.ts';
import type { World } from './world.ts';

const DAY = 24 * 3600 * 1000;
const ROTATED = {
  keyId: 'key_a',
  operation: 'general/rotate-pdf',
  calls: 1,
  failed: 0,
  bytesIn: 10,
  bytesOut: 20,
};

export function usageLaws(world: World): void {
  it('adds up by key and operation, through a restart', async () => {
    const { usage } = world.state;
    assert.deepEqual(await usage.of('key_a', 30), []);
    await usage.add([]);
    await usage.add([
      ROTATED,
      { ...ROTATED, operation: 'convert/pdf/img', failed: 1, bytesOut: 3_000_000_000_000 },
      { ...ROTATED, keyId: 'key_b' },
    ]);
    await usage.add([{ ...ROTATED, calls: 4, failed: 2 }]);
    await world.restart();
    assert.deepEqual(await world.state.usage.of('key_a', 30), [
      { operation: 'convert/pdf/img', calls: 1, failed: 1, bytesIn: 10, bytesOut: 3_000_000_000_000 },
      { operation: 'general/rotate-pdf', calls: 5, failed: 2, bytesIn: 20, bytesOut: 40 },
    ]);
    assert.equal((await world.state.usage.of('key_b', 30)).length, 1);
    assert.deepEqual(await world.state.usage.of('key_', 30), []);
  });

  it('loses no count of those that come together', async () => {
    await Promise.all(Array.from({ length: 40 }, () => world.state.usage.add([ROTATED])));
    assert.equal((await world.state.usage.of('key_a', 1))[0]?.calls, 40);
  });

  it('tells the last days as asked, and forgets in the end', async () => {
    const calls = async (days: number) => (await world.state.usage.of('key_a', days))[0]?.calls ?? 0;
    await world.state.usage.add([ROTATED]);
    world.pass(DAY);
    await world.state.usage.add([ROTATED, ROTATED]);
    assert.deepEqual([await calls(1), await calls(2), await calls(USAGE_DAYS)], [2, 3, 3]);
    world.pass((USAGE_DAYS - 1) * DAY);
    await world.state.sweep(world.now());
    assert.equal(await calls(USAGE_DAYS), 2);
  });
}
