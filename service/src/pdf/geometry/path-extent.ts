// How far the current path reaches on the page, from its first operator to the one that paints it.

import type { PdfValue } from '../objects.ts';
import type { Box } from './boxes.ts';
import { type Matrix, transformed } from './matrix.ts';

const FILLING = new Set(['f', 'F', 'f*']);
const STROKING = new Set(['S', 's', 'B', 'B*', 'b', 'b*']);

/** Corners may reach beyond half the line's width; readers let them reach ten times as far. */
const REACH_OF_CORNERS = 5;
const HAIRLINE = 1;
const DUST = 0.01;

/** How many numbers each operator takes, all of them points but those of `re`. */
const CONSTRUCTING: Readonly<Record<string, number>> = { m: 2, l: 2, c: 6, v: 4, y: 4, re: 4, h: 0 };

export class PathExtent {
  private box: Box | undefined;
  private start = -1;
  private isClip = false;
  private isWhole = true;

  /** Whether the operator builds the path or makes it a clip. */
  add(operator: string, operands: readonly PdfValue[], ctm: Matrix, start: number): boolean {
    if (operator === 'W' || operator === 'W*') {
      this.isClip = true;
      return true;
    }
    const count = CONSTRUCTING[operator];
    if (count === undefined || !Object.hasOwn(CONSTRUCTING, operator)) return false;
    if (this.start === -1) this.start = start;
    const numbers = operands.slice(-count).map((each) => (typeof each === 'number' ? each : 0));
    if (operator === 're') {
      const [x = 0, y = 0, width = 0, height = 0] = numbers;
      for (const [px, py] of [
        [x, y],
        [x + width, y],
        [x, y + height],
        [x + width, y + height],
      ] as const)
        this.reachTo(ctm, px, py);
    } else
      for (let at = 0; at + 1 < numbers.length; at += 2)
        this.reachTo(ctm, numbers[at] ?? 0, numbers[at + 1] ?? 0);
    return true;
  }

  /** Another operator stands among those of the path. */
  interrupt(): void {
    if (this.start !== -1) this.isWhole = false;
  }

  isPaint(operator: string): boolean {
    return operator === 'n' || FILLING.has(operator) || STROKING.has(operator);
  }

  /**
   * Ends the path. Tells what it covers when painted; nothing where it must stay, being a clip or painting nothing.
   * `start` is where it can be taken out from, absent where something else stands in it.
   */
  take(operator: string, lineWidth: number): { box: Box; start: number | undefined } | undefined {
    const { box, start, isClip, isWhole } = this;
    this.box = undefined;
    this.start = -1;
    this.isClip = false;
    this.isWhole = true;
    if (!box || isClip || operator === 'n') return undefined;
    const by = STROKING.has(operator) ? Math.max(HAIRLINE, lineWidth * REACH_OF_CORNERS) : DUST;
    return {
      box: { left: box.left - by, bottom: box.bottom - by, right: box.right + by, top: box.top + by },
      start: isWhole ? start : undefined,
    };
  }

  private reachTo(ctm: Matrix, px: number, py: number): void {
    const { x, y } = transformed(ctm, px, py);
    const { box } = this;
    if (!box) {
      this.box = { left: x, bottom: y, right: x, top: y };
      return;
    }
    box.left = Math.min(box.left, x);
    box.bottom = Math.min(box.bottom, y);
    box.right = Math.max(box.right, x);
    box.top = Math.max(box.top, y);
  }
}
