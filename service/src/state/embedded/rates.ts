import type { Rates } from '../state.ts';

interface Window {
  count: number;
  resetAt: number;
}

/**
 * Fixed windows, each opened by the first request of its key. In memory: this runs on every request, and a
 * restart that forgets a count of at most one window does no harm.
 */
export function createRates(now: () => Date): Rates & { sweep(now: Date): void } {
  const windows = new Map<string, Window>();
  return {
    async take(keyId, limit, windowMs, calls = 1) {
      const at = now().getTime();
      let window = windows.get(keyId);
      // A clock set back must not lengthen a window.
      if (!window || at >= window.resetAt || window.resetAt - at > windowMs) {
        window = { count: 0, resetAt: at + windowMs };
        windows.set(keyId, window);
      }
      const most = limit ?? Number.MAX_SAFE_INTEGER;
      const allowed = window.count + calls <= most;
      if (allowed) window.count += calls;
      return {
        allowed,
        limit: most,
        remaining: Math.max(0, most - window.count),
        resetAt: new Date(window.resetAt),
      };
    },
    sweep(at) {
      for (const [keyId, window] of windows) if (window.resetAt <= at.getTime()) windows.delete(keyId);
    },
  };
}
