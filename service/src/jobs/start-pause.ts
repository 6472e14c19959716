// Workers that do not come up are not tried again at once: each failure doubles the pause before the next try.

const LONGEST_PAUSE_MS = 30_000;
const MOST_DOUBLINGS = 10;

export class StartPause {
  private readonly firstMs: number;
  private readonly over: () => void;
  private failures = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(firstMs: number, over: () => void) {
    this.firstMs = firstMs;
    this.over = over;
  }

  get isOn(): boolean {
    return this.timer !== undefined;
  }

  /** Whether the last workers that were started did not come up. */
  get hasFailed(): boolean {
    return this.failures > 0;
  }

  startFailed(): void {
    const pauseMs = Math.min(this.firstMs * 2 ** this.failures, LONGEST_PAUSE_MS);
    this.failures = Math.min(this.failures + 1, MOST_DOUBLINGS);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.over();
    }, pauseMs);
    this.timer.unref();
  }

  /** Workers come up and stay: what failed before no longer counts. */
  forget(): void {
    this.failures = 0;
  }

  close(): void {
    clearTimeout(this.timer);
  }
}
