// Text that is shown: which strings, by which fonts, and what the glyphs of Type 3 fonts draw.
import type { ContentPosition } from '../../content/content-visitor.ts';
import type { ColourTarget } from '../../content/graphics-state.ts';
import type { PdfDocument } from '../../document.ts';
import { type Dict, PdfString, type PdfValue, Ref } from '../../objects.ts';
import { innerStage, printable, type Stage } from './content-scope.ts';
import type { Drawn } from './drawn.ts';

/** What text needs of the walk it is part of. */
interface Painter {
  paint(at: ContentPosition, which: ColourTarget, stage: Stage): void;
  follow(at: ContentPosition, stage: Stage): void;
  /** Whether a stream is met for the first time. */
  isNew(stream: Dict): boolean;
}

export class TextUses {
  private readonly doc: PdfDocument;
  private readonly drawn: Drawn;
  private readonly painter: Painter;

  constructor(doc: PdfDocument, drawn: Drawn, painter: Painter) {
    this.doc = doc;
    this.drawn = drawn;
    this.painter = painter;
  }

  show(items: readonly PdfValue[], stage: Stage, at: ContentPosition): void {
    const { doc, drawn } = this;
    const { state } = at;
    stage.marked.paint(stage);
    const fill = [0, 2, 4, 6].includes(state.renderingMode);
    const stroke = [1, 2, 5, 6].includes(state.renderingMode);
    const font = doc.dict(state.font);
    if (!font) return;
    let use = drawn.fonts.get(font);
    if (!use) {
      const ref = state.font instanceof Ref ? state.font : undefined;
      use = {
        font,
        ref,
        where: stage.where,
        visible: new Set(),
        invisible: new Set(),
        unexplained: new Set(),
        undescribed: new Set(),
      };
      drawn.fonts.set(font, use);
      if (doc.name(font.get('Subtype')) === 'Type3') this.type3(font, stage, at);
    }
    if (fill) this.painter.paint(at, 'fill', stage);
    if (stroke) this.painter.paint(at, 'stroke', stage);
    const isUnexplained = !stage.marked.hasText('ActualText');
    const isUndescribed = isUnexplained && stage.marked.isRealContent && !stage.marked.hasText('Alt');
    for (const item of items) {
      if (!(item instanceof PdfString)) continue;
      const text = Buffer.from(item.bytes).toString('latin1');
      (state.renderingMode === 3 ? use.invisible : use.visible).add(text);
      if (isUnexplained) use.unexplained.add(text);
      if (isUndescribed) use.undescribed.add(text);
    }
  }

  private type3(font: Dict, stage: Stage, at: ContentPosition): void {
    for (const [glyph, proc] of this.doc.dict(font.get('CharProcs')) ?? []) {
      const stream = this.doc.dict(proc);
      const drawn = at.stream(proc, font, { ...at.state });
      if (!stream || !drawn || !this.painter.isNew(stream)) continue;
      const inner = innerStage(this.doc, stage, drawn, {
        where: `${stage.where}, Type 3 glyph ${printable(glyph)}`,
        holder: { dict: font, value: at.state.font },
        marked: stage.marked.inside(),
      });
      this.painter.follow(drawn, inner);
    }
  }
}
