// Ruling lines as they are meant: pieces on one line joined, double lines taken for one.
import type { Area } from './areas.ts';

/** A level line at height `at` from left to right, or an upright one at `at` from top to bottom. */
export interface Ruling {
  at: number;
  from: number;
  to: number;
}

export interface Rulings {
  level: Ruling[];
  upright: Ruling[];
}

/** Lines so near to each other are one line, drawn twice or in pieces. */
const SAME_LINE = 2.5;
/** Pieces of a line so far from each other are still one line. */
const JOINED_GAP = 4;
const MIN_LENGTH = 4;
/** A figure of so many lines is no table, and finding out would take long. */
const MAX_RULES = 60_000;

export function readRulings(level: readonly Ruling[], upright: readonly Ruling[]): Rulings {
  if (level.length + upright.length > MAX_RULES) return { level: [], upright: [] };
  return { level: joinPieces(level), upright: joinPieces(upright) };
}

function joinPieces(drawn: readonly Ruling[]): Ruling[] {
  const pieces = drawn
    .filter(({ at, from, to }) => Number.isFinite(at + from + to))
    .sort((a, b) => a.at - b.at);
  const joined: Ruling[] = [];
  let start = 0;
  for (let i = 1; i <= pieces.length; i += 1) {
    const first = pieces[start];
    const here = pieces[i];
    if (!first || (here && here.at - first.at <= SAME_LINE)) continue;
    joined.push(...joinOnOneLine(pieces.slice(start, i)));
    start = i;
  }
  return joined.filter(({ from, to }) => to - from >= MIN_LENGTH).sort((a, b) => a.at - b.at);
}

function joinOnOneLine(pieces: Ruling[]): Ruling[] {
  pieces.sort((a, b) => a.from - b.from);
  const joined: Ruling[] = [];
  let weight = 0;
  for (const piece of pieces) {
    const last = joined.at(-1);
    const length = piece.to - piece.from;
    if (!last || piece.from - last.to > JOINED_GAP) {
      joined.push({ ...piece });
      weight = length;
      continue;
    }
    weight += length;
    last.at += ((piece.at - last.at) * length) / Math.max(weight, 1e-6);
    last.to = Math.max(last.to, piece.to);
  }
  return joined;
}

/** How much of the way from `from` to `to` is drawn near `at`, as a part of 1. Rulings are sorted by `at`. */
export function drawnPart(rulings: readonly Ruling[], at: number, from: number, to: number): number {
  if (to <= from) return 0;
  let drawn = 0;
  for (let i = firstFrom(rulings, at - SAME_LINE); i < rulings.length; i += 1) {
    const ruling = rulings[i];
    if (!ruling || ruling.at > at + SAME_LINE) break;
    drawn += Math.max(0, Math.min(to, ruling.to) - Math.max(from, ruling.from));
  }
  return drawn / (to - from);
}

function firstFrom(rulings: readonly Ruling[], at: number): number {
  let [low, high] = [0, rulings.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rulings[middle]?.at ?? Infinity) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

const TOUCHING = 3;
/** Comparing every level line with every upright one must stay affordable. */
const MAX_CROSSINGS = 4_000_000;

export interface RuledRegion extends Rulings {
  area: Area;
}

/** Lines that touch each other, together: each group may be a table, a form, a frame or a figure. */
export function ruledRegions({ level, upright }: Rulings): RuledRegion[] {
  if (level.length * upright.length > MAX_CROSSINGS) return [];
  const parent = Array.from({ length: level.length + upright.length }, (_, i) => i);
  const root = (i: number): number => {
    let at = i;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at] ?? at] ?? at;
      at = parent[at] ?? at;
    }
    return at;
  };
  level.forEach((h, i) => {
    upright.forEach((v, j) => {
      const touches =
        v.at >= h.from - TOUCHING &&
        v.at <= h.to + TOUCHING &&
        h.at >= v.from - TOUCHING &&
        h.at <= v.to + TOUCHING;
      if (touches) parent[root(i)] = root(level.length + j);
    });
  });
  const groups = new Map<number, Rulings>();
  const groupOf = (i: number): Rulings => {
    const key = root(i);
    const group = groups.get(key) ?? { level: [], upright: [] };
    groups.set(key, group);
    return group;
  };
  level.forEach((h, i) => {
    groupOf(i).level.push(h);
  });
  upright.forEach((v, j) => {
    groupOf(level.length + j).upright.push(v);
  });
  return [...groups.values()].map((group) => ({ ...group, area: areaOf(group) }));
}

function areaOf({ level, upright }: Rulings): Area {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { at, from, to } of level) {
    [left, right] = [Math.min(left, from), Math.max(right, to)];
    [top, bottom] = [Math.min(top, at), Math.max(bottom, at)];
  }
  for (const { at, from, to } of upright) {
    [left, right] = [Math.min(left, at), Math.max(right, at)];
    [top, bottom] = [Math.min(top, from), Math.max(bottom, to)];
  }
  return { left, right, top, bottom };
}
