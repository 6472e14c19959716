// Rows to paragraphs and code, as the model has them.

import { boxAroundLines } from '../lines/rows.ts';
import { buildModelLine, joinRuns, type PageContext } from '../lines/runs.ts';
import { buildLine, type TextLine } from '../lines/text-lines.ts';
import type { Box, Code, Paragraph } from '../model.ts';
import { hasLeaders, type ParagraphRows } from './paragraph-breaks.ts';

/** Edges that differ by less, in points, are one. */
const SAME_EDGE = 2.5;

export function buildParagraph(
  draft: ParagraphRows,
  page: PageContext,
  number: number,
  compounds: ReadonlySet<string>,
): Paragraph {
  const rows = draft.marker ? withoutMarker(draft.rows) : draft.rows;
  const lines = rows.map((row) => buildModelLine(row, page));
  const [first, second] = rows as [TextLine, TextLine?];
  return {
    kind: 'paragraph',
    page: number,
    box: page.back(boxAroundLines(rows) as Box),
    runs: joinRuns(
      lines.map(({ runs }) => runs),
      compounds,
    ),
    lines,
    align: alignOf(rows, draft.column),
    direction: first.direction,
    firstLineIndent: second ? round(first.box.x - second.box.x) : 0,
    indent: round((second ?? first).box.x - draft.column.left),
    spaceBefore: round(draft.spaceBefore),
    ...(first.dropCap ? { dropCap: first.dropCap } : {}),
  };
}

const round = (value: number): number => Math.round(value * 10) / 10;

function withoutMarker([first, ...rest]: readonly TextLine[]): TextLine[] {
  const isToLeft = first?.direction === 'rtl';
  const words = (isToLeft ? first?.words.slice(0, -1) : first?.words.slice(1)) ?? [];
  const shift = isToLeft ? 0 : 1;
  const parts =
    first?.parts?.map((part) => part - shift).filter((part) => part > 0 && part < words.length) ?? [];
  return words.length > 0 ? [{ ...buildLine(words), ...(parts.length > 0 ? { parts } : {}) }, ...rest] : rest;
}

function alignOf(rows: readonly TextLine[], { left, right }: ParagraphRows['column']): Paragraph['align'] {
  const [first] = rows;
  if (!first || rows.some(hasLeaders)) return 'left';
  if (rows.length === 1) {
    const { box } = first;
    const [before, after] = [box.x - left, right - box.x - box.width];
    if (before > first.size * 2 && Math.abs(before - after) < Math.max(3, (right - left) * 0.02))
      return 'center';
    return before > first.size * 4 && after < SAME_EDGE && before > (right - left) * 0.3 ? 'right' : 'left';
  }
  const body = rows.length > 2 ? rows.slice(1) : rows;
  const sameLeft = isOne(body.map(({ box }) => box.x));
  const sameRight = isOne(rows.slice(0, -1).map(({ box }) => box.x + box.width)) && rows.length > 2;
  if (sameLeft) return sameRight ? 'justify' : 'left';
  // Lines that begin where the column does fill it, though the first hangs out or stands in.
  const begins = Math.min(...rows.map(({ box }) => box.x)) - left < first.size;
  if (!begins && isOne(rows.map(({ box }) => box.x + box.width))) return 'right';
  return isOne(rows.map(({ box }) => box.x + box.width / 2)) ? 'center' : 'left';
}

const isOne = (places: readonly number[]): boolean => Math.max(...places) - Math.min(...places) < SAME_EDGE;

export function buildCode({ rows }: ParagraphRows, page: PageContext, number: number): Code {
  return {
    kind: 'code',
    page: number,
    box: page.back(boxAroundLines(rows)),
    lines: rows.map((row) => buildModelLine(row, page)),
    text: codeText(rows),
  };
}

/** Columns of characters as they stand: all of one width, spaces may be counted. */
function codeText(rows: readonly TextLine[]): string {
  const left = Math.min(...rows.map(({ box }) => box.x));
  const unit = characterWidth(rows);
  const leading = Math.min(...rows.slice(1).map((row, i) => row.baseline - (rows[i] as TextLine).baseline));
  let text = '';
  for (const [i, row] of rows.entries()) {
    const above = rows[i - 1];
    // A free line within code stays one.
    if (above) text += row.baseline - above.baseline > leading * 1.7 ? '\n\n' : '\n';
    let line = '';
    for (const word of row.words) {
      const column = Math.round((word.box.x - left) / unit);
      const spaces = Math.max(column - line.length, line === '' || word.glued ? 0 : 1);
      line += ' '.repeat(Math.min(spaces, MAX_SPACES)) + word.text;
    }
    text += line;
  }
  return text;
}

const MAX_SPACES = 200;

function characterWidth(rows: readonly TextLine[]): number {
  let [width, characters] = [0, 0];
  for (const { words } of rows) {
    for (const { box, text } of words) {
      width += box.width;
      characters += text.length;
    }
  }
  return characters > 0 && width > 0 ? width / characters : 6;
}
