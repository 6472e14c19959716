// Where text may be broken into lines: at line ends that were asked for, and, to fit a width, between words.
import type { Cluster } from './runs.ts';
import { EAST_ASIAN, isEastAsianCharacter, scriptOf, UNSPACED } from './scripts.ts';

/** Operations 1.6: "`\n` (real newline or the two characters) breaks lines". */
const LINE_END = /\\n|\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

/** The lines that were asked for, without characters that have no look of their own. */
export function linesAskedFor(text: string): string[] {
  return text
    .toWellFormed()
    .split(LINE_END)
    .map((line) => line.replaceAll('\t', '    ').replace(/[\p{Cc}\ufeff\ufff9-\ufffb]/gu, ''));
}

const isBlank = (text: string): boolean => /^[ \u1680\u2000-\u2006\u2008-\u200a\u205f\u3000]/.test(text);
/** Kinsoku: what does not begin a line, and what does not end one. */
const NOT_FIRST =
  /^[\p{Pe}\p{Pf}\p{Mn}!%,.:;?\u2025\u2026\u3001\u3002\u3005\u303b\u3041\u3043\u3045\u3047\u3049\u3063\u3083\u3085\u3087\u308e\u309b-\u309e\u30a1\u30a3\u30a5\u30a7\u30a9\u30c3\u30e3\u30e5\u30e7\u30ee\u30f5\u30f6\u30fb-\u30fe\uff01\uff05\uff0c\uff0e\uff1a\uff1b\uff1f\uff61\uff64]/u;
const NOT_LAST = /^[\p{Ps}\p{Pi}\u00a3\u00a5\uff04\uffe1\uffe5]/u;

/** Whether a line may begin with the cluster at `index`. */
function mayBreakBefore(clusters: readonly Cluster[], index: number, words: ReadonlySet<number>): boolean {
  const before = clusters[index - 1];
  const after = clusters[index];
  if (!before || !after || isBlank(after.text)) return false;
  if (isBlank(before.text) || before.text === '\u200b') return true;
  if (NOT_FIRST.test(after.text) || NOT_LAST.test(before.text)) return false;
  if (isIdeographic(before.text) || isIdeographic(after.text)) return true;
  if (/^[-\u2010\u2013]$/.test(before.text))
    return /^\p{L}/u.test(after.text) && isLetter(clusters[index - 2]);
  if (before.text === '\u2014') return true;
  return UNSPACED.has(after.script) && words.has(after.start);
}

const isLetter = (cluster: Cluster | undefined): boolean => /^\p{L}/u.test(cluster?.text ?? '');

/** Each such character is a word as far as lines go; Korean is broken at its blanks. */
function isIdeographic(cluster: string): boolean {
  const script = scriptOf(cluster.codePointAt(0) ?? 0);
  return script === 'Common' ? isEastAsianCharacter(cluster) : script !== 'Hangul' && EAST_ASIAN.has(script);
}

let segmenter: Intl.Segmenter | undefined;

/** Where words begin, for scripts written without blanks. */
export function wordStarts(text: string, clusters: readonly Cluster[]): Set<number> {
  if (!clusters.some(({ script }) => UNSPACED.has(script))) return new Set();
  segmenter ??= new Intl.Segmenter('th', { granularity: 'word' });
  return new Set(Array.from(segmenter.segment(text), ({ index }) => index));
}

/** Fits clusters into lines of this width: `[first, end)` pairs, blanks at line ends left out. */
export function fitLines(
  clusters: readonly Cluster[],
  widths: readonly number[],
  maxWidth: number,
  words: ReadonlySet<number>,
): [number, number][] {
  const lines: [number, number][] = [];
  let first = 0;
  let lastBreak = 0;
  let width = 0;
  for (let index = 0; index < clusters.length; index += 1) {
    if (index > first && mayBreakBefore(clusters, index, words)) lastBreak = index;
    const own = widths[index] ?? 0;
    const blank = isBlank(clusters[index]?.text ?? '');
    if (index > first && !blank && width + own > maxWidth) {
      // A word longer than the line is broken where it must be.
      const end = lastBreak > first ? lastBreak : index;
      lines.push([first, end]);
      first = end;
      width = widths.slice(first, index).reduce((sum, each) => sum + each, 0);
    }
    width += own;
  }
  lines.push([first, clusters.length]);
  return lines.map(([start, end]) => [start, trimmed(clusters, start, end)]);
}

function trimmed(clusters: readonly Cluster[], start: number, end: number): number {
  let last = end;
  while (last > start && isBlank(clusters[last - 1]?.text ?? '')) last -= 1;
  return last;
}
