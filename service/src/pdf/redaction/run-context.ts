// What the parts that follow content share: where it stands, what it is drawn with, and what is written in its place.

import { NamedResources } from '../content/named-resources.ts';
import { INITIAL_TEXT, type TextState } from '../content/text-state.ts';
import type { PdfDocument } from '../document.ts';
import type { GlyphFont } from '../fonts/glyph-fonts.ts';
import type { Box } from '../geometry/boxes.ts';
import type { Matrix } from '../geometry/matrix.ts';
import { type Dict, Name, type PdfValue, type Ref } from '../objects.ts';
import { MarkedContent } from '../structure/marked-content.ts';
import type { ResourceCategory } from '../syntax/content-names.ts';
import type { Operation } from '../syntax/content-reader.ts';
import { formatName } from '../syntax/object-syntax.ts';
import type { ContentWork } from './content-work.ts';
import { indexOf } from './quad-index.ts';
import type { Quad } from './quads.ts';

/** What q saves. */
export interface State {
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

export const initialState = (work: ContentWork, ctm: Matrix): State => ({
  ctm,
  text: INITIAL_TEXT,
  font: work.fonts.of(undefined),
  mode: 0,
  fillPattern: undefined,
  strokePattern: undefined,
  clip: EVERYWHERE,
});

/** A part that follows some of the operators; false where the operator is none of its own. */
export interface Follower {
  follow(operation: Operation): boolean;
}

export class RunContext {
  readonly work: ContentWork;
  readonly doc: PdfDocument;
  readonly bytes: Uint8Array;
  readonly depth: number;
  readonly resources: NamedResources;
  readonly marks = new MarkedContent();
  /** Names of resources that are used. */
  readonly names = new Set<string>();
  readonly pieces: Uint8Array[] = [];
  state: State;
  hasChanged = false;
  private copied = 0;

  constructor(work: ContentWork, bytes: Uint8Array, resources: Dict, state: State, depth: number) {
    this.work = work;
    this.doc = work.doc;
    this.bytes = bytes;
    this.state = state;
    this.depth = depth;
    this.resources = new NamedResources(work.doc, resources);
  }

  quadsNear(box: Box): Quad[] {
    return this.work.plan ? indexOf(this.work.plan.quads).near(box) : [];
  }

  setFont(value: PdfValue | undefined, size: number): void {
    const font = this.work.fonts.of(value);
    this.state = { ...this.state, font, text: { ...this.state.text, font, size } };
  }

  /** The name of something that stands for what had the name before. */
  exchanged(category: ResourceCategory, operand: PdfValue | undefined, made: Ref): string {
    const isSecret = operand instanceof Name && this.work.plan?.isSecretName?.(operand.value);
    return formatName(this.resources.exchange(category, isSecret ? new Name('X') : operand, made));
  }

  lose(operation: Operation): void {
    this.marks.loseContent();
    this.replace(operation, '');
  }

  replace(operation: Operation, text: string): void {
    this.replaceFrom(operation.start, operation.end, text);
  }

  replaceFrom(start: number, end: number, text: string): void {
    this.hasChanged = true;
    this.copyTo(start);
    this.copied = Math.max(this.copied, end);
    this.pieces.push(Buffer.from(` ${text}\n`, 'latin1'));
  }

  replaceBytes({ start, end }: { start: number; end: number }, bytes: Uint8Array): void {
    this.hasChanged = true;
    this.copyTo(start);
    this.copied = Math.max(this.copied, end);
    this.pieces.push(bytes);
  }

  /** Copies an operation to a place of its own, to be decided later; tells the place. */
  putOff(operation: Operation): number {
    this.copyTo(operation.start);
    this.pieces.push(this.bytes.subarray(operation.start, operation.end));
    this.copied = Math.max(this.copied, operation.end);
    return this.pieces.length - 1;
  }

  copyTo(end: number): void {
    if (end > this.copied) this.pieces.push(this.bytes.subarray(this.copied, end));
    this.copied = Math.max(this.copied, end);
  }
}
