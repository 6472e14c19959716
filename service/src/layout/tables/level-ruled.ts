// Tables with level lines only: over and under the head, at the end, or between all rows.

import { type Area, areaAround, median, type Word, type WordIndex } from './areas.ts';
import { findGaps } from './columns.ts';
import { partAtFrames } from './framed-lines.ts';
import { columnCount, type Grid, isFigure, plainText } from './grid.ts';
import { MARKER } from './look-alikes.ts';
import { endOfRows } from './open-below.ts';
import type { Ruling } from './rulings.ts';
import { textGrid } from './text-grid.ts';
import { readLines, SAME_BASELINE, type TextLine } from './text-lines.ts';

/** Lines of one table begin and end at the same places, up to so many points. */
const SAME_END = 6;
const LEAST_WIDTH = 40;
/** Text of cells between two lines; more is a page of text with its headings in the margin. */
const MOST_LINES_OF_CELLS = 6;
/** Names of groups of rows are shorter. */
const SENTENCE_WORDS = 5;
/** More lines of one width make a ruled sheet of paper, no table. */
const MAX_RULES = 400;

/** `prose` are those of the words that are running text, `frames` have no line inside. */
export function levelRuledGrids(
  level: readonly Ruling[],
  words: WordIndex,
  prose: WordIndex,
  frames: readonly Area[],
): Grid[] {
  return rulesOfOneWidth(level).flatMap((rules) =>
    runsWithoutProse(rules, words, prose)
      .flatMap((run) => partAtFrames(run, frames))
      .filter((run) => !isOverFiguresOnly(run, words, prose))
      .flatMap((run) => gridOf(run, level, words) ?? []),
  );
}

function rulesOfOneWidth(level: readonly Ruling[]): Ruling[][] {
  const groups: Ruling[][] = [];
  for (const rule of [...level].sort((a, b) => a.at - b.at)) {
    if (rule.to - rule.from < LEAST_WIDTH) continue;
    const group = groups.find(([first]) => first && isSameWidth(first, rule));
    if (group) group.push(rule);
    else if (groups.length < MAX_RULES) groups.push([rule]);
  }
  return groups.filter(({ length }) => length >= 2 && length <= MAX_RULES);
}

const isSameWidth = (a: Ruling, b: Ruling): boolean =>
  Math.abs(a.from - b.from) <= SAME_END && Math.abs(a.to - b.to) <= SAME_END;

const bandBetween = (above: Ruling, below: Ruling): Area => ({
  left: Math.min(above.from, below.from) - 2,
  right: Math.max(above.to, below.to) + 2,
  top: above.at,
  bottom: below.at,
});

/** Lines of one table follow each other with nothing but rows between. */
function runsWithoutProse(rules: readonly Ruling[], words: WordIndex, prose: WordIndex): Ruling[][] {
  const runs: Ruling[][] = [];
  rules.forEach((rule, i) => {
    const above = rules[i - 1];
    const band = above && bandBetween(above, rule);
    const isJoined =
      band !== undefined &&
      !isAcross(band, words, prose) &&
      !(isSentence(band, words) && isHead(rule, rules[i + 1], words)) &&
      !isHeadAgain(runs.at(-1) ?? [], band, words) &&
      (words.inside(band).length > 0 || band.bottom - band.top < 30);
    if (isJoined) runs.at(-1)?.push(rule);
    else runs.push([rule]);
  });
  return runs.filter(({ length }) => length >= 2);
}

/**
 * Lines over sums are as wide as the figures; the labels of the rows, words and not another table's figures, stand
 * before them. Such lines enclose no table.
 */
function isOverFiguresOnly(run: readonly Ruling[], words: WordIndex, prose: WordIndex): boolean {
  const [first, last] = [run[0], run.at(-1)];
  if (!first || !last) return false;
  const area = bandBetween(first, last);
  const lines = readLines(words.inside(area));
  const chunks = lines.flatMap((line) => line.chunks);
  if (chunks.filter((chunk) => isFigure(plainText(chunk.words))).length < chunks.length * 0.8) return false;
  const running = new Set(prose.words);
  const labels = words
    .inside({ ...area, left: Number.NEGATIVE_INFINITY, right: area.left })
    .filter((word) => !running.has(word) && /\p{L}/u.test(word.text));
  const isLabelled = ({ baseline, size }: TextLine): boolean =>
    labels.some((word) => Math.abs(word.baseline - baseline) < size * SAME_BASELINE);
  return lines.filter(isLabelled).length > lines.length * 0.5;
}

const isLabel = (text: string): boolean => /[\p{L}\p{Nd}]/u.test(text) && !MARKER.test(text);

/** Running text over nearly the whole width; what is narrower, or has a label before it, may be the text of a cell. */
function isAcross(band: Area, words: WordIndex, prose: WordIndex): boolean {
  const inside = prose.inside(band);
  if (inside.length === 0) return false;
  const width = band.right - band.left;
  const isWide = ({ left, right }: Area): boolean => right - left > width * 0.5;
  const lines = readLines(words.inside(band));
  const hasLabel = ({ chunks: [first, second] }: TextLine): boolean =>
    first !== undefined &&
    second !== undefined &&
    isWide(second) &&
    first.right - first.left < width * 0.3 &&
    isLabel(plainText(first.words));
  const wide = readLines(inside).filter(({ chunks }) => chunks.some(isWide)).length;
  if (wide - lines.filter(hasLabel).length > MOST_LINES_OF_CELLS) return true;
  const running = new Set(inside);
  return lines.some(({ chunks, size }) => {
    const [first, ...others] = chunks.filter(({ right }) => right > band.left);
    return (
      first?.words.some((word) => running.has(word)) &&
      others.length === 0 &&
      first.left - band.left < size * 4 &&
      first.right - first.left > (band.right - band.left) * 0.7
    );
  });
}

/** "The bits are as follows:" alone between two lines stands between two tables. */
function isSentence(band: Area, words: WordIndex): boolean {
  const inside = words.inside(band);
  const [line, ...more] = readLines(inside);
  return (
    line !== undefined &&
    more.length === 0 &&
    line.chunks.length === 1 &&
    inside.length >= SENTENCE_WORDS &&
    line.left - band.left < line.size * 2 &&
    /[.:]$/.test(inside.toSorted((a, b) => a.left - b.left).at(-1)?.text ?? '')
  );
}

/** How much farther than rows a title stands from what is over and under it. */
const TITLE_SPACE = 1.5;

/** The title of another table in white space, and the head over the first line again: where one ends without a line. */
function isHeadAgain([first]: readonly Ruling[], band: Area, words: WordIndex): boolean {
  const lines = readLines(words.inside(band));
  const [row, title, head] = lines.slice(-3);
  if (!first || !row || !title || !head || lines.length < 4 || title.chunks.length > 1) return false;
  const steps = lines.slice(1, -2).map((line, i) => line.baseline - (lines[i]?.baseline ?? 0));
  const least = median(steps) * TITLE_SPACE;
  if (title.baseline - row.baseline < least || head.baseline - title.baseline < least) return false;
  const over = { ...band, top: first.at - head.size * 2, bottom: first.at };
  const before = readLines(words.inside(over)).at(-1);
  const texts = (line: TextLine | undefined): string =>
    line?.chunks.map((chunk) => plainText(chunk.words)).join('\n') ?? '';
  return head.chunks.length > 1 && texts(head) === texts(before);
}

/** One line of several texts between two lines. */
function isHead(above: Ruling, below: Ruling | undefined, words: WordIndex): boolean {
  const [line, ...more] = below ? readLines(words.inside(bandBetween(above, below))) : [];
  return line !== undefined && more.length === 0 && line.chunks.length > 1;
}

function gridOf(run: readonly Ruling[], level: readonly Ruling[], words: WordIndex): Grid | undefined {
  const [first, last] = [run[0], run.at(-1)];
  if (!first || !last) return undefined;
  const ruled = bandBetween(first, last);
  const area = { ...ruled, bottom: endBelow(run, words) };
  const inside = words.inside(area);
  if (!isFilled(area, inside)) return undefined;
  const head = headAbove(area, inside, words);
  const bounds = head.length > 0 ? { ...area, top: Math.min(...head.map(({ top }) => top)) } : area;
  const rules = level.filter(
    ({ at, from, to }) =>
      at >= bounds.top - 2 && at <= area.bottom + 2 && from < area.right && to > area.left,
  );
  const grid = textGrid(readLines([...head, ...inside]), { rules, area: bounds });
  const isUnderTitle = grid !== undefined && head.length === 0 && run.length > 2 && beginsWithTitle(grid);
  return isUnderTitle ? gridOf(run.slice(1), level, words) : grid;
}

/** Where the last line is the one under a head, rows may follow. */
function endBelow(run: readonly Ruling[], words: WordIndex): number {
  const [above, last] = [run.at(-2), run.at(-1)];
  if (!above || !last) return last?.at ?? 0;
  const band = bandBetween(above, last);
  return endOfRows(readLines(words.inside(band)), { ...band, top: last.at }, words);
}

/** Lines at the head and foot of a page enclose much that is white. */
function isFilled({ top, bottom }: Area, inside: readonly Word[]): boolean {
  const written = areaAround(inside);
  const most = 4 * median(inside.map(({ size }) => size));
  return inside.length > 0 && written.top - top < most && bottom - written.bottom < most;
}

/** Running heads stand over a line as wide as the table's own. */
function beginsWithTitle(grid: Grid): boolean {
  const written = grid.cells.filter(({ row, words }) => row === 0 && words.length > 0);
  const covered = written.reduce((sum, { columnSpan }) => sum + columnSpan, 0);
  return columnCount(grid) >= 4 && covered < columnCount(grid) * 0.5;
}

/** A head may stand on top of the first line, its words over the columns below. */
function headAbove(area: Area, inside: readonly Word[], words: WordIndex): Word[] {
  const lines = readLines(inside);
  const size = median(lines.map((line) => line.size));
  // Under the line of a running head there is white space before the page begins.
  if ((lines[0]?.top ?? 0) - area.top > size * 1.5) return [];
  const above = words
    .inside({ ...area, top: area.top - size * 3, bottom: area.top })
    .filter(
      (word) =>
        word.left >= area.left &&
        word.right <= area.right &&
        word.bottom <= area.top + 2 &&
        word.top > area.top - size * 2,
    );
  const [line, ...more] = readLines(above);
  const full = lines.find(({ chunks }) => chunks.length > 1);
  if (!line || more.length > 0 || !full || line.chunks.length < 2) return [];
  const white = findGaps(full, area);
  const isOverColumns = line.chunks.length === full.chunks.length && white.length > 0;
  return isOverColumns || isOverAllButLabels(line, full) ? above : [];
}

/** Over the column of labels there is often no head. */
function isOverAllButLabels(line: TextLine, full: TextLine): boolean {
  const [, ...columns] = full.chunks;
  return (
    columns.length > 1 &&
    line.chunks.length === columns.length &&
    line.chunks.every(({ left, right }, i) => {
      const column = columns[i];
      return column !== undefined && left < column.right && right > column.left;
    })
  );
}
