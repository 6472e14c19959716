// How wide text comes out in the font it will be set in, and by how much that font must be stretched or narrowed to
// stand as wide as the one it replaces.
import { computeOnce } from '../contract/maps.ts';
import type { Block, LaidOutDocument, Run, TextStyle } from '../layout/model.ts';
import { type Family, familyFor, substituteFamily } from './font-families.ts';
import { CJK, innerBlocks, lookKey, measureLetterRatios, naturalWidth, sizeKey } from './letter-widths.ts';

/** Fonts so alike are left as they are. */
const ALIKE = 0.006;
/** A font that another machine may lack comes out wider there. */
const UNSURE = 1.12;

export class Letters {
  private readonly ratios: ReadonlyMap<string, number>;
  private readonly exchanged: ReadonlySet<string>;
  private readonly widened = new WeakMap<TextStyle, number>();
  private readonly pieces = new WeakMap<readonly Run[], Piece[]>();

  private readonly sizes: number;

  /** `sizes` is how many sizes there are to a point. */
  constructor({ pages }: Pick<LaidOutDocument, 'pages'>, { sizes = 2 } = {}) {
    this.sizes = sizes;
    this.ratios = measureLetterRatios({ pages });
    this.exchanged = exchangedOf(pages.flatMap(({ blocks }) => blocks));
  }

  /** The family that text of this look is set in. */
  familyOf(style: Pick<TextStyle, 'font' | 'monospace' | 'serif'>): Family {
    const family = familyFor(style);
    return this.exchanged.has(family.name) ? substituteFamily(family) : family;
  }

  /** What the letters are to be stretched by, as a part of their width. */
  scaleOf(style: TextStyle): number {
    if (this.familyOf(style).sure !== 'known') return 1;
    const ratio = this.ratioOf(style) / this.rounding(style);
    return Math.abs(ratio - 1) < ALIKE ? 1 : Math.round(ratio * 100) / 100;
  }

  /** Fonts may be drawn wider in one size than in another. */
  private ratioOf(style: TextStyle): number {
    return this.ratios.get(sizeKey(style)) ?? this.ratios.get(lookKey(style)) ?? 1;
  }

  /** By how much letters are larger than they were because there is no such size. */
  private rounding({ size }: TextStyle): number {
    return size < 1 ? 1 : Math.round(size * this.sizes) / (size * this.sizes);
  }

  /** In points. */
  widthOf(text: string, style: TextStyle): number {
    const ratio = computeOnce(this.widened, style, () => this.widening(style));
    return naturalWidth(text, style) * ratio;
  }

  private widening(style: TextStyle): number {
    const { sure } = this.familyOf(style);
    if (sure === 'known') return this.scaleOf(style) * this.rounding(style);
    return this.ratioOf(style) * (sure === 'alike' ? 1 : UNSURE);
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
    return computeOnce(this.pieces, runs, () => this.takeApart(runs));
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

/** Spaces, single characters of writing without spaces, and pieces of words that may be parted behind a hyphen. */
const PARTS =
  /\n|[^\S\n]+|[\u1100-\u11ff\u2e80-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60]|[^\s\u1100-\u11ff\u2e80-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60]+?(?:[-\u2010\u2013\u2014/](?=\p{L})|(?=[\s\u1100-\u11ff\u2e80-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60]|$))/gu;

/** So much of a document's text in one family is running text. */
const RUNNING = 0.1;

/** Families that may be missing are kept for headings: a page of running text would not hold what stood on it. */
function exchangedOf(blocks: readonly Block[]): Set<string> {
  const letters = new Map<string, number>();
  let all = 0;
  const count = (block: Block): void => {
    for (const inner of innerBlocks(block)) count(inner);
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
