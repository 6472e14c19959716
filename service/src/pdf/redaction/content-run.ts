// Content, followed operation by operation. Without a plan its characters are listed; with one, what the plan names is
// taken out and all else is copied as it stands. Both count characters alike, so a plan made from the list fits.
import { type Box, boxOf, intersection } from '../boxes.ts';
import type { ResourceCategory } from '../content-names.ts';
import { ContentReader, type Operation } from '../content-reader.ts';
import type { PdfDocument } from '../document.ts';
import { MarkedContent, propertiesOf, REPLACEMENT_TEXTS, withoutTexts } from '../marked-content.ts';
import { type Matrix, matrixOf, product } from '../matrix.ts';
import { NamedResources } from '../named-resources.ts';
import { Dict, Name, PdfString, type PdfValue, Ref, Stream } from '../objects.ts';
import { formatName, formatNumber, formatValue } from '../syntax.ts';
import { INITIAL_TEXT, TextCursor, type TextState } from '../text-state.ts';
import { commentsIn, withoutComments } from './content-comments.ts';
import type { ContentWork } from './content-work.ts';
import type { GlyphFont } from './glyph-fonts.ts';
import { Glyph } from './glyph-list.ts';
import { addInlineImage } from './inline-images.ts';
import { CurrentPath, isConstructing, pathText, withoutInside } from './path-cutting.ts';
import { boundsOf, boxesTouch, type Quad, quadContains, quadThrough } from './quads.ts';
import { remainingText, type Shown } from './remaining-text.ts';

interface State {
  ctm: Matrix;
  text: TextState;
  font: GlyphFont;
  mode: number;
  fillPattern: PdfValue | undefined;
  strokePattern: PdfValue | undefined;
  /** Around all that can be seen. */
  clip: Box;
}

const EVERYWHERE: Box = { left: -1e9, bottom: -1e9, right: 1e9, top: 1e9 };
const UNIT: Box = { left: 0, bottom: 0, right: 1, top: 1 };
const FILLING = new Set(['f', 'F', 'f*', 'B', 'B*', 'b', 'b*']);
const STROKING = new Set(['S', 's', 'B', 'B*', 'b', 'b*']);
const CLOSING = new Set(['s', 'b', 'b*']);
/** Operators that name a resource, besides those that draw it or mark content. */
const NAMING: Readonly<Record<string, ResourceCategory>> = {
  Tf: 'Font',
  gs: 'ExtGState',
  cs: 'ColorSpace',
  CS: 'ColorSpace',
  scn: 'Pattern',
  SCN: 'Pattern',
  sh: 'Shading',
};
const MAX_SAVED = 100_000;
/** Text that is added to the clip. */
const CLIPPING_MODE = 4;

export interface Ran {
  /** Absent: nothing was taken out. */
  changed: { content: Buffer; resources: Dict } | undefined;
  /** Ids of marked content that lost something. */
  lost: ReadonlySet<number>;
}

export const initialState = (work: ContentWork, ctm: Matrix): State => ({
  ctm,
  text: INITIAL_TEXT,
  font: work.fonts.of(undefined),
  mode: 0,
  fillPattern: undefined,
  strokePattern: undefined,
  clip: EVERYWHERE,
});

export class ContentRun {
  private readonly work: ContentWork;
  private readonly doc: PdfDocument;
  private readonly bytes: Uint8Array;
  private readonly depth: number;
  private readonly resources: NamedResources;
  private readonly pieces: Uint8Array[] = [];
  private readonly cursor = new TextCursor();
  private readonly marks = new MarkedContent();
  private readonly saved: State[] = [];
  /** Marked content with a text of its own that is open. */
  private readonly spans: (number | undefined)[] = [];
  /** Of resources. */
  private readonly names = new Set<string>();
  private state: State;
  private path = new CurrentPath();
  private pathStart = -1;
  private pathIsWhole = true;
  private clipping = '';
  private clippingGlyphs = 0;
  private clippingGone = 0;
  private copied = 0;
  private hasChanged: boolean;

  constructor(work: ContentWork, bytes: Uint8Array, resources: Dict, state: State, depth: number) {
    this.work = work;
    this.doc = work.doc;
    const isSecret = work.plan?.isSecret;
    this.bytes = isSecret ? withoutComments(bytes, isSecret) : bytes;
    this.hasChanged = this.bytes !== bytes;
    if (!work.plan) work.listTexts(commentsIn(bytes));
    this.state = state;
    this.depth = depth;
    this.resources = new NamedResources(work.doc, resources);
  }

  run(): Ran {
    const reader = new ContentReader(this.bytes);
    for (let operation = reader.next(); operation; operation = reader.next()) {
      this.work.spend();
      this.follow(operation);
    }
    this.marks.endAll();
    this.copyTo(this.bytes.length);
    if (!this.work.plan) this.work.listNames(this.names);
    const changed = this.hasChanged
      ? { content: Buffer.concat(this.pieces), resources: this.resources.used() }
      : undefined;
    return { changed, lost: this.marks.lost };
  }

  private get quads(): readonly Quad[] {
    return this.work.plan?.quads ?? [];
  }

  private follow(operation: Operation): void {
    const { operator, operands } = operation;
    if (!this.renamed(operation)) this.resources.note(operator, operands);
    if (isConstructing(operator)) {
      if (this.pathStart === -1) this.pathStart = operation.start;
      if (this.work.plan) this.path.add(operator, operands, this.state.ctm);
      return;
    }
    if (operator === 'W' || operator === 'W*') {
      this.clipping = operator;
      return;
    }
    if (operator === 'n' || FILLING.has(operator) || STROKING.has(operator)) {
      this.paint(operation);
      return;
    }
    if (this.pathStart !== -1) this.pathIsWhole = false;
    this.followOther(operation);
  }

  /** A resource whose name holds a term gets another name. */
  private renamed(operation: Operation): boolean {
    const category = Object.hasOwn(NAMING, operation.operator) ? NAMING[operation.operator] : undefined;
    const operand = operation.operands[operation.operator === 'Tf' ? 0 : operation.operands.length - 1];
    if (!category || !(operand instanceof Name)) return false;
    this.names.add(operand.value);
    if (!this.work.plan?.isSecretName?.(operand.value)) return false;
    const value = this.resources.get(category, operand);
    if (value === undefined) return false;
    const made = value instanceof Ref ? value : this.doc.add(value);
    const key = this.resources.exchange(category, new Name('X'), made);
    const others = operation.operands.map((each) => formatValue(each === operand ? new Name(key) : each));
    this.replace(operation, [...others, operation.operator].join(' '));
    return true;
  }

  /** The name of something that stands for what had the name before. */
  private exchanged(category: ResourceCategory, operand: PdfValue | undefined, made: Ref): string {
    const isSecret = operand instanceof Name && this.work.plan?.isSecretName?.(operand.value);
    return formatName(this.resources.exchange(category, isSecret ? new Name('X') : operand, made));
  }

  private followOther(operation: Operation): void {
    const { operator, operands } = operation;
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = operands.map((each) =>
      typeof each === 'number' ? each : 0,
    );
    const { text } = this.state;
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
      case 'gs':
        this.useGraphicsState(operation);
        return;
      case 'scn':
        this.state = { ...this.state, fillPattern: this.resources.get('Pattern', operands.at(-1)) };
        return;
      case 'SCN':
        this.state = { ...this.state, strokePattern: this.resources.get('Pattern', operands.at(-1)) };
        return;
      case 'cs':
      case 'sc':
      case 'g':
      case 'rg':
      case 'k':
        this.state = { ...this.state, fillPattern: undefined };
        return;
      case 'CS':
      case 'SC':
      case 'G':
      case 'RG':
      case 'K':
        this.state = { ...this.state, strokePattern: undefined };
        return;
      case 'sh':
        this.checkShading(this.resources.get('Shading', operands[0]), this.state.clip);
        return;
      case 'BT':
        this.cursor.begin();
        this.clippingGlyphs = 0;
        this.clippingGone = 0;
        return;
      case 'ET':
        this.endText(operation);
        return;
      case 'Tm':
        this.cursor.set([a, b, c, d, e, f]);
        return;
      case 'Td':
        this.cursor.newLine(a, b);
        return;
      case 'TD':
        this.setText({ leading: -b });
        this.cursor.newLine(a, b);
        return;
      case 'T*':
        this.cursor.newLine(0, -text.leading);
        return;
      case 'Tc':
        this.setText({ characterSpacing: a });
        return;
      case 'Tw':
        this.setText({ wordSpacing: a });
        return;
      case 'Tz':
        this.setText({ stretch: a / 100 });
        return;
      case 'TL':
        this.setText({ leading: a });
        return;
      case 'Ts':
        this.setText({ rise: a });
        return;
      case 'Tr':
        this.state = { ...this.state, mode: a };
        return;
      case 'Tf':
        this.setFont(this.resources.get('Font', operands[0]), b);
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
        this.drawInline(operation);
        return;
      case 'BMC':
        this.spans.push(undefined);
        this.marks.begin();
        return;
      case 'BDC':
        this.beginMarked(operation);
        return;
      case 'DP':
        this.markPoint(operation);
        return;
      case 'EMC':
        this.spans.pop();
        this.marks.end();
        return;
      default:
    }
  }

  private setText(changed: Partial<TextState>): void {
    this.state = { ...this.state, text: { ...this.state.text, ...changed } };
  }

  private setFont(value: PdfValue | undefined, size: number): void {
    const font = this.work.fonts.of(value);
    this.state = { ...this.state, font, text: { ...this.state.text, font: font.measured, size } };
  }

  private useGraphicsState(operation: Operation): void {
    const held = this.resources.get('ExtGState', operation.operands[0]);
    const entries = this.doc.dict(held);
    const [font, size] = this.doc.array(entries?.get('Font')) ?? [];
    if (font !== undefined) this.setFont(font, this.doc.number(size) ?? 0);
    const mask = this.doc.dict(entries?.get('SMask'));
    const group = mask?.get('G');
    if (!entries || !mask || !(group instanceof Ref)) return;
    const made = this.drawForm(group, this.doc.dict(group) ?? new Dict());
    if (made === group) return;
    // Without its group a mask lets everything through; that shows less than was there only outside the box.
    const changed = new Dict(entries);
    if (made) changed.set('SMask', new Dict(mask).set('G', made) as Dict);
    else changed.delete('SMask');
    const key = this.exchanged('ExtGState', operation.operands[0], this.doc.add(changed));
    this.replace(operation, `${key} gs`);
  }

  private paint(operation: Operation): void {
    const { path, pathStart, pathIsWhole, clipping } = this;
    this.path = new CurrentPath();
    this.pathStart = -1;
    this.pathIsWhole = true;
    this.clipping = '';
    if (!this.work.plan || pathStart === -1) return;
    const { operator } = operation;
    const bounds = boundsOf(path.subpaths.flatMap(({ start, segments }) => [start, ...segments.flat()]));
    if (clipping !== '') {
      const clip = intersection(this.state.clip, bounds) ?? { left: 0, bottom: 0, right: 0, top: 0 };
      this.state = { ...this.state, clip };
    }
    const near = this.quads.filter((quad) => boxesTouch(boundsOf(quad), bounds));
    if (near.length === 0) return;
    const fills = FILLING.has(operator);
    const strokes = STROKING.has(operator);
    if (fills) this.checkPattern(this.state.fillPattern, bounds);
    if (strokes) this.checkPattern(this.state.strokePattern, bounds);
    const last = path.subpaths.at(-1);
    if (last && CLOSING.has(operator)) last.closed = true;
    const left = withoutInside(path.subpaths, near);
    const filled = left && pathText(left.filled, this.state.ctm);
    const stroked = left && pathText(left.stroked, this.state.ctm);
    if (!left) return;
    if (!pathIsWhole) this.work.unremovable('a path with other operations in it');
    const evenOdd = operator.endsWith('*') ? '*' : '';
    const lines = [
      ...(fills && filled ? [`${filled} f${evenOdd}`] : []),
      ...(strokes && stroked ? [`${stroked} S`] : []),
      ...(clipping !== '' ? [`${filled || '0 0 0 0 re'} ${clipping} n`] : []),
    ];
    this.work.touched.paths += 1;
    if (fills || strokes) this.marks.loseContent();
    this.replaceFrom(pathStart, operation.end, lines.join('\n'));
  }

  /** What a pattern draws under a box cannot be taken out of the pattern alone. */
  private checkPattern(pattern: PdfValue | undefined, bounds: Box): void {
    const dict = this.doc.dict(pattern);
    if (!dict) return;
    const seen = intersection(bounds, this.state.clip);
    if (!seen || !this.quads.some((quad) => boxesTouch(boundsOf(quad), seen))) return;
    if (this.doc.number(dict.get('PatternType')) === 2) this.checkShading(dict.get('Shading'), seen);
    else if (this.work.drawsMore(dict)) this.work.unremovable('a pattern with text or pictures');
  }

  /** Meshes may hold a picture; gradients hold none. */
  private checkShading(shading: PdfValue | undefined, bounds: Box): void {
    const type = this.doc.number(this.doc.dict(shading)?.get('ShadingType')) ?? 0;
    if (type >= 4 && this.quads.some((quad) => boxesTouch(boundsOf(quad), bounds)))
      this.work.unremovable('a mesh of colours');
  }

  private show(operation: Operation, items: readonly PdfValue[], before: string): void {
    const { text, ctm, font, mode } = this.state;
    const span = this.spans.findLast((each) => each !== undefined);
    const shown: Shown[] = [];
    let isAnyGone = false;
    const measuredText = text.font ? text : { ...text, font: font.measured };
    for (const item of items) {
      if (typeof item === 'number') {
        this.cursor.adjust(item, measuredText);
        shown.push({ number: item });
      } else if (item instanceof PdfString) {
        let at = 0;
        for (const placed of this.cursor.show(item.bytes, measuredText, ctm)) {
          const code = item.bytes.subarray(at, at + placed.length);
          at += placed.length;
          const index = this.work.nextGlyph();
          const isGone = this.work.plan?.isGone(index) ?? false;
          if (isGone) isAnyGone = true;
          shown.push({ code, isGone, adjustment: placed.adjustment });
          if (mode >= CLIPPING_MODE) {
            this.clippingGlyphs += 1;
            if (isGone) this.clippingGone += 1;
          }
          if (this.work.plan) continue;
          const raw = Buffer.from(code).toString('latin1');
          this.work.list(new Glyph(placed, font.measured.vertical, font.read(code), { index, raw, span }));
        }
      }
    }
    if (!isAnyGone) return;
    this.marks.loseContent();
    this.replace(operation, `${before}${remainingText(shown)}`);
  }

  private endText(operation: Operation): void {
    // No text in the clip means no clip at all to readers; here nothing is left that could show.
    if (this.clippingGlyphs > 0 && this.clippingGone === this.clippingGlyphs)
      this.replace(operation, 'ET 0 0 0 0 re W n');
  }

  private draw(operation: Operation): void {
    const [key] = operation.operands;
    const ref = this.resources.get('XObject', key);
    const drawn = this.doc.resolve(ref);
    if (!(ref instanceof Ref) || !(drawn instanceof Stream)) return;
    if (this.doc.name(drawn.dict.get('Subtype')) !== 'Form') {
      this.drawImage(operation, ref);
      return;
    }
    const made = this.drawForm(ref, drawn.dict);
    if (made === ref) this.keepDrawing(operation, ref);
    else if (!made) this.lose(operation);
    else {
      this.marks.loseContent();
      this.replace(operation, `${this.exchanged('XObject', key, made)} Do`);
    }
  }

  private keepDrawing(operation: Operation, ref: Ref): void {
    const [key] = operation.operands;
    if (key instanceof Name) this.names.add(key.value);
    if (key instanceof Name && this.work.plan?.isSecretName?.(key.value))
      this.replace(operation, `${this.exchanged('XObject', key, ref)} Do`);
    else this.resources.use('XObject', key);
  }

  private drawForm(ref: Ref, dict: Dict): Ref | undefined {
    const ctm = product(matrixOf(this.doc, dict.get('Matrix')), this.state.ctm);
    const bbox = boxOf(this.doc, dict.get('BBox') ?? null);
    const box = bbox && boundsOf(quadThrough(ctm, bbox));
    const clip = box ? (intersection(this.state.clip, box) ?? this.state.clip) : this.state.clip;
    return this.work.form(ref, this.resources.all, { ...this.state, ctm, clip }, this.depth + 1);
  }

  private drawImage(operation: Operation, ref: Ref): void {
    const [key] = operation.operands;
    const made = this.imageWithout(ref);
    if (made === ref) this.keepDrawing(operation, ref);
    else if (!made) this.lose(operation);
    else {
      this.marks.loseContent();
      this.replace(operation, `${this.exchanged('XObject', key, made)} Do`);
    }
  }

  private drawInline(operation: Operation): void {
    if (this.nearUnit().length === 0) return;
    const ref = addInlineImage(this.doc, this.bytes, operation, this.resources.category('ColorSpace'));
    const made = this.imageWithout(ref);
    if (made === ref) return;
    if (!made) {
      this.lose(operation);
      return;
    }
    this.marks.loseContent();
    const key = this.resources.exchange('XObject', new Name('Image'), made);
    this.replace(operation, `${formatName(key)} Do`);
  }

  private nearUnit(): Quad[] {
    const bounds = boundsOf(quadThrough(this.state.ctm, UNIT));
    return this.quads.filter((quad) => boxesTouch(boundsOf(quad), bounds));
  }

  /** The image itself where no box touches it, another without what is under boxes, or none. */
  private imageWithout(ref: Ref): Ref | undefined {
    const near = this.nearUnit();
    if (near.length === 0) return ref;
    const corners = quadThrough(this.state.ctm, UNIT);
    if (near.some((quad) => quadContains(quad, corners))) {
      this.work.touched.images += 1;
      this.work.replaced.add(ref.key);
      return undefined;
    }
    return this.work.image(ref, this.state.ctm, near);
  }

  private beginMarked(operation: Operation): void {
    const [tag, operand] = operation.operands;
    const properties = propertiesOf(this.doc, operand, this.resources.category('Properties'));
    const mcid = properties && this.doc.number(properties.get('MCID'));
    const isInline = operand instanceof Dict;
    if (isInline) this.work.listTexts(textsIn(this.doc, operand));
    const isSecret = isInline && this.isSecret(operand);
    if (!properties || (!isSecret && !REPLACEMENT_TEXTS.some((key) => properties.has(key)))) {
      this.resources.use('Properties', operand);
      this.spans.push(undefined);
      this.marks.begin(mcid);
      return;
    }
    const actual = this.doc.text(properties.get('ActualText'));
    const span = actual === undefined ? undefined : this.work.openSpan(actual);
    this.spans.push(span);
    const mustGo =
      this.work.plan !== undefined && ((span !== undefined && this.work.plan.isSpanGone(span)) || isSecret);
    if (!this.work.plan) {
      this.marks.begin(mcid);
      return;
    }
    // Written at the end of the sequence, when it is known what is left of it.
    this.copyTo(operation.start);
    const at = this.pieces.length;
    this.pieces.push(this.bytes.subarray(operation.start, operation.end));
    this.copied = operation.end;
    this.marks.begin(mcid, (lost) => {
      if (lost || mustGo) {
        this.pieces[at] = Buffer.from(` ${withoutTexts(tag, this.withoutSecrets(properties))}\n`, 'latin1');
        this.hasChanged = true;
        this.work.touched.texts += 1;
      } else this.resources.use('Properties', operand);
    });
    if (mustGo) this.marks.loseContent();
  }

  private isSecret(properties: Dict): boolean {
    const { plan } = this.work;
    return plan?.isSecret !== undefined && textsIn(this.doc, properties).some(plan.isSecret);
  }

  private withoutSecrets(properties: Dict): Dict {
    const isSecret = this.work.plan?.isSecret;
    if (!isSecret) return properties;
    return new Dict([...properties].filter(([, value]) => !isSecret(this.doc.text(value) ?? '')));
  }

  private markPoint(operation: Operation): void {
    const [tag, operand] = operation.operands;
    if (!(operand instanceof Dict)) return;
    this.work.listTexts(textsIn(this.doc, operand));
    if (!this.isSecret(operand)) return;
    this.work.touched.texts += 1;
    this.replace(operation, tag instanceof Name ? `${formatName(tag.value)} MP` : '');
  }

  private lose(operation: Operation): void {
    this.marks.loseContent();
    this.replace(operation, '');
  }

  private replace(operation: Operation, text: string): void {
    this.replaceFrom(operation.start, operation.end, text);
  }

  private replaceFrom(start: number, end: number, text: string): void {
    this.hasChanged = true;
    this.copyTo(start);
    this.copied = Math.max(this.copied, end);
    this.pieces.push(Buffer.from(` ${text}\n`, 'latin1'));
  }

  private copyTo(end: number): void {
    if (end > this.copied) this.pieces.push(this.bytes.subarray(this.copied, end));
    this.copied = Math.max(this.copied, end);
  }
}

function textsIn(doc: PdfDocument, dict: Dict): string[] {
  return [...dict.values()].flatMap((value) => {
    const text = doc.text(value);
    return text === undefined ? [] : [text];
  });
}
