// Walks through everything a document draws: pages, forms, patterns, glyphs of Type 3 fonts, appearances of
// annotations. Each stream is read once; what it uses is noted, nothing is judged here.

import { pageInterpreter } from '../../content/content-interpreter.ts';
import type { ContentPosition, ContentVisitor } from '../../content/content-visitor.ts';
import { type ColourTarget, INITIAL_STATE } from '../../content/graphics-state.ts';
import { DEVICE_SPACES } from '../../content/operator-effects.ts';
import { type PathPainting, SIGNATURES } from '../../content/operators.ts';
import type { PdfDocument } from '../../document.ts';
import { Dict, type Name, type PdfValue, Ref, Stream } from '../../objects.ts';
import type { Operation } from '../../syntax/content-reader.ts';
import { RawSyntax } from '../file/raw-syntax.ts';
import { StructureParents } from '../rules/structure-parents.ts';
import { ColourUse } from './colour-use.ts';
import { innerStage, note, printable, type Stage } from './content-scope.ts';
import { type Drawn, nothingDrawn } from './drawn.ts';
import { ImageUses } from './image-use.ts';
import { MarkedContent } from './marked-content-use.ts';
import { TextUses } from './text-use.ts';
import { isTransparentState } from './transparent-state.ts';

/** Part 1, 6.1.12 and part 2, 6.1.13: q may be nested 28 deep. */
const DEEPEST = 28;

export class Drawing {
  readonly drawn: Drawn = nothingDrawn();
  readonly doc: PdfDocument;
  readonly colours: ColourUse;
  readonly images: ImageUses;
  readonly text: TextUses;
  private readonly parents: StructureParents;
  private readonly walked = new Set<Dict>();

  constructor(doc: PdfDocument) {
    this.doc = doc;
    this.colours = new ColourUse(doc, this.drawn);
    this.parents = new StructureParents(doc);
    this.images = new ImageUses(doc, this.drawn, this.colours, this);
    this.text = new TextUses(doc, this.drawn, this);
  }

  /** `onPage` hears of each page that is done. */
  all(onPage: () => void = () => {}): Drawn {
    for (const [index, ref] of this.doc.pages().entries()) {
      this.page(ref, index);
      onPage();
    }
    return this.drawn;
  }

  private page(ref: Ref, index: number): void {
    const { doc } = this;
    const page = doc.dict(ref) ?? new Dict();
    const at = pageInterpreter(doc, ref, INITIAL_STATE);
    const stage: Stage = {
      page: index,
      where: `page ${index + 1}`,
      resources: at.resources,
      isBorrowed: doc.dict(page.get('Resources')) === undefined,
      holder: { dict: page, value: ref },
      marked: new MarkedContent(doc, this.drawn, this.parents, page),
    };
    this.group(page, stage);
    this.follow(at, stage);
    for (const annotation of doc.array(page.get('Annots')) ?? []) this.appearance(annotation, stage, at);
  }

  private appearance(annotation: PdfValue, page: Stage, at: ContentPosition): void {
    const { doc } = this;
    const dict = doc.dict(annotation);
    const subtype = doc.name(dict?.get('Subtype')) ?? 'unknown';
    const stage = {
      ...page,
      where: `${page.where}, appearance of ${subtype} annotation`,
      isBorrowed: true,
      marked: new MarkedContent(doc, this.drawn, this.parents, new Dict(), {
        isCovered: true,
        isNamelessSignature: dict !== undefined && this.isNamelessSignature(dict),
      }),
    };
    for (const value of doc.dict(dict?.get('AP'))?.values() ?? []) {
      const held = doc.resolve(value);
      for (const state of held instanceof Dict ? held.values() : [value])
        this.form(state, stage, at, INITIAL_STATE);
    }
  }

  private isNamelessSignature(annotation: Dict): boolean {
    const { doc } = this;
    if (doc.name(doc.inherited(annotation, 'FT')) !== 'Sig') return false;
    const key = doc.number(annotation.get('StructParent'));
    return !(key !== undefined && doc.dict(this.parents.at(key))?.has('Alt'));
  }

  /** Reads a stream that stands on a stage. */
  follow(at: ContentPosition, stage: Stage): void {
    at.run(new StreamUse(this, stage));
  }

  lookUp(stage: Stage, category: string, key: string): PdfValue | undefined {
    const value = this.doc.dict(stage.resources?.get(category))?.get(key);
    const found = this.doc.resolve(value) === null ? undefined : value;
    const here = { page: stage.page, where: `${stage.where}, ${category} ${printable(key)}` };
    if (found === undefined) note(this.drawn.missingNames, here);
    else if (stage.isBorrowed) {
      note(this.drawn.inheritedNames, here);
      const { dict, value } = stage.holder;
      if (stage.resources) this.drawn.borrowers.set(dict, { value, resources: stage.resources });
    }
    return found;
  }

  paint(at: ContentPosition, which: ColourTarget, stage: Stage): void {
    const { overprint, [which]: colour } = at.state;
    this.colours.paint(colour, stage);
    if (overprint.mode === 1 && overprint[which]) this.colours.overprint(colour, stage);
    if (colour.pattern) this.pattern(colour.pattern.value, stage, at);
  }

  state(value: PdfValue | undefined, stage: Stage, at: ContentPosition): void {
    const { doc, drawn } = this;
    const dict = doc.dict(value);
    if (!dict) return;
    if (isTransparentState(doc, dict)) drawn.transparentPages.add(stage.page);
    if (drawn.states.has(dict)) return;
    const where = `${stage.where}, graphics state`;
    drawn.states.set(dict, { dict, value, where, page: stage.page });
    const intent = doc.name(dict.get('RI'));
    if (intent !== undefined) note(drawn.intents, { where, page: stage.page, intent });
    const group = doc.dict(dict.get('SMask'))?.get('G');
    this.form(group, { ...stage, where: `${where}, soft mask` }, at, INITIAL_STATE);
  }

  form(value: PdfValue | undefined, stage: Stage, at: ContentPosition, state: typeof INITIAL_STATE): void {
    const { doc, drawn } = this;
    const form = doc.resolve(value);
    if (!(form instanceof Stream)) return;
    const { dict } = form;
    const inside = at.stream(value, dict, state);
    if (!inside && !this.walked.has(dict)) return;
    const where = `${stage.where}, form${value instanceof Ref ? ` ${value.number} ${value.generation}` : ''}`;
    if (doc.name(doc.dict(dict.get('Group'))?.get('S')) === 'Transparency')
      drawn.transparentPages.add(stage.page);
    if (!inside || !this.isNew(dict)) {
      if (dict.has('StructParents')) note(drawn.repeatedForms, { where, page: stage.page });
      return;
    }
    drawn.forms.set(dict, { dict, value, where, page: stage.page });
    this.group(dict, { ...stage, where });
    const marked = stage.marked.inside(dict);
    this.follow(inside, innerStage(doc, stage, inside, { where, holder: { dict, value }, marked }));
  }

  /** The colour space of a transparency group is one that is painted in. */
  private group(holder: Dict, stage: Stage): void {
    const space = this.doc.dict(holder.get('Group'))?.get('CS');
    if (space !== undefined) this.colours.use(space, { ...stage, where: `${stage.where}, group` });
  }

  shading(value: PdfValue | undefined, stage: Stage): void {
    stage.marked.paint(stage);
    const dict = this.doc.dict(value);
    if (dict)
      this.colours.use(dict.get('ColorSpace') ?? null, { ...stage, where: `${stage.where}, shading` });
  }

  private pattern(value: PdfValue | undefined, stage: Stage, at: ContentPosition): void {
    const { doc } = this;
    const dict = doc.dict(value);
    if (!dict || !this.isNew(dict)) return;
    const where = `${stage.where}, pattern`;
    if (doc.number(dict.get('PatternType')) === 2) {
      this.shading(dict.get('Shading'), { ...stage, where });
      this.state(dict.get('ExtGState'), { ...stage, where }, at);
      return;
    }
    const cell = at.stream(value, dict, INITIAL_STATE);
    const marked = stage.marked.inside();
    if (cell) this.follow(cell, innerStage(doc, stage, cell, { where, holder: { dict, value }, marked }));
  }

  isNew(dict: Dict): boolean {
    if (this.walked.has(dict)) return false;
    this.walked.add(dict);
    return true;
  }
}

/** What one stream uses. */
class StreamUse implements ContentVisitor {
  private readonly all: Drawing;
  private readonly drawn: Drawn;
  private readonly stage: Stage;
  /** The data of inline images is no syntax: it is left out. */
  private checkedTo = 0;

  constructor(all: Drawing, stage: Stage) {
    this.all = all;
    this.drawn = all.drawn;
    this.stage = stage;
  }

  operation({ operator, operands }: Operation, at: ContentPosition): void {
    const { where, page } = this.stage;
    if (operator === 'ri') note(this.drawn.intents, { where, page, intent: (operands[0] as Name).value });
    else if (operator === 'q' && at.savedStates >= DEEPEST) note(this.drawn.tooDeep, { where, page });
  }

  passOver({ operator }: Operation): void {
    if (operator === '' || SIGNATURES.has(operator)) return;
    const { where, page } = this.stage;
    note(this.drawn.unknownOperators, { page, where: `${where}, operator ${printable(operator)}` });
  }

  nameResource(category: string, { value }: Name): void {
    if (category !== 'ColorSpace' || !DEVICE_SPACES.has(value)) this.all.lookUp(this.stage, category, value);
  }

  setColour(target: ColourTarget, { operator }: Operation, { state }: ContentPosition): void {
    if (!/^scn?$/i.test(operator)) this.all.colours.set(state[target], this.stage);
  }

  useGraphicsState(_entries: Dict, { operands }: Operation, at: ContentPosition): void {
    this.all.state(at.resource('ExtGState', operands[0]), this.stage, at);
  }

  paintPath({ fills, strokes }: PathPainting, _: unknown, at: ContentPosition): void {
    if (fills || strokes) this.stage.marked.paint(this.stage);
    if (fills) this.all.paint(at, 'fill', this.stage);
    if (strokes) this.all.paint(at, 'stroke', this.stage);
  }

  showText(items: readonly PdfValue[], _: unknown, at: ContentPosition): void {
    this.all.text.show(items, this.stage, at);
  }

  paintShading(shading: PdfValue | undefined): void {
    this.all.shading(shading, this.stage);
  }

  drawForm(ref: Ref, _dict: Dict, _: unknown, at: ContentPosition): void {
    this.all.form(ref, this.stage, at, at.state);
  }

  drawImage(ref: Ref, dict: Dict, _: unknown, at: ContentPosition): void {
    this.stage.marked.image(this.stage);
    this.all.images.image(ref, dict, this.stage, at, false);
  }

  drawOther(value: Ref, { dict }: Stream): void {
    this.drawn.otherXObjects.push({ dict, value, where: this.stage.where, page: this.stage.page });
  }

  drawInlineImage(dict: Dict, operation: Operation, at: ContentPosition): void {
    this.checkSyntax(operation.start, at);
    this.checkedTo = operation.end;
    this.all.images.inline(dict, this.stage, at);
  }

  beginMarkedContent(properties: PdfValue | undefined, operation: Operation): void {
    const { where, page } = this.stage;
    this.stage.marked.begin(properties, operation, { where, page });
  }

  endMarkedContent(): void {
    this.stage.marked.end();
  }

  end(at: ContentPosition): void {
    this.checkSyntax(at.bytes.length, at);
  }

  private checkSyntax(to: number, { bytes }: ContentPosition): void {
    const { where, page } = this.stage;
    const syntax = new RawSyntax(bytes, this.checkedTo, to);
    while (syntax.nextWord()) {
      // Only the faults on the way are asked for.
    }
    for (const fault of syntax.faults) note(this.drawn.syntax, { ...fault, where, page });
  }
}
