// What a test run says at its end, beside Node's own report: which tests were skipped and why, and, where operations
// were asked for, how many tests and laws ran for them; of a long run, where its time went. A skip that is not known
// (known-skips.ts) fails the run.
import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { type Skip, unexpectedSkips } from './known-skips.ts';

const LAWS = 'laws.test.ts';
/** A run of fewer seconds is not asked where they went. */
const LONG_RUN_S = 300;
const SLOWEST_FILES = 25;

/** Tests without tests inside them, by file. */
class Counter {
  readonly ran = new Map<string, number>();
  /** Of each file, by nesting: how many have ended below the test that is still open. */
  private readonly inner = new Map<string, number[]>();

  ended(file: string, nesting: number, isSkipped: boolean): void {
    const inner = this.inner.get(file) ?? [];
    this.inner.set(file, inner);
    const hasInner = (inner[nesting + 1] ?? 0) > 0;
    inner[nesting + 1] = 0;
    inner[nesting] = (inner[nesting] ?? 0) + 1;
    if (!hasInner && !isSkipped) this.ran.set(file, (this.ran.get(file) ?? 0) + 1);
  }

  sum(isWanted: (file: string) => boolean): number {
    return [...this.ran].reduce((sum, [file, count]) => sum + (isWanted(file) ? count : 0), 0);
  }
}

export default async function* report(events: AsyncIterable<TestEvent>): AsyncIterable<string> {
  const counter = new Counter();
  const skips: Skip[] = [];
  const seconds = new Map<string, number>();
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const file = data.file === undefined ? '' : relative(process.cwd(), data.file);
    // Node itself reports each file as a test where it is run in a process of its own.
    if (data.name === data.file || data.name === file) continue;
    const isSkipped = data.skip !== undefined && data.skip !== false;
    counter.ended(file, data.nesting, isSkipped);
    if (data.nesting === 0) seconds.set(file, (seconds.get(file) ?? 0) + data.details.duration_ms / 1000);
    if (isSkipped) skips.push({ file, name: data.name, reason: data.skip === true ? '' : String(data.skip) });
  }
  const operations = process.env.LAWS_OF;
  if (operations) {
    const laws = counter.sum((file) => file.endsWith(LAWS));
    const own = counter.sum((file) => !file.endsWith(LAWS));
    yield `\n${operations.replaceAll(',', ', ')}: ${own} own tests and ${laws} laws ran\n`;
  }
  yield slowest(seconds);
  if (skips.length > 0) yield `\n${skipLines(skips)}`;
  const wrong = unexpectedSkips(skips);
  if (wrong.length === 0) return;
  yield `\nSkipped without a reason that is known (scripts/known-skips.ts):\n${wrong.map((line) => `  ${line}\n`).join('')}`;
  process.exitCode = 1;
}

function slowest(seconds: ReadonlyMap<string, number>): string {
  const whole = [...seconds.values()].reduce((sum, each) => sum + each, 0);
  if (whole < LONG_RUN_S) return '';
  const files = [...seconds].sort(([, one], [, other]) => other - one).slice(0, SLOWEST_FILES);
  const lines = files.map(([file, took]) => `${took.toFixed(0).padStart(5)} s  ${file}\n`);
  return `\n${whole.toFixed(0)} s in ${seconds.size} files, the longest:\n${lines.join('')}`;
}

function skipLines(skips: readonly Skip[]): string {
  const byReason = Map.groupBy(skips, ({ reason }) => reason || 'no reason given');
  const lines = [...byReason].map(([reason, { length }]) => `  ${length}  ${reason}\n`);
  return `${skips.length} skipped:\n${lines.join('')}`;
}
