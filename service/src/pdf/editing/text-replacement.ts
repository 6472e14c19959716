// Found texts of a page replaced by others, line by line.

import type { PdfDocument } from '../document.ts';
import type { GlyphFonts } from '../fonts/glyph-fonts.ts';
import { cropBox } from '../geometry/boxes.ts';
import { Dict, type Ref } from '../objects.ts';
import type { Glyph } from '../redaction/glyph-list.ts';
import type { ElementEdit, InsertedText } from './element-edit.ts';
import { alongOf, flow, type Line, type LineChange, type LineResult, linesOf } from './line-flow.ts';
import type { FoundText, PlacedChar, TextFinder } from './text-finding.ts';
import { listText } from './text-listing.ts';
import type { ShownElement, TextWriter, WrittenText } from './written-text.ts';

export interface PageReplacement {
  edits: Map<number, ElementEdit>;
  /** What now stands in each place. */
  written: string[];
  /** Of those, how many nobody sees: text over an image of the page. */
  unseen: number;
  /** There is no room, or no font. */
  left: number;
  /** Letters of the page of which nothing says what they mean. */
  unknown: number;
}

/** Text that is neither filled nor stroked. */
const INVISIBLE = 3;
/** Taking one replacement back makes room, or takes some away, for others of its line. */
const MAX_ROUNDS = 8;

/** More are hostile. */
const MAX_DIRECTIONS = 64;

interface RowChange extends LineChange {
  written: WrittenText | undefined;
  text: string;
}

export function replacePage(
  doc: PdfDocument,
  page: Ref,
  tools: { fonts: GlyphFonts; writer: TextWriter; finder: TextFinder },
): PageReplacement {
  const { writer } = tools;
  const listed = listText(doc, page, tools.fonts);
  for (const { state, glyphs } of listed.elements)
    if (state.text.font) for (const glyph of glyphs) writer.codesOf(state.font, state.text.font).see(glyph);
  const { found, chars } = tools.finder.find(listed);
  const unknown = chars.filter(({ glyph }) => glyph.isUnknown).length;
  if (found.length === 0) return { edits: new Map(), written: [], unseen: 0, left: 0, unknown };
  const lines = linesOf(chars);
  const rows = found.flatMap((each, hit) => rowsOf(each, hit, lines, writer));
  const refused = new Set(rows.filter(({ text, written }) => text !== '' && !written).map(({ hit }) => hit));
  const edges = { page: cropBox(doc, doc.dict(page) ?? new Dict()), furthest: furthestText(chars) };
  const results = settled(rows, refused, lines, edges);
  const done = found.filter((_, hit) => !refused.has(hit));
  return {
    edits: editsOf(
      rows.filter(({ hit }) => !refused.has(hit)),
      results,
      chars,
    ),
    written: done.map(({ text }) => text),
    unseen: done.filter(({ chars: own }) => own[0]?.element.state.renderingMode === INVISIBLE).length,
    left: refused.size,
    unknown,
  };
}

/** A found text parted by lines, each with its share of the new one. */
function rowsOf(
  found: FoundText,
  hit: number,
  lines: ReadonlyMap<number, Line>,
  writer: TextWriter,
): RowChange[] {
  const byLine = new Map<Line | undefined, PlacedChar[]>();
  for (const char of found.chars) {
    const line = lines.get(char.glyph.index);
    byLine.set(line, [...(byLine.get(line) ?? []), char]);
  }
  const rows = [...byLine.values()];
  const parts = partedText(
    found.text,
    rows.map(({ length }) => length),
  );
  return rows.map((chars, at): RowChange => {
    const text = parts[at] ?? '';
    const [first] = leftmostFirst(chars);
    const written = first && text !== '' ? writer.write(text, first.element, false, 'replace') : undefined;
    const width = first && written ? (written.advance / 1000) * unitOf(first) : 0;
    return { chars, hit, text, written, width, isRightToLeft: found.isRightToLeft };
  });
}

/** At blanks, so that each line has about as much of it as it had; what cannot be parted stands on the first. */
function partedText(text: string, shares: readonly number[]): string[] {
  const words = text.split(/(?<=\s)(?=\S)/u);
  if (shares.length === 1 || words.length < shares.length) return [text];
  const total = shares.reduce((sum, share) => sum + share, 0);
  const parts: string[] = [];
  let [come, said] = [0, 0];
  shares.forEach((share, at) => {
    come += share / total;
    const isLast = at === shares.length - 1;
    let part = words.shift() ?? '';
    said += part.length;
    while (
      words.length > shares.length - at - 1 &&
      (isLast || said + (words[0]?.length ?? 0) / 2 < come * text.length)
    ) {
      said += words[0]?.length ?? 0;
      part += words.shift();
    }
    parts.push(isLast ? part : part.trimEnd());
  });
  return parts;
}

const leftmostFirst = (chars: readonly PlacedChar[]): PlacedChar[] =>
  [...chars].sort((a, b) => alongOf(a.glyph) - alongOf(b.glyph));

/** What a size of the font is on the page, along the line. */
function unitOf({ element, index }: PlacedChar): number {
  const [a, b, c, d] = element.glyphs[index]?.placed.matrix ?? [0, 0, 0, 0, 0, 0];
  return element.state.text.font?.vertical ? -Math.hypot(c, d) : Math.hypot(a, b);
}

/** Those for which there is no room are taken back until the rest fits. */
function settled(
  rows: readonly RowChange[],
  refused: Set<number>,
  lines: ReadonlyMap<number, Line>,
  edges: Parameters<typeof flow>[2],
): LineResult[] {
  for (let round = 0; ; round += 1) {
    const byLine = new Map<Line, RowChange[]>();
    for (const row of rows) {
      const line = lines.get(row.chars[0]?.glyph.index ?? -1);
      if (!line || refused.has(row.hit)) continue;
      const own = byLine.get(line);
      if (own) own.push(row);
      else byLine.set(line, [row]);
    }
    const results = [...byLine].map(([line, own]) => flow(line, own, edges));
    const failed = results.flatMap((result) => result.refused);
    if (failed.length === 0) return results;
    if (round >= MAX_ROUNDS) for (const { hit } of rows) refused.add(hit);
    for (const { hit } of failed) refused.add(hit);
  }
}

function editsOf(
  rows: readonly RowChange[],
  results: readonly LineResult[],
  chars: readonly PlacedChar[],
): Map<number, ElementEdit> {
  const made = new Map<number, Draft>();
  const draft = (element: ShownElement): Draft => {
    const known = made.get(element.number) ?? {
      element,
      gone: new Set(),
      shifts: new Map(),
      narrowings: new Map(),
      inserted: [],
    };
    made.set(element.number, known);
    return known;
  };
  const places = new Map(results.flatMap((result) => [...result.places]));
  for (const row of rows) {
    for (const { element, index } of row.chars) draft(element).gone.add(index);
    const [first] = leftmostFirst(row.chars);
    const place = places.get(row);
    if (!first || !row.written || !place) continue;
    const start = first.element.glyphs[first.index]?.start ?? 0;
    const at = start + ((place.along - alongOf(first.glyph)) / unitOf(first)) * 1000;
    const { written: text } = row;
    draft(first.element).inserted.push({ before: first.index, at, text, narrowing: place.narrowing });
  }
  for (const { narrowings } of results)
    for (const [index, factor] of narrowings) {
      const char = chars[index];
      if (char) draft(char.element).narrowings.set(char.index, factor);
    }
  for (const { shifts } of results)
    for (const [index, by] of shifts) {
      const char = chars[index];
      if (char && unitOf(char) !== 0) draft(char.element).shifts.set(char.index, (by / unitOf(char)) * 1000);
    }
  return new Map([...made].map(([number, each]) => [number, editOf(each)]));
}

interface Draft {
  element: ShownElement;
  gone: Set<number>;
  shifts: Map<number, number>;
  narrowings: Map<number, number>;
  inserted: InsertedText[];
}

function editOf({ element, gone, shifts, narrowings, inserted }: Draft): ElementEdit {
  return {
    isGone: (glyph) => gone.has(glyph),
    shift: (glyph) => shifts.get(glyph) ?? 0,
    narrowing: (glyph) => narrowings.get(glyph) ?? 1,
    inserted: inserted.sort((a, b) => a.before - b.before),
    ...(gone.size > 0 ? { said: { before: element.text, after: '' } } : {}),
  };
}

/** How far any text of the page reaches along a direction, told once for each. */
function furthestText(chars: readonly PlacedChar[]): (glyph: Glyph, sign: number) => number {
  const known = new Map<string, number>();
  return ({ along }, sign) => {
    const key = `${Math.round(along.x * 100)} ${Math.round(along.y * 100)} ${sign}`;
    let most = known.get(key);
    if (most === undefined) {
      most = Number.NEGATIVE_INFINITY;
      if (known.size >= MAX_DIRECTIONS) return most;
      for (const { glyph } of chars)
        for (const { x, y } of [glyph.origin, glyph.end])
          most = Math.max(most, sign * (x * along.x + y * along.y));
      known.set(key, most);
    }
    return most;
  };
}
