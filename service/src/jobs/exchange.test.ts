import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { MIB } from '../contract/limits.ts';
import { Exchange, putBytes, takeBytes } from './exchange.ts';
import type { Job, JobFile } from './job.ts';

const dir = mkdtempSync(join(tmpdir(), 'bindery-exchange-'));
const exchange = Exchange.make(dir);
after(() => {
  exchange.close();
  rmSync(dir, { recursive: true });
});

const fileOf = (...chunks: Buffer[]): JobFile => ({
  name: 'a.pdf',
  size: Buffer.concat(chunks).length,
  content: { chunks },
});

const onDisk: JobFile = { name: 'b.pdf', size: 7, content: { file: 'in-1' } };

const jobOf = (files: JobFile[], extra: JobFile[] = []): Job => {
  const step = { op: 'general/merge-pdfs', params: {}, passwords: [] };
  const extraFiles: Record<string, JobFile[]> = extra.length > 0 ? { stampFile: extra } : {};
  return { id: 'j', pipeline: false, files, steps: [{ ...step, extraFiles }] };
};

const bytesOf = ({ content }: JobFile): Buffer | string =>
  'chunks' in content ? Buffer.concat(content.chunks) : content.file;

const allBytes = ({ files, steps }: Job): (Buffer | string)[] =>
  [...files, ...steps.flatMap(({ extraFiles }) => Object.values(extraFiles).flat())].map(bytesOf);

test('the bytes of every file cross whole, however many pieces they came in', () => {
  const many = Array.from({ length: 2500 }, (_, index) => randomBytes(index % 50));
  const jobs = [
    jobOf([fileOf(randomBytes(MIB))]),
    jobOf(
      [fileOf(...many), onDisk, fileOf(), fileOf(randomBytes(5), randomBytes(40_000))],
      [fileOf(...many)],
    ),
    jobOf([fileOf(randomBytes(5 * MIB))], [onDisk, fileOf(Buffer.from('x'))]),
    // Shorter than what was there before.
    jobOf([fileOf(randomBytes(100_000))]),
  ];
  for (const job of jobs) {
    const sent = putBytes(job, exchange);
    assert.ok(sent.exchanged);
    const carried = allBytes(sent.job).filter((bytes) => typeof bytes !== 'string');
    assert.ok(carried.every(({ length }) => length === 0));
    assert.deepEqual(allBytes(takeBytes(structuredClone(sent), exchange)), allBytes(job));
  }
  assert.deepEqual(readdirSync(dir), [], 'nobody finds it');
});

test('few bytes travel in the message', () => {
  const job = jobOf([fileOf(randomBytes(20_000)), onDisk]);
  const sent = putBytes(job, exchange);
  assert.deepEqual(sent, { job, exchanged: false });
  assert.equal(takeBytes(sent, exchange), job);
});

test('who holds the bytes of an earlier job never sees those of the next in their place', () => {
  for (const size of [50_000, 60_000, 50_000]) {
    exchange.write([randomBytes(size)]);
    const held = exchange.readInPlace(size).subarray(10);
    exchange.write([randomBytes(70_000)]);
    exchange.readInPlace(70_000 - size);
    assert.equal(held.length, 0);
    assert.equal(held[0], undefined);
  }
});

test('more than there is cannot be read, and nothing after it is emptied or closed', () => {
  exchange.write([randomBytes(1000)]);
  exchange.empty();
  assert.throws(() => exchange.read(1000), /less than was said/);
  const other = Exchange.make(dir);
  other.write([Buffer.from('abc')]);
  other.close();
  other.close();
  assert.throws(() => other.read(3));
  assert.throws(() => other.write([Buffer.from('abc')]));
});
