// Images that are drawn, their masks and inline ones included.
import type { ContentPosition } from '../../content/content-visitor.ts';
import type { ColourTarget } from '../../content/graphics-state.ts';
import type { PdfDocument } from '../../document.ts';
import { Dict, type PdfValue, Ref, Stream } from '../../objects.ts';
import type { ColourUse } from './colour-use.ts';
import { note, type Stage } from './content-scope.ts';
import type { Drawn } from './drawn.ts';

/** What images need of the stream they stand in: its colours and its resources. */
interface Painter {
  paint(at: ContentPosition, which: ColourTarget, stage: Stage): void;
  lookUp(stage: Stage, category: string, key: string): PdfValue | undefined;
}

export class ImageUses {
  private readonly doc: PdfDocument;
  private readonly drawn: Drawn;
  private readonly colours: ColourUse;
  private readonly painter: Painter;

  constructor(doc: PdfDocument, drawn: Drawn, colours: ColourUse, painter: Painter) {
    this.doc = doc;
    this.drawn = drawn;
    this.colours = colours;
    this.painter = painter;
  }

  image(
    value: PdfValue | undefined,
    dict: Dict,
    stage: Stage,
    at: ContentPosition,
    isSoftMask: boolean,
  ): void {
    const { doc, drawn } = this;
    const where = `${stage.where}, image${value instanceof Ref ? ` ${value.number} ${value.generation}` : ''}`;
    const softMask = dict.get('SMask');
    const mask = doc.resolve(softMask);
    if (mask instanceof Stream || (doc.number(dict.get('SMaskInData')) ?? 0) > 0)
      drawn.transparentPages.add(stage.page);
    if (drawn.images.has(dict)) return;
    drawn.images.set(dict, { dict, value, where, page: stage.page, isInline: false, isSoftMask });
    const intent = doc.name(dict.get('Intent'));
    if (intent !== undefined) note(drawn.intents, { where, page: stage.page, intent });
    if (doc.boolean(dict.get('ImageMask'))) this.painter.paint(at, 'fill', stage);
    else if (dict.has('ColorSpace') && !isSoftMask)
      this.colours.use(dict.get('ColorSpace') ?? null, { ...stage, where });
    if (mask instanceof Stream) this.image(softMask, mask.dict, { ...stage, where }, at, true);
    const explicit = doc.resolve(dict.get('Mask'));
    if (explicit instanceof Stream)
      this.image(dict.get('Mask'), explicit.dict, { ...stage, where }, at, false);
  }

  inline(value: PdfValue | undefined, stage: Stage, at: ContentPosition): void {
    const { doc, drawn } = this;
    if (!(value instanceof Dict)) return;
    const where = `${stage.where}, inline image`;
    stage.marked.image(stage);
    drawn.images.set(value, {
      dict: value,
      value,
      where,
      page: stage.page,
      isInline: true,
      isSoftMask: false,
    });
    const filter = value.get('Filter') ?? value.get('F');
    for (const each of doc.array(filter) ?? [filter ?? null]) {
      const word = doc.name(each);
      if (word !== undefined) note(drawn.inlineFilters, { where, page: stage.page, filter: word });
    }
    const intent = doc.name(value.get('Intent'));
    if (intent !== undefined) note(drawn.intents, { where, page: stage.page, intent });
    if (doc.boolean(value.get('ImageMask') ?? value.get('IM'))) {
      this.painter.paint(at, 'fill', stage);
      return;
    }
    const space = value.get('ColorSpace') ?? value.get('CS');
    if (space !== undefined)
      this.colours.useInline(space, stage, (key) => this.painter.lookUp(stage, 'ColorSpace', key));
  }
}
