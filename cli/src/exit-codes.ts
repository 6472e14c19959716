// What the exit code of the command says.

export const EXIT = { done: 0, failed: 1, usage: 2, nothing: 3, unreachable: 4, cancelled: 130 } as const;

export const EXIT_WORDS: Record<keyof typeof EXIT, string> = {
  done: 'done',
  failed: 'the service refused the call, or a file could not be read or written',
  usage: 'wrong usage',
  nothing: 'it worked, and there is nothing to return (no table found, a filter not passed)',
  unreachable: 'the service cannot be reached, or took too long',
  cancelled: 'cancelled',
};

/** Of several calls: what went wrong tells more than what had nothing to return. */
const WORST_LAST = [EXIT.done, EXIT.nothing, EXIT.failed, EXIT.unreachable, EXIT.usage, EXIT.cancelled];

export const worstOf = (codes: readonly number[]): number =>
  WORST_LAST.findLast((code) => codes.includes(code)) ?? EXIT.done;
