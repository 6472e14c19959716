// Content without what lies wholly outside a box.

import { computeOnce } from '../../contract/maps.ts';
import { ContentInterpreter } from '../content/content-interpreter.ts';
import type { ContentPosition } from '../content/content-visitor.ts';
import { INITIAL_STATE } from '../content/graphics-state.ts';
import type { PdfDocument } from '../document.ts';
import { FontMeasures } from '../fonts/glyph-widths.ts';
import { type Box, boxOf, isInside } from '../geometry/boxes.ts';
import { boxThrough, matrixText } from '../geometry/matrix.ts';
import { Dict, Ref } from '../objects.ts';
import { type Cropped, type Cropping, cropContent } from './crop-interpreter.ts';

/** Forms that were cut for one place; what is beyond is left out, as only hostile files get there. */
const MAX_FORMS = 20_000;

/** What is shared by all pages of a document that is being cropped. */
export class ContentCropper implements Cropping {
  readonly doc: PdfDocument;
  readonly fonts: FontMeasures;
  /** Forms that were cut, by the keys of the originals: tags that name the old one must name the new one. */
  readonly cutForms = new Map<string, { ref: Ref; lost: ReadonlySet<number> }>();
  /** Forms that were left out somewhere. */
  readonly droppedForms = new Set<string>();
  private readonly made = new Map<string, Ref>();
  /** Graphics states whose masks were cut, by those they were made of. */
  private readonly cutStates = new Map<Dict, Map<string, Ref>>();

  constructor(doc: PdfDocument) {
    this.doc = doc;
    this.fonts = new FontMeasures(doc);
  }

  /** `keep` in the coordinates of the page. */
  crop(content: Uint8Array, resources: Dict, keep: Box): Cropped {
    const start = { content: () => content, resources, state: INITIAL_STATE };
    return cropContent(this, new ContentInterpreter(this.doc, start), keep);
  }

  /** A form for one place on a page, without what lies outside there. */
  cropForm(ref: Ref, form: ContentPosition, keep: Box): Ref | undefined {
    const key = `${ref.key} ${matrixText(form.state.ctm)} ${Object.values(keep).join(' ')}`;
    const known = this.made.get(key);
    if (known) return known;
    if (this.made.size >= MAX_FORMS) return undefined;
    const { content, resources, lost } = cropContent(this, form, keep);
    const copy = new Dict(this.doc.dict(ref) ?? []).set('Resources', resources) as Dict;
    for (const key of ['Filter', 'DecodeParms', 'PieceInfo', 'Metadata']) copy.delete(key);
    const made = this.doc.addStream(copy, content);
    this.made.set(key, made);
    if (!this.cutForms.has(ref.key)) this.cutForms.set(ref.key, { ref: made, lost });
    return made;
  }

  /** A graphics state with a soft mask, which is drawn, too; undefined where nothing of it lies outside. */
  cropMask(entries: Dict, keep: Box, at: ContentPosition): Ref | undefined {
    const mask = this.doc.dict(entries.get('SMask'));
    const group = mask?.get('G');
    const dict = this.doc.dict(group);
    if (!mask || !(group instanceof Ref) || !dict) return undefined;
    const form = at.form(group);
    const bbox = boxOf(this.doc, dict.get('BBox') ?? null);
    if (form && bbox && isInside(boxThrough(form.state.ctm, bbox), keep)) return undefined;
    const cut = form && this.cropForm(group, form, keep);
    const made = computeOnce(this.cutStates, entries, () => new Map<string, Ref>());
    return computeOnce(made, cut?.key ?? '', () => {
      const changed = new Dict(entries);
      if (cut) changed.set('SMask', new Dict(mask).set('G', cut) as Dict);
      else changed.delete('SMask');
      return this.doc.add(changed);
    });
  }
}
