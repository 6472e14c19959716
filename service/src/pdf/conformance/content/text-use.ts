// Text that is shown: which strings, by which fonts, and what the glyphs of Type 3 fonts draw.
import type { PdfDocument } from '../../document.ts';
import { contentOf } from '../../filters/content-data.ts';
import { type Dict, PdfString, type PdfValue, Ref } from '../../objects.ts';
import { innerStage, MAX_NESTING, printable, type Stage } from './content-scope.ts';
import type { Drawn, GraphicsState } from './graphics-state.ts';

/** What text needs of the walk it is part of. */
interface Painter {
  paint(state: GraphicsState, which: 'fill' | 'stroke', stage: Stage): void;
  content(bytes: Uint8Array, stage: Stage, state: GraphicsState): void;
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

  show(shown: PdfValue | undefined, stage: Stage, state: GraphicsState): void {
    const { doc, drawn } = this;
    stage.marked.painted(stage);
    const fill = [0, 2, 4, 6].includes(state.mode);
    const stroke = [1, 2, 5, 6].includes(state.mode);
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
      };
      drawn.fonts.set(font, use);
      if (doc.name(font.get('Subtype')) === 'Type3') this.type3(font, stage, state);
    }
    if (fill) this.painter.paint(state, 'fill', stage);
    if (stroke) this.painter.paint(state, 'stroke', stage);
    for (const item of Array.isArray(shown) ? shown : [shown]) {
      if (!(item instanceof PdfString)) continue;
      const text = Buffer.from(item.bytes).toString('latin1');
      (state.mode === 3 ? use.invisible : use.visible).add(text);
      if (!stage.marked.isExplained) use.unexplained.add(text);
    }
  }

  private type3(font: Dict, stage: Stage, state: GraphicsState): void {
    for (const [glyph, proc] of this.doc.dict(font.get('CharProcs')) ?? []) {
      const stream = this.doc.dict(proc);
      if (!stream || !this.painter.isNew(stream) || stage.depth > MAX_NESTING) continue;
      const inner = innerStage(this.doc, stage, {
        where: `${stage.where}, Type 3 glyph ${printable(glyph)}`,
        holder: { dict: font, value: state.font },
        marked: stage.marked.inside(),
      });
      if (proc instanceof Ref) this.painter.content(contentOf(this.doc, proc), inner, state);
    }
  }
}
