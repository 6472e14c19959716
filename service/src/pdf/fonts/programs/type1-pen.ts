// What the program of a Type 1 outline draws, step by step.

export type Point = readonly [x: number, y: number];
/** Where a stem begins, and how wide it is. */
export type Stem = readonly [edge: number, width: number];

export interface Stems {
  horizontal: Stem[];
  vertical: Stem[];
}

export type Step =
  | { kind: 'move' | 'line' | 'curve'; points: readonly Point[] }
  /** Two curves that may be drawn as a line where they are flatter than `height`. */
  | { kind: 'flex'; points: readonly Point[]; height: number }
  /** From here on these stems are to be kept even. */
  | { kind: 'stems'; stems: Stems };

export interface Outline {
  width: number;
  steps: readonly Step[];
}

/** Where the second of the two curves of a flex ends: a point of reference comes before them. */
const FLEX_MOVES = 7;
/** Numbers that were divided are not exact. */
const SAME_POINT = 0.01;

export class Type1Pen {
  readonly steps: Step[] = [];
  width: number | undefined;
  private at: Point = [0, 0];
  private offset: Point = [0, 0];
  /** The left side of the glyph, from which its stems are measured. */
  private side: Point = [0, 0];
  private stems: Stems = { horizontal: [], vertical: [] };
  private flex: Point[] | undefined;
  private isOpen = false;
  private isMoved = false;
  private hasFlexed = false;

  /** Begins a glyph, of which another one may be a part: the first one tells the width. */
  begin(side: Point, width: number): void {
    this.width ??= width;
    this.side = [side[0] + this.offset[0], side[1] + this.offset[1]];
    this.at = this.side;
    this.renewStems();
  }

  /** What comes now is a part of the glyph. */
  place(offset: Point): void {
    this.offset = offset;
    this.isOpen = false;
    this.isMoved = false;
  }

  get sideBearing(): number {
    return this.side[0];
  }

  renewStems(): void {
    this.stems = { horizontal: [], vertical: [] };
    this.steps.push({ kind: 'stems', stems: this.stems });
  }

  stem(direction: keyof Stems, edges: readonly number[]): void {
    const from = this.side[direction === 'vertical' ? 0 : 1];
    for (let index = 0; index + 1 < edges.length; index += 2)
      this.stems[direction].push([from + (edges[index] ?? 0), edges[index + 1] ?? 0]);
  }

  move(dx: number, dy: number): void {
    this.at = [this.at[0] + dx, this.at[1] + dy];
    if (this.flex) this.flex.push(this.at);
    else {
      this.isMoved = true;
      this.isOpen = false;
    }
  }

  line(dx: number, dy: number): void {
    this.draw('line', [dx, dy]);
  }

  curve(...deltas: number[]): void {
    this.draw('curve', deltas);
  }

  close(): void {
    if (this.flex) throw new RangeError('a flex is not ended');
    this.isOpen = false;
  }

  beginFlex(): void {
    if (this.flex) throw new RangeError('a flex within a flex');
    this.start();
    this.flex = [];
  }

  endFlex(height: number): void {
    if (this.flex?.length !== FLEX_MOVES) throw new RangeError('a flex of other than two curves');
    this.steps.push({ kind: 'flex', points: this.flex.slice(1), height });
    this.flex = undefined;
    this.hasFlexed = true;
  }

  /** Allowed for after a flex only, and at the point that is reached. */
  confirm(x: number, y: number): void {
    const away = Math.hypot(x + this.offset[0] - this.at[0], y + this.offset[1] - this.at[1]);
    if (!this.hasFlexed || away > SAME_POINT) throw new RangeError('the point is set anew');
    this.hasFlexed = false;
  }

  private draw(kind: 'line' | 'curve', deltas: readonly number[]): void {
    if (this.flex) throw new RangeError('a flex is not ended');
    this.start();
    const points: Point[] = [];
    for (let index = 0; index < deltas.length; index += 2) {
      this.at = [this.at[0] + (deltas[index] ?? 0), this.at[1] + (deltas[index + 1] ?? 0)];
      points.push(this.at);
    }
    this.steps.push({ kind, points });
  }

  private start(): void {
    if (this.isOpen) return;
    if (!this.isMoved) throw new RangeError('readers differ in where this begins');
    this.steps.push({ kind: 'move', points: [this.at] });
    this.isMoved = false;
    this.isOpen = true;
  }
}
