// How wide text comes out in the font it will be set in, and by how much that font must be stretched or narrowed to
// stand as wide as the one it replaces.
import type { Block, Flow, LaidOutDocument, Line, Run, TextStyle } from '../layout/model.ts';
import { nearestStandard, type StandardFont } from '../pdf/text/standard-fonts.ts';
import { type Family, familyFor, surely } from './font-families.ts';

/** Signs that the tables do not know, in sizes. */
const WIDE_SIGN = 1;
const OTHER_SIGN = 0.56;
const CJK = /[\u1100-\u11ff\u2e80-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60]/;
/** So many letters tell how wide a font is; of fewer, whatever there is. */
const ENOUGH = 150;
const SHORTEST = 8;
/** Lines that fill their column are stretched: those below the middle less so. */
const LITTLE_STRETCHED = 0.35;
/** Fonts so alike are left as they are; beyond these bounds something else was measured. */
const ALIKE = 0.015;
const [NARROWEST, WIDEST] = [0.7, 1.35];
/** A font that another machine may lack comes out wider there. */
const UNSURE = 1.12;
const MAX_SAMPLES = 4000;

interface Sample {
  ratio: number;
  letters: number;
}

interface Samples {
  free: Sample[];
  filled: Sample[];
  letters: number;
}

export class Letters {
  private readonly ratios = new Map<string, number>();
  private readonly exchanged: ReadonlySet<string>;
  private readonly widened = new WeakMap<TextStyle, number>();
  private readonly pieces = new WeakMap<readonly Run[], Piece[]>();

  constructor({ pages }: Pick<LaidOutDocument, 'pages'>) {
    const samples = new Map<string, Samples>();
    for (const { blocks } of pages) for (const block of blocks) gather(block, samples);
    for (const [key, found] of samples) this.ratios.set(key, ratioOf(found));
    this.exchanged = exchangedOf(pages.flatMap(({ blocks }) => blocks));
  }

  /** The family that text of this look is set in. */
  familyOf(style: Pick<TextStyle, 'font' | 'monospace' | 'serif'>): Family {
    const family = familyFor(style);
    return this.exchanged.has(family.name) ? surely(family) : family;
  }

  /** What the letters are to be stretched by, as a part of their width. */
  scaleOf(style: TextStyle): number {
    if (this.familyOf(style).sure !== 'known') return 1;
    const ratio = this.ratios.get(lookKey(style)) ?? 1;
    return Math.abs(ratio - 1) < ALIKE ? 1 : Math.round(ratio * 100) / 100;
  }

  /** In points. */
  widthOf(text: string, style: TextStyle): number {
    let ratio = this.widened.get(style);
    if (ratio === undefined) {
      ratio = this.widening(style);
      this.widened.set(style, ratio);
    }
    return naturalWidth(text, style) * ratio;
  }

  private widening(style: TextStyle): number {
    const { sure } = this.familyOf(style);
    if (sure === 'known') return this.scaleOf(style);
    return (this.ratios.get(lookKey(style)) ?? 1) * (sure === 'alike' ? 1 : UNSURE);
  }

  /** The width of everything on one line. */
  lengthOf(runs: readonly Run[]): number {
    return runs.reduce((sum, { text, style }) => sum + this.widthOf(text, style), 0);
  }

  /** On how many lines of this width the text will stand, in letters of this part of their size. */
  lineCount(runs: readonly Run[], width: number, { first = 0, size = 1 } = {}): number {
    // Kerning, which is not counted, leaves a little more room.
    const room = (Math.max(4, width) * KERNED) / size;
    let [lines, left, pending] = [1, room - first / size, 0];
    for (const { width: wide, space, ends } of this.piecesOf(runs)) {
      if (wide > left - pending && left < room) {
        lines += 1;
        left = room;
        pending = 0;
      }
      left -= pending + wide;
      pending = space;
      // A word longer than the line is broken anywhere.
      for (; left < 0 && lines < MAX_LINES; left += room) lines += 1;
      if (ends) [lines, left, pending] = [lines + 1, room, 0];
    }
    return lines;
  }

  private piecesOf(runs: readonly Run[]): Piece[] {
    let pieces = this.pieces.get(runs);
    if (!pieces) {
      pieces = this.takeApart(runs);
      this.pieces.set(runs, pieces);
    }
    return pieces;
  }

  private takeApart(runs: readonly Run[]): Piece[] {
    const pieces: Piece[] = [];
    let open: Piece | undefined;
    for (const { text, style } of runs) {
      for (const [part] of text.matchAll(PARTS)) {
        if (/^\s/.test(part)) {
          open ??= push(pieces);
          open.space += part === '\n' ? 0 : this.widthOf(part.replace(/\t/g, '    '), style);
          if (part === '\n') open.ends = true;
          open = undefined;
          continue;
        }
        open ??= push(pieces);
        open.width += this.widthOf(part, style);
        if (/[-\u2010\u2013\u2014/]$/.test(part) || CJK.test(part)) open = undefined;
      }
    }
    return pieces;
  }
}

const MAX_LINES = 100_000;
const KERNED = 1.002;

/** What is not broken, with the space behind it. */
interface Piece {
  width: number;
  space: number;
  /** The line ends here whatever follows. */
  ends: boolean;
}

function push(pieces: Piece[]): Piece {
  const piece = { width: 0, space: 0, ends: false };
  pieces.push(piece);
  return piece;
}

/** Spaces, single signs of writing without spaces, and pieces of words that may be parted behind a hyphen. */
const PARTS =
  /\n|[^\S\n]+|[\u1100-\u11ff\u2e80-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60]|[^\s\u1100-\u11ff\u2e80-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60]+?(?:[-\u2010\u2013\u2014/](?=\p{L})|(?=[\s\u1100-\u11ff\u2e80-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60]|$))/gu;

const lookKey = ({ font, bold, italic, monospace }: TextStyle): string =>
  `${bold} ${italic} ${monospace} ${font}`;

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

function naturalWidth(text: string, style: TextStyle): number {
  const font = standardFor(style);
  let width = 0;
  for (const sign of text)
    width += font.width(sign) ?? (CJK.test(sign) ? WIDE_SIGN : /\p{M}/u.test(sign) ? 0 : OTHER_SIGN);
  return width * style.size;
}

/** So much of a document's text in one family is running text. */
const RUNNING = 0.1;

/** Families that may be missing are kept for headings: a page of running text would not hold what stood on it. */
function exchangedOf(blocks: readonly Block[]): Set<string> {
  const letters = new Map<string, number>();
  let all = 0;
  const count = (block: Block): void => {
    for (const inner of within(block)) count(inner);
    const lines = 'lines' in block ? block.lines : [];
    for (const { text, style } of lines.flatMap(({ runs }) => runs)) {
      const { name, sure } = familyFor(style);
      all += text.length;
      if (sure === 'no') letters.set(name, (letters.get(name) ?? 0) + text.length);
    }
  };
  for (const block of blocks) count(block);
  return new Set([...letters].filter(([, own]) => own > all * RUNNING).map(([name]) => name));
}

function gather(block: Block, samples: Map<string, Samples>): void {
  if (block.kind === 'paragraph' || block.kind === 'heading') gatherFlow(block, samples);
  else if (block.kind === 'code') for (const line of block.lines) take(line, 'free', samples);
  else for (const inner of within(block)) gather(inner, samples);
}

function within(block: Block): readonly Block[] {
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
  const key = lookKey(first.style);
  const found = samples.get(key) ?? { free: [], filled: [], letters: 0 };
  samples.set(key, found);
  if (found[kind].length >= MAX_SAMPLES) return;
  found[kind].push({ ratio: box.width / natural, letters: text.length });
  if (kind === 'free') found.letters += text.length;
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
