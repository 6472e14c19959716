// What the parts that follow content share: what it is drawn with, and what is written in its place.

import { ContentOutput } from '../content/content-output.ts';
import type { ContentPosition } from '../content/content-visitor.ts';
import { type GraphicsState, INITIAL_STATE } from '../content/graphics-state.ts';
import { NamedResources } from '../content/named-resources.ts';
import { INITIAL_TEXT } from '../content/text-state.ts';
import type { PdfDocument } from '../document.ts';
import type { GlyphFont } from '../fonts/glyph-fonts.ts';
import type { Box } from '../geometry/boxes.ts';
import { Name, type PdfValue, type Ref } from '../objects.ts';
import { MarkedContent } from '../structure/marked-content.ts';
import type { ResourceCategory } from '../syntax/content-names.ts';
import { formatName } from '../syntax/object-syntax.ts';
import type { ContentWork } from './content-work.ts';
import { indexOf } from './quad-index.ts';
import type { Quad } from './quads.ts';

export type State = GraphicsState<GlyphFont>;

export type Position = ContentPosition<State>;

/** Text that is shown before a font is set counts as text in a font that is missing. */
export const initialState = (work: ContentWork): State => ({
  ...INITIAL_STATE,
  text: { ...INITIAL_TEXT, font: work.fonts.of(undefined) },
});

interface Range {
  start: number;
  end: number;
}

export class RunContext {
  readonly work: ContentWork;
  readonly doc: PdfDocument;
  readonly resources: NamedResources;
  readonly marks = new MarkedContent();
  /** Names of resources that are used. */
  readonly names = new Set<string>();
  readonly output: ContentOutput;
  hasChanged = false;

  constructor(work: ContentWork, at: Position) {
    this.work = work;
    this.doc = work.doc;
    this.resources = new NamedResources(work.doc, at.resources);
    this.output = new ContentOutput(at.bytes);
  }

  quadsNear(box: Box): Quad[] {
    return this.work.plan ? indexOf(this.work.plan.quads).near(box) : [];
  }

  isSecretName(name: PdfValue | undefined): boolean {
    return name instanceof Name && (this.work.plan?.isSecretName?.(name.value) ?? false);
  }

  /** The name of something that stands for what had the name before. */
  exchangeResource(category: ResourceCategory, operand: PdfValue | undefined, made: Ref): string {
    const named = this.isSecretName(operand) ? new Name('X') : operand;
    return formatName(this.resources.exchange(category, named, made));
  }

  lose(range: Range): void {
    this.marks.loseContent();
    this.replace(range, '');
  }

  replace(range: Range, text: string): void {
    this.hasChanged = true;
    this.output.replace(range, ` ${text}\n`);
  }

  replaceBytes(range: Range, bytes: Uint8Array): void {
    this.hasChanged = true;
    this.output.replace(range, bytes);
  }

  /** What was put off is something else. */
  exchangePut(place: number, text: string): void {
    this.hasChanged = true;
    this.output.exchange(place, ` ${text}\n`);
  }
}
