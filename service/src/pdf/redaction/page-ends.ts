// Terms that begin at the end of a page and end at the beginning of the next.

import type { Ref } from '../objects.ts';
import type { ContentWork } from './content-work.ts';
import type { Listed } from './glyph-list.ts';
import { type Hit, withTwins } from './hits.ts';
import type { Terms } from './terms.ts';
import { type RunningText, readableTexts } from './text-order.ts';

/** Lines at the edge that may be a page's number or title. */
const RUNNING_LINES = 2;
/** Characters of each page that are looked at. */
const MOST = 1200;

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

function findOverPageEnd(first: Listed, second: Listed, terms: Terms): PageEndHits {
  const found: PageEndHits = { before: [], after: [] };
  const ends = edgesOf(first, endOf);
  const beginnings = edgesOf(second, beginningOf);
  for (const end of ends)
    for (const beginning of beginnings)
      for (const { start, end: to, term } of terms.find(`${end.text}\n${beginning.text}`)) {
        const middle = end.text.length;
        if (start >= middle || to <= middle + 1) continue;
        const before = glyphsIn(end.glyphAt.slice(start));
        const after = glyphsIn(beginning.glyphAt.slice(0, to - middle - 1));
        if (before.size === 0 || after.size === 0) continue;
        found.before.push({ glyphs: before, spans: new Set(), term });
        found.after.push({ glyphs: after, spans: new Set(), term });
      }
  return found;
}

const glyphsIn = (places: readonly number[]): Set<number> => new Set(places.filter((glyph) => glyph >= 0));

/** Each way to read the page, with and without lines at its edge. */
function edgesOf(listed: Listed, edge: (text: RunningText, skipped: number) => Edge): Edge[] {
  const texts = readableTexts({ ...listed, spans: [] });
  const edges = texts.flatMap((text) =>
    Array.from({ length: RUNNING_LINES + 1 }, (_, skipped) => edge(text, skipped)),
  );
  const said = new Set<string>();
  return edges.filter(({ text }) => text !== '' && !said.has(text) && said.add(text));
}

function endOf({ text, glyphAt }: RunningText, skipped: number): Edge {
  let to = text.trimEnd().length;
  for (let line = 0; line < skipped && to > 0; line += 1)
    to = text.slice(0, Math.max(0, text.lastIndexOf('\n', to - 1))).trimEnd().length;
  const from = Math.max(0, to - MOST);
  return { text: text.slice(from, to), glyphAt: glyphAt.slice(from, to) };
}

function beginningOf({ text, glyphAt }: RunningText, skipped: number): Edge {
  let from = text.length - text.trimStart().length;
  for (let line = 0; line < skipped; line += 1) {
    const end = text.indexOf('\n', from);
    from = end === -1 ? text.length : end + 1;
  }
  return { text: text.slice(from, from + MOST), glyphAt: glyphAt.slice(from, from + MOST) };
}

/** Pages one after the other, each with the terms that it shares with its neighbours. */
export class PageLists {
  private readonly work: ContentWork;
  private readonly terms: Terms | undefined;
  private readonly isLeftOut: (index: number) => boolean;
  private held: { index: number; listed: Listed; overEnds: Hit[] } | undefined;

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
    const current =
      this.held?.index === index ? this.held : { index, listed: this.work.listPage(page), overEnds: [] };
    const next = pages[index + 1];
    if (!this.terms || !next || this.isLeftOut(index + 1)) return current;
    const listed = this.work.listPage(next);
    const { before, after } = findOverPageEnd(current.listed, listed, this.terms);
    this.held = { index: index + 1, listed, overEnds: withTwins(after, listed) };
    return { ...current, overEnds: [...current.overEnds, ...withTwins(before, current.listed)] };
  }
}
