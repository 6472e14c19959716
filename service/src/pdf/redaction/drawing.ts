// What content draws that stands elsewhere: forms, images, the groups of soft masks.

import type { Box } from '../geometry/boxes.ts';
import { Dict, Name, Ref } from '../objects.ts';
import type { Operation } from '../syntax/content-reader.ts';
import { addInlineImage } from './inline-images.ts';
import { boundsOf, type Quad, quadContains, quadThrough } from './quads.ts';
import type { Position, RunContext } from './run-context.ts';

const UNIT: Box = { left: 0, bottom: 0, right: 1, top: 1 };

export class Drawing {
  private readonly run: RunContext;

  constructor(run: RunContext) {
    this.run = run;
  }

  useGraphicsState(entries: Dict, operation: Operation, at: Position): void {
    const mask = this.run.doc.dict(entries.get('SMask'));
    const group = mask?.get('G');
    if (!mask || !(group instanceof Ref)) return;
    const made = this.run.work.form(group, at.form(group));
    if (made === group) return;
    // Without its group a mask lets everything through; that shows less than was there only outside the box.
    const changed = new Dict(entries);
    if (made) changed.set('SMask', new Dict(mask).set('G', made) as Dict);
    else changed.delete('SMask');
    const key = this.run.exchangeResource('ExtGState', operation.operands[0], this.run.doc.add(changed));
    this.run.resources.unuse('ExtGState', operation.operands[0]);
    this.run.replace(operation, `${key} gs`);
  }

  /** `made` stands in the place of what is named: the same, a copy without something, or nothing. */
  draw(operation: Operation, ref: Ref, made: Ref | undefined): void {
    if (made === ref) this.keepDrawing(operation, ref);
    else if (!made) this.run.lose(operation);
    else {
      this.run.marks.loseContent();
      this.run.replace(operation, `${this.run.exchangeResource('XObject', operation.operands[0], made)} Do`);
    }
  }

  private keepDrawing(operation: Operation, ref: Ref): void {
    const [key] = operation.operands;
    if (key instanceof Name) this.run.names.add(key.value);
    if (this.run.isSecretName(key))
      this.run.replace(operation, `${this.run.exchangeResource('XObject', key, ref)} Do`);
    else this.run.resources.use('XObject', key);
  }

  drawInline(dict: Dict, operation: Operation, at: Position): void {
    this.run.resources.useInImage(dict);
    const { data } = operation;
    const held = data && at.bytes.subarray(data.start, data.end);
    if (held) this.run.work.listData(held);
    if (this.nearUnit(at).length === 0) {
      const cleaned = held && this.run.work.plan?.cleanedData?.(held);
      if (data && cleaned) this.run.replaceBytes(data, cleaned);
      return;
    }
    const ref = addInlineImage(this.run.doc, at.bytes, operation, this.run.resources.category('ColorSpace'));
    const made = this.imageWithout(ref, at);
    if (made === ref) return;
    if (!made) {
      this.run.lose(operation);
      return;
    }
    this.run.marks.loseContent();
    this.run.replace(operation, `${this.run.exchangeResource('XObject', new Name('Image'), made)} Do`);
  }

  private nearUnit({ state }: Position): Quad[] {
    return this.run.quadsNear(boundsOf(quadThrough(state.ctm, UNIT)));
  }

  /** The image itself where no box touches it, another without what is under boxes, or none. */
  imageWithout(ref: Ref, at: Position): Ref | undefined {
    const near = this.nearUnit(at);
    if (near.length === 0) return ref;
    const corners = quadThrough(at.state.ctm, UNIT);
    if (near.some((quad) => quadContains(quad, corners))) {
      this.run.work.touched.images += 1;
      this.run.work.replaced.add(ref.key);
      return undefined;
    }
    return this.run.work.image(ref, at.state.ctm, near);
  }
}
