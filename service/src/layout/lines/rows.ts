// Lines on one baseline, as rows; and the box around lines.
import type { Box } from '../model.ts';
import { buildLine, type TextLine } from './text-lines.ts';

/** Lines on one baseline, from left to right; rows from the top. */
export function groupRows(lines: readonly TextLine[]): TextLine[][] {
  const rows: { lines: TextLine[]; top: number; bottom: number }[] = [];
  for (const line of lines.toSorted((a, b) => a.baseline - b.baseline)) {
    const last = rows.at(-1);
    const middle = line.box.y + line.box.height / 2;
    const beside = last?.lines.every(
      ({ box }) => box.x + box.width <= line.box.x + 1 || box.x >= line.box.x + line.box.width - 1,
    );
    if (
      last &&
      beside &&
      !line.object &&
      !last.lines[0]?.object &&
      middle < last.bottom &&
      middle > last.top
    ) {
      last.lines.push(line);
      last.top = Math.min(last.top, line.box.y);
      last.bottom = Math.max(last.bottom, line.box.y + line.box.height);
      continue;
    }
    rows.push({ lines: [line], top: line.box.y, bottom: line.box.y + line.box.height });
  }
  return rows.map((row) => row.lines.toSorted((a, b) => a.box.x - b.box.x));
}

/** A row as one line. */
export function joinRow(row: readonly TextLine[]): TextLine {
  if (row.length === 1) return row[0] as TextLine;
  let words = 0;
  const parts = row.slice(1).map((_, i) => {
    words += (row[i] as TextLine).words.length;
    return words;
  });
  return { ...buildLine(row.flatMap((line) => line.words)), parts };
}

export function boxAroundLines(lines: readonly { box: Box }[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { box } of lines) {
    left = Math.min(left, box.x);
    top = Math.min(top, box.y);
    right = Math.max(right, box.x + box.width);
    bottom = Math.max(bottom, box.y + box.height);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}
