// Writes outlines as programs of the kind that CFF fonts hold (Adobe Technical Note 5177): the same steps in fewer
// bytes.
import type { Outline, Point, Stems, Step } from './type1-pen.ts';
import { writePath } from './type2-drawing.ts';
import { type Fixed, toFixed, type2Number } from './type2-numbers.ts';

const OPERATOR = {
  horizontalStems: 1,
  verticalStems: 3,
  end: 14,
  horizontalStemsMasked: 18,
  mask: 19,
  verticalStemsMasked: 23,
} as const;
const FLEX = [12, 35];
const MOVE = { horizontal: 22, vertical: 4, any: 21 } as const;
const MAX_STEMS = 96;
/** As often may stems be exchanged for others within an outline; some ten times are common. */
const MAX_GROUPS = 1000;
/** One operator takes at most 48 numbers, one of which may be the width. */
const STEMS_AT_ONCE = 23;

type FixedStem = readonly [from: Fixed, to: Fixed];

/** The program but for its first number, which tells the width. */
export function writeOutline({ steps }: Outline): Buffer {
  const hints = new Hints(steps);
  const bytes: number[] = [...hints.declaration()];
  let at: readonly [Fixed, Fixed] = [0, 0];
  const deltasTo = (points: readonly Point[]): Fixed[] =>
    points.flatMap(([x, y]) => {
      const from = at;
      at = [toFixed(x), toFixed(y)];
      return [at[0] - from[0], at[1] - from[1]];
    });
  let run: Fixed[][] = [];
  const endRun = (): void => {
    bytes.push(...writePath(run));
    run = [];
  };
  for (const step of withoutIdleStems(steps)) {
    if (step.kind === 'stems') {
      const mask = hints.change(step.stems);
      if (!mask) continue;
      endRun();
      bytes.push(...mask);
      continue;
    }
    const deltas = deltasTo(step.points);
    if (step.kind === 'line' || step.kind === 'curve') {
      run.push(deltas);
      continue;
    }
    endRun();
    bytes.push(...(step.kind === 'flex' ? flexOf(deltas, step.height) : moveOf(deltas)));
  }
  endRun();
  bytes.push(OPERATOR.end);
  return Buffer.from(bytes);
}

function moveOf([dx = 0, dy = 0]: readonly Fixed[]): number[] {
  if (dy === 0) return [...type2Number(dx), MOVE.horizontal];
  if (dx === 0) return [...type2Number(dy), MOVE.vertical];
  return [...type2Number(dx), ...type2Number(dy), MOVE.any];
}

const flexOf = (deltas: readonly Fixed[], height: number): number[] => [
  ...[...deltas, toFixed(height)].flatMap(type2Number),
  ...FLEX,
];

/** Stems that are replaced before anything is drawn count for nothing. */
const withoutIdleStems = (steps: readonly Step[]): Step[] =>
  steps.filter((step, index) => {
    const next = steps[index + 1];
    return step.kind !== 'stems' || (next !== undefined && next.kind !== 'stems');
  });

/** All stems are told at the beginning; masks tell which of them are meant from there on. */
class Hints {
  private readonly horizontal: FixedStem[];
  private readonly vertical: FixedStem[];
  private readonly isMasked: boolean;
  private present = '';

  constructor(steps: readonly Step[]) {
    const groups = withoutIdleStems(steps).flatMap((step) => (step.kind === 'stems' ? [step.stems] : []));
    this.horizontal = sortStems(groups.flatMap(({ horizontal }) => horizontal));
    this.vertical = sortStems(groups.flatMap(({ vertical }) => vertical));
    const count = this.horizontal.length + this.vertical.length;
    if (count > MAX_STEMS || groups.length > MAX_GROUPS) throw new RangeError('too many stems');
    this.isMasked = new Set(groups.map((stems) => this.maskOf(stems).join())).size > 1;
  }

  declaration(): number[] {
    const masked = this.isMasked;
    return [
      ...stemHints(this.horizontal, masked ? OPERATOR.horizontalStemsMasked : OPERATOR.horizontalStems),
      ...stemHints(this.vertical, masked ? OPERATOR.verticalStemsMasked : OPERATOR.verticalStems),
    ];
  }

  /** Undefined where the stems are those that are meant already. */
  change(stems: Stems): number[] | undefined {
    const mask = this.maskOf(stems);
    if (!this.isMasked || mask.join() === this.present) return undefined;
    this.present = mask.join();
    return [OPERATOR.mask, ...mask];
  }

  private maskOf(stems: Stems): number[] {
    const meant = { horizontal: keysOf(stems.horizontal), vertical: keysOf(stems.vertical) };
    const bits = [
      ...this.horizontal.map((stem) => meant.horizontal.has(stem.join())),
      ...this.vertical.map((stem) => meant.vertical.has(stem.join())),
    ];
    const mask = new Array<number>((bits.length + 7) >> 3).fill(0);
    bits.forEach((isMeant, bit) => {
      if (isMeant) mask[bit >> 3] = (mask[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
    });
    return mask;
  }
}

/** Widths of stems that have one edge only. */
const SINGLE_EDGES = [-20, -21];

function fixedStem([edge, width]: Stems['vertical'][number]): FixedStem {
  const [from, to] = [toFixed(edge), toFixed(edge + width)];
  return width >= 0 || SINGLE_EDGES.includes(width) ? [from, to] : [to, from];
}

const keysOf = (stems: Stems['vertical']): Set<string> =>
  new Set(stems.map((stem) => fixedStem(stem).join()));

const sortStems = (stems: Stems['vertical']): FixedStem[] =>
  [...new Map(stems.map((stem) => [fixedStem(stem).join(), fixedStem(stem)])).values()].sort(
    (one, other) => Math.min(...one) - Math.min(...other) || Math.max(...one) - Math.max(...other),
  );

function stemHints(stems: readonly FixedStem[], operator: number): number[] {
  const bytes: number[] = [];
  for (let start = 0; start < stems.length; start += STEMS_AT_ONCE) {
    let last = 0;
    for (const [from, to] of stems.slice(start, start + STEMS_AT_ONCE)) {
      bytes.push(...type2Number(from - last), ...type2Number(to - from));
      last = to;
    }
    bytes.push(operator);
  }
  return bytes;
}
