// Where a text stands among the glyphs of a page, so that another can be put there.

import { Glyph } from '../redaction/glyph-list.ts';
import { Terms } from '../redaction/terms.ts';
import { type RunningText, readableTexts } from '../redaction/text-order.ts';
import { twinsOf } from '../redaction/twin-letters.ts';
import type { ListedText, SpokenRange } from './text-listing.ts';
import { isRightToLeft, reversed, type ShownElement } from './written-text.ts';

export interface ReplacedPair {
  find: string;
  replace: string;
}

export interface FindOptions {
  matchCase: boolean;
  wholeWords: boolean;
}

/** A glyph of a page, and the string it belongs to. */
export interface PlacedChar {
  glyph: Glyph;
  element: ShownElement;
  /** Its place in the string. */
  index: number;
}

export interface FoundText {
  /** In reading order. */
  chars: PlacedChar[];
  /** What is to stand there: glyphs that say more than was looked for keep the rest. */
  text: string;
  isRightToLeft: boolean;
}

/** A text of marked content is taken for that of its glyphs up to this many: ligatures and signs, no paragraphs. */
const MAX_SPOKEN = 8;
const NONE: Set<string> = new Set();

export class TextFinder {
  private readonly options: FindOptions;
  private readonly terms: Terms;
  /** Of each term its pair, and whether it is written backwards. */
  private readonly meant: { pair: ReplacedPair; isReversed: boolean }[];

  constructor(pairs: readonly ReplacedPair[], options: FindOptions) {
    this.options = options;
    this.meant = [
      ...pairs.map((pair) => ({ pair, isReversed: false })),
      ...pairs.filter(({ find }) => isRightToLeft(find)).map((pair) => ({ pair, isReversed: true })),
    ];
    const words = this.meant.map(({ pair, isReversed }) => (isReversed ? reversed(pair.find) : pair.find));
    this.terms = new Terms(words, { useRegex: false, wholeWords: options.wholeWords }, 'find');
  }

  /** The places on a page, none sharing a glyph with another. */
  find(listed: ListedText): { found: FoundText[]; chars: PlacedChar[] } {
    const chars = placedChars(listed, new Map());
    const glyphs = chars.map(({ glyph }) => glyph);
    const spoken = spokenTexts(listed);
    const taken = new Set<number>();
    const found: FoundText[] = [];
    // As its glyphs say, then as marked content says in their place.
    for (const each of spoken.size > 0 ? [chars, placedChars(listed, spoken)] : [chars]) {
      const page = { chars, taken, found, spoken: each === chars ? [] : listed.spoken };
      const read = { glyphs: each.map(({ glyph }) => glyph), spans: [], texts: [], names: NONE, data: [] };
      for (const running of readableTexts(read))
        for (const hit of this.hitsIn(running.text)) this.take(running, hit, page);
    }
    const twins = twinsOf(glyphs);
    if (twins.size > 0)
      for (const each of found)
        for (const { glyph } of [...each.chars])
          for (const twin of twins.get(glyph.index) ?? []) {
            const other = chars[twin];
            if (other && !taken.has(twin) && taken.add(twin)) each.chars.push(other);
          }
    return { found, chars };
  }

  /** A text with every place replaced; the same where there is none. */
  replaced(text: string): string {
    let [made, from] = ['', 0];
    for (const { start, end, term } of this.hitsIn(text)) {
      if (start < from) continue;
      made += `${text.slice(from, start)}${this.meant[term]?.pair.replace ?? ''}`;
      from = end;
    }
    return made + text.slice(from);
  }

  private hitsIn(text: string): ReturnType<Terms['find']> {
    const hits = this.terms.find(text).filter(({ start, end, term }) => {
      const { pair, isReversed } = this.meant[term] ?? { pair: undefined, isReversed: false };
      if (!this.options.matchCase || !pair) return true;
      return asWritten(text.slice(start, end)) === asWritten(isReversed ? reversed(pair.find) : pair.find);
    });
    return hits.sort((a, b) => a.start - b.start || b.end - a.end || a.term - b.term);
  }

  private take(
    { text, glyphAt }: RunningText,
    { start, end, term }: ReturnType<Terms['find']>[number],
    page: { chars: PlacedChar[]; taken: Set<number>; found: FoundText[]; spoken: readonly SpokenRange[] },
  ): void {
    const meant = this.meant[term];
    const indexes = [...new Set(glyphAt.slice(start, end).filter((index) => index >= 0))];
    const whole = withSpoken(indexes, page.spoken);
    if (!meant || whole.length === 0 || whole.some((index) => page.taken.has(index))) return;
    for (const index of whole) page.taken.add(index);
    const [first, last] = [glyphAt[start] ?? -1, glyphAt[end - 1] ?? -1];
    let [from, to] = [start, end];
    while (first >= 0 && from > 0 && glyphAt[from - 1] === first) from -= 1;
    while (last >= 0 && to < text.length && glyphAt[to] === last) to += 1;
    const [before, after] = [text.slice(from, start), text.slice(end, to)];
    const kept = meant.isReversed ? [after, before] : [before, after];
    page.found.push({
      chars: whole.flatMap((index) => page.chars[index] ?? []),
      text: `${kept[0]}${meant.pair.replace}${kept[1]}`,
      isRightToLeft: isRightToLeft(meant.pair.find),
    });
  }
}

/** Marked content that is told by one text goes as a whole. */
function withSpoken(indexes: readonly number[], spoken: readonly SpokenRange[]): number[] {
  const ranges = spoken.filter(
    ({ from, to }) => isShort({ from, to }) && indexes.some((index) => index >= from && index < to),
  );
  const whole = new Set(indexes);
  for (const { from, to } of ranges) for (let index = from; index < to; index += 1) whole.add(index);
  return whole.size === indexes.length ? [...indexes] : [...whole].sort((a, b) => a - b);
}

const isShort = ({ from, to }: { from: number; to: number }): boolean => to - from <= MAX_SPOKEN;

/** Of the first glyph; the others say nothing then. */
function spokenTexts({ spoken }: ListedText): Map<number, string> {
  const texts = new Map<number, string>();
  for (const range of spoken) {
    if (!isShort(range) || range.text.length > 4 * MAX_SPOKEN) continue;
    for (let index = range.from; index < range.to; index += 1)
      texts.set(index, index === range.from ? range.text : '');
  }
  return texts;
}

function placedChars({ elements }: ListedText, texts: ReadonlyMap<number, string>): PlacedChar[] {
  const chars: PlacedChar[] = [];
  for (const element of elements) {
    const isVertical = element.state.text.font?.vertical ?? false;
    element.glyphs.forEach(({ text, encoded, isUnknown, placed }, index) => {
      const at = chars.length;
      const said = { text: texts.get(at) ?? text, encoded, isUnknown: isUnknown === true && !texts.has(at) };
      const glyph = new Glyph(placed, isVertical, said, { index: at, raw: '', span: undefined });
      chars.push({ glyph, element, index });
    });
  }
  return chars;
}

/** Case and accents count; how letters are joined, broken and spaced does not. */
const asWritten = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[-\u00ad\u2010\u2011]\s*\n\s*|\p{Cf}/gu, '')
    .replace(/[\u2010\u2011]/gu, '-')
    .replace(/\s+/gu, '');
