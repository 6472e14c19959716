// Which paragraphs are headings, and of which level: by size, weight, numbering, outline and tags, seen over the
// whole document.

import type { OutlineItem } from '../../contract/page-items.ts';
import { isDisplayed } from '../formulas/formula.ts';
import { runsText } from '../lines/runs.ts';
import type { Block, Heading, Paragraph, TextStyle } from '../model.ts';
import { type Candidate, lookOf, MUCH_LARGER, withoutLabels } from './heading-labels.ts';
import { type BlockWithMarker, withMarkerText } from './lists.ts';
import { goesOn, isNoHeading, isRow } from './no-headings.ts';
import { authors, terms } from './terms-and-authors.ts';
import { Titles } from './titles.ts';

/** What tags say of a paragraph; 1 to 6 for headings, 0 for anything else, undefined where they say nothing. */
export type TagLevel = (block: Block) => number | undefined;

/** Larger than the text by this factor is a heading's size. */
const LARGER = 1.13;
const MAX_LENGTH = 220;
const MAX_BOLD_LENGTH = 130;
const MAX_LINES = 4;
const LEVELS = 6;
/** Deeper than this only numbers, an outline or tags can tell: looks are too many. */
const LOOK_LEVELS = 4;
/** A larger text of more characters or lines is set large for another reason, unless it is much larger. */
const TITLE_LENGTH = 120;
const TITLE_LINES = 2;
/** Paragraphs this long are running text. */
const RUNNING = 80;
/** The text is written as running text is, where there is this part of it. */
const ENOUGH_RUNNING = 0.15;

/** What a document says of its own headings. */
export interface DocumentWords {
  outline: readonly OutlineItem[];
  title: string | undefined;
  tagLevel: TagLevel;
}

export function markHeadings(
  pages: readonly BlockWithMarker[][],
  { outline, title, tagLevel }: DocumentWords,
): void {
  const body = bodyStyle(pages);
  const titles = new Titles(outline, title);
  const found: (Candidate | undefined)[] = [];
  const turned = new Set(pages.flatMap(findTurnedParagraphs));
  for (const marked of pages.flat()) {
    const block = lineOfCode(marked.block, body) ?? marked.block;
    const tagged = block.kind === 'paragraph' ? tagLevel(block) : undefined;
    const candidate =
      block.kind === 'paragraph' && tagged === undefined && !turned.has(block)
        ? candidateOf(marked, block)
        : undefined;
    found.push(candidate && isHeading(candidate, body, titles) ? candidate : undefined);
    if (tagged && block.kind === 'paragraph' && isShort(block)) become(marked, block, tagged);
  }
  const all = pages.flat();
  for (const at of [...terms(found, all), ...authors(found, all)])
    if (!titles.has(found[at] as Candidate)) found[at] = undefined;
  const candidates = withoutLabels(found, body.size, (candidate) => titles.has(candidate));
  for (const [candidate, level] of levelsOf(candidates, titles))
    become(candidate.marked, candidate.paragraph, level);
}

/** Paragraphs of a page that are written in another direction than most of it: stamps, names of figures. */
export function findTurnedParagraphs(blocks: readonly { block: Block }[]): Paragraph[] {
  const paragraphs = blocks.flatMap(({ block }) => (block.kind === 'paragraph' ? [block] : []));
  const turnOf = ({ lines }: Paragraph): number => lines[0]?.turn ?? 0;
  if (paragraphs.every((paragraph) => turnOf(paragraph) === 0)) return [];
  const lengths = new Map<number, number>();
  for (const paragraph of paragraphs)
    lengths.set(turnOf(paragraph), (lengths.get(turnOf(paragraph)) ?? 0) + lengthOf(paragraph));
  const [main] = [...lengths].toSorted((a, b) => b[1] - a[1])[0] ?? [0];
  return paragraphs.filter((paragraph) => turnOf(paragraph) !== main);
}

/** Tags call whole paragraphs headings to make them bold. */
const isShort = ({ runs }: Paragraph): boolean => runsText(runs).split(/\s+/).length <= MOST_TAGGED_WORDS;

const MOST_TAGGED_WORDS = 50;

/** Manuals name what they describe in the letters of programs, larger than the text. */
function lineOfCode(block: Block, body: BodyStyle): Paragraph | undefined {
  const [line, more] = block.kind === 'code' ? block.lines : [];
  if (!line || more || !line.runs.every(({ style }) => style.size >= body.size * LARGER)) return undefined;
  return {
    kind: 'paragraph',
    page: block.page,
    box: block.box,
    runs: line.runs,
    lines: [line],
    align: 'left',
    direction: line.direction,
    firstLineIndent: 0,
    indent: 0,
    spaceBefore: 0,
  };
}

function become(marked: BlockWithMarker, paragraph: Paragraph, level: number): void {
  // A heading keeps its number as text.
  const whole = marked.marker ? withMarkerText(paragraph, marked.marker) : paragraph;
  const { runs, lines, align, direction, box, page } = whole;
  const heading: Heading = {
    kind: 'heading',
    level: Math.min(LEVELS, Math.max(1, level)) as Heading['level'],
    page,
    box,
    runs,
    lines,
    align,
    direction,
  };
  marked.block = heading;
  marked.marker = undefined;
}

function candidateOf(marked: BlockWithMarker, paragraph: Paragraph): Candidate | undefined {
  if (isDisplayed(paragraph)) return undefined;
  const body = runsText(paragraph.runs).trim();
  const text = marked.marker ? `${marked.marker.text} ${body}` : body;
  if (text.length > MAX_LENGTH || paragraph.lines.length > MAX_LINES || !/\p{L}{2}|\p{Lo}/u.test(text))
    return undefined;
  if (marked.marker && !marked.marker.ordered) return undefined;
  const letters = paragraph.runs.filter((run) => /[\p{L}\p{N}]/u.test(run.text));
  const capitals = /\p{Lu}{4}/u.test(text) && !/\p{Ll}/u.test(text);
  return {
    marked,
    paragraph,
    text,
    // Small capitals are as high as the letters of the text, not as those they begin with.
    size: capitals ? Math.max(...letters.map(({ style }) => style.size)) : (mainStyle(paragraph)?.size ?? 0),
    bold: letters.length > 0 && letters.every(({ style }) => style.bold),
    italic: letters.length > 0 && letters.every(({ style }) => style.italic),
    capitals,
    depth: numberingDepth(text),
  };
}

/** "2.1.3 Results" is three deep; 0 without a number. */
function numberingDepth(text: string): number {
  const number = /^(\d{1,3}(?:\.\d{1,3}){0,5})\.?\s+\p{L}/u.exec(text)?.[1];
  if (number) return number.split('.').length;
  return /^(?:chapter|part|appendix|section|kapitel|teil|chapitre)\s+[\dIVXLA-Z]+\b/i.test(text) ? 1 : 0;
}

/** Programs, functions and files are named in letters of one width. */
const isName = ({ runs }: Paragraph): boolean => runs[0]?.style.monospace === true;

function isHeading(candidate: Candidate, body: BodyStyle, titles: Titles): boolean {
  const { marked, text, size, bold, italic, capitals, paragraph, depth } = candidate;
  // An entry of a table of contents says what the heading says.
  if (/ … ?\d*$/.test(text)) return false;
  if (titles.has(candidate) && (size >= body.size * 0.98 || bold)) return true;
  if (isNoHeading(text) || isRow(paragraph, size >= body.size * MUCH_LARGER) || goesOn(paragraph))
    return false;
  if (size >= body.size * LARGER) {
    const sentence = /[.!?]$/.test(text) && text.length > 60 && depth === 0;
    return (
      !(sentence || text.length > TITLE_LENGTH || paragraph.lines.length > TITLE_LINES) ||
      size >= body.size * MUCH_LARGER
    );
  }
  if (bold && PART_OF_PAPER.test(text) && size >= body.size * SMALLEST) return true;
  if (size < body.size * 0.95 || text.length > MAX_BOLD_LENGTH || paragraph.lines.length > 2) return false;
  if (/[.:!?]$/.test(text) && depth === 0) return false;
  if (!/^[\p{Lu}\p{N}\p{Lo}"“«(¿¡]/u.test(text) && !(bold && isName(paragraph))) return false;
  if (bold && !body.bold) return true;
  const isApart = italic || paragraph.spaceBefore > size * 0.6;
  const isNumbered =
    depth > 1 || (italic && marked.marker !== undefined && paragraph.spaceBefore > size * 0.6);
  if (isNumbered && isApart && paragraph.lines.length === 1 && !/[.:!?]$/.test(text)) return true;
  return capitals && text.length >= 5 && paragraph.spaceBefore > size * 0.4 && !body.capitals;
}

/** Over a part that is set smaller than the text. */
const PART_OF_PAPER =
  /^(?:abstract|summary|zusammenfassung|kurzfassung|résumé|resumen|sommario|riassunto|references|bibliography|literatur(?:verzeichnis)?|аннотация|要旨|摘要)$/iu;
const SMALLEST = 0.75;

/** Levels by rank of look; numbered headings by the depth of their numbers. */
function levelsOf(candidates: readonly Candidate[], titles: Titles): Map<Candidate, number> {
  const ranks = [...new Set(candidates.map(lookOf))].toSorted((a, b) => b - a);
  const rankOf = new Map(ranks.map((key, rank) => [key, rank + 1]));
  const levels = new Map<Candidate, number>();
  for (const candidate of candidates)
    levels.set(candidate, Math.min(LOOK_LEVELS, rankOf.get(lookOf(candidate)) ?? 1));
  const numbered = candidates.filter(({ depth }) => depth > 0);
  const first = numbered.filter(({ depth }) => depth === 1).map((candidate) => levels.get(candidate) ?? 1);
  if (numbered.length >= 3 && first.length > 0) {
    const base = first.toSorted((a, b) => a - b)[first.length >> 1] as number;
    for (const candidate of numbered) levels.set(candidate, base + candidate.depth - 1);
  }
  const inOutline = candidates.filter((candidate) => titles.depthOf(candidate));
  if (inOutline.length >= 3)
    for (const candidate of inOutline) levels.set(candidate, titles.depthOf(candidate) ?? 1);
  return levels;
}

export interface BodyStyle {
  size: number;
  bold: boolean;
  capitals: boolean;
}

/** How most of the text is written: running text where there is enough of it, not labels of figures. */
export function bodyStyle(pages: readonly (readonly { block: Block }[])[]): BodyStyle {
  const all = pages.flat().flatMap(({ block }) => (block.kind === 'paragraph' ? [block] : []));
  const running = all.filter((paragraph) => lengthOf(paragraph) >= RUNNING);
  const amount = (paragraphs: readonly Paragraph[]): number =>
    paragraphs.reduce((sum, paragraph) => sum + lengthOf(paragraph), 0);
  return styleOf(amount(running) >= amount(all) * ENOUGH_RUNNING ? running : all);
}

const lengthOf = ({ runs }: Paragraph): number => runs.reduce((sum, { text }) => sum + text.length, 0);

function styleOf(paragraphs: readonly Paragraph[]): BodyStyle {
  const bySize = new Map<number, { all: number; bold: number; capitals: number }>();
  for (const block of paragraphs) {
    for (const { text, style } of block.runs) {
      const size = Math.round(style.size * 2) / 2;
      const count = bySize.get(size) ?? { all: 0, bold: 0, capitals: 0 };
      count.all += text.length;
      if (style.bold) count.bold += text.length;
      if (!/\p{Ll}/u.test(text)) count.capitals += text.length;
      bySize.set(size, count);
    }
  }
  const [main] = [...bySize].toSorted((a, b) => b[1].all - a[1].all);
  if (!main) return { size: 10, bold: false, capitals: false };
  const [size, { all, bold, capitals }] = main;
  return { size, bold: bold > all * 0.6, capitals: capitals > all * 0.6 };
}

/** The style most of a paragraph is written in. */
export function mainStyle({ runs }: Pick<Paragraph, 'runs'>): TextStyle | undefined {
  let best: { style: TextStyle; length: number } | undefined;
  for (const { style, text } of runs)
    if (!best || text.length > best.length) best = { style, length: text.length };
  return best?.style;
}
