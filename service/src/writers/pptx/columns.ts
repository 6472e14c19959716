// Rows with wide gaps are several texts side by side: what stands under each other is a box of its own.
import type { Flow, Line, Run } from '../../layout/model.ts';
import type { Letters } from '../letters.ts';

/** Edges that differ by less, in points, are one. */
const SAME_EDGE = 4;
/** Lines of one box are no further apart, in heights. */
const FAR = 2.6;

/** The flow itself where it has no such rows. */
export function splitColumns<Kind extends Flow>(flow: Kind, letters: Letters): Flow[] {
  if (!flow.lines.some(({ stops }) => stops && stops.length > 0)) return [flow];
  const columns: Line[][] = [];
  for (const line of flow.lines)
    for (const part of partsOf(line, letters)) {
      const column = columns.find((lines) => isUnder(part, lines.at(-1) as Line));
      if (column) column.push(part);
      else columns.push([part]);
    }
  return columns.map((lines) => ({
    runs: lines.flatMap(({ runs }) => runs),
    lines,
    align: alignOf(lines),
    direction: flow.direction,
  }));
}

function partsOf(line: Line, letters: Letters): Line[] {
  const { stops = [], box, turn, direction } = line;
  const ends = [...stops.map(({ at }) => at), Infinity];
  let [from, x] = [0, box.x];
  return ends.flatMap((to, i): Line[] => {
    const runs = trimmed(sliced(line.runs, from, to));
    const next = stops[i];
    const known = next ? letters.lengthOf(runs) : box.x + box.width - x;
    const width = Math.max(1, next ? Math.min(known, next.x - x) : known);
    const part: Line = { runs, box: { ...box, x, width }, turn, direction };
    from = to;
    x = next?.x ?? x;
    return runs.length === 0 ? [] : [part];
  });
}

function sliced(runs: readonly Run[], from: number, to: number): Run[] {
  let at = 0;
  return runs.flatMap((run) => {
    const start = at;
    at += run.text.length;
    const text = run.text.slice(Math.max(0, from - start), Math.max(0, to - start));
    return text === '' ? [] : [{ ...run, text }];
  });
}

function trimmed(runs: readonly Run[]): Run[] {
  return runs
    .map((run, i) => ({
      ...run,
      text: i === runs.length - 1 ? run.text.trimEnd() : run.text,
    }))
    .filter(({ text }) => text !== '');
}

function isUnder({ box, runs }: Line, above: Line): boolean {
  const step = box.y - above.box.y;
  const size = runs[0]?.style.size ?? 0;
  if (step <= 0 || step > above.box.height * FAR || Math.abs(size - (above.runs[0]?.style.size ?? 0)) > 0.5)
    return false;
  const left = Math.abs(box.x - above.box.x);
  const right = Math.abs(box.x + box.width - above.box.x - above.box.width);
  return Math.min(left, right) < SAME_EDGE;
}

function alignOf(lines: readonly Line[]): Flow['align'] {
  const spread = (edges: readonly number[]): number => Math.max(...edges) - Math.min(...edges);
  const left = spread(lines.map(({ box }) => box.x));
  const right = spread(lines.map(({ box }) => box.x + box.width));
  return left > SAME_EDGE / 2 && right < left ? 'right' : 'left';
}
