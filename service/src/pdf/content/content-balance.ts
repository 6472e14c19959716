// How a piece of content leaves the stack of graphics states.
import { ContentReader } from './content-reader.ts';

/** What a page may pile up; hostile ones pile more. */
const MAX_SAVES = 10_000;

/** How many q to put before the content and Q behind it, so that the state behind it is the one before it. */
export function savesAround(content: Uint8Array): { before: number; after: number } {
  if (looksBalanced(content)) return { before: 1, after: 1 };
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

const SAVE = 0x71;
const RESTORE = 0x51;
/** What may stand beside an operator: white space and delimiters. */
const APART = new Uint8Array(256);
for (const c of '\0\t\n\f\r ()<>[]{}/%') APART[c.charCodeAt(0)] = 1;

/**
 * Counts lone letters without reading what stands around them: many times quicker than reading. A word of a
 * string may be taken for an operator; then the count nearly always comes out odd, and the content is read.
 */
function looksBalanced(content: Uint8Array): boolean {
  let depth = 0;
  for (let at = 0; at < content.length; at += 1) {
    const c = content[at];
    if (c !== SAVE && c !== RESTORE) continue;
    if (APART[content[at - 1] ?? 0x20] !== 1 || APART[content[at + 1] ?? 0x20] !== 1) continue;
    depth += c === SAVE ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
