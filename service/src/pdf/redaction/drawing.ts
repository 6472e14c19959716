// What content draws that stands elsewhere: forms, images, the groups of soft masks.

import { type Box, boxOf, intersection } from '../geometry/boxes.ts';
import { matrixOf, product } from '../geometry/matrix.ts';
import { Dict, Name, Ref, Stream } from '../objects.ts';
import type { Operation } from '../syntax/content-reader.ts';
import { addInlineImage } from './inline-images.ts';
import { boundsOf, type Quad, quadContains, quadThrough } from './quads.ts';
import type { Follower, RunContext } from './run-context.ts';

const UNIT: Box = { left: 0, bottom: 0, right: 1, top: 1 };

export class Drawing implements Follower {
  private readonly run: RunContext;

  constructor(run: RunContext) {
    this.run = run;
  }

  follow(operation: Operation): boolean {
    if (operation.operator === 'Do') this.draw(operation);
    else if (operation.operator === 'BI') this.drawInline(operation);
    else if (operation.operator === 'gs') this.useGraphicsState(operation);
    else return false;
    return true;
  }

  private useGraphicsState(operation: Operation): void {
    const held = this.run.resources.get('ExtGState', operation.operands[0]);
    const entries = this.run.doc.dict(held);
    const [font, size] = this.run.doc.array(entries?.get('Font')) ?? [];
    if (font !== undefined) this.run.setFont(font, this.run.doc.number(size) ?? 0);
    const mask = this.run.doc.dict(entries?.get('SMask'));
    const group = mask?.get('G');
    if (!entries || !mask || !(group instanceof Ref)) return;
    const made = this.drawForm(group, this.run.doc.dict(group) ?? new Dict());
    if (made === group) return;
    // Without its group a mask lets everything through; that shows less than was there only outside the box.
    const changed = new Dict(entries);
    if (made) changed.set('SMask', new Dict(mask).set('G', made) as Dict);
    else changed.delete('SMask');
    const key = this.run.exchanged('ExtGState', operation.operands[0], this.run.doc.add(changed));
    this.run.resources.unuse('ExtGState', operation.operands[0]);
    this.run.replace(operation, `${key} gs`);
  }

  private draw(operation: Operation): void {
    const [key] = operation.operands;
    const ref = this.run.resources.get('XObject', key);
    const drawn = this.run.doc.resolve(ref);
    if (!(ref instanceof Ref) || !(drawn instanceof Stream)) return;
    if (this.run.doc.name(drawn.dict.get('Subtype')) !== 'Form') {
      this.drawImage(operation, ref);
      return;
    }
    const made = this.drawForm(ref, drawn.dict);
    if (made === ref) this.keepDrawing(operation, ref);
    else if (!made) this.run.lose(operation);
    else {
      this.run.marks.loseContent();
      this.run.replace(operation, `${this.run.exchanged('XObject', key, made)} Do`);
    }
  }

  private keepDrawing(operation: Operation, ref: Ref): void {
    const [key] = operation.operands;
    if (key instanceof Name) this.run.names.add(key.value);
    if (key instanceof Name && this.run.work.plan?.isSecretName?.(key.value))
      this.run.replace(operation, `${this.run.exchanged('XObject', key, ref)} Do`);
    else this.run.resources.use('XObject', key);
  }

  private drawForm(ref: Ref, dict: Dict): Ref | undefined {
    const ctm = product(matrixOf(this.run.doc, dict.get('Matrix')), this.run.state.ctm);
    const bbox = boxOf(this.run.doc, dict.get('BBox') ?? null);
    const box = bbox && boundsOf(quadThrough(ctm, bbox));
    const clip = box ? (intersection(this.run.state.clip, box) ?? this.run.state.clip) : this.run.state.clip;
    return this.run.work.form(
      ref,
      this.run.resources.all,
      { ...this.run.state, ctm, clip },
      this.run.depth + 1,
    );
  }

  private drawImage(operation: Operation, ref: Ref): void {
    const [key] = operation.operands;
    const made = this.imageWithout(ref);
    if (made === ref) this.keepDrawing(operation, ref);
    else if (!made) this.run.lose(operation);
    else {
      this.run.marks.loseContent();
      this.run.replace(operation, `${this.run.exchanged('XObject', key, made)} Do`);
    }
  }

  private drawInline(operation: Operation): void {
    const { data } = operation;
    const held = data && this.run.bytes.subarray(data.start, data.end);
    if (held) this.run.work.listData(held);
    if (this.nearUnit().length === 0) {
      const cleaned = held && this.run.work.plan?.cleanedData?.(held);
      if (data && cleaned) this.run.replaceBytes(data, cleaned);
      return;
    }
    const ref = addInlineImage(
      this.run.doc,
      this.run.bytes,
      operation,
      this.run.resources.category('ColorSpace'),
    );
    const made = this.imageWithout(ref);
    if (made === ref) return;
    if (!made) {
      this.run.lose(operation);
      return;
    }
    this.run.marks.loseContent();
    this.run.replace(operation, `${this.run.exchanged('XObject', new Name('Image'), made)} Do`);
  }

  private nearUnit(): Quad[] {
    const bounds = boundsOf(quadThrough(this.run.state.ctm, UNIT));
    return this.run.quadsNear(bounds);
  }

  /** The image itself where no box touches it, another without what is under boxes, or none. */
  private imageWithout(ref: Ref): Ref | undefined {
    const near = this.nearUnit();
    if (near.length === 0) return ref;
    const corners = quadThrough(this.run.state.ctm, UNIT);
    if (near.some((quad) => quadContains(quad, corners))) {
      this.run.work.touched.images += 1;
      this.run.work.replaced.add(ref.key);
      return undefined;
    }
    return this.run.work.image(ref, this.run.state.ctm, near);
  }
}
