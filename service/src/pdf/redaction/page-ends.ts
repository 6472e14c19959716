// Terms that begin at the end of a page and end at the beginning of the next.

import type { Ref } from '../objects.ts';
import type { ContentWork } from './content-work.ts';
import type { Listed } from './glyph-list.ts';
import { type Hit, withTwins } from './hits.ts';
import type { Terms } from './terms.ts';
import { type RunningText, readableTexts } from './text-order.ts';

/** Lines at the edge that may be a page's number or title. */
const RUNNING_LINES = 2;
/** Characters of each page that are looked at, besides as many as the longest term has. */
const MORE = 20;

interface Edge {
  text: string;
  glyphAt: number[];
}

interface PageEndHits {
  /** On the first page. */
  before: Hit[];
  /** On the second. */
  after: Hit[];
}

function findOverPageEnd(first: Edges, second: Edges, terms: Terms): PageEndHits {
  const found: PageEndHits = { before: [], after: [] };
  const said = new Set<string>();
  for (const [end, beginning] of pairsOf(first.ends, second.beginnings)) {
    const text = `${end.text}\n${beginning.text}`;
    if (said.has(text)) continue;
    said.add(text);
    for (const { start, end: to, term } of terms.find(text)) {
      const middle = end.text.length;
      if (start >= middle || to <= middle + 1) continue;
      const before = glyphsIn(end.glyphAt.slice(start));
      const after = glyphsIn(beginning.glyphAt.slice(0, to - middle - 1));
      if (before.size === 0 || after.size === 0) continue;
      found.before.push({ glyphs: before, spans: new Set(), term });
      found.after.push({ glyphs: after, spans: new Set(), term });
    }
  }
  return found;
}

/** Both pages read in the same way, with each choice of lines left out. */
function* pairsOf(
  ends: readonly (readonly Edge[])[],
  beginnings: readonly (readonly Edge[])[],
): Generator<[Edge, Edge]> {
  const ways = ends.length === 0 || beginnings.length === 0 ? 0 : Math.max(ends.length, beginnings.length);
  for (let way = 0; way < ways; way += 1)
    for (const end of ends[Math.min(way, ends.length - 1)] ?? [])
      for (const beginning of beginnings[Math.min(way, beginnings.length - 1)] ?? []) yield [end, beginning];
}

const glyphsIn = (places: readonly number[]): Set<number> => new Set(places.filter((glyph) => glyph >= 0));

/** For each way to read the page. */
interface Edges {
  ends: Edge[][];
  beginnings: Edge[][];
}

/** With and without lines at its edge. */
function edgesOf(listed: Listed, most: number): Edges {
  const texts = readableTexts({ ...listed, spans: [] });
  const skips = Array.from({ length: RUNNING_LINES + 1 }, (_, skipped) => skipped);
  const all = (edge: (text: RunningText, skipped: number, most: number) => Edge): Edge[][] =>
    texts.map((text) => skips.map((skipped) => edge(text, skipped, most)).filter((each) => each.text !== ''));
  return { ends: all(endOf), beginnings: all(beginningOf) };
}

function endOf({ text, glyphAt }: RunningText, skipped: number, most: number): Edge {
  let to = text.trimEnd().length;
  for (let line = 0; line < skipped && to > 0; line += 1)
    to = text.slice(0, Math.max(0, text.lastIndexOf('\n', to - 1))).trimEnd().length;
  const from = Math.max(0, to - most);
  return { text: text.slice(from, to), glyphAt: glyphAt.slice(from, to) };
}

function beginningOf({ text, glyphAt }: RunningText, skipped: number, most: number): Edge {
  let from = text.length - text.trimStart().length;
  for (let line = 0; line < skipped; line += 1) {
    const end = text.indexOf('\n', from);
    from = end === -1 ? text.length : end + 1;
  }
  return { text: text.slice(from, from + most), glyphAt: glyphAt.slice(from, from + most) };
}

interface Held {
  index: number;
  listed: Listed;
  overEnds: Hit[];
  edges: Edges | undefined;
}

/** Pages one after the other, each with the terms that it shares with its neighbours. */
export class PageLists {
  private readonly work: ContentWork;
  private readonly terms: Terms | undefined;
  private readonly isLeftOut: (index: number) => boolean;
  private held: Held | undefined;

  /** Pages that go as a whole are left out. */
  constructor(
    work: ContentWork,
    { terms, wholePages }: { terms: Terms | undefined; wholePages: ReadonlyMap<number, unknown> },
  ) {
    this.work = work;
    this.terms = terms;
    this.isLeftOut = (index) => wholePages.has(index);
  }

  /** Pages are asked for in their order. */
  of(index: number): { listed: Listed; overEnds: Hit[] } {
    const pages = this.work.doc.pages();
    const page = pages[index] as Ref;
    const current: Held =
      this.held?.index === index
        ? this.held
        : { index, listed: this.work.listPage(page), overEnds: [], edges: undefined };
    const next = pages[index + 1];
    const { terms } = this;
    if (!terms || !next || this.isLeftOut(index + 1)) return current;
    const listed = this.work.listPage(next);
    const most = terms.longest + MORE;
    const edges = edgesOf(listed, most);
    const { before, after } = findOverPageEnd(current.edges ?? edgesOf(current.listed, most), edges, terms);
    this.held = { index: index + 1, listed, overEnds: withTwins(after, listed), edges };
    return { ...current, overEnds: [...current.overEnds, ...withTwins(before, current.listed)] };
  }
}
