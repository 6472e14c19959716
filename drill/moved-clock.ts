// Preloaded into a service by the drill of the clock: its Date is off by as many milliseconds as a file says.
import { readFileSync, statSync } from 'node:fs';

const file = process.env.MOVED_CLOCK_FILE ?? '';
const TrueDate = Date;
let changedAt = -1;
let offset = 0;

function now(): number {
  const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: -1 };
  if (mtimeMs !== changedAt) {
    changedAt = mtimeMs;
    offset = mtimeMs === -1 ? 0 : Number(readFileSync(file, 'utf8'));
  }
  return TrueDate.now() + offset;
}

globalThis.Date = class extends TrueDate {
  constructor(...given: unknown[]) {
    if (given.length === 0) super(now());
    else super(...(given as []));
  }
  static override now = now;
} as DateConstructor;
