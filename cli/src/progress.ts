// A line at the bottom of a terminal that turns, and tells how far things are and how long they take. Nothing where
// there is no terminal, or where nobody wants it.
import { plainLine } from '@bindery/sdk';

const BAR = 24;
const CLEAR_LINE = '\r\u001b[K';
const TURNS = ['|', '/', '-', '\\'];
const TURN_MS = 120;

const isSet = (name: string): boolean => !['', 'false', '0', undefined].includes(process.env[name]);

export class Progress {
  private readonly on: boolean;
  private readonly begun = performance.now();
  private timer: NodeJS.Timeout | undefined;
  private turn = 0;
  private text: () => string = () => '';

  constructor(quiet: boolean) {
    const unwanted = quiet || isSet('CI') || isSet('NO_COLOR') || process.env.TERM === 'dumb';
    this.on = !unwanted && process.stderr.isTTY === true;
  }

  /** `total` 0: nobody knows how much there is to do. */
  show(done: number, total: number, label: string): void {
    if (!this.on) return;
    this.text = () => `${this.barOf(done, total)} ${this.elapsed()}  ${plainLine(label)}`;
    this.draw();
    this.timer ??= setInterval(() => {
      this.turn += 1;
      this.draw();
    }, TURN_MS).unref();
  }

  /** `write` writes whole lines: they stand above this one. */
  aside(write: () => void): void {
    if (this.timer !== undefined) process.stderr.write(CLEAR_LINE);
    write();
    if (this.timer !== undefined) this.draw();
  }

  /** Other lines may be written after this. */
  clear(): void {
    if (this.timer === undefined) return;
    clearInterval(this.timer);
    this.timer = undefined;
    process.stderr.write(CLEAR_LINE);
  }

  private draw(): void {
    const turning = TURNS[this.turn % TURNS.length];
    // One column stays free: a full line would begin the next.
    const width = Math.max(20, (process.stderr.columns || 80) - 1);
    process.stderr.write(CLEAR_LINE + `${turning}${this.text()}`.slice(0, width));
  }

  private barOf(done: number, total: number): string {
    if (total === 0) return '';
    const share = Math.min(1, Math.max(0, done / total));
    const filled = Math.round(share * BAR);
    return ` [${'#'.repeat(filled)}${'.'.repeat(BAR - filled)}] ${String(Math.floor(share * 100)).padStart(3)}%`;
  }

  private elapsed(): string {
    const seconds = Math.floor((performance.now() - this.begun) / 1000);
    if (seconds < 60) return `${seconds} s`;
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} min`;
  }
}
