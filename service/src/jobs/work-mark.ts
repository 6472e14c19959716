// What a worker is at, where whoever watches it can see it: in a small file without a name that both have open. The
// worker writes it before native code that may not come back; a message would be sent too late.
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type Noted, STRETCHES, type Stretch } from '../contract/work-budget.ts';

/** Where a worker finds it: behind the file of exchanged bytes. */
export const MARK_FD = 5;

/** The number of the stretch, which one it is, and its budget. */
const BYTES = 12;
const SERIAL_AT = 0;
const STRETCH_AT = 4;
const BUDGET_AT = 8;
const NONE = 0;
const CLOSED = -1;

/** The worker's side. */
export function markStretches(fd = MARK_FD): (noted: Noted | undefined) => void {
  const mark = Buffer.alloc(BYTES);
  let serial = 0;
  return (noted) => {
    serial = (serial + 1) >>> 0;
    mark.writeUInt32LE(serial, SERIAL_AT);
    mark.writeUInt32LE(noted ? STRETCHES.indexOf(noted.stretch) + 1 : NONE, STRETCH_AT);
    mark.writeUInt32LE(Math.min(noted?.budgetMs ?? 0, 0xffff_ffff), BUDGET_AT);
    writeSync(fd, mark, 0, BYTES, 0);
  };
}

/** The side of whoever watches. */
export class WorkMark {
  #fd: number;
  readonly #mark = Buffer.alloc(BYTES);
  /** Processor time when the stretch was first seen. */
  #seen = { serial: 0, cpuMs: 0 };

  constructor(dir: string) {
    const path = join(dir, 'mark');
    this.#fd = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
  }

  get fd(): number {
    return this.#fd;
  }

  /** The stretch that has taken more than its budget, by the processor time of the worker now. */
  overdrawn(cpuMs: number): Stretch | undefined {
    if (this.#fd === CLOSED || readSync(this.#fd, this.#mark, 0, BYTES, 0) < BYTES) return undefined;
    const stretch = STRETCHES[this.#mark.readUInt32LE(STRETCH_AT) - 1];
    if (stretch === undefined) return undefined;
    const serial = this.#mark.readUInt32LE(SERIAL_AT);
    if (serial !== this.#seen.serial) this.#seen = { serial, cpuMs };
    return cpuMs - this.#seen.cpuMs > this.#mark.readUInt32LE(BUDGET_AT) ? stretch : undefined;
  }

  close(): void {
    if (this.#fd !== CLOSED) closeSync(this.#fd);
    // The number will be that of another file.
    this.#fd = CLOSED;
  }
}
