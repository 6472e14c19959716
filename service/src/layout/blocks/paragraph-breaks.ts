// Rows of one region to paragraphs: where one ends and the next begins.

import type { Region } from '../lines/reading-order.ts';
import { joinRow } from '../lines/rows.ts';
import type { TextLine } from '../lines/text-lines.ts';
import { beginOf, type Marker, markerOf } from './list-markers.ts';

/** Rows that make up one paragraph, before it is known what it is. */
export interface ParagraphRows {
  rows: TextLine[];
  /** Where it begins like an item of a list. */
  marker: Marker | undefined;
  code: boolean;
  /** Left and right edge of the column it stands in. */
  column: { left: number; right: number };
  /** Free space above, in points; 0 at the top of a region. */
  spaceBefore: number;
}

/** Baselines further apart than this times the usual distance part paragraphs. */
const FAR = 1.32;
/** Sizes that differ by more are different. */
const OTHER_SIZE = 0.08;
const INDENT = 0.8;
/** Lines of one paragraph are seldom further apart than this times their size. */
const LOOSE = 1.75;

export function breakParagraphs(region: Region): ParagraphRows[] {
  const rows = region.rows.map(joinRow);
  const { leading, closest } = leadingOf(rows);
  const column = { left: region.box.x, right: region.box.x + region.box.width };
  const drafts: ParagraphRows[] = [];
  for (const [i, row] of rows.entries()) {
    const current = drafts.at(-1);
    const previous = rows[i - 1];
    let marker = isCode(row) ? undefined : markerOf(row);
    const step = current &&
      previous && { row, previous, next: rows[i + 1], current, marker, leading, closest, rows, i };
    if (step && isWithinSentence(step)) marker = undefined;
    if (current && step && !startsNew({ ...step, marker })) {
      current.rows.push(row);
      continue;
    }
    drafts.push({
      rows: [row],
      marker,
      code: isCode(row),
      column,
      spaceBefore: previous ? Math.max(0, row.box.y - previous.box.y - previous.box.height) : 0,
    });
  }
  return drafts;
}

interface Step {
  row: TextLine;
  previous: TextLine;
  next: TextLine | undefined;
  current: ParagraphRows;
  marker: Marker | undefined;
  leading: number;
  closest: number;
  rows: readonly TextLine[];
  i: number;
}

function startsNew(step: Step): boolean {
  const { row, previous, current, marker, leading, closest } = step;
  const distance = row.baseline - previous.baseline;
  if (isCode(row) !== current.code) return true;
  if (current.code) return distance > row.size * 3;
  if (marker) return true;
  if (distance > Math.max(leading, row.size) * FAR || distance < 0) return true;
  // Where most paragraphs are short, their distance is the usual one.
  const isApart = distance > Math.max(closest, row.size) * FAR;
  if (isApart && (endsSentence(previous) || isShort(step))) return true;
  if (Math.abs(row.size - previous.size) > OTHER_SIZE * Math.max(row.size, previous.size)) return true;
  if (changesWeight(step)) return true;
  if (hasLeaders(previous) || hasLeaders(row)) return true;
  if (isCentered(row, previous)) return false;
  if (current.marker) return isOutOfItem(step);
  if (isIndented(step)) return true;
  return isShort(step);
}

/** Bold lines are headings; a bold beginning after a sentence opens a paragraph, unless bold words only wrap. */
function changesWeight(step: Step): boolean {
  const { row, previous } = step;
  const [first, last] = [row.words[0], previous.words.at(-1)];
  if (!first || !last || endsInside(previous)) return false;
  if (first.style.bold && !last.style.bold && endsSentence(previous)) return true;
  if (isBoldLine(row) === isBoldLine(previous)) return false;
  const wraps = isBoldLine(previous) && first.style.bold && !isShort(step);
  return !wraps;
}

/** A line may begin with "C." or "1998)" because the sentence says so. */
function isWithinSentence(step: Step): boolean {
  const { marker, previous, row, current, leading } = step;
  if (!marker?.ordered || current.marker || endsSentence(previous)) return false;
  if (Math.abs(row.box.x - previous.box.x) > row.size * 0.5) return false;
  return row.baseline - previous.baseline < Math.max(leading, row.size) * FAR && !isShort(step);
}

/** A line of an item stands under its text; what stands further left is something else. */
function isOutOfItem(step: Step): boolean {
  const { row, previous, current } = step;
  const { marker, rows } = current;
  const first = rows[0] as TextLine;
  const begin = (line: TextLine): number => beginOf(line.box, marker?.direction ?? 'ltr');
  const textLeft = marker?.textLeft ?? begin(first);
  const hangs = rows.length > 1 ? begin(rows[1] as TextLine) >= textLeft - row.size * 0.6 : true;
  if (!hangs || begin(row) >= textLeft - row.size * 0.6) return false;
  return (
    begin(row) < begin(first) + row.size * 0.4 &&
    (endsSentence(previous) || (rows.length === 1 && isShort(step) && !goesOn(previous, row)))
  );
}

/** The first line of a paragraph stands in, or out. */
function isIndented({ row, previous, next, current }: Step): boolean {
  const begin = (line: TextLine): number => beginOf(line.box, row.direction);
  const step = begin(row) - begin(previous);
  const indent = INDENT * row.size;
  if (step > indent && step < row.size * 8) {
    if (hangsUnderNumber(row, previous, current)) return false;
    // Where the next line stands in as well, this one hangs under the first.
    const nextStandsIn = next !== undefined && Math.abs(begin(next) - begin(row)) < indent / 2;
    return !(nextStandsIn && current.rows.length === 1) || endsSentence(previous);
  }
  const [first, second] = current.rows;
  const hanging = first && second && begin(second) - begin(first) > indent;
  return Boolean(hanging) && step < -indent;
}

/** The second line of a bold heading stands under its first word, beside the number. */
function hangsUnderNumber(row: TextLine, previous: TextLine, { rows }: ParagraphRows): boolean {
  const [number, word] = previous.words;
  if (rows.length > 1 || !number || !word || row.direction === 'rtl') return false;
  if (!isBoldLine(row) || !isBoldLine(previous) || !/^[\dA-Z]{1,3}(?:\.\d{1,3})*\.?$/.test(number.text))
    return false;
  return Math.abs(row.box.x - word.box.x) < row.size * 0.3;
}

/** A line that ends early, although the next word would have fitted, ends its paragraph. */
function isShort(step: Step): boolean {
  const { row, previous, rows, i } = step;
  // Where the direction changes, the line before is measured as it runs.
  const { direction } = previous;
  const isToLeft = direction === 'rtl';
  const end = ({ box }: TextLine): number => (isToLeft ? -box.x : box.x + box.width);
  const near: TextLine[] = [];
  for (let k = Math.max(0, i - 6); k < Math.min(rows.length, i + 6); k += 1) {
    const other = rows[k] as TextLine;
    if (Math.abs(other.size - row.size) <= OTHER_SIZE * row.size) near.push(other);
  }
  // One long word may reach beyond a narrow column.
  const ends = (near.some(mayWrap) ? near.filter(mayWrap) : near).map(end);
  const last = Math.max(...ends);
  const free = last - end(previous);
  const firstWord = (row.direction === 'rtl' ? row.words.at(-1) : row.words[0])?.box.width ?? 0;
  const columnWidth = last - Math.min(beginOf(row.box, direction), beginOf(previous.box, direction));
  const slack = endsSentence(previous) ? 0.5 * row.size : columnWidth * 0.12;
  if (free > firstWord + 0.3 * row.size + slack) return true;
  // Of lines far apart, none may be full.
  const isFull = near.some((other) => other !== previous && Math.abs(end(other) - end(previous)) < slack * 2);
  return (
    !isFull && row.baseline - previous.baseline > row.size * LOOSE && begins(row) && !endsInside(previous)
  );
}

const mayWrap = ({ words }: TextLine): boolean =>
  words.length > 1 ||
  !/^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}-]{12,}[.,;]?$/u.test(words[0]?.text ?? '');

const goesOn = (previous: TextLine, row: TextLine): boolean =>
  endsInside(previous) || /^\p{Ll}/u.test(row.words[0]?.text ?? '');

/** As sentences and titles do. */
const begins = ({ words, direction }: TextLine): boolean =>
  /^["'“„«(]?[\p{Lu}\p{Lo}]/u.test((direction === 'rtl' ? words.at(-1) : words[0])?.text ?? '');

function isCentered(row: TextLine, previous: TextLine): boolean {
  const middle = (line: TextLine): number => line.box.x + line.box.width / 2;
  return (
    Math.abs(middle(row) - middle(previous)) < 2 && Math.abs(row.box.x - previous.box.x) > row.size * 0.5
  );
}

const endsSentence = ({ words }: TextLine): boolean =>
  /[.!?:;。！？]["'”’»)\]]*$/.test(words.at(-1)?.text ?? '');
/** Bold words amid a paragraph may fill a line of it. */
const endsInside = ({ words }: TextLine): boolean => /[,-]$/.test(words.at(-1)?.text ?? '');

const DOTS = new Set([0x2e, 0x2026, 0xb7]);

export const hasLeaders = ({ words }: TextLine): boolean => {
  let dots = 0;
  for (const { text } of words) {
    if (DOTS.has(text.charCodeAt(0)) && /^[.…·]+$/.test(text)) dots += text.length;
    else dots = 0;
    if (dots >= 5 || text.includes('.....')) return true;
  }
  return false;
};

export const isBoldLine = ({ words }: TextLine): boolean =>
  words.every(({ style, text }) => style.bold || !/[\p{L}\p{N}]/u.test(text));

/** Letters of one width; a line to be filled in is none, whatever it is typed in. */
export const isCode = ({ words }: TextLine): boolean =>
  words.every(({ style }) => style.monospace) && !words.some(({ text }) => text.includes('_____'));

/** The distance of baselines that most rows keep, and the closest that many keep. */
function leadingOf(rows: readonly TextLine[]): { leading: number; closest: number } {
  const distances: number[] = [];
  for (let i = 1; i < rows.length; i += 1) {
    const [above, below] = [rows[i - 1] as TextLine, rows[i] as TextLine];
    const distance = below.baseline - above.baseline;
    if (
      distance > 0 &&
      Math.abs(above.size - below.size) < OTHER_SIZE * below.size &&
      distance < below.size * 3
    )
      distances.push(distance);
  }
  if (distances.length === 0) {
    const leading = (rows[0]?.size ?? 10) * 1.2;
    return { leading, closest: leading };
  }
  const sorted = distances.toSorted((a, b) => a - b);
  // Below the middle: free lines between paragraphs widen distances, nothing narrows them.
  const leading = sorted[Math.floor(sorted.length * 0.4)] as number;
  const many = Math.max(3, sorted.length * MANY);
  const closest = sorted.find(
    (distance, i) => (sorted[i + Math.ceil(many) - 1] ?? Infinity) < distance * SAME,
  );
  return { leading, closest: Math.min(leading, closest ?? leading) };
}

/** Of the distances at least this part are many; those that differ by less than this factor are one. */
const MANY = 0.12;
const SAME = 1.04;
