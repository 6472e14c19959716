// Which lines at the top of a table are its head, and which of them make one row.
import { isFigure } from './grid.ts';
import { type PlacedLine, type Row, swallows, texts } from './placed-lines.ts';

/** The first band is a head when a line is drawn under it and much more follows. */
export function headBands(bands: readonly PlacedLine[][]): number {
  const [first, ...rest] = bands;
  const following = rest.reduce((sum, band) => sum + band.length, 0);
  if (!first || rest.length === 0 || (first[0]?.isTitle && first.length > 1)) return 0;
  return first.length <= 5 && following >= first.length ? 1 : 0;
}

const isBold = (placed: PlacedLine): boolean =>
  placed.cells.every(({ words }) => words.every(({ bold }) => bold));

/** Lines at the top that differ from those below: bold, or words over columns of figures. */
export function headLinesAtTop(lines: readonly PlacedLine[]): number {
  const limit = Math.min(5, Math.floor(lines.length / 2));
  let bold = 0;
  while (bold < limit && isBold(lines[bold] as PlacedLine)) bold += 1;
  if (bold > 0 && lines.slice(bold).filter(isBold).length <= (lines.length - bold) / 3) return bold;
  const withFigures = lines.filter((each) => texts(each).some(isFigure)).length;
  if (withFigures < lines.length * 0.6) return 0;
  let plain = 0;
  while (plain < limit && !texts(lines[plain] as PlacedLine).some(isFigure)) plain += 1;
  return lines.slice(0, plain).some(({ cells }) => cells.length > 1) ? plain : 0;
}

/** Head lines are one row, unless one stands over several columns of the next. */
export function headerRowsOf(lines: readonly PlacedLine[]): Row[] {
  const rows: Row[] = [];
  for (const placed of lines) {
    const before = rows.at(-1);
    const last = before?.at(-1);
    const isSplit =
      !before ||
      !last ||
      swallows(before, placed) ||
      placed.line.baseline - last.line.baseline > 2 * placed.line.size;
    if (isSplit) rows.push([placed]);
    else before.push(placed);
  }
  return rows;
}
