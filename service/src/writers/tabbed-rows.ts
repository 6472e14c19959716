// Rows with wide gaps, such as lines of a contents page: they keep their ends in formats whose text flows.
import type { Flow, Run } from '../layout/model.ts';

/** The text with a tab for each gap and a line end behind each row; undefined where it flows. */
export function tabbedRows({ lines, runs, direction }: Flow): Run[] | undefined {
  const withGaps = lines.filter(({ stops }) => stops && stops.length > 0).length;
  if (withGaps === 0 || withGaps * 2 < lines.length || direction === 'rtl') return undefined;
  // Calls of notes are known in the flowing text alone.
  if (runs.some(({ note }) => note !== undefined)) return undefined;
  return lines.flatMap(({ runs: own, stops = [] }, i): Run[] => {
    const row = withTabs(own, stops);
    const [first] = row;
    return i > 0 && first ? [{ text: '\n', style: first.style }, ...row] : row;
  });
}

function withTabs(runs: readonly Run[], stops: readonly { at: number }[]): Run[] {
  let from = 0;
  return runs.map((run) => {
    let { text } = run;
    for (const { at } of stops) {
      const place = at - 1 - from;
      if (text[place] === ' ') text = `${text.slice(0, place)}\t${text.slice(place + 1)}`;
    }
    from += run.text.length;
    return text === run.text ? run : { ...run, text };
  });
}
