// Who looks at a content stream while it is interpreted: an observer, or a rewriter that puts something in the place
// of operations. All methods are called when an operation has had its effect on the graphics state, but for
// `operation`; those that a visitor leaves out cost nothing.

import type { PdfDocument } from '../document.ts';
import type { Matrix } from '../geometry/matrix.ts';
import type { Dict, Name, PdfValue, Ref, Stream } from '../objects.ts';
import type { ResourceCategory } from '../syntax/content-names.ts';
import type { Operation } from '../syntax/content-reader.ts';
import type { CurrentPath } from './current-path.ts';
import type { ColourTarget, GraphicsState } from './graphics-state.ts';
import type { PathPainting } from './operators.ts';
import type { TextCursor } from './text-state.ts';

export interface ContentVisitor<S extends GraphicsState = GraphicsState> {
  /** Tells how far glyphs reach and move on; without it no text is measured. */
  readonly fonts?: { of(font: PdfValue | undefined): NonNullable<S['text']['font']> };
  /** What is wanted of the current path besides where it stands. */
  readonly paths?: 'bounds' | 'subpaths';
  /** Any operation that has the operands it needs, before its effect. */
  operation?(operation: Operation, at: ContentPosition<S>): void;
  /** What does nothing: an operation of no known operator, or without the operands it needs, or operands at the end. */
  passOver?(operation: Operation, at: ContentPosition<S>): void;
  /** A resource that an operation names, before its effect; `value` is undefined where there is none. */
  nameResource?(
    category: ResourceCategory,
    name: Name,
    value: PdfValue | undefined,
    operation: Operation,
    at: ContentPosition<S>,
  ): void;
  setColour?(target: ColourTarget, operation: Operation, at: ContentPosition<S>): void;
  useGraphicsState?(entries: Dict, operation: Operation, at: ContentPosition<S>): void;
  constructPath?(operation: Operation, at: ContentPosition<S>): void;
  /** The path is still that which is painted. */
  paintPath?(painting: PathPainting, operation: Operation, at: ContentPosition<S>): void;
  /** Strings, and the numbers of TJ between them. The cursor stands where the first is shown: who shows moves it. */
  showText?(items: readonly PdfValue[], operation: Operation, at: ContentPosition<S>): void;
  paintShading?(shading: PdfValue | undefined, operation: Operation, at: ContentPosition<S>): void;
  drawImage?(ref: Ref, dict: Dict, operation: Operation, at: ContentPosition<S>): void;
  /** Without it forms are interpreted where they are drawn. */
  drawForm?(ref: Ref, dict: Dict, operation: Operation, at: ContentPosition<S>): void;
  /** An XObject of a kind that readers do not draw. */
  drawOther?(ref: Ref, stream: Stream, operation: Operation, at: ContentPosition<S>): void;
  drawInlineImage?(dict: Dict, operation: Operation, at: ContentPosition<S>): void;
  /** MP and DP. */
  markPoint?(operation: Operation, at: ContentPosition<S>): void;
  /** `properties` as they are written, or as the resources hold them. */
  beginMarkedContent?(properties: PdfValue | undefined, operation: Operation, at: ContentPosition<S>): void;
  /** Once for each that began; without an operation where the stream ends before. */
  endMarkedContent?(operation: Operation | undefined, at: ContentPosition<S>): void;
  /** The stream is at its end. */
  end?(at: ContentPosition<S>): void;
}

/** Where the interpretation of a stream, or of the streams of a page, stands. */
export interface ContentPosition<S extends GraphicsState = GraphicsState> {
  readonly doc: PdfDocument;
  /** May be exchanged before it is run. */
  bytes: Uint8Array;
  readonly resources: Dict;
  /** Of what is drawn by another stream: how many are around it. */
  readonly depth: number;
  /** In force at the beginning of the stream. */
  readonly initial: S;
  readonly state: S;
  readonly cursor: TextCursor;
  readonly path: CurrentPath;
  /** How many Q would restore a state. */
  readonly savedStates: number;
  resource(category: ResourceCategory, operand: PdfValue | undefined): PdfValue | undefined;
  /** A form that is drawn here. Undefined where none is: it is nested too deeply, or in itself, or no stream. */
  form(value: PdfValue | undefined): ContentPosition<S> | undefined;
  /**
   * The cell of a tiling pattern, or the appearance of an annotation: it stands where this stream does, or as told,
   * whatever was set since.
   */
  pattern(value: PdfValue | undefined, ctm?: Matrix): ContentPosition<S> | undefined;
  /** Any stream that draws within this one; `holder` has its resources, or it borrows those in force. */
  stream(value: PdfValue | undefined, holder: Dict, state: S): ContentPosition<S> | undefined;
  run(visitor: ContentVisitor<S>): void;
  /** Nothing more is read, here and around. */
  stop(): void;
}
