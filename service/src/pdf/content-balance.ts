// How a piece of content leaves the stack of graphics states.
import { ContentReader } from './content-reader.ts';

/** What a page may pile up; hostile ones pile more. */
const MAX_SAVES = 10_000;

/** How many q to put before the content and Q behind it, so that the state behind it is the one before it. */
export function savesAround(content: Uint8Array): { before: number; after: number } {
  let depth = 0;
  let lowest = 0;
  const reader = new ContentReader(content);
  for (let operation = reader.next(); operation; operation = reader.next()) {
    if (operation.operator === 'q') depth += 1;
    else if (operation.operator === 'Q') {
      depth -= 1;
      lowest = Math.min(lowest, depth);
    }
  }
  const before = Math.min(1 - lowest, MAX_SAVES);
  return { before, after: Math.min(Math.max(0, before + depth), MAX_SAVES) };
}
