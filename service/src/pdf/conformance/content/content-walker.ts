// Walks through everything a document draws: pages, forms, patterns, glyphs of Type 3 fonts, appearances of
// annotations. Each stream is read once; what it uses is noted, nothing is judged here.

import { contentParts, joinedContent } from '../../content/page-content.ts';
import type { PdfDocument } from '../../document.ts';
import { contentOf } from '../../filters/content-data.ts';
import { Dict, Name, type PdfValue, Ref, Stream } from '../../objects.ts';
import { ContentReader, type Operation } from '../../syntax/content-reader.ts';
import { RawSyntax } from '../file/raw-syntax.ts';
import { StructureParents } from '../rules/structure-parents.ts';
import { ColourUse } from './colour-use.ts';
import { innerStage, MAX_NESTING, note, printable, type Stage } from './content-scope.ts';
import { type Drawn, type GraphicsState, INITIAL_STATE, nothingDrawn, type Place } from './graphics-state.ts';
import { ImageUses } from './image-use.ts';
import { MarkedContent } from './marked-content-use.ts';
import { KNOWN_OPERATORS, PAINTS, resourceNamed } from './operators.ts';
import { TextUses } from './text-use.ts';
import { isTransparentState } from './transparent-state.ts';

/** Part 1, 6.1.12 and part 2, 6.1.13: q may be nested 28 deep. */
const DEEPEST = 28;

export class Drawing {
  readonly drawn: Drawn = nothingDrawn();
  private readonly doc: PdfDocument;
  private readonly colours: ColourUse;
  private readonly parents: StructureParents;
  private readonly images: ImageUses;
  private readonly text: TextUses;
  private readonly walked = new Set<Dict>();

  constructor(doc: PdfDocument) {
    this.doc = doc;
    this.colours = new ColourUse(doc, this.drawn);
    this.parents = new StructureParents(doc);
    this.images = new ImageUses(doc, this.drawn, this.colours, {
      paint: (state, which, stage) => this.paint(state, which, stage),
      lookUp: (stage, category, key) => this.lookUp(stage, category, key),
    });
    this.text = new TextUses(doc, this.drawn, {
      paint: (state, which, stage) => this.paint(state, which, stage),
      content: (bytes, stage, state) => this.content(bytes, stage, state),
      isNew: (stream) => this.isNew(stream),
    });
  }

  all(): Drawn {
    for (const [index, ref] of this.doc.pages().entries()) this.page(ref, index);
    return this.drawn;
  }

  private page(ref: Ref, index: number): void {
    const { doc } = this;
    const page = doc.dict(ref) ?? new Dict();
    const own = doc.dict(page.get('Resources'));
    const stage: Stage = {
      page: index,
      where: `page ${index + 1}`,
      resources: own ?? doc.dict(doc.inherited(page, 'Resources')),
      isBorrowed: own === undefined,
      holder: { dict: page, value: ref },
      depth: 0,
      marked: new MarkedContent(doc, this.drawn, this.parents, page),
    };
    this.group(page, stage);
    this.content(joinedContent(doc, contentParts(doc, ref)), stage, INITIAL_STATE);
    for (const annotation of doc.array(page.get('Annots')) ?? []) this.appearance(annotation, stage);
  }

  private appearance(annotation: PdfValue, page: Stage): void {
    const { doc } = this;
    const dict = doc.dict(annotation);
    const subtype = doc.name(dict?.get('Subtype')) ?? 'unknown';
    const stage = {
      ...page,
      where: `${page.where}, appearance of ${subtype} annotation`,
      isBorrowed: true,
      marked: new MarkedContent(doc, this.drawn, this.parents, new Dict(), { isCovered: true }),
    };
    for (const value of doc.dict(dict?.get('AP'))?.values() ?? []) {
      const held = doc.resolve(value);
      const states = held instanceof Dict ? [...held.values()] : [value];
      for (const state of states) {
        const form = doc.resolve(state);
        if (form instanceof Stream) this.form(state, form.dict, stage, INITIAL_STATE);
      }
    }
  }

  private content(bytes: Uint8Array, stage: Stage, initial: GraphicsState): void {
    const { drawn } = this;
    const reader = new ContentReader(bytes);
    const saved: GraphicsState[] = [];
    let state: GraphicsState = { ...initial };
    let checkedTo = 0;
    for (let operation = reader.next(); operation; operation = reader.next()) {
      const { operator } = operation;
      if (operator === 'BI') {
        this.syntax(bytes, checkedTo, operation.start, stage);
        checkedTo = operation.end;
      }
      if (operator === 'q') {
        saved.push({ ...state });
        if (saved.length > DEEPEST) note(drawn.tooDeep, { where: stage.where, page: stage.page });
      } else if (operator === 'Q') state = saved.pop() ?? state;
      else this.operation(operation, stage, state);
    }
    this.syntax(bytes, checkedTo, bytes.length, stage);
  }

  /** The data of inline images is no syntax: it is left out. */
  private syntax(bytes: Uint8Array, from: number, to: number, { where, page }: Place): void {
    const syntax = new RawSyntax(bytes, from, to);
    while (syntax.nextWord()) {
      // Only the faults on the way are asked for.
    }
    for (const fault of syntax.faults) note(this.drawn.syntax, { ...fault, where, page });
  }

  private operation(operation: Operation, stage: Stage, state: GraphicsState): void {
    const { operator, operands } = operation;
    const { drawn } = this;
    const here = { where: stage.where, page: stage.page };
    if (!KNOWN_OPERATORS.has(operator)) {
      note(drawn.unknownOperators, { ...here, where: `${stage.where}, operator ${printable(operator)}` });
      return;
    }
    stage.marked.operation(operation, stage.resources, here);
    const paints = PAINTS[operator];
    if (paints) {
      stage.marked.painted(here);
      if (paints.includes('f')) this.paint(state, 'fill', stage);
      if (paints.includes('s')) this.paint(state, 'stroke', stage);
      return;
    }
    if (
      this.colours.set(operator, operands, state, stage, (category, key) => this.lookUp(stage, category, key))
    )
      return;
    const last = operands.at(-1);
    if (operator === 'ri' && last instanceof Name) note(drawn.intents, { ...here, intent: last.value });
    else if (operator === 'Tr' && typeof last === 'number') state.mode = last;
    else if (operator === 'Tf') state.font = this.named(stage, 'Font', operands[0]);
    else if (operator === 'gs') this.state(this.named(stage, 'ExtGState', last), stage, state);
    else if (operator === 'Do') this.xobject(this.named(stage, 'XObject', last), stage, state);
    else if (operator === 'sh') this.shading(this.named(stage, 'Shading', last), stage);
    else if (operator === 'BI') this.images.inline(operands[0], stage, state);
    else if (operator === 'Tj' || operator === 'TJ' || operator === "'" || operator === '"')
      this.text.show(last, stage, state);
  }

  private named(stage: Stage, category: string, key: PdfValue | undefined): PdfValue | undefined {
    return key instanceof Name ? this.lookUp(stage, category, key.value) : undefined;
  }

  private lookUp(stage: Stage, category: string, key: string): PdfValue | undefined {
    const found = resourceNamed(this.doc, stage.resources, category, key);
    const here = { page: stage.page, where: `${stage.where}, ${category} ${printable(key)}` };
    if (found === undefined) note(this.drawn.missingNames, here);
    else if (stage.isBorrowed) {
      note(this.drawn.inheritedNames, here);
      const { dict, value } = stage.holder;
      if (stage.resources) this.drawn.borrowers.set(dict, { value, resources: stage.resources });
    }
    return found;
  }

  private paint(state: GraphicsState, which: 'fill' | 'stroke', stage: Stage): void {
    const colour = state[which];
    this.colours.use(colour.space, stage);
    if (this.isOverprinted(state, which)) this.colours.overprint(colour.space, stage);
    if (colour.pattern !== undefined) this.pattern(colour.pattern, stage);
  }

  private isOverprinted(state: GraphicsState, which: 'fill' | 'stroke'): boolean {
    return state.overprintMode === 1 && (which === 'fill' ? state.overprintFill : state.overprintStroke);
  }

  private state(value: PdfValue | undefined, stage: Stage, state: GraphicsState): void {
    const { doc, drawn } = this;
    const dict = doc.dict(value);
    if (!dict) return;
    const stroke = doc.boolean(dict.get('OP'));
    const fill = doc.boolean(dict.get('op')) ?? stroke;
    state.overprintStroke = stroke ?? state.overprintStroke;
    state.overprintFill = fill ?? state.overprintFill;
    state.overprintMode = doc.number(dict.get('OPM')) ?? state.overprintMode;
    const font = doc.array(dict.get('Font'))?.[0];
    if (font !== undefined) state.font = font;
    if (isTransparentState(doc, dict)) drawn.transparentPages.add(stage.page);
    if (drawn.states.has(dict)) return;
    const where = `${stage.where}, graphics state`;
    drawn.states.set(dict, { dict, value, where, page: stage.page });
    const intent = doc.name(dict.get('RI'));
    if (intent !== undefined) note(drawn.intents, { where, page: stage.page, intent });
    const group = doc.dict(dict.get('SMask'))?.get('G');
    const mask = doc.resolve(group);
    if (mask instanceof Stream)
      this.form(group, mask.dict, { ...stage, where: `${where}, soft mask` }, INITIAL_STATE);
  }

  private xobject(value: PdfValue | undefined, stage: Stage, state: GraphicsState): void {
    const { doc } = this;
    const held = doc.resolve(value);
    if (!(held instanceof Stream)) return;
    const subtype = doc.name(held.dict.get('Subtype'));
    if (subtype === 'Form') this.form(value, held.dict, stage, state);
    else if (subtype === 'Image') {
      stage.marked.painted(stage);
      this.images.image(value, held.dict, stage, state, false);
    } else this.drawn.otherXObjects.push({ dict: held.dict, value, where: stage.where, page: stage.page });
  }

  private form(value: PdfValue | undefined, dict: Dict, stage: Stage, state: GraphicsState): void {
    const { doc, drawn } = this;
    if (stage.depth > MAX_NESTING) return;
    const where = `${stage.where}, form${value instanceof Ref ? ` ${value.number} ${value.generation}` : ''}`;
    if (doc.name(doc.dict(dict.get('Group'))?.get('S')) === 'Transparency')
      drawn.transparentPages.add(stage.page);
    if (!this.isNew(dict)) {
      if (dict.has('StructParents')) note(drawn.repeatedForms, { where, page: stage.page });
      return;
    }
    drawn.forms.set(dict, { dict, value, where, page: stage.page });
    this.group(dict, { ...stage, where });
    const inner = innerStage(doc, stage, {
      where,
      holder: { dict, value },
      marked: stage.marked.inside(dict),
    });
    if (value instanceof Ref) this.content(contentOf(doc, value), inner, state);
  }

  /** The colour space of a transparency group is one that is painted in. */
  private group(holder: Dict, stage: Stage): void {
    const space = this.doc.dict(holder.get('Group'))?.get('CS');
    if (space !== undefined) this.colours.use(space, { ...stage, where: `${stage.where}, group` });
  }

  private shading(value: PdfValue | undefined, stage: Stage): void {
    stage.marked.painted(stage);
    const dict = this.doc.dict(value);
    if (dict)
      this.colours.use(dict.get('ColorSpace') ?? null, { ...stage, where: `${stage.where}, shading` });
  }

  private pattern(value: PdfValue, stage: Stage): void {
    const { doc } = this;
    const dict = doc.dict(value);
    if (!dict || !this.isNew(dict) || stage.depth > MAX_NESTING) return;
    const where = `${stage.where}, pattern`;
    if (doc.number(dict.get('PatternType')) === 2) {
      this.shading(dict.get('Shading'), { ...stage, where });
      this.state(dict.get('ExtGState'), { ...stage, where }, { ...INITIAL_STATE });
      return;
    }
    const inner = innerStage(doc, stage, { where, holder: { dict, value }, marked: stage.marked.inside() });
    if (value instanceof Ref) this.content(contentOf(doc, value), inner, INITIAL_STATE);
  }

  private isNew(dict: Dict): boolean {
    if (this.walked.has(dict)) return false;
    this.walked.add(dict);
    return true;
  }
}
