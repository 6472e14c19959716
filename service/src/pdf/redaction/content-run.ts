// Content, followed operation by operation. Without a plan its characters are listed; with one, what the plan names is
// taken out and all else is copied as it stands. Both count characters alike, so a plan made from the list fits.

import type { ContentVisitor } from '../content/content-visitor.ts';
import { isPathOperator, type PathPainting, SIGNATURES } from '../content/operators.ts';
import type { GlyphFonts } from '../fonts/glyph-fonts.ts';
import { type Dict, Name, type PdfValue, Ref, type Stream } from '../objects.ts';
import type { ResourceCategory } from '../syntax/content-names.ts';
import type { Operation } from '../syntax/content-reader.ts';
import { formatValue } from '../syntax/object-syntax.ts';
import { commentsIn, withoutComments } from './content-comments.ts';
import type { ContentWork } from './content-work.ts';
import { Drawing } from './drawing.ts';
import { Marking, saidBy } from './marking.ts';
import { paintPath, paintShading } from './painting.ts';
import { type Position, RunContext, type State } from './run-context.ts';
import { TextFollowing } from './text-following.ts';

export interface Ran {
  /** Absent: nothing was taken out. */
  changed: { content: Buffer; resources: Dict } | undefined;
  /** Ids of marked content that lost something. */
  lost: ReadonlySet<number>;
}

export function runContent(work: ContentWork, at: Position): Ran {
  const { bytes } = at;
  const isSecret = work.plan?.isSecret;
  if (isSecret) at.bytes = withoutComments(bytes, isSecret);
  if (!work.plan) work.listTexts(commentsIn(bytes));
  const context = new RunContext(work, at);
  context.hasChanged = at.bytes !== bytes;
  at.run(new ContentRun(context));
  if (!work.plan) work.listNames(context.names);
  const changed = context.hasChanged
    ? { content: context.output.finish(), resources: context.resources.resourcesInUse() }
    : undefined;
  return { changed, lost: context.marks.lost };
}

class ContentRun implements ContentVisitor<State> {
  readonly fonts: GlyphFonts;
  readonly paths: 'subpaths' | undefined;
  private readonly context: RunContext;
  private readonly text: TextFollowing;
  private readonly drawing: Drawing;
  private readonly marking: Marking;
  /** Has operands that it does not take, and is written without them unless something else is put in its place. */
  private overfull: Operation | undefined;

  constructor(context: RunContext) {
    this.context = context;
    this.fonts = context.work.fonts;
    this.paths = context.work.plan && 'subpaths';
    this.marking = new Marking(context);
    this.text = new TextFollowing(context, this.marking.openSpan);
    this.drawing = new Drawing(context);
  }

  operation(operation: Operation, at: Position): void {
    if (this.overfull) this.settleOverfull();
    if (operation.surplus) this.meetSurplus(operation, at);
    this.text.meet(operation);
  }

  /** Readers take no notice of these operands, but whoever opens the file may. */
  private meetSurplus(operation: Operation, at: Position): void {
    const { texts } = saidBy(operation.surplus ?? []);
    if (texts.length === 0) return;
    this.context.work.listTexts(texts);
    if (!this.context.work.plan) return;
    this.overfull = operation;
    if (isPathOperator(operation.operator)) at.path.isWhole = false;
  }

  private settleOverfull(): void {
    const { overfull, context } = this;
    this.overfull = undefined;
    if (!overfull || context.output.copied >= overfull.end) return;
    context.replace(overfull, [...overfull.operands.map(formatValue), overfull.operator].join(' '));
  }

  /**
   * What does nothing here may show something to a reader that guesses: text and where it stands go. What is no
   * operator at all stays, unless it tells a secret: it may be data that was taken for content.
   */
  passOver(operation: Operation): void {
    if (this.overfull) this.settleOverfull();
    const { work } = this.context;
    const { texts, names } = saidBy(operation.operands);
    work.listTexts(texts);
    if (!work.plan) return;
    const { operator } = operation;
    const isMalformed = SIGNATURES.has(operator) && (operator.length > 1 || texts.length > 0);
    const { isSecret, isSecretName } = work.plan;
    const isTelling =
      texts.some((text) => isSecret?.(text)) || [...names].some((name) => isSecretName?.(name));
    if (isMalformed || isTelling) this.context.replace(operation, '');
  }

  /** A resource whose name holds a term gets another name. What Do names is decided when it is drawn. */
  nameResource(
    category: ResourceCategory,
    word: Name,
    value: PdfValue | undefined,
    { operands, operator, start, end }: Operation,
  ): void {
    if (category === 'XObject') return;
    const { resources, doc, names } = this.context;
    names.add(word.value);
    if (value === undefined || !this.context.isSecretName(word)) {
      resources.use(category, word);
      return;
    }
    const made = value instanceof Ref ? value : doc.add(value);
    const key = new Name(resources.exchange(category, new Name('X'), made));
    const others = operands.map((each) => formatValue(each === word ? key : each));
    this.context.replace({ start, end }, [...others, operator].join(' '));
  }

  paintPath(painting: PathPainting, operation: Operation, at: Position): void {
    if (this.paths) paintPath(this.context, painting, operation, at);
  }

  paintShading(shading: PdfValue | undefined, _: unknown, at: Position): void {
    paintShading(this.context, shading, at.state.clip);
  }

  showText(items: readonly PdfValue[], operation: Operation, at: Position): void {
    this.text.show(items, operation, at);
  }

  useGraphicsState(entries: Dict, operation: Operation, at: Position): void {
    this.drawing.useGraphicsState(entries, operation, at);
  }

  drawForm(ref: Ref, _dict: Dict, operation: Operation, at: Position): void {
    this.drawing.draw(operation, ref, this.context.work.form(ref, at.form(ref)));
  }

  drawImage(ref: Ref, _dict: Dict, operation: Operation, at: Position): void {
    this.drawing.draw(operation, ref, this.drawing.imageWithout(ref, at));
  }

  drawOther(ref: Ref, { dict }: Stream, operation: Operation, at: Position): void {
    this.drawImage(ref, dict, operation, at);
  }

  drawInlineImage(dict: Dict, operation: Operation, at: Position): void {
    this.drawing.drawInline(dict, operation, at);
  }

  markPoint(operation: Operation): void {
    this.marking.markPoint(operation);
  }

  beginMarkedContent(properties: PdfValue | undefined, operation: Operation): void {
    if (operation.operator === 'BMC') this.marking.markPlain(operation);
    else this.marking.beginMarked(this.context.doc.dict(properties), operation);
  }

  endMarkedContent(): void {
    this.marking.end();
  }

  end(): void {
    this.settleOverfull();
  }
}
