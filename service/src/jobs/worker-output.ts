// What a worker writes to its stderr: lines of the log are passed on, all else (words of libraries, a last
// stack) is kept in short for the log line about its end. Nothing else of it reaches our own stderr.

const LONGEST_LINE = 64 * 1024;
const KEPT = 4000;

export class WorkerOutput {
  private readonly pass: (line: string) => void;
  private open = '';
  private dropping = false;
  private kept = '';

  constructor(pass: (line: string) => void) {
    this.pass = pass;
  }

  add(text: string): void {
    const lines = (this.open + text).split('\n');
    this.open = lines.pop() ?? '';
    for (const line of lines) {
      if (this.dropping) this.dropping = false;
      else this.take(line);
    }
    if (this.open.length <= LONGEST_LINE) return;
    if (!this.dropping) this.keep(this.open);
    this.dropping = true;
    this.open = '';
  }

  /** The last words that were no log lines. */
  get rest(): string {
    return (this.kept + this.open).slice(-KEPT);
  }

  /** What was said before is of no use any more. */
  forget(): void {
    this.kept = '';
  }

  private take(line: string): void {
    if (isLogLine(line)) this.pass(`${line}\n`);
    else this.keep(`${line}\n`);
  }

  private keep(text: string): void {
    this.kept = (this.kept + text).slice(-KEPT);
  }
}

function isLogLine(line: string): boolean {
  if (!line.startsWith('{"time":')) return false;
  try {
    return typeof JSON.parse(line).message === 'string';
  } catch {
    return false;
  }
}
