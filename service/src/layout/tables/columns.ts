// Columns told by white space alone: where nearly no line has anything, one column ends and the next begins.
import type { Area } from './areas.ts';
import type { TextLine } from './text-lines.ts';

export interface Gap {
  from: number;
  to: number;
}

/** The white spaces between the chunks of a line, its free sides included. */
export function findGaps(line: TextLine, area: Area): Gap[] {
  const gaps: Gap[] = [];
  let at = area.left;
  for (const chunk of line.chunks) {
    if (chunk.left > at) gaps.push({ from: at, to: chunk.left });
    at = Math.max(at, chunk.right);
  }
  if (at < area.right) gaps.push({ from: at, to: area.right });
  return gaps;
}

/** Where both are white. */
export function commonGaps(a: readonly Gap[], b: readonly Gap[], least: number): Gap[] {
  const common: Gap[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const [one, other] = [a[i], b[j]];
    if (!one || !other) break;
    const from = Math.max(one.from, other.from);
    const to = Math.min(one.to, other.to);
    if (to - from >= least) common.push({ from, to });
    if (one.to < other.to) i += 1;
    else j += 1;
  }
  return common;
}

/** More columns than any table has: a pattern, or a drawing in letters. */
const MAX_COLUMNS = 100;

interface Step {
  at: number;
  change: number;
}

/**
 * White strips that at most `crossing` lines write over, at least `least` wide, with text of enough lines on both
 * sides; the places where columns part.
 */
export function findWhiteStrips(
  lines: readonly TextLine[],
  { crossing, least, support }: { crossing: number; least: number; support: number },
): Gap[] {
  const steps: Step[] = lines.flatMap(({ chunks }) =>
    chunks.flatMap(({ left, right }) => [
      { at: left, change: 1 },
      { at: right, change: -1 },
    ]),
  );
  steps.sort((a, b) => a.at - b.at || b.change - a.change);
  const strips: Gap[] = [];
  let covered = 0;
  let from: number | undefined;
  for (const { at, change } of steps) {
    const was = covered;
    covered += change;
    if (was > crossing && covered <= crossing) from = at;
    else if (was <= crossing && covered > crossing) {
      if (from !== undefined && at - from >= least) strips.push({ from, to: at });
      from = undefined;
    }
  }
  return strips.length > MAX_COLUMNS ? [] : betweenColumns(strips, lines, support);
}

/**
 * Strips part columns when enough lines have a text of their own in each: one that comes in from the column beside,
 * a stretched line or a head, is none. Of the strips on both sides of what is no column one parts its neighbours.
 */
function betweenColumns(strips: readonly Gap[], lines: readonly TextLine[], support: number): Gap[] {
  const kept = [...strips];
  const own = (column: number): number => {
    const [before, after] = [kept[column - 1], kept[column]];
    const [from, to] = [before?.from ?? -Infinity, after?.to ?? Infinity];
    return lines.filter(({ chunks }) =>
      chunks.some(
        ({ left, right }) =>
          left > from &&
          right < to &&
          left < (after?.from ?? Infinity) + 1 &&
          right > (before?.to ?? -Infinity) - 1,
      ),
    ).length;
  };
  for (let column = 0; column <= kept.length && kept.length > 0; column += 1) {
    if (own(column) >= support) continue;
    const [before, after] = [kept[column - 1], kept[column]];
    const isBetter = before && after && lastCrossing(before, lines) < lastCrossing(after, lines);
    kept.splice(before && (!after || !isBetter) ? column - 1 : column, 1);
    column = Math.max(-1, column - 3);
  }
  return kept;
}

/** Heads reach farther than the texts under them: what only lines at the top write over is the better strip. */
const lastCrossing = ({ from, to }: Gap, lines: readonly TextLine[]): number =>
  lines.findLastIndex(({ chunks }) => chunks.some(({ left, right }) => left < from + 1 && right > to - 1));

/** Where so many of the lines go on at one place without a space, a column begins. */
const BEGINNING = 0.8;
const SAME_START = 0.8;
/** So many of the words come after a written space where spaces are written. */
const SPACED = 0.2;
/** The least that parts such columns, in parts of the letters' size. */
const NARROW_GAP = 0.1;

/**
 * Columns that nearly touch, as a column of figures that ends where one of texts begins: where spaces are written,
 * words that come without one, one under the other, begin cells.
 */
export function findUnspacedStrips(lines: readonly TextLine[]): Gap[] {
  const written = lines.map(({ chunks }) => chunks.flatMap(({ words }) => words));
  if (lines.length < 3) return [];
  const later = written.flatMap((words) => words.slice(1));
  // Where spaces are not written at all, or only here and there, their lack tells nothing.
  if (later.filter(({ mark }) => mark.spaced).length < later.length * SPACED) return [];
  const starts = written.flatMap((words) =>
    words.slice(1).flatMap((word, i) => {
      const before = words[i];
      const isStart = before && !word.mark.spaced && !word.glued && word.left > before.right;
      return isStart ? [{ at: word.left, end: before.right, size: word.size, before: before.text }] : [];
    }),
  );
  starts.sort((a, b) => a.at - b.at);
  const strips: Gap[] = [];
  for (let begin = 0, i = 1; i <= starts.length; i += 1) {
    const [first, here] = [starts[begin], starts[i]];
    if (!first || (here && here.at - first.at <= SAME_START)) continue;
    const group = starts.slice(begin, i);
    begin = i;
    if (group.length < lines.length * BEGINNING) continue;
    // Beside the same word in each line it is a change of font or colour within a text: "Section 2", "Section 3".
    if (new Set(group.map(({ before }) => before)).size === 1) continue;
    const from = Math.max(...group.map(({ end }) => end));
    if (first.at - from >= NARROW_GAP * first.size) strips.push({ from, to: first.at });
  }
  return strips.length > MAX_COLUMNS ? [] : strips;
}
