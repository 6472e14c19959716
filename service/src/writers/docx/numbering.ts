// Lists in WordprocessingML: markers become numbering where Word would count the same, else they stay text.
import type { List } from '../../layout/model.ts';
import { escapeMarkup } from '../markup.ts';
import { XML_HEAD } from '../ooxml.ts';

interface Level {
  format: 'bullet' | 'decimal' | 'lowerLetter' | 'upperLetter' | 'lowerRoman' | 'upperRoman';
  /** With %N where the number stands. */
  before: string;
  after: string;
  start: number;
}

const MAX_LEVELS = 9;
const INDENT = 18;

export class Numbering {
  private readonly lists: Level[][] = [];

  /** The number of the list and its level; undefined where its markers cannot be counted. */
  add(list: List, depth: number): { id: number; level: number } | undefined {
    const level = levelOf(list);
    if (!level) return undefined;
    const at = Math.min(depth, MAX_LEVELS - 1);
    const levels: Level[] = [];
    levels[at] = level;
    return { id: this.lists.push(levels), level: at };
  }

  xml(): string {
    const abstracts = this.lists.map((levels, index) => {
      const written = Array.from({ length: MAX_LEVELS }, (_, at) => levelXml(levels[at] ?? BULLET, at));
      return (
        `<w:abstractNum w:abstractNumId="${index}"><w:multiLevelType w:val="hybridMultilevel"/>` +
        `${written.join('')}</w:abstractNum>`
      );
    });
    const numbers = this.lists.map(
      (_, index) => `<w:num w:numId="${index + 1}"><w:abstractNumId w:val="${index}"/></w:num>`,
    );
    return (
      `${XML_HEAD}<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">` +
      `${abstracts.join('')}${numbers.join('')}</w:numbering>`
    );
  }
}

const BULLET: Level = { format: 'bullet', before: '•', after: '', start: 1 };

function levelXml({ format, before, after, start }: Level, at: number): string {
  const text = format === 'bullet' ? before : `${before}%${at + 1}${after}`;
  return (
    `<w:lvl w:ilvl="${at}"><w:start w:val="${start}"/><w:numFmt w:val="${format}"/>` +
    `<w:lvlText w:val="${escapeMarkup(text)}"/><w:lvlJc w:val="left"/>` +
    `<w:pPr><w:ind w:left="${(at + 1) * INDENT * 20}" w:hanging="${INDENT * 20}"/></w:pPr></w:lvl>`
  );
}

/** What Word must count to print the markers as they are; undefined where it cannot. */
export function levelOf({ ordered, items }: List): Level | undefined {
  const markers = items.map(({ marker }) => marker.trim());
  const [first = ''] = markers;
  if (!ordered) {
    const isSame = markers.every((marker) => marker === first);
    return isSame && first !== '' && [...first].length <= 2
      ? { format: 'bullet', before: first, after: '', start: 1 }
      : undefined;
  }
  const [, before = '', number = '', after = ''] =
    /^([([]?)([\p{L}\p{N}]+)([.):\]]{0,2})$/u.exec(first) ?? [];
  for (const format of FORMATS) {
    const start = format.read(number);
    if (start === undefined) continue;
    const fits = markers.every(
      (marker, index) => marker === `${before}${format.write(start + index)}${after}`,
    );
    if (fits) return { format: format.name, before, after, start };
  }
  return undefined;
}

interface Format {
  name: Level['format'];
  read(text: string): number | undefined;
  write(number: number): string;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const ROMAN: readonly [number, string][] = [
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];

export function roman(number: number): string {
  let left = Math.max(0, Math.min(number, 399));
  let text = '';
  for (const [value, letters] of ROMAN) for (; left >= value; left -= value) text += letters;
  return text;
}

export function readRoman(text: string): number | undefined {
  if (!/^[ivxlc]{1,9}$/.test(text)) return undefined;
  for (let number = 1; number < 400; number += 1) if (roman(number) === text) return number;
  return undefined;
}

const letter = (number: number): string => LETTERS[number - 1] ?? '?';
const readLetter = (text: string): number | undefined =>
  text.length === 1 && LETTERS.includes(text) ? LETTERS.indexOf(text) + 1 : undefined;

const FORMATS: readonly Format[] = [
  {
    name: 'decimal',
    read: (text) => (/^[1-9]\d{0,4}$|^0$/.test(text) ? Number(text) : undefined),
    write: String,
  },
  // A list that begins with i counts in Roman numbers; one that begins with c or v in letters.
  { name: 'lowerRoman', read: readRoman, write: roman },
  {
    name: 'upperRoman',
    read: (text) => (text === text.toUpperCase() ? readRoman(text.toLowerCase()) : undefined),
    write: (number) => roman(number).toUpperCase(),
  },
  { name: 'lowerLetter', read: readLetter, write: letter },
  {
    name: 'upperLetter',
    read: (text) => (text === text.toUpperCase() ? readLetter(text.toLowerCase()) : undefined),
    write: (number) => letter(number).toUpperCase(),
  },
];
