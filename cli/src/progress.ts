// A line at the bottom of a terminal that tells how far things are. Nothing where there is no terminal.
import { plainLine } from '@bindery/sdk';

const BAR = 24;
const CLEAR_LINE = '\r\u001b[K';

export class Progress {
  private readonly on: boolean;
  private shown = false;

  constructor(quiet: boolean) {
    this.on = !quiet && process.stderr.isTTY === true;
  }

  show(done: number, total: number, label: string): void {
    if (!this.on || total === 0) return;
    const filled = Math.round((done / total) * BAR);
    const bar = '#'.repeat(filled) + '.'.repeat(BAR - filled);
    const width = Math.max(10, (process.stderr.columns ?? 80) - BAR - 12);
    const percent = String(Math.floor((done / total) * 100)).padStart(3);
    process.stderr.write(`${CLEAR_LINE}[${bar}] ${percent}% ${plainLine(label).slice(0, width)}`);
    this.shown = true;
  }

  /** Other lines may be written after this. */
  clear(): void {
    if (this.shown) process.stderr.write(CLEAR_LINE);
    this.shown = false;
  }
}
