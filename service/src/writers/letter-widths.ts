// How wide text is in the fonts that stand in for those of a document, and how much wider or narrower it was drawn.
import { computeOnce } from '../contract/maps.ts';
import type { Block, Flow, LaidOutDocument, Line, TextStyle } from '../layout/model.ts';
import { nearestStandard, type StandardFont } from '../pdf/fonts/standard-fonts.ts';
import { familyFor } from './font-families.ts';

/** Characters that the tables do not know, in sizes. */
const WIDE_CHARACTER = 1;
const OTHER_CHARACTER = 0.56;
export const CJK = /[\u1100-\u11ff\u2e80-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60]/;
/** So many letters tell how wide a font is; of fewer, whatever there is. */
const ENOUGH = 150;
const SHORTEST = 8;
/** Lines that fill their column are stretched: those below the middle less so. */
const LITTLE_STRETCHED = 0.35;
/** Beyond these bounds something else was measured. */
const [NARROWEST, WIDEST] = [0.7, 1.35];
const MAX_SAMPLES = 4000;

interface Sample {
  ratio: number;
  letters: number;
}

interface Samples {
  free: Sample[];
  filled: Sample[];
  /** Of those that are free, of all, and how many it takes to tell anything. */
  letters: number;
  all: number;
  least: number;
}

/** By how much letters of each look are wider than those that stand in for them; where there is enough text, of each
 * size as well. */
export function measureLetterRatios({ pages }: Pick<LaidOutDocument, 'pages'>): Map<string, number> {
  const samples = new Map<string, Samples>();
  for (const { blocks } of pages) for (const block of blocks) gather(block, samples);
  const known = [...samples].filter(([, { all, least }]) => all >= least);
  return new Map(known.map(([key, found]) => [key, ratioOf(found)]));
}

export const lookKey = ({ font, bold, italic, monospace }: TextStyle): string =>
  `${bold} ${italic} ${monospace} ${font}`;

export const sizeKey = (style: TextStyle): string => `${style.size.toFixed(1)} ${lookKey(style)}`;

const STANDARD_NAMES = {
  times: ['Times-Roman', 'Times-Bold', 'Times-Italic', 'Times-BoldItalic'],
  helvetica: ['Helvetica', 'Helvetica-Bold', 'Helvetica-Oblique', 'Helvetica-BoldOblique'],
  courier: ['Courier', 'Courier-Bold', 'Courier-Oblique', 'Courier-BoldOblique'],
} as const;

const fonts = new WeakMap<TextStyle, StandardFont>();

function standardFor(style: TextStyle): StandardFont {
  let font = fonts.get(style);
  if (!font) {
    const names = STANDARD_NAMES[familyFor(style).widths];
    font = nearestStandard(names[(style.bold ? 1 : 0) + (style.italic ? 2 : 0)] ?? 'Times-Roman');
    fonts.set(style, font);
  }
  return font;
}

export function naturalWidth(text: string, style: TextStyle): number {
  const font = standardFor(style);
  let width = 0;
  for (const character of text)
    width +=
      font.width(character) ??
      (CJK.test(character) ? WIDE_CHARACTER : /\p{M}/u.test(character) ? 0 : OTHER_CHARACTER);
  return width * style.size;
}

function gather(block: Block, samples: Map<string, Samples>): void {
  if (block.kind === 'paragraph' || block.kind === 'heading') gatherFlow(block, samples);
  else if (block.kind === 'code') for (const line of block.lines) take(line, 'free', samples);
  else for (const inner of innerBlocks(block)) gather(inner, samples);
}

export function innerBlocks(block: Block): readonly Block[] {
  if (block.kind === 'list') return block.items.flatMap(({ blocks }) => blocks);
  if (block.kind !== 'table') return [];
  return block.rows.flatMap(({ cells }) => cells.flatMap(({ blocks }) => blocks));
}

function gatherFlow({ lines }: Pick<Flow, 'lines'>, samples: Map<string, Samples>): void {
  for (const [i, line] of lines.entries()) take(line, i === lines.length - 1 ? 'free' : 'filled', samples);
}

function take(
  { runs, box, turn, stops }: Line,
  kind: 'free' | 'filled',
  samples: Map<string, Samples>,
): void {
  const [first] = runs;
  // Wide gaps in a line are no part of its letters.
  if (!first || turn !== 0 || stops || runs.some(({ style }) => style !== first.style)) return;
  const text = runs.map((run) => run.text).join('');
  if (text.length < SHORTEST || /[^\u0020-\u024f\u2010-\u2026]/.test(text)) return;
  const natural = naturalWidth(text, first.style);
  if (natural <= 0) return;
  const sample = { ratio: box.width / natural, letters: text.length };
  add(sample, kind, samples, lookKey(first.style), 0);
  add(sample, kind, samples, sizeKey(first.style), ENOUGH);
}

function add(
  sample: Sample,
  kind: 'free' | 'filled',
  samples: Map<string, Samples>,
  key: string,
  least: number,
): void {
  const found = computeOnce(samples, key, () => ({ free: [], filled: [], letters: 0, all: 0, least }));
  if (found[kind].length >= MAX_SAMPLES) return;
  found[kind].push(sample);
  found.all += sample.letters;
  if (kind === 'free') found.letters += sample.letters;
}

function ratioOf({ free, filled, letters }: Samples): number {
  const ratio =
    letters >= ENOUGH || filled.length === 0
      ? quantile(free, 0.5)
      : quantile([...free, ...filled], LITTLE_STRETCHED);
  return Math.min(WIDEST, Math.max(NARROWEST, ratio));
}

/** By letters: longer lines say more. */
function quantile(samples: readonly Sample[], part: number): number {
  const sorted = samples.toSorted((a, b) => a.ratio - b.ratio);
  const half = sorted.reduce((sum, { letters }) => sum + letters, 0) * part;
  let seen = 0;
  for (const { ratio, letters } of sorted) {
    seen += letters;
    if (seen >= half) return ratio;
  }
  return 1;
}
