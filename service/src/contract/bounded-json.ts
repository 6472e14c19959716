// JSON from outside, read within bounds: it is gone through once before it is made into values, so that what is made,
// and checked afterwards, is small whatever was sent.
import { LIMITS } from './limits.ts';

/** A form has thousands of fields, a document thousands of rectangles; each costs time when it is read. */
const MOST_VALUES = 250_000;
const MOST_NAMES = 100_000;
const MOST_NAMES_EACH = 20_000;

export const NOT_JSON = 'is not valid JSON';

export type ReadJson = { value: unknown } | { fault: string };

/** `fault` finishes the sentence "<field> ...". */
export function readJson(text: string): ReadJson {
  const bytes = text.length > LIMITS.jsonBytes ? undefined : Buffer.from(text);
  if (bytes === undefined || bytes.length > LIMITS.jsonBytes)
    return { fault: `is larger than ${LIMITS.jsonBytes} bytes` };
  const fault = excessOf(bytes);
  if (fault !== undefined) return { fault };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { fault: NOT_JSON };
  }
}

const [QUOTE, BACKSLASH, COMMA, COLON, SQUARE, BRACE] = [34, 92, 44, 58, 91, 123];
const CLOSING = [93, 125];
const BLANK = 32;

/** What JSON has too much of; undefined where it is within bounds. What is no JSON has no structure to speak of. */
export function excessOf(
  bytes: Uint8Array,
  levels: number = LIMITS.jsonDepth,
  most: { values: number; names: number } = { values: MOST_VALUES, names: MOST_NAMES },
): string | undefined {
  const namesAt = new Uint32Array(levels + 2);
  let depth = 0;
  let values = 1;
  let names = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte <= BLANK) continue;
    if (byte === CLOSING[0] || byte === CLOSING[1]) {
      if (depth > 0) depth -= 1;
      continue;
    }
    // An empty list nests nothing: 32 levels of bookmarks end in `"children":[]`.
    if (depth > levels) return `nests deeper than ${levels} levels`;
    if (byte === QUOTE) at = endOfText(bytes, at + 1);
    else if (byte === SQUARE || byte === BRACE) {
      depth += 1;
      values += 1;
      namesAt[depth] = 0;
    } else if (byte === COMMA) values += 1;
    else if (byte === COLON) {
      names += 1;
      const own = (namesAt[depth] ?? 0) + 1;
      namesAt[depth] = own;
      if (own > MOST_NAMES_EACH) return `has an object of more than ${MOST_NAMES_EACH} names`;
      if (names > most.names) return `has more than ${most.names} names`;
    }
    if (values > most.values) return `has more than ${most.values} values`;
  }
  return undefined;
}

function endOfText(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
