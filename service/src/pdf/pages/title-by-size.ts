// A name for a document, from what stands largest on it.
import { lineText, type TextLine } from '../text/text-lines.ts';

/** "in the first 200 lines" (operations 7). */
export const TITLE_LINES = 200;
const LONGEST_TITLE = 254;
const LONGEST_FALLBACK = 200;

/** Undefined where nothing serves as a name. */
export function titleBySize(lines: readonly TextLine[], firstTextAsFallback: boolean): string | undefined {
  const first = lines.slice(0, TITLE_LINES);
  const title = largestRun(first);
  if (title !== undefined && [...title].length <= LONGEST_TITLE) return title;
  return firstTextAsFallback ? firstReadable(first) : undefined;
}

/** "the run with the largest font ... ties to the earlier one" */
function largestRun(lines: readonly TextLine[]): string | undefined {
  let best: { text: string; size: number } | undefined;
  for (const { text, size } of lines.flat()) {
    const usable = asFileName(text);
    if (isReadable(usable) && (!best || size > best.size)) best = { text: usable, size };
  }
  return best?.text;
}

function firstReadable(lines: readonly TextLine[]): string | undefined {
  for (const line of lines) {
    const usable = asFileName(lineText(line));
    if (isReadable(usable)) return [...usable].slice(0, LONGEST_FALLBACK).join('').trim();
  }
  return undefined;
}

/** "without / \ ? % * : | " < > and control characters" */
const asFileName = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[/\\?%*:|"<>\p{Cc}\p{Cf}\ufffd]/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();

const isReadable = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);
