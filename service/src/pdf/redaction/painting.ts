// Paths while content is followed: what a box covers of them is cut out when they are painted.

import { type Box, intersection } from '../geometry/boxes.ts';
import type { PdfValue } from '../objects.ts';
import type { Operation } from '../syntax/content-reader.ts';
import { CurrentPath, isConstructing, pathText, withoutInside } from './path-cutting.ts';
import { boundsOf } from './quads.ts';
import type { Follower, RunContext } from './run-context.ts';

const FILLING = new Set(['f', 'F', 'f*', 'B', 'B*', 'b', 'b*']);
const STROKING = new Set(['S', 's', 'B', 'B*', 'b', 'b*']);
const CLOSING = new Set(['s', 'b', 'b*']);
const FILL_COLOURS = new Set(['cs', 'sc', 'g', 'rg', 'k']);
const STROKE_COLOURS = new Set(['CS', 'SC', 'G', 'RG', 'K']);

export class Painting implements Follower {
  private readonly run: RunContext;
  private path = new CurrentPath();
  private start = -1;
  private isWhole = true;
  private clipping = '';

  constructor(run: RunContext) {
    this.run = run;
  }

  follow(operation: Operation): boolean {
    const { operator, operands } = operation;
    if (isConstructing(operator)) {
      if (this.start === -1) this.start = operation.start;
      if (this.run.work.plan) this.path.add(operator, operands, this.run.state.ctm);
      return true;
    }
    if (operator === 'W' || operator === 'W*') {
      this.clipping = operator;
      return true;
    }
    if (operator === 'n' || FILLING.has(operator) || STROKING.has(operator)) {
      this.paint(operation);
      return true;
    }
    if (this.start !== -1) this.isWhole = false;
    return this.colour(operation);
  }

  private colour({ operator, operands }: Operation): boolean {
    const { run } = this;
    if (operator === 'scn')
      run.state = { ...run.state, fillPattern: run.resources.get('Pattern', operands.at(-1)) };
    else if (operator === 'SCN')
      run.state = { ...run.state, strokePattern: run.resources.get('Pattern', operands.at(-1)) };
    else if (FILL_COLOURS.has(operator)) run.state = { ...run.state, fillPattern: undefined };
    else if (STROKE_COLOURS.has(operator)) run.state = { ...run.state, strokePattern: undefined };
    else if (operator === 'sh') this.checkShading(run.resources.get('Shading', operands[0]), run.state.clip);
    else return false;
    return true;
  }

  private paint(operation: Operation): void {
    const { path, start: pathStart, isWhole, clipping } = this;
    this.path = new CurrentPath();
    this.start = -1;
    this.isWhole = true;
    this.clipping = '';
    if (!this.run.work.plan || pathStart === -1) return;
    const { operator } = operation;
    const bounds = boundsOf(path.subpaths.flatMap(({ start, segments }) => [start, ...segments.flat()]));
    if (clipping !== '') {
      const clip = intersection(this.run.state.clip, bounds) ?? { left: 0, bottom: 0, right: 0, top: 0 };
      this.run.state = { ...this.run.state, clip };
    }
    const near = this.run.quadsNear(bounds);
    if (near.length === 0) return;
    const fills = FILLING.has(operator);
    const strokes = STROKING.has(operator);
    if (fills) this.checkPattern(this.run.state.fillPattern, bounds);
    if (strokes) this.checkPattern(this.run.state.strokePattern, bounds);
    const last = path.subpaths.at(-1);
    if (last && CLOSING.has(operator)) last.closed = true;
    const left = withoutInside(path.subpaths, near);
    const filled = left && pathText(left.filled, this.run.state.ctm);
    const stroked = left && pathText(left.stroked, this.run.state.ctm);
    if (!left) return;
    if (!isWhole) this.run.work.unremovable('a path with other operations in it');
    const evenOdd = operator.endsWith('*') ? '*' : '';
    const lines = [
      ...(fills && filled ? [`${filled} f${evenOdd}`] : []),
      ...(strokes && stroked ? [`${stroked} S`] : []),
      ...(clipping !== '' ? [`${filled || '0 0 0 0 re'} ${clipping} n`] : []),
    ];
    this.run.work.touched.paths += 1;
    if (fills || strokes) this.run.marks.loseContent();
    this.run.replaceFrom(pathStart, operation.end, lines.join('\n'));
  }

  /** What a pattern draws under a box cannot be taken out of the pattern alone. */
  private checkPattern(pattern: PdfValue | undefined, bounds: Box): void {
    const dict = this.run.doc.dict(pattern);
    if (!dict) return;
    const seen = intersection(bounds, this.run.state.clip);
    if (!seen || this.run.quadsNear(seen).length === 0) return;
    if (this.run.doc.number(dict.get('PatternType')) === 2) this.checkShading(dict.get('Shading'), seen);
    else if (this.run.work.drawsMore(dict)) this.run.work.unremovable('a pattern with text or pictures');
  }

  /** Meshes may hold a image; gradients hold none. */
  checkShading(shading: PdfValue | undefined, bounds: Box): void {
    const type = this.run.doc.number(this.run.doc.dict(shading)?.get('ShadingType')) ?? 0;
    if (type >= 4 && this.run.quadsNear(bounds).length > 0) this.run.work.unremovable('a mesh of colours');
  }
}
