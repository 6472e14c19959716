// What titles of tables begin with.
import type { Area, Word } from './areas.ts';
import { plainText } from './grid.ts';
import { readLines } from './text-lines.ts';

export const TABLE_CAPTION =
  /^(?:table|tab\.|tabelle|tableau|tabla|tabela|tabella|tabell?|таблица|表)\s*\.?\s*[\dIVXA-Z]/i;

/** How far the title is from its table, in parts of the letters' size. */
const NEAR = 3.5;

/** Whether the nearest line over the area, or under it, is the title of a table. */
export function hasCaption(area: Area, words: readonly Word[], size: number): boolean {
  const near = (from: number, to: number): Word[] =>
    words.filter(
      ({ top, bottom, left, right }) =>
        (top + bottom) / 2 > from && (top + bottom) / 2 < to && right > area.left && left < area.right,
    );
  const text = (found: readonly Word[], which: 0 | -1): string =>
    plainText(
      readLines(found)
        .at(which)
        ?.chunks.flatMap((chunk) => chunk.words) ?? [],
    );
  return (
    TABLE_CAPTION.test(text(near(area.top - size * NEAR, area.top), -1)) ||
    TABLE_CAPTION.test(text(near(area.bottom, area.bottom + size * NEAR), 0))
  );
}
