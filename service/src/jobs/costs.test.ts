import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KIB, MIB } from '../contract/limits.ts';
import { Costs } from './costs.ts';
import type { Job } from './job.ts';

const ROTATE = 'general/rotate-pdf';

const job = (bytes: number, ...ops: string[]): Job => ({
  id: 'x',
  steps: ops.map((op) => ({ op, params: {}, passwords: [], extraFiles: {} })),
  files: [{ name: 'a.pdf', size: bytes, content: { chunks: [] } }],
  pipeline: ops.length > 1,
});

const near = (value: number | undefined, wanted: number): void =>
  assert.ok(value !== undefined && Math.abs(value / wanted - 1) < 0.05, `${value}, not about ${wanted}`);

test('what was never seen costs nobody knows what', () => {
  const costs = new Costs();
  assert.equal(costs.of(ROTATE, 1000), undefined);
  costs.note(job(1000, ROTATE), 20);
  assert.equal(costs.ofJob(job(1000, ROTATE, 'misc/ocr-pdf')), undefined);
});

test('calls cost what such calls have cost', () => {
  const costs = new Costs();
  for (let n = 0; n < 50; n += 1) costs.note(job(100 * KIB, ROTATE), 20);
  for (let n = 0; n < 50; n += 1) costs.note(job(20 * MIB, ROTATE), 900);
  near(costs.of(ROTATE, 120 * KIB), 20);
  near(costs.of(ROTATE, 18 * MIB), 900);
  near(costs.ofJob(job(100 * KIB, ROTATE, ROTATE)), 40);
});

test('sizes that were not seen go by the nearest: larger ones take longer, smaller ones as long', () => {
  const costs = new Costs();
  costs.note(job(100 * KIB, ROTATE), 20);
  near(costs.of(ROTATE, 1000), 20);
  assert.ok(Number(costs.of(ROTATE, 100 * MIB)) > 1000);
});

test('one document that takes minutes does not make its operation slow; many do', () => {
  const costs = new Costs();
  for (let n = 0; n < 50; n += 1) costs.note(job(1000, ROTATE), 20);
  costs.note(job(1000, ROTATE), 240_000);
  assert.ok(Number(costs.of(ROTATE, 1000)) < 100);
  for (let n = 0; n < 30; n += 1) costs.note(job(1000, ROTATE), 240_000);
  assert.ok(Number(costs.of(ROTATE, 1000)) > 100_000);
});

test('what the steps of a chain took together says nothing of each', () => {
  const costs = new Costs();
  costs.note(job(1000, ROTATE, 'misc/ocr-pdf'), 5000);
  assert.equal(costs.of(ROTATE, 1000), undefined);
});
