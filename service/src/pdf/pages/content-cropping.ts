// Content without what lies wholly outside a box.

import { INITIAL_TEXT } from '../content/text-state.ts';
import type { PdfDocument } from '../document.ts';
import { contentOf } from '../filters/content-data.ts';
import { FontMeasures } from '../fonts/glyph-widths.ts';
import { type Box, boxOf, isInside } from '../geometry/boxes.ts';
import { boxThrough, IDENTITY, matrixOf, matrixText, product } from '../geometry/matrix.ts';
import { Dict, Ref } from '../objects.ts';
import { type Cropped, type Cropping, CropRun, type State } from './crop-interpreter.ts';

const MAX_NESTING = 28;
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
    const initial = { ctm: IDENTITY, lineWidth: 1, text: INITIAL_TEXT };
    return new CropRun(this, content, resources, keep, initial, 0).run();
  }

  /** A form for one place on a page, without what lies outside there. */
  cropForm(ref: Ref, around: Dict, keep: Box, state: State, depth: number): Ref | undefined {
    const key = `${ref.key} ${matrixText(state.ctm)} ${Object.values(keep).join(' ')}`;
    const known = this.made.get(key);
    if (known) return known;
    if (depth > MAX_NESTING || this.made.size >= MAX_FORMS) return undefined;
    const dict = this.doc.dict(ref) ?? new Dict();
    const resources = this.doc.dict(dict.get('Resources')) ?? around;
    const {
      content,
      resources: used,
      lost,
    } = new CropRun(this, contentOf(this.doc, ref), resources, keep, state, depth).run();
    const copy = new Dict(dict).set('Resources', used) as Dict;
    for (const key of ['Filter', 'DecodeParms', 'PieceInfo', 'Metadata']) copy.delete(key);
    const made = this.doc.addStream(copy, content);
    this.made.set(key, made);
    if (!this.cutForms.has(ref.key)) this.cutForms.set(ref.key, { ref: made, lost });
    return made;
  }

  /** A graphics state with a soft mask, which is drawn, too; undefined where nothing of it lies outside. */
  cropMask(entries: Dict, around: Dict, keep: Box, state: State, depth: number): Ref | undefined {
    const mask = this.doc.dict(entries.get('SMask'));
    const group = mask?.get('G');
    const dict = this.doc.dict(group);
    if (!mask || !(group instanceof Ref) || !dict) return undefined;
    const ctm = product(matrixOf(this.doc, dict.get('Matrix')), state.ctm);
    const bbox = boxOf(this.doc, dict.get('BBox') ?? null);
    if (bbox && isInside(boxThrough(ctm, bbox), keep)) return undefined;
    const cut = this.cropForm(group, around, keep, { ...state, ctm }, depth);
    const made = this.cutStates.get(entries) ?? new Map<string, Ref>();
    this.cutStates.set(entries, made);
    const known = made.get(cut?.key ?? '');
    if (known) return known;
    const changed = new Dict(entries);
    if (cut) changed.set('SMask', new Dict(mask).set('G', cut) as Dict);
    else changed.delete('SMask');
    const ref = this.doc.add(changed);
    made.set(cut?.key ?? '', ref);
    return ref;
  }
}
