// How long jobs waited, counted in steps of time.

export class WaitTimes {
  static readonly bounds: readonly number[] = [0.001, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 120, 240];
  /** One more than there are bounds: the last has no end. */
  readonly counts = new Array<number>(WaitTimes.bounds.length + 1).fill(0);
  seconds = 0;

  note(seconds: number): void {
    const found = WaitTimes.bounds.findIndex((bound) => seconds <= bound);
    const at = found === -1 ? WaitTimes.bounds.length : found;
    this.counts[at] = (this.counts[at] ?? 0) + 1;
    this.seconds += seconds;
  }
}
