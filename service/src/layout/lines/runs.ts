// Words to runs: text in one style, with its links; lines to flowing text, hyphens at line ends joined.

import type { Box, Line, LinkTarget, Run, TextStyle } from '../model.ts';
import type { PageLink } from '../page-items.ts';
import type { Word } from '../words/word.ts';
import { isSpaceBetween, wordsAsRead } from './line-text.ts';
import type { TextLine } from './text-lines.ts';

/** What is needed to write lines of one page. */
export interface PageContext {
  links: readonly PageLink[];
  turn: number;
  /** From where the writing stands upright to the page. */
  back(box: Box): Box;
}

/** Raised or lowered by more than this part of the size. */
const RAISED = 0.18;
const SMALL = 0.87;

export function lineRuns(line: TextLine, { links }: Pick<PageContext, 'links'>): Run[] {
  const runs: Run[] = [];
  let before: Word | undefined;
  for (const word of wordsAsRead(line)) {
    const style = styleIn(word, line);
    const link = links.length > 0 ? linkAt(word.box, links) : undefined;
    const space = before && isSpaceBetween(before, word) ? ' ' : '';
    if (word.formula) appendFormula(runs, space, word, style);
    else append(runs, space, word.text, style, link);
    before = word;
  }
  return runs;
}

export function buildModelLine(line: TextLine, page: PageContext): Line {
  const stops = page.turn === 0 ? stopsOf(line) : [];
  return {
    runs: lineRuns(line, page),
    box: page.back(line.box),
    turn: page.turn,
    direction: line.direction,
    ...(stops.length > 0 ? { stops } : {}),
  };
}

/** Narrower gaps, in parts of the size, are spaces. */
const STOP = 1.8;

function stopsOf({ words, parts, size }: TextLine): { at: number; x: number }[] {
  if (!parts || words.some(({ direction }) => direction === 'rtl')) return [];
  const stops: { at: number; x: number }[] = [];
  let at = 0;
  for (const [i, word] of words.entries()) {
    const before = words[i - 1];
    if (before && isSpaceBetween(before, word)) at += 1;
    if (before && parts.includes(i) && word.box.x - before.box.x - before.box.width > STOP * size)
      stops.push({ at, x: word.box.x });
    at += word.text.length;
  }
  return stops;
}

/** A formula is a run of its own. */
function appendFormula(runs: Run[], space: string, { text, formula }: Word, style: TextStyle): void {
  const last = runs.at(-1);
  if (last && space !== '') last.text += space;
  runs.push({ text, style, ...(formula ? { formula } : {}) });
}

function append(runs: Run[], space: string, text: string, style: TextStyle, link?: LinkTarget): void {
  const last = runs.at(-1);
  if (last && !last.formula && isSameLook(last.style, style) && isSameTarget(last.link, link)) {
    last.text += space + text;
    return;
  }
  // The space between two styles belongs to the first: links and emphasis begin with a word.
  if (last) last.text += space;
  runs.push(link ? { text, style, link } : { text, style });
}

const raisedStyles = new WeakMap<TextStyle, Partial<Record<'superscript' | 'subscript', TextStyle>>>();

/** The word's style, marked where it is raised or lowered against its line. */
function styleIn(word: Word, line: TextLine): TextStyle {
  if (word.style.size > line.size * SMALL) return word.style;
  const rise = line.baseline - word.baseline;
  if (Math.abs(rise) < line.size * RAISED) return word.style;
  const position = rise > 0 ? 'superscript' : 'subscript';
  const known = raisedStyles.get(word.style) ?? {};
  raisedStyles.set(word.style, known);
  known[position] ??= { ...word.style, position };
  return known[position];
}

function linkAt({ x, y, width, height }: Box, links: readonly PageLink[]): LinkTarget | undefined {
  const [middle, level] = [x + width / 2, y + height / 2];
  return links.find(
    ({ box }) =>
      middle >= box.x && middle <= box.x + box.width && level >= box.y && level <= box.y + box.height,
  )?.target;
}

export const isSameLook = (a: TextStyle, b: TextStyle): boolean =>
  a === b ||
  (a.font === b.font &&
    Math.abs(a.size - b.size) < 0.3 &&
    a.bold === b.bold &&
    a.italic === b.italic &&
    a.monospace === b.monospace &&
    a.color === b.color &&
    a.underline === b.underline &&
    a.strike === b.strike &&
    a.position === b.position);

export function isSameTarget(a: LinkTarget | undefined, b: LinkTarget | undefined): boolean {
  if (a === b) return true;
  if (!a || !b) return false;
  return 'url' in a ? 'url' in b && a.url === b.url : 'page' in b && a.page === b.page;
}

export const runsText = (runs: readonly Run[]): string => runs.map(({ text }) => text).join('');

/** Writing that needs no space between words. */
const CJK = /[\u2e80-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/;
const HYPHENS = /[-\u2010\u00ad]$/;

/** Lines joined: a word parted at a line end is whole again, unless its hyphen is its own. */
export function joinRuns(lines: readonly (readonly Run[])[], compounds: ReadonlySet<string>): Run[] {
  const joined: Run[] = [];
  for (const line of lines) {
    const first = line[0];
    if (!first) continue;
    const last = joined.at(-1);
    if (last) last.text = endOfLine(last.text, first.text, compounds);
    for (const run of line) {
      const before = joined.at(-1);
      if (
        before &&
        !before.formula &&
        !run.formula &&
        isSameLook(before.style, run.style) &&
        isSameTarget(before.link, run.link) &&
        before.note === run.note
      )
        before.text += run.text;
      else joined.push({ ...run });
    }
  }
  // Dots that lead to a page number say nothing to a reader of running text.
  for (const run of joined)
    if (run.text.includes('..') || run.text.includes('. . .'))
      run.text = run.text.replace(/\s*(?:[.\u2026]\s?){4,}\s*/g, ' … ');
  return joined;
}

function endOfLine(text: string, next: string, compounds: ReadonlySet<string>): string {
  if (HYPHENS.test(text) && /^\p{L}/u.test(next) && /\p{L}[-\u2010\u00ad]$/u.test(text)) {
    const left = /[\p{L}\p{M}'’-]*$/u.exec(text.slice(0, -1))?.[0] ?? '';
    const right = /^[\p{L}\p{M}'’-]*/u.exec(next)?.[0] ?? '';
    if (isCompound(left.toLowerCase(), right.toLowerCase(), compounds)) return text;
    if (/^\p{Ll}/u.test(right) || text.endsWith('\u00ad')) return text.slice(0, -1);
    return text;
  }
  if (/\s$/.test(text) || /^\s/.test(next)) return text;
  if (CJK.test(text.at(-1) ?? '') && CJK.test(next[0] ?? '')) return text;
  // An address broken after a slash, and a dash without spaces (1990–2000), go on.
  if (/[\p{L}\p{N}][\u2012-\u2015]$/u.test(text) && /^[\p{L}\p{N}]/u.test(next)) return text;
  if (/\/$/.test(text) && /^\S*[./]/.test(next) && /:\/\/\S*$/.test(text)) return text;
  return `${text} `;
}

/** Halves shorter than this are words by chance. */
const SHORT_WORD = 4;
/** English words that grow together with the next one: "therefore", "understand". */
const GROWING =
  /^(?:after|ever|every|here|into|more|never|none|over|some|that|then|there|thing|under|what|when|where|with)$/;

/**
 * The document wrote it with this hyphen within a line, or wrote both its halves as words of their own and never the
 * whole ("variable-size").
 */
function isCompound(left: string, right: string, known: ReadonlySet<string>): boolean {
  if (known.has(`${left}-${right}`)) return true;
  const last = left.slice(left.lastIndexOf('-') + 1);
  if (last.length < SHORT_WORD || right.length < SHORT_WORD || GROWING.test(last)) return false;
  return known.has(last) && known.has(right) && !known.has(last + right);
}

/**
 * Gathers words with a hyphen inside a line, whose hyphen is their own, and words as such. What begins or ends a line
 * may be half a word.
 */
export function gatherCompounds(lines: readonly TextLine[], compounds: Set<string>): void {
  for (const { words } of lines) {
    for (let i = 0; i < words.length; i += 1) {
      if (compounds.size >= MAX_WORDS) return;
      const { text } = words[i] as Word;
      if (text.includes('-')) {
        const word = /[\p{L}'’]+(?:-[\p{L}'’]+)+/u.exec(text)?.[0];
        if (word) compounds.add(word.toLowerCase());
      } else if (i > 0 && i < words.length - 1 && text.length >= SHORT_WORD && !words[i + 1]?.glued) {
        const word = text.toLowerCase();
        compounds.add(endsWithLetter(word) ? word : word.replace(/[^\p{L}\p{M}]+$/u, ''));
      }
    }
  }
}

/** As most words do: a small one of the Latin alphabet. */
function endsWithLetter(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0x61 && last <= 0x7a;
}

const MAX_WORDS = 50_000;
