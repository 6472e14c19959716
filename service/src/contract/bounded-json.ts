// JSON from outside, read within bounds: what is checked afterwards is small, whatever was sent.
import { LIMITS } from './limits.ts';

/** Names in one object, and values in all. A form has thousands of fields, a page list thousands of rectangles. */
const MOST_NAMES = 20_000;
const MOST_VALUES = 250_000;

export const NOT_JSON = 'is not valid JSON';

export type ReadJson = { value: unknown } | { fault: string };

/** `fault` finishes the sentence "<field> ...". */
export function readJson(text: string, maxBytes: number = LIMITS.jsonBytes): ReadJson {
  if (text.length > maxBytes || Buffer.byteLength(text) > maxBytes)
    return { fault: `is larger than ${maxBytes} bytes` };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: NOT_JSON };
  }
  const fault = excessOf(value);
  return fault === undefined ? { value } : { fault };
}

/** What a value has too much of; undefined where it is within bounds. Looks no further than it must to know. */
export function excessOf(value: unknown): string | undefined {
  let values = 0;
  const look = (inner: unknown, levels: number): string | undefined => {
    if (inner === null || typeof inner !== 'object') return undefined;
    const list: readonly unknown[] = Array.isArray(inner) ? inner : Object.keys(inner);
    // An empty list nests nothing: 32 levels of bookmarks end in `"children":[]`.
    if (list.length === 0) return undefined;
    if (levels === 0) return `nests deeper than ${LIMITS.jsonDepth} levels`;
    if (list !== inner && list.length > MOST_NAMES) return `has an object of more than ${MOST_NAMES} names`;
    values += list.length;
    if (values > MOST_VALUES) return `has more than ${MOST_VALUES} values`;
    for (const each of list) {
      const item = list === inner ? each : (inner as Record<string, unknown>)[each as string];
      const found = look(item, levels - 1);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return look(value, LIMITS.jsonDepth);
}
