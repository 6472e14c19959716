// Content followed operation by operation: all is copied as it stands, except what shows nothing inside a box.

import { NamedResources } from '../content/named-resources.ts';
import { remainingGlyphs } from '../content/remaining-glyphs.ts';
import { followTextOperator } from '../content/text-operators.ts';
import { TextCursor, type TextState } from '../content/text-state.ts';
import type { PdfDocument } from '../document.ts';
import type { FontMeasures } from '../fonts/glyph-widths.ts';
import { type Box, boxOf, intersection, isInside } from '../geometry/boxes.ts';
import { boxThrough, type Matrix, matrixOf, matrixText, product, scaleOf } from '../geometry/matrix.ts';
import { PathExtent } from '../geometry/path-extent.ts';
import { cutImage } from '../images/image-cutting.ts';
import { type Dict, PdfString, type PdfValue, Ref, Stream } from '../objects.ts';
import { MarkedContent, propertiesOf, REPLACEMENT_TEXTS, withoutTexts } from '../structure/marked-content.ts';
import { ContentReader, type Operation } from '../syntax/content-reader.ts';
import { formatName, formatNumber } from '../syntax/object-syntax.ts';

export interface State {
  ctm: Matrix;
  lineWidth: number;
  text: TextState;
}

/** What all content of a document shares while it is cropped. */
export interface Cropping {
  readonly doc: PdfDocument;
  readonly fonts: FontMeasures;
  /** Forms that are not drawn any more, and those that were cut, by their references. */
  readonly droppedForms: Set<string>;
  readonly cutForms: ReadonlyMap<string, { lost: ReadonlySet<number> }>;
  cropForm(ref: Ref, around: Dict, keep: Box, state: State, depth: number): Ref | undefined;
  cropMask(entries: Dict, around: Dict, keep: Box, state: State, depth: number): Ref | undefined;
}

export interface Cropped {
  content: Buffer;
  resources: Dict;
  /** Ids of marked content that lost something. */
  lost: ReadonlySet<number>;
}

const MAX_SAVED = 100_000;

const isOutside = (box: Box, keep: Box): boolean => intersection(box, keep) === undefined;

export class CropRun {
  private readonly shared: Cropping;
  private readonly doc: PdfDocument;
  private readonly bytes: Uint8Array;
  private readonly keep: Box;
  private readonly depth: number;
  private readonly resources: NamedResources;
  private readonly pieces: Uint8Array[] = [];
  private copied = 0;
  private state: State;
  private readonly saved: State[] = [];
  private readonly cursor = new TextCursor();
  private readonly path = new PathExtent();
  private readonly marks = new MarkedContent();

  constructor(shared: Cropping, bytes: Uint8Array, resources: Dict, keep: Box, state: State, depth: number) {
    this.shared = shared;
    this.doc = shared.doc;
    this.bytes = bytes;
    this.keep = keep;
    this.state = state;
    this.depth = depth;
    this.resources = new NamedResources(shared.doc, resources);
  }

  run(): Cropped {
    const reader = new ContentReader(this.bytes);
    for (let operation = reader.next(); operation; operation = reader.next()) this.follow(operation);
    this.marks.endAll();
    this.copyTo(this.bytes.length);
    return { content: Buffer.concat(this.pieces), resources: this.resources.used(), lost: this.marks.lost };
  }

  private follow(operation: Operation): void {
    const { operator, operands } = operation;
    this.resources.note(operator, operands);
    if (this.path.add(operator, operands, this.state.ctm, operation.start)) return;
    if (this.path.isPaint(operator)) {
      this.paint(operation);
      return;
    }
    this.path.interrupt();
    const numbers = operands.map((each) => (typeof each === 'number' ? each : 0));
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = numbers;
    const { text } = this.state;
    const changed = followTextOperator(operator, numbers, text, this.cursor);
    if (changed) {
      this.setText(changed);
      return;
    }
    switch (operator) {
      case 'q':
        if (this.saved.length < MAX_SAVED) this.saved.push(this.state);
        return;
      case 'Q':
        this.state = this.saved.pop() ?? this.state;
        return;
      case 'cm':
        this.state = { ...this.state, ctm: product([a, b, c, d, e, f], this.state.ctm) };
        return;
      case 'w':
        this.state = { ...this.state, lineWidth: Math.abs(a) };
        return;
      case 'gs':
        this.useGraphicsState(operation);
        return;
      case 'Tf':
        this.setText({ font: this.shared.fonts.of(this.resources.get('Font', operands[0])), size: b });
        return;
      case 'Tj':
        this.show(operation, [operands[0] ?? null], '');
        return;
      case 'TJ':
        this.show(operation, Array.isArray(operands[0]) ? operands[0] : [], '');
        return;
      case "'":
        this.cursor.newLine(0, -text.leading);
        this.show(operation, [operands[0] ?? null], 'T* ');
        return;
      case '"':
        this.setText({ wordSpacing: a, characterSpacing: b });
        this.cursor.newLine(0, -text.leading);
        this.show(operation, [operands[2] ?? null], `${formatNumber(a)} Tw ${formatNumber(b)} Tc T* `);
        return;
      case 'Do':
        this.draw(operation);
        return;
      case 'BI':
        if (isOutside(this.unitSquare(), this.keep)) this.replace(operation, '');
        return;
      case 'BMC':
        this.marks.begin();
        return;
      case 'BDC':
        this.beginMarked(operation);
        return;
      case 'EMC':
        this.marks.end();
        return;
      default:
    }
  }

  private setText(changed: Partial<TextState>): void {
    this.state = { ...this.state, text: { ...this.state.text, ...changed } };
  }

  private useGraphicsState(operation: Operation): void {
    const entries = this.doc.dict(this.resources.get('ExtGState', operation.operands[0]));
    const lineWidth = this.doc.number(entries?.get('LW'));
    if (lineWidth !== undefined) this.state = { ...this.state, lineWidth: Math.abs(lineWidth) };
    const [font, size] = this.doc.array(entries?.get('Font')) ?? [];
    if (font !== undefined)
      this.setText({ font: this.shared.fonts.of(font), size: this.doc.number(size) ?? 0 });
    const cut =
      entries && this.shared.cropMask(entries, this.resources.all, this.keep, this.state, this.depth + 1);
    if (!cut) return;
    const [operand] = operation.operands;
    this.resources.unuse('ExtGState', operand);
    this.replace(operation, `${formatName(this.resources.exchange('ExtGState', operand, cut))} gs`);
  }

  private unitSquare(): Box {
    return boxThrough(this.state.ctm, { left: 0, bottom: 0, right: 1, top: 1 });
  }

  private paint(operation: Operation): void {
    const { operator, end } = operation;
    const { ctm, lineWidth } = this.state;
    const painted = this.path.take(operator, lineWidth * scaleOf(ctm));
    if (!painted || !isOutside(painted.box, this.keep)) return;
    this.marks.loseContent();
    this.copyTo(painted.start ?? operation.start);
    this.copied = end;
    this.put(painted.start === undefined ? 'n' : '');
  }

  /** Strings and numbers of a text operator; `before` is what the operator does besides. */
  private show(operation: Operation, items: readonly PdfValue[], before: string): void {
    const { text, ctm } = this.state;
    // Without a font nothing is shown, but something could be read.
    if (!text.font) {
      this.replace(operation, before);
      return;
    }
    const left: string[] = [];
    let gone = false;
    for (const item of items) {
      if (typeof item === 'number') {
        this.cursor.adjust(item, text);
        left.push(formatNumber(item));
      } else if (item instanceof PdfString) {
        const glyphs = this.cursor.show(item.bytes, text, ctm);
        const outside = glyphs.map(({ box }) => isOutside(box, this.keep));
        if (outside.includes(true)) gone = true;
        left.push(...remainingGlyphs(item, glyphs, outside));
      }
    }
    if (!gone) return;
    this.marks.loseContent();
    this.replace(operation, `${before}[${left.join(' ')}] TJ`);
  }

  private draw(operation: Operation): void {
    const [key] = operation.operands;
    const ref = this.resources.get('XObject', key);
    const drawn = this.doc.resolve(ref);
    if (!(ref instanceof Ref) || !(drawn instanceof Stream)) return;
    if (this.doc.name(drawn.dict.get('Subtype')) === 'Form') this.drawForm(operation, ref, drawn.dict);
    else this.drawImage(operation, ref);
  }

  private drawImage(operation: Operation, ref: Ref): void {
    const box = this.unitSquare();
    if (isOutside(box, this.keep)) {
      this.lose(operation);
      return;
    }
    const cut = isInside(box, this.keep) ? undefined : cutImage(this.doc, ref, this.state.ctm, this.keep);
    if (!cut) {
      this.resources.use('XObject', operation.operands[0]);
      return;
    }
    const key = this.resources.exchange('XObject', operation.operands[0], cut.image);
    this.replace(operation, `q ${matrixText(cut.matrix)} cm ${formatName(key)} Do Q`);
  }

  private drawForm(operation: Operation, ref: Ref, dict: Dict): void {
    const ctm = product(matrixOf(this.doc, dict.get('Matrix')), this.state.ctm);
    const bbox = boxOf(this.doc, dict.get('BBox') ?? null);
    const box = bbox && boxThrough(ctm, bbox);
    if (!box || isOutside(box, this.keep)) {
      // Readers draw no form without a box.
      this.shared.droppedForms.add(ref.key);
      this.lose(operation);
      return;
    }
    const hasResources = this.doc.dict(dict.get('Resources')) !== undefined;
    if (isInside(box, this.keep) && hasResources) {
      this.resources.use('XObject', operation.operands[0]);
      return;
    }
    const made = this.shared.cropForm(
      ref,
      this.resources.all,
      this.keep,
      { ...this.state, ctm },
      this.depth + 1,
    );
    if (!made) {
      this.lose(operation);
      return;
    }
    if ((this.shared.cutForms.get(ref.key)?.lost.size ?? 0) > 0) this.marks.loseContent();
    const key = this.resources.exchange('XObject', operation.operands[0], made);
    this.replace(operation, `${formatName(key)} Do`);
  }

  private beginMarked(operation: Operation): void {
    const [tag, operand] = operation.operands;
    const properties = propertiesOf(this.doc, operand, this.resources.category('Properties'));
    const mcid = properties && this.doc.number(properties.get('MCID'));
    if (!properties || !REPLACEMENT_TEXTS.some((key) => properties.has(key))) {
      this.resources.use('Properties', operand);
      this.marks.begin(mcid);
      return;
    }
    // Written at the end of the sequence, when it is known what is left of it.
    this.copyTo(operation.start);
    const at = this.pieces.length;
    const original = this.bytes.subarray(operation.start, operation.end);
    this.pieces.push(original);
    this.copied = operation.end;
    this.marks.begin(mcid, (lost) => {
      if (lost) this.pieces[at] = Buffer.from(withoutTexts(tag, properties), 'latin1');
      else this.resources.use('Properties', operand);
    });
  }

  private lose(operation: Operation): void {
    this.marks.loseContent();
    this.replace(operation, '');
  }

  private replace(operation: Operation, text: string): void {
    this.copyTo(operation.start);
    this.copied = operation.end;
    this.put(text);
  }

  private put(text: string): void {
    this.pieces.push(Buffer.from(` ${text}\n`, 'latin1'));
  }

  private copyTo(end: number): void {
    if (end > this.copied) this.pieces.push(this.bytes.subarray(this.copied, end));
    this.copied = Math.max(this.copied, end);
  }
}
