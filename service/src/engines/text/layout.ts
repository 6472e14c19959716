// Text to lines of placed glyphs.
import type { LaidOutLine, LaidOutText, ShapedCluster, ShapedRun } from '../../pdf/text/drawn-text-shapes.ts';
import { type Direction, levelsOf, resetTrailing, visualOrder } from './bidi.ts';
import type { FontChoice, Region } from './fallback.ts';
import type { Font } from './font.ts';
import { fitLines, linesAskedFor, wordStarts } from './line-breaks.ts';
import { type Cluster, clustersOf, notDrawable, type Run, runsOf } from './runs.ts';
import type { PlacedGlyph, Shaper } from './shaper.ts';

export interface LineOptions {
  size: number;
  direction: Direction;
  maxWidth: number | undefined;
  align: 'start' | 'left' | 'center' | 'right';
  lineHeight: number | undefined;
  /** The field that brought the text: refusals name it. */
  field: string;
}

export interface Fonts {
  shaper: Shaper;
  choice: FontChoice;
  region: Region;
}

interface FlatLine {
  text: string;
  runs: ShapedRun[];
  width: number;
  rightToLeft: boolean;
}

const LANGUAGES: Record<Region, string> = { JP: 'ja', KR: 'ko', SC: 'zh-hans', TC: 'zh-hant' };
/** Letters this far beyond a run may still join with it. */
const CONTEXT = 8;
/** Order and joining were settled before; as text these say nothing. */
const ORDER_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export function layOut(text: string, options: LineOptions, fonts: Fonts): LaidOutText {
  const lines = linesAskedFor(text).flatMap((line) => paragraph(line, options, fonts));
  return stack(lines, options, fonts.choice.base());
}

function paragraph(text: string, options: LineOptions, fonts: Fonts): FlatLine[] {
  const clusters = clustersOf(text, fonts.choice, options.field);
  const levels = levelsOf(text, options.direction);
  const rightToLeft = levels.paragraphLevel % 2 === 1;
  return wrapped(text, clusters, levels.levels, options, fonts).map(([first, end]) => {
    const part = clusters.slice(first, end);
    const from = part[0]?.start ?? 0;
    const to = part.at(-1)?.end ?? from;
    const ordered = visualOrder(runsOf(part, resetTrailing(text, from, to, levels)));
    const runs = ordered.map((run) => shapeRun(text, run, options, fonts));
    const width = runs.reduce((sum, run) => sum + run.width, 0);
    return { text: text.slice(from, to), runs, width, rightToLeft };
  });
}

function wrapped(
  text: string,
  clusters: readonly Cluster[],
  levels: Uint8Array,
  { maxWidth, size }: LineOptions,
  fonts: Fonts,
): [number, number][] {
  if (maxWidth === undefined || clusters.length === 0) return [[0, clusters.length]];
  const widthAt = new Float64Array(text.length);
  for (const run of runsOf(clusters, levels)) {
    const scale = size / run.font.unitsPerEm;
    for (const { index, advance } of shape(text, run, fonts)) {
      widthAt[index] = (widthAt[index] ?? 0) + advance * scale;
    }
  }
  const widths = clusters.map(({ start, end }) =>
    widthAt.subarray(start, end).reduce((sum, each) => sum + each, 0),
  );
  return fitLines(clusters, widths, maxWidth, wordStarts(text, clusters));
}

function shape(text: string, run: Run, { shaper, region }: Fonts): PlacedGlyph[] {
  const from = Math.max(0, run.start - CONTEXT);
  const glyphs = shaper.shape(run.font, {
    text: text.slice(from, run.end + CONTEXT),
    start: run.start - from,
    end: run.end - from,
    rightToLeft: run.level % 2 === 1,
    language: LANGUAGES[region],
  });
  for (const glyph of glyphs) glyph.index += from;
  return glyphs;
}

function shapeRun(text: string, run: Run, { size, field }: LineOptions, fonts: Fonts): ShapedRun {
  const glyphs = shape(text, run, fonts);
  const clusters = clustersOfGlyphs(text, run, glyphs);
  const undrawn = clusters.filter((cluster) => cluster.glyphs.some(({ id }) => id === 0));
  if (undrawn.length > 0)
    throw notDrawable(
      undrawn.map((cluster) => cluster.text),
      fonts.choice,
      field,
    );
  const units = glyphs.reduce((sum, { advance }) => sum + advance, 0);
  return {
    font: run.font,
    rightToLeft: run.level % 2 === 1,
    clusters,
    width: (units * size) / run.font.unitsPerEm,
  };
}

/** Groups glyphs by the text they stand for: from where their cluster begins to where the next one does. */
function clustersOfGlyphs(text: string, run: Run, glyphs: readonly PlacedGlyph[]): ShapedCluster[] {
  const starts = [...new Set(glyphs.map(({ index }) => index))].sort((a, b) => a - b);
  const endOf = new Map(starts.map((start, at) => [start, starts[at + 1] ?? run.end]));
  const clusters: ShapedCluster[] = [];
  let index = -1;
  for (const { index: own, ...glyph } of glyphs) {
    const last = clusters.at(-1);
    if (last && own === index) last.glyphs.push(glyph);
    else {
      clusters.push({ text: text.slice(own, endOf.get(own)).replace(ORDER_MARKS, ''), glyphs: [glyph] });
    }
    index = own;
  }
  return clusters;
}

function stack(lines: readonly FlatLine[], options: LineOptions, base: Font | undefined): LaidOutText {
  const width = options.maxWidth ?? lines.reduce((widest, line) => Math.max(widest, line.width), 0);
  const measured = lines.map((line) => ({ ...line, ...measures(line.runs, options.size, base) }));
  let down = 0;
  let previous: { descent: number } | undefined;
  const placed = measured.map(({ rightToLeft, ...line }): LaidOutLine => {
    const first = previous === undefined;
    if (options.lineHeight !== undefined && !first) down += options.lineHeight * options.size;
    else down += line.ascent + (previous?.descent ?? 0);
    previous = line;
    return { ...line, x: indent(line.width, width, options.align, rightToLeft), y: -down };
  });
  const height = down + (previous?.descent ?? 0);
  for (const line of placed) line.y += height;
  return { size: options.size, width, height, lines: placed };
}

function measures(
  runs: readonly ShapedRun[],
  size: number,
  base: Font | undefined,
): { ascent: number; descent: number } {
  const fonts = [...new Set([...runs.map(({ font }) => font), ...(base ? [base] : [])])];
  const highest = (of: (font: ShapedRun['font']) => number): number =>
    fonts.reduce((most, font) => Math.max(most, (of(font) * size) / font.unitsPerEm), 0);
  return { ascent: highest((font) => font.ascent), descent: highest((font) => font.descent) };
}

function indent(own: number, width: number, align: LineOptions['align'], rightToLeft: boolean): number {
  const side = align === 'start' ? (rightToLeft ? 'right' : 'left') : align;
  if (side === 'left') return 0;
  return side === 'center' ? (width - own) / 2 : width - own;
}
