// Which columns the words of a line stand in.
import { areaAround, type Word } from './areas.ts';
import type { Gap } from './columns.ts';
import { plainText } from './grid.ts';
import type { PlacedText } from './placed-lines.ts';
import { CHUNK_GAP, type TextLine } from './text-lines.ts';

/** The words of a line in the columns they stand in; what writes over the space between columns spans them. */
export function placeWords(line: TextLine, strips: readonly Gap[]): PlacedText[] {
  const placed: PlacedText[] = [];
  for (const chunk of line.chunks) {
    let piece: Word[] = [];
    for (const word of chunk.words) {
      const last = piece.at(-1);
      const isParted = ({ from, to }: Gap): boolean =>
        last !== undefined &&
        ((last.right <= from + 1 && word.left >= to - 1) ||
          (last.right < to && Math.abs(word.left - to) <= SAME_START && isWiderThanSpaces(word, piece)));
      if (last && strips.some(isParted)) {
        placed.push(placePiece(piece, strips));
        piece = [];
      }
      piece.push(word);
    }
    placed.push(placePiece(piece, strips));
  }
  return mergeSameColumn(placed.flatMap((text) => splitFigures(text, strips)));
}

/** Texts of a column begin at one place, up to so many points. */
const SAME_START = 1;

/** A text may reach into the space between columns, up to nearly where the next begins. */
function isWiderThanSpaces(word: Word, before: readonly Word[]): boolean {
  const space = word.left - (before.at(-1)?.right ?? word.left);
  const widest = before
    .slice(1)
    .reduce((most, { left }, i) => Math.max(most, left - (before[i]?.right ?? left)), 0);
  return widest > word.size * 0.1 && space > widest * 1.2 && space > word.size * 0.3;
}

/** The columns whose texts it stands over; where it stands between two, the nearer. */
function placePiece(words: Word[], strips: readonly Gap[]): PlacedText {
  const { left, right } = areaAround(words);
  let [from, to, nearest, distance] = [-1, -1, 0, Infinity];
  for (let column = 0; column <= strips.length; column += 1) {
    const start = strips[column - 1]?.to ?? -Infinity;
    const end = strips[column]?.from ?? Infinity;
    const away = Math.max(start - right, left - end);
    if (away < -1) [from, to] = [from < 0 ? column : from, column];
    if (away < distance) [nearest, distance] = [column, away];
  }
  return from < 0 ? { from: nearest, to: nearest, words } : { from, to, words };
}

/** Heads such as "FY 2009 FY 2010" may stand closer than what is below them: texts with a figure in each column. */
function splitFigures(text: PlacedText, strips: readonly Gap[]): PlacedText[] {
  const crossed = strips.slice(text.from, text.to);
  if (crossed.length < 2) return [text];
  const pieces: Word[][] = [[]];
  let next = 0;
  text.words.forEach((word, i) => {
    const before = text.words[i - 1];
    const strip = crossed[next];
    if (before && strip && before.right < strip.to && word.left > strip.from) {
      pieces.push([]);
      next += 1;
    }
    pieces.at(-1)?.push(word);
  });
  const isFigures =
    pieces.length === crossed.length + 1 && pieces.every((piece) => /\d/.test(plainText(piece)));
  return isFigures ? pieces.map((words, i) => ({ from: text.from + i, to: text.from + i, words })) : [text];
}

/** Texts in one column are one; those that stand apart are not, where there is a column for each. */
function mergeSameColumn(placed: readonly PlacedText[]): PlacedText[] {
  const merged: PlacedText[] = [];
  for (const each of placed) {
    const last = merged.at(-1);
    const own = { ...each, words: [...each.words] };
    if (!last || each.from > last.to) merged.push(own);
    else if (isApart(last, each) && each.to > last.to) merged.push({ ...own, from: last.to + 1 });
    else if (isApart(last, each) && each.from > last.from) {
      last.to = each.from - 1;
      merged.push(own);
    } else {
      last.words.push(...each.words);
      last.to = Math.max(last.to, each.to);
    }
  }
  return merged;
}

function isApart(before: PlacedText, after: PlacedText): boolean {
  const [last, first] = [before.words.at(-1), after.words[0]];
  return last !== undefined && first !== undefined && first.left - last.right > CHUNK_GAP * first.size;
}
