import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { RotatingFile } from './rotating-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'bindery-rotating-'));
after(() => rmSync(folder, { recursive: true }));

const lineOf = (number: number): string => JSON.stringify({ number: String(number).padStart(6, '0') });

test('no file outgrows its bound, the oldest go, and what is left is whole and in order', async () => {
  const path = join(folder, 'audit.jsonl');
  const lost: number[] = [];
  const options = { path, maxBytes: 1000, files: 3, lost: (lines: number) => lost.push(lines) };
  let file = new RotatingFile(options);
  await file.open();
  for (let number = 0; number < 100; number++) file.write(lineOf(number));
  await file.close();
  // A start anew goes on where it stood.
  file = new RotatingFile(options);
  await file.open();
  for (let number = 100; number < 300; number++) file.write(lineOf(number));
  await file.close();
  assert.deepEqual(readdirSync(folder).sort(), ['audit.jsonl', 'audit.jsonl.1', 'audit.jsonl.2']);
  const texts = ['.2', '.1', ''].map((ending) => readFileSync(path + ending, 'utf8'));
  for (const text of texts) assert.ok(text.length <= 1000, `${text.length}`);
  const kept = texts
    .join('')
    .trimEnd()
    .split('\n')
    .map((line) => Number((JSON.parse(line) as { number: string }).number));
  assert.equal(kept.at(-1), 299);
  assert.ok(kept.length > 80 && kept.every((number, at) => at === 0 || number === (kept[at - 1] ?? 0) + 1));
  assert.deepEqual(lost, []);
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

test('lines that cannot be written are counted, and no more wait than may', async () => {
  let lost = 0;
  const file = new RotatingFile({
    path: join(folder, 'full.jsonl'),
    maxBytes: 10_000_000,
    files: 2,
    lost: (lines) => {
      lost += lines;
    },
  });
  await file.open();
  const line = 'x'.repeat(1024 * 1024 - 1);
  for (let count = 0; count < 30; count++) file.write(line);
  assert.ok(lost >= 20, `${lost}`);
  await file.close();
});
