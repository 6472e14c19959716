import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { averageCost, type Costs, MIXES } from '../../bench/scale/costs.ts';
import { PAGE, readCosts } from '../../bench/scale/main.ts';
import { capacityFor, RATES } from '../../bench/scale/model.ts';
import { scaleTables, withTables } from '../../bench/scale/tables.ts';

describe('docs/scale.md', () => {
  const page = readFileSync(PAGE, 'utf8');
  const costs = readCosts();

  test('has the tables that the measured costs give', () => {
    assert.ok(page.includes(scaleTables(costs)), 'run: npm run bench scale -- --write');
    assert.equal(withTables(page, costs), page);
  });

  test('counts mixes that are whole', () => {
    for (const mix of Object.values(MIXES)) {
      const whole = Object.values(mix).reduce((sum, share) => sum + share, 0);
      assert.ok(Math.abs(whole - 1) < 1e-9);
    }
  });
});

describe('the model of capacity', () => {
  const calls = [
    {
      operation: 'short',
      document: '',
      apiMs: 1,
      workerMs: 10,
      redisMs: 0.1,
      redisCommands: 20,
      redisRoundTrips: 5,
      bytesIn: 1000,
      bytesOut: 500,
      bucketBytes: 0,
    },
    {
      operation: 'long',
      document: '',
      apiMs: 3,
      workerMs: 1000,
      redisMs: 0.1,
      redisCommands: 20,
      redisRoundTrips: 5,
      bytesIn: 9000,
      bytesOut: 500,
      bucketBytes: 4000,
    },
  ];
  const costs: Costs = { measured: '', machine: '', path: 'queue', calls };
  const mix = { short: 0.9, long: 0.1 };

  test('weighs costs by their share', () => {
    const { workerMs, apiMs, bucketBytes } = averageCost(costs, mix);
    assert.deepEqual([workerMs, apiMs, bucketBytes].map(Math.round), [109, 1, 400]);
    assert.throws(() => averageCost(costs, { unknown: 1 }), /unknown has not been measured/);
  });

  test('finds room for every load: processes are busy to 70 %, and few callers wait long', () => {
    for (const rate of RATES) {
      const { workerProcesses, apiNodes, waitMs } = capacityFor(costs, mix, rate);
      assert.ok((rate * 0.109) / workerProcesses < 0.701);
      assert.ok((rate * 0.0012) / apiNodes < 0.601);
      if (rate >= 100) assert.ok(waitMs.most < 2000, `${waitMs.most} ms at ${rate}`);
    }
    assert.ok(capacityFor(costs, mix, 10).waitMs.most > 0);
  });

  test('says the same each time', () => {
    assert.deepEqual(capacityFor(costs, mix, 100), capacityFor(costs, mix, 100));
  });

  test('knows when one Redis is not enough', () => {
    assert.equal(capacityFor(costs, mix, 5000).redisServers, 1);
    assert.equal(capacityFor(costs, mix, 10_000).redisServers, 2);
  });
});
