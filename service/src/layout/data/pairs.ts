// Labels and what they name: beside each other with a colon, dots or white space between, or one above the other.
import type { Area, Word } from '../tables/areas.ts';
import { amountOf } from './amounts.ts';
import { type DataLine, type Piece, pieceOf } from './data-lines.ts';
import { datesIn } from './dates.ts';
import { isKnownLabel, isLabelShaped, isNumbered, isWhollyLabel, withoutColon } from './labels.ts';
import { isBareYear, isNoLabel, isNoValue } from './no-labels.ts';

export interface FoundPair {
  key: string;
  value: string;
  /** Of the label, and of the value. */
  keyArea: Area;
  valueArea: Area;
  confidence: number;
}

const MAX_VALUE_LENGTH = 200;
const LEADER = /^(.{2,60}?)\s?(?:\.\s?){4,}(.{1,60})$|^(.{2,60}?)\s?(?:[…·_]\s?){3,}(.{1,60})$/u;

/** The pairs of lines from top to bottom. A value belongs to one label. */
export function findPairs(lines: readonly DataLine[]): FoundPair[] {
  const taken = new Set<Piece>();
  const pairs: FoundPair[] = [];
  const leaders = lines.flatMap(({ pieces }) => pieces.flatMap((piece) => leaderPair(piece) ?? []));
  const isContents = leaders.length > 4 && leaders.every(({ value }) => /^[\divxlc]{1,5}$/i.test(value));
  lines.forEach((line, i) => {
    line.pieces.forEach((piece, at) => {
      if (taken.has(piece)) return;
      const isText = runsOn(lines[i + 1], piece) || goesOnFrom(lines[i - 1], piece);
      const own = isText ? [] : colonPairs(piece);
      const leader = isContents ? undefined : leaderPair(piece);
      const found =
        leader ?? besidePair(line, at, taken) ?? wordPair(piece) ?? belowPair(lines, i, piece, taken);
      if (leader === undefined && own.length > 0) pairs.push(...own);
      else if (found) pairs.push(found);
    });
  });
  return pairs.filter(isPair);
}

const isPair = ({ key, value }: FoundPair): boolean => !isNoLabel(key) && !isNoValue(value);

/** So many words of running text follow the colon of a sentence. */
const RUNNING_WORDS = 7;

/** Whether a line is filled with text that goes on in the next: a paragraph with a colon in it. */
function runsOn(below: DataLine | undefined, piece: Piece): boolean {
  const next = below?.pieces[0];
  if (!below || !next || below.pieces.length > 1 || below.top - piece.bottom > piece.size * 0.8) return false;
  const colon = piece.words.findIndex(({ text }) => COLON.test(text));
  if (colon < 0 || piece.words.length - colon - 1 < RUNNING_WORDS) return false;
  // The next line begins where this one does, and this one ends at least where the next does.
  const isFilled = Math.abs(next.left - piece.left) < 4 && piece.right > next.right - piece.size * 4;
  const isText = /^\p{Ll}/u.test(next.text) || next.words.length >= RUNNING_WORDS;
  return isFilled && isText && !next.words.some(({ text }) => COLON.test(text));
}

/** Whether a line is filled with text that goes on in this one, whose first words are then no label. */
function goesOnFrom(above: DataLine | undefined, piece: Piece): boolean {
  const before = above?.pieces[0];
  if (!above || !before || above.pieces.length > 1 || piece.top - above.bottom > piece.size * 0.8)
    return false;
  const isFilled = Math.abs(before.left - piece.left) < 4 && before.right > piece.right - piece.size * 4;
  return isFilled && before.words.length >= RUNNING_WORDS && !/[.:：;!?]["”)]?$/u.test(before.text);
}

const isTaken = (taken: Set<Piece>, piece: Piece): true => {
  taken.add(piece);
  return true;
};

function leaderPair(piece: Piece): FoundPair | undefined {
  const match = piece.text.length <= MAX_VALUE_LENGTH ? LEADER.exec(piece.text) : null;
  const key = withoutColon(match?.[1] ?? match?.[3] ?? '');
  const value = (match?.[2] ?? match?.[4] ?? '').trim();
  if (!match || !isLabelShaped(key) || !/[\p{L}\p{Nd}]/u.test(value)) return undefined;
  return { key, value, keyArea: piece, valueArea: piece, confidence: 0.85 };
}

/** A label and its code after it, with nothing but a space between: "IBAN DE30 5075 0094", "Invoice no. 4711". */
function wordPair({ words, text }: Piece): FoundPair | undefined {
  if (words.length < 2 || words.length > MOST_WORDS || text.length > MAX_VALUE_LENGTH) return undefined;
  for (let end = Math.min(MOST_LABEL_WORDS, words.length - 1); end > 0; end -= 1) {
    const [label, value] = [pieceOf(words.slice(0, end)), pieceOf(words.slice(end))];
    if (!isWhollyLabel(label.text) || !isCode(value.text)) continue;
    return {
      key: withoutColon(label.text),
      value: value.text,
      keyArea: label,
      valueArea: value,
      confidence: 0.6,
    };
  }
  return undefined;
}

const MOST_WORDS = 10;
const MOST_LABEL_WORDS = 3;

/** Digits, and letters that are no words. */
const isCode = (text: string): boolean =>
  /^[+(#]?[\p{Lu}\p{Nd}]/u.test(text) &&
  (text.match(/\d/g)?.length ?? 0) >= 4 &&
  !/\p{Ll}{2}|\p{L}{6}/u.test(text);

/** "Date: 3 May 2020", and several such after one another: "ID: 12 - Code: 34". */
function colonPairs(piece: Piece): FoundPair[] {
  const parts: Word[][] = [[]];
  piece.words.forEach((word, i) => {
    const isBetween = SEPARATOR.test(word.text) && parts.length < MAX_PARTS && hasLabelAfter(piece.words, i);
    if (isBetween) parts.push([]);
    else parts.at(-1)?.push(word);
  });
  return parts.flatMap((words) => colonPair(words) ?? []);
}

const SEPARATOR = /^[-–—|;•·]$/u;
const MAX_PARTS = 8;
const SENTENCE_WORDS = 12;
const COLON = /[:：]$/u;

/** Whether a few words on a label ends, before another such mark. */
function hasLabelAfter(words: readonly Word[], index: number): boolean {
  const next = words.slice(index + 1, index + 6);
  const end = next.findIndex(({ text }) => COLON.test(text));
  return end >= 0 && !next.slice(0, end).some(({ text }) => SEPARATOR.test(text));
}

function colonPair(words: readonly Word[]): FoundPair | undefined {
  const end = words.findIndex(({ text }) => COLON.test(text));
  if (end < 0 || end === words.length - 1) return undefined;
  const [label, value] = [pieceOf(words.slice(0, end + 1)), pieceOf(words.slice(end + 1))];
  const isBracketed = /^\([^)]*$/.test(label.text) && /\)$/.test(value.text);
  const key = withoutColon(isBracketed ? label.text.slice(1) : label.text);
  if (!isLabelShaped(key) || !isValueShaped(value.text) || COLON.test(value.text)) return undefined;
  // A sentence may have a colon too.
  if (!isKnownLabel(key) && (/^\p{Ll}/u.test(key) || value.words.length > SENTENCE_WORDS)) return undefined;
  return {
    key,
    value: isBracketed ? value.text.slice(0, -1) : value.text,
    keyArea: label,
    valueArea: value,
    confidence: sureness(key, value.text, 0.75),
  };
}

/** Pairs within the cells of a table: there only a colon tells. */
export const pairsInCells = (lines: readonly DataLine[]): FoundPair[] =>
  lines
    .flatMap(({ pieces }) => pieces.flatMap(colonPairs))
    .filter(isPair)
    .map((pair) => ({ ...pair, confidence: pair.confidence - 0.1 }));

/** The label and the value stand apart on one line. */
function besidePair(line: DataLine, at: number, taken: Set<Piece>): FoundPair | undefined {
  const [piece, next] = [line.pieces[at], line.pieces[at + 1]];
  if (!piece || !next || taken.has(next)) return undefined;
  const hasColon = /[:：]$/u.test(piece.text);
  const key = withoutColon(piece.text);
  const isLabel = hasColon ? isLabelShaped(key) : isKnownLabel(key) || isNumbered(key);
  if (!isLabel || isOwnLabel(next.text) || !isValueShaped(next.text)) return undefined;
  // Without a colon only what is plainly a value: heads stand beside each other too.
  if (!hasColon && (!isPlainValue(next.text) || isLineNumber(next.text))) return undefined;
  if (!hasColon && (isHeadBeside(next.text) || isBareYear(next.text, key) || isPlaceName(key)))
    return undefined;
  isTaken(taken, next);
  return {
    key,
    value: next.text,
    keyArea: piece,
    valueArea: next,
    confidence: hasColon ? sureness(key, next.text, 0.85) : 0.7,
  };
}

/** "Identifying number (see page 8)" beside "Last name": two heads of a form. */
const isHeadBeside = (text: string): boolean => isKnownLabel(text.replace(/\s*\([^)]*\)\.?$/u, ''));

/** A name of several words, one of which happens to name values too: "Gaza & West Bank". */
const isPlaceName = (key: string): boolean => /\s[&+]\s/.test(key) && !/:$/.test(key);

/** The value stands right under its label, beginning at the same place. */
function belowPair(
  lines: readonly DataLine[],
  index: number,
  piece: Piece,
  taken: Set<Piece>,
): FoundPair | undefined {
  const hasColon = /[:：]$/u.test(piece.text);
  const key = withoutColon(piece.text);
  const below = lines[index + 1];
  if (!below || below.top - piece.bottom > piece.size * 1.2) return undefined;
  const value = below.pieces.find(({ left }) => Math.abs(left - piece.left) < 4);
  if (!value || taken.has(value) || isOwnLabel(value.text) || !isValueShaped(value.text)) return undefined;
  if (!(hasColon ? isLabelShaped(key) : isKnownLabel(key)) || isKnownLabel(value.text)) return undefined;
  if (!hasColon && (!isPlainValue(value.text) || isLineNumber(value.text))) return undefined;
  // Under a label of a table's column more values follow.
  const next = lines[index + 2]?.pieces.find(({ left }) => Math.abs(left - piece.left) < 4);
  if (!hasColon && next && isPlainValue(next.text) && lines[index + 2]?.pieces.length === below.pieces.length)
    return undefined;
  isTaken(taken, value);
  return {
    key,
    value: value.text,
    keyArea: piece,
    valueArea: value,
    confidence: hasColon ? sureness(key, value.text, 0.65) : 0.6,
  };
}

/** Another label, whose value is not this. */
const isOwnLabel = (text: string): boolean => /[:：]$/u.test(text) || /^[\p{L} .]{2,30}[:：]\s\S/u.test(text);

const isValueShaped = (text: string): boolean =>
  text.length <= MAX_VALUE_LENGTH && /[\p{L}\p{Nd}]/u.test(text) && !/^[_.\s]+$/.test(text);

/** Forms number their lines. */
const isLineNumber = (text: string): boolean => /^\(?\d{1,2}[a-z]?[.)]?$/.test(text);

/** A number, a date, an amount, a code, an address of mail or the web. */
export const isPlainValue = (text: string): boolean =>
  text.length <= 60 &&
  (amountOf(text) !== undefined ||
    datesIn(text).length > 0 ||
    /^[^\s@]+@[^\s@]+\.\p{L}+$/u.test(text) ||
    (/\d/.test(text) && text.split(' ').length <= 6));

const sureness = (key: string, value: string, plain: number): number =>
  Math.min(0.95, plain + (isKnownLabel(key) ? 0.1 : 0) + (isPlainValue(value) ? 0.05 : 0));
