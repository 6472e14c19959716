// Paths while content is followed: what a box covers of them is cut out when they are painted.

import type { PathPainting } from '../content/operators.ts';
import { type Box, intersection } from '../geometry/boxes.ts';
import type { PdfValue } from '../objects.ts';
import type { Operation } from '../syntax/content-reader.ts';
import { pathText, withoutInside } from './path-cutting.ts';
import type { Position, RunContext } from './run-context.ts';

const NOWHERE: Box = { left: 0, bottom: 0, right: 0, top: 0 };

export function paintPath(
  run: RunContext,
  { fills, strokes, closes, evenOdd }: PathPainting,
  operation: Operation,
  { path, state }: Position,
): void {
  const { start, isWhole, clipping, subpaths, bounds = NOWHERE } = path;
  if (start === -1) return;
  if (clipping !== '') state.clip = intersection(state.clip, bounds) ?? NOWHERE;
  const near = run.quadsNear(bounds);
  if (near.length === 0) return;
  if (fills) checkPattern(run, state.fill.pattern?.value, bounds, state.clip);
  if (strokes) checkPattern(run, state.stroke.pattern?.value, bounds, state.clip);
  const last = subpaths.at(-1);
  if (last && closes) last.closed = true;
  const left = withoutInside(subpaths, near);
  if (!left) return;
  const filled = pathText(left.filled, state.ctm);
  const stroked = pathText(left.stroked, state.ctm);
  if (!isWhole) run.work.unremovable('a path with other operations in it');
  const lines = [
    ...(fills && filled ? [`${filled} f${evenOdd ? '*' : ''}`] : []),
    ...(strokes && stroked ? [`${stroked} S`] : []),
    ...(clipping !== '' ? [`${filled || '0 0 0 0 re'} ${clipping} n`] : []),
  ];
  run.work.touched.paths += 1;
  if (fills || strokes) run.marks.loseContent();
  run.replace({ start, end: operation.end }, lines.join('\n'));
}

/** What a pattern draws under a box cannot be taken out of the pattern alone. */
function checkPattern(run: RunContext, pattern: PdfValue | undefined, bounds: Box, clip: Box): void {
  const dict = run.doc.dict(pattern);
  if (!dict) return;
  const seen = intersection(bounds, clip);
  if (!seen || run.quadsNear(seen).length === 0) return;
  if (run.doc.number(dict.get('PatternType')) === 2) paintShading(run, dict.get('Shading'), seen);
  else if (run.work.drawsMore(dict)) run.work.unremovable('a pattern with text or pictures');
}

/** Meshes may hold an image; gradients hold none. */
export function paintShading(run: RunContext, shading: PdfValue | undefined, bounds: Box): void {
  const type = run.doc.number(run.doc.dict(shading)?.get('ShadingType')) ?? 0;
  if (type >= 4 && run.quadsNear(bounds).length > 0) run.work.unremovable('a mesh of colours');
}
