// Content streams interpreted: operation by operation, with the graphics state that is in force, into the forms,
// patterns and glyphs they draw. The one place that knows what operators do to the state, and what is done about
// content that is no sound PDF:
// - an operation of no known operator, or without the operands it needs, does nothing; of too many operands the last
//   ones count;
// - Q and EMC that end nothing do nothing; what is never ended ends with its stream;
// - q and Q save and restore wherever they stand, between BT and ET too; the place in a line is no part of the state;
// - a name without a resource draws nothing; text in a font that is missing is measured as Helvetica;
// - what is nested too deeply, or within itself, is not drawn.

import { Problem } from '../../contract/problems.ts';
import type { PdfDocument } from '../document.ts';
import { contentOf } from '../filters/content-data.ts';
import { boxOf, intersection } from '../geometry/boxes.ts';
import { boxThrough, type Matrix, matrixOf, product } from '../geometry/matrix.ts';
import { Dict, Name, type PdfValue, Ref, Stream } from '../objects.ts';
import type { ResourceCategory } from '../syntax/content-names.ts';
import { ContentReader, type Operation } from '../syntax/content-reader.ts';
import type { ContentPosition, ContentVisitor } from './content-visitor.ts';
import { CurrentPath } from './current-path.ts';
import type { GraphicsState } from './graphics-state.ts';
import { OPERATORS } from './operator-effects.ts';
import { fittingOperands } from './operators.ts';
import { contentParts, joinContent } from './page-content.ts';
import { TextCursor } from './text-state.ts';

/** Forms, patterns and glyphs within each other; readers stop at 20 to 50. */
export const MAX_NESTING = 50;
const MAX_SAVED = 100_000;
/** Forms that draw forms that draw forms are read again and again: of all together, so many operations. */
const MAX_OPERATIONS = 60_000_000;
/** What it costs to begin a stream, in operations. */
const BEGINNING = 100;

/** Counts the operations of content that is interpreted together. */
export class OperationBudget {
  /** Whoever looks has seen enough. */
  isStopped = false;
  private left: number;

  constructor(operations = MAX_OPERATIONS) {
    this.left = operations;
  }

  spend(operations: number): void {
    this.left -= operations;
    if (this.left < 0) this.refuse();
  }

  protected refuse(): never {
    throw new Problem('invalid_pdf', 'The content of the document draws itself over and over.');
  }
}

export interface ContentStart<S> {
  /** Read when it is asked for: not all that is drawn is followed. */
  content(): Uint8Array;
  resources: Dict;
  state: S;
  /** Of the stream, where it may be drawn: within itself it is not. */
  key?: string;
  budget?: OperationBudget;
}

/** One stream, or the streams of a page, while it is interpreted. */
export class ContentInterpreter<S extends GraphicsState = GraphicsState> implements ContentPosition<S> {
  readonly doc: PdfDocument;
  readonly resources: Dict;
  readonly cursor = new TextCursor();
  readonly depth: number;
  readonly initial: S;
  state: S;
  path = new CurrentPath();
  visitor: ContentVisitor<S> = {};
  private readonly saved: S[] = [];
  /** Saved beyond what is kept: only hostile content gets there. */
  private unsaved = 0;
  private openMarks = 0;
  private readonly budget: OperationBudget;
  private readonly content: () => Uint8Array;
  private read: Uint8Array | undefined;
  private readonly key: string | undefined;
  private readonly outer: ContentInterpreter<S> | undefined;

  constructor(
    doc: PdfDocument,
    { content, resources, state, key, budget }: ContentStart<S>,
    outer?: ContentInterpreter<S>,
  ) {
    this.doc = doc;
    this.content = content;
    this.resources = resources;
    this.initial = state;
    this.state = { ...state };
    this.outer = outer;
    this.key = key;
    this.depth = outer ? outer.depth + 1 : 0;
    this.budget = outer?.budget ?? budget ?? new OperationBudget();
  }

  get bytes(): Uint8Array {
    this.read ??= this.content();
    return this.read;
  }

  set bytes(bytes: Uint8Array) {
    this.read = bytes;
  }

  run(visitor: ContentVisitor<S>): void {
    this.visitor = visitor;
    const reader = new ContentReader(this.bytes);
    const { budget } = this;
    budget.spend(BEGINNING);
    for (let operation = reader.next(); operation && !budget.isStopped; operation = reader.next()) {
      budget.spend(1);
      this.follow(operation);
    }
    if (reader.unfinished) visitor.passOver?.(reader.unfinished, this);
    for (; this.openMarks > 0; this.openMarks -= 1) visitor.endMarkedContent?.(undefined, this);
    visitor.end?.(this);
  }

  stop(): void {
    this.budget.isStopped = true;
  }

  private follow(operation: Operation): void {
    const { visitor, path } = this;
    const operator = OPERATORS.get(operation.operator);
    const operands = operator && fittingOperands(operation.operands, operator.signature);
    if (path.start !== -1 && !operator?.isOfPath) path.isWhole = false;
    if (!operator || !operands) {
      visitor.passOver?.(operation, this);
      return;
    }
    if (operands.length < operation.operands.length) {
      operation.surplus = operation.operands.slice(0, operation.operands.length - operands.length);
      operation.operands = operands;
    }
    visitor.operation?.(operation, this);
    operator.effect?.(this, operation);
  }

  get savedStates(): number {
    return this.saved.length + this.unsaved;
  }

  save(): void {
    if (this.saved.length < MAX_SAVED) this.saved.push({ ...this.state });
    else this.unsaved += 1;
  }

  restore(): void {
    if (this.unsaved > 0) this.unsaved -= 1;
    else this.state = this.saved.pop() ?? this.state;
  }

  beginMarkedContent(operation: Operation): void {
    this.openMarks += 1;
    const [, operand] = operation.operands;
    const properties = operand instanceof Name ? this.resource('Properties', operand) : operand;
    this.visitor.beginMarkedContent?.(properties, operation, this);
  }

  endMarkedContent(operation: Operation): void {
    if (this.openMarks === 0) return;
    this.openMarks -= 1;
    this.visitor.endMarkedContent?.(operation, this);
  }

  resource(category: ResourceCategory, operand: PdfValue | undefined): PdfValue | undefined {
    return operand instanceof Name
      ? this.doc.dict(this.resources.get(category))?.get(operand.value)
      : undefined;
  }

  namedResource(category: ResourceCategory, operation: Operation, operand = operation.operands.at(-1)) {
    const value = this.resource(category, operand);
    if (operand instanceof Name) this.visitor.nameResource?.(category, operand, value, operation, this);
    return value;
  }

  draw(operation: Operation): void {
    const { doc, visitor } = this;
    const value = this.namedResource('XObject', operation);
    const stream = doc.resolve(value);
    if (!(value instanceof Ref) || !(stream instanceof Stream)) return;
    const subtype = doc.name(stream.dict.get('Subtype'));
    if (subtype === 'Image') visitor.drawImage?.(value, stream.dict, operation, this);
    else if (subtype !== 'Form') visitor.drawOther?.(value, stream, operation, this);
    else if (visitor.drawForm) visitor.drawForm(value, stream.dict, operation, this);
    else this.form(value)?.run(visitor);
  }

  form(value: PdfValue | undefined): ContentInterpreter<S> | undefined {
    const { doc } = this;
    const dict = doc.dict(value);
    if (!dict) return undefined;
    const ctm = product(matrixOf(doc, dict.get('Matrix')), this.state.ctm);
    const box = boxOf(doc, dict.get('BBox') ?? null);
    const { clip } = this.state;
    const seen = box ? (intersection(clip, boxThrough(ctm, box)) ?? clip) : clip;
    return this.stream(value, dict, { ...this.state, ctm, clip: seen });
  }

  pattern(value: PdfValue | undefined, ctm: Matrix = this.initial.ctm): ContentInterpreter<S> | undefined {
    const dict = this.doc.dict(value);
    if (!dict) return undefined;
    return this.stream(value, dict, {
      ...this.initial,
      ctm: product(matrixOf(this.doc, dict.get('Matrix')), ctm),
    });
  }

  stream(value: PdfValue | undefined, holder: Dict, state: S): ContentInterpreter<S> | undefined {
    const { doc } = this;
    if (!(value instanceof Ref) || !(doc.resolve(value) instanceof Stream)) return undefined;
    if (this.depth >= MAX_NESTING || this.isWithin(value.key)) return undefined;
    const start = {
      content: () => contentOf(doc, value),
      resources: doc.dict(holder.get('Resources')) ?? this.resources,
      state,
      key: value.key,
    };
    return new ContentInterpreter<S>(doc, start, this);
  }

  private isWithin(key: string): boolean {
    for (let at: ContentInterpreter<S> | undefined = this; at; at = at.outer) if (at.key === key) return true;
    return false;
  }
}

/** The content of a page. */
export function pageInterpreter<S extends GraphicsState = GraphicsState>(
  doc: PdfDocument,
  page: Ref,
  state: S,
  budget?: OperationBudget,
): ContentInterpreter<S> {
  const resources = doc.dict(doc.inherited(doc.dict(page) ?? new Dict(), 'Resources')) ?? new Dict();
  const content = () => joinContent(doc, contentParts(doc, page));
  return new ContentInterpreter<S>(doc, { content, resources, state, ...(budget ? { budget } : {}) });
}
