// Where terms stand among characters, and the boxes that cover them.
import type { Glyph, Listed } from './glyph-list.ts';
import { indexOf } from './quad-index.ts';
import { between, centreOf, contains, coverage, padQuad, type Quad, quadAround } from './quads.ts';
import { STEP, wholeSteps } from './remaining-text.ts';
import type { Terms } from './terms.ts';
import { type RunningText, readableTexts, runningTexts } from './text-order.ts';
import { twinsOf } from './twin-letters.ts';

/** One place of a term. */
export interface Hit {
  glyphs: Set<number>;
  spans: Set<number>;
  term: number;
}

/** In bytes that may mean anything shorter words are found by chance. */
const LEAST_RAW = 4;

export function findHits(listed: Listed, terms: Terms): Hit[] {
  const hits = runningTexts(listed).flatMap((running) => hitsIn(running, listed, terms));
  return hits.length === 0 ? hits : withTwins(hits, listed);
}

/** Whether a term may stand among letters of which nothing says what they mean. */
export const mayHideTerm = (listed: Listed, terms: Terms): boolean =>
  listed.glyphs.some(({ isUnknown, span }) => isUnknown && span === undefined) &&
  readableTexts(listed).some(({ text }) => terms.mayStandAmongUnknown(text));

/** What is drawn over a letter goes with it. */
export function withTwins(hits: Hit[], { glyphs }: Listed): Hit[] {
  const twins = twinsOf(glyphs);
  if (twins.size > 0)
    for (const hit of hits)
      for (const glyph of [...hit.glyphs]) for (const twin of twins.get(glyph) ?? []) hit.glyphs.add(twin);
  return hits;
}

function hitsIn({ text, glyphAt, spanAt, isRaw, isHit }: RunningText, listed: Listed, terms: Terms): Hit[] {
  return terms.find(text).flatMap(({ start, end, term }) => {
    if (isRaw && end - start < LEAST_RAW) return [];
    if (isHit && !isHit(start, end)) return [];
    const glyphs = new Set(glyphAt.slice(start, end).filter((index) => index >= 0));
    const spans = new Set(spanAt?.slice(start, end).filter((span) => span >= 0));
    if (spans.size > 0)
      for (const { index, span } of listed.glyphs)
        if (span !== undefined && spans.has(span)) glyphs.add(index);
    return glyphs.size + spans.size > 0 ? [{ glyphs, spans, term }] : [];
  });
}

/** Hits that share a character are one: the same place found in several ways. */
export function mergeHits(hits: readonly Hit[]): Hit[] {
  const owner = new Map<string, Hit>();
  const left = new Set<Hit>();
  for (const { glyphs, spans, term } of hits) {
    const keys = [...[...glyphs].map((glyph) => `g${glyph}`), ...[...spans].map((span) => `s${span}`)];
    const shared = new Set(keys.flatMap((key) => owner.get(key) ?? []));
    const hit: Hit = { glyphs: new Set(glyphs), spans: new Set(spans), term };
    for (const other of shared) {
      for (const glyph of other.glyphs) hit.glyphs.add(glyph);
      for (const span of other.spans) hit.spans.add(span);
      left.delete(other);
    }
    for (const glyph of hit.glyphs) owner.set(`g${glyph}`, hit);
    for (const span of hit.spans) owner.set(`s${span}`, hit);
    left.add(hit);
  }
  return [...left];
}

/** Wider gaps than this many sizes part a box in two. */
const WIDEST_GAP = 3;
const SAME_LINE = 0.5;

/** Where a term stands on one line. */
export interface HitBox {
  /** Around its characters. */
  exact: Quad;
  /** As it is drawn: shorter by less than a step, so that its length does not tell the width of a word. */
  drawn: Quad;
  /** Longer by less than a step: what lines and images lose. */
  cut: Quad;
}

/** One box for each line that the hit stands on. */
export function boxesOf(hit: Hit, glyphs: readonly Glyph[], padding: number): HitBox[] {
  const rows: Glyph[][] = [];
  const members = [...hit.glyphs].flatMap((index) => glyphs[index] ?? []);
  members.sort((a, b) => acrossOf(b) - acrossOf(a) || alongOf(a) - alongOf(b));
  for (const glyph of members) {
    const row = rows.find(([first]) => first !== undefined && isSameLine(first, glyph));
    if (row) row.push(glyph);
    else rows.push([glyph]);
  }
  return rows
    .flatMap((row) => splitAtGaps(row.sort((a, b) => alongOf(a) - alongOf(b))))
    .map((row) => boxOf(row, padding));
}

function boxOf(row: readonly Glyph[], padding: number): HitBox {
  const quad = quadAround(
    row.flatMap((glyph) => [...glyph.quad]),
    (row[0] as Glyph).along,
  );
  const length = Math.hypot(quad[1].x - quad[0].x, quad[1].y - quad[0].y);
  const step = STEP * Math.max(...row.map(({ size }) => size), 1e-6);
  const longer = wholeSteps(length, step);
  return {
    exact: padQuad(quad, padding),
    drawn: padQuad(
      withLength(quad, length, longer > length ? Math.max(step, longer - step) : longer),
      padding,
    ),
    cut: padQuad(withLength(quad, length, longer), padding),
  };
}

function withLength(quad: Quad, length: number, wanted: number): Quad {
  if (length < 1e-9) return quad;
  const share = wanted / length;
  return [quad[0], between(quad[0], quad[1], share), between(quad[3], quad[2], share), quad[3]];
}

const alongOf = ({ origin, along }: Glyph): number => origin.x * along.x + origin.y * along.y;
const acrossOf = ({ origin, along }: Glyph): number => origin.y * along.x - origin.x * along.y;

const isSameLine = (a: Glyph, b: Glyph): boolean =>
  a.along.x * b.along.x + a.along.y * b.along.y > 0.98 &&
  Math.abs(acrossOf(a) - acrossOf(b)) <= SAME_LINE * Math.max(a.size, b.size);

function splitAtGaps(row: readonly Glyph[]): Glyph[][] {
  const parts: Glyph[][] = [];
  for (const glyph of row) {
    const part = parts.at(-1);
    const before = part?.at(-1);
    const gap = before ? alongOf(glyph) - reachOf(before) : Infinity;
    if (part && gap <= WIDEST_GAP * glyph.size) part.push(glyph);
    else parts.push([glyph]);
  }
  return parts;
}

const reachOf = ({ end, along }: Glyph): number => end.x * along.x + end.y * along.y;

/** A character is under a box when this much of it is. */
export const UNDER = 0.25;
/** The second attempt takes whatever a box touches. */
export const TOUCHED = 0.001;

/** Letters drawn twice to look bold go together. */
export function glyphsUnder(glyphs: readonly Glyph[], quads: readonly Quad[], least: number): Set<number> {
  const under = new Set<number>();
  const boxes = indexOf(quads);
  for (const glyph of glyphs) {
    if (boxes.near(glyph.surroundings).some((quad) => coverage(glyph.quad, quad) >= least))
      under.add(glyph.index);
  }
  const twins = under.size > 0 ? twinsOf(glyphs) : undefined;
  if (twins && twins.size > 0)
    for (const glyph of [...under]) for (const twin of twins.get(glyph) ?? []) under.add(twin);
  return under;
}

/** Characters whose middle is under a box; blanks apart. */
export function countUnder(glyphs: readonly Glyph[], quads: readonly Quad[]): number {
  const boxes = indexOf(quads);
  return glyphs.filter(
    (glyph) =>
      (glyph.text ?? glyph.raw).trim() !== '' &&
      boxes.near(glyph.surroundings).some((quad) => contains(quad, centreOf(glyph.quad))),
  ).length;
}
