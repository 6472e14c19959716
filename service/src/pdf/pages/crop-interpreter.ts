// Content with all that shows something inside a box: it is copied as it stands, and what lies wholly outside is left
// out.

import { ContentOutput } from '../content/content-output.ts';
import type { ContentPosition, ContentVisitor } from '../content/content-visitor.ts';
import { NamedResources } from '../content/named-resources.ts';
import type { PathPainting } from '../content/operators.ts';
import { remainingGlyphs } from '../content/remaining-glyphs.ts';
import { beforeShowing } from '../content/text-operators.ts';
import type { PdfDocument } from '../document.ts';
import type { FontMeasures } from '../fonts/glyph-widths.ts';
import { type Box, boxOf, intersection, isInside } from '../geometry/boxes.ts';
import { boxThrough, matrixText, scaleOf } from '../geometry/matrix.ts';
import { cutImage } from '../images/image-cutting.ts';
import { type Dict, type Name, PdfString, type PdfValue, type Ref, type Stream } from '../objects.ts';
import { MarkedContent, REPLACEMENT_TEXTS, withoutTexts } from '../structure/marked-content.ts';
import type { ResourceCategory } from '../syntax/content-names.ts';
import type { Operation } from '../syntax/content-reader.ts';
import { formatName, formatNumber } from '../syntax/object-syntax.ts';

/** What all content of a document shares while it is cropped. */
export interface Cropping {
  readonly doc: PdfDocument;
  readonly fonts: FontMeasures;
  /** Forms that are not drawn any more, and those that were cut, by their references. */
  readonly droppedForms: Set<string>;
  readonly cutForms: ReadonlyMap<string, { lost: ReadonlySet<number> }>;
  cropForm(ref: Ref, form: ContentPosition, keep: Box): Ref | undefined;
  cropMask(entries: Dict, keep: Box, at: ContentPosition): Ref | undefined;
}

export interface Cropped {
  content: Buffer;
  resources: Dict;
  /** Ids of marked content that lost something. */
  lost: ReadonlySet<number>;
}

/** Corners may reach beyond half the line's width; readers let them reach ten times as far. */
const REACH_OF_CORNERS = 5;
const HAIRLINE = 1;
const DUST = 0.01;
const UNIT: Box = { left: 0, bottom: 0, right: 1, top: 1 };

const isOutside = (box: Box, keep: Box): boolean => intersection(box, keep) === undefined;

export function cropContent(shared: Cropping, at: ContentPosition, keep: Box): Cropped {
  const run = new CropRun(shared, at, keep);
  at.run(run);
  return run.cropped();
}

class CropRun implements ContentVisitor {
  readonly paths = 'bounds';
  readonly fonts: FontMeasures;
  private readonly shared: Cropping;
  private readonly doc: PdfDocument;
  private readonly keep: Box;
  private readonly resources: NamedResources;
  private readonly output: ContentOutput;
  private readonly marks = new MarkedContent();

  constructor(shared: Cropping, { bytes, resources }: ContentPosition, keep: Box) {
    this.shared = shared;
    this.doc = shared.doc;
    this.fonts = shared.fonts;
    this.keep = keep;
    this.resources = new NamedResources(shared.doc, resources);
    this.output = new ContentOutput(bytes);
  }

  cropped(): Cropped {
    const content = this.output.finish();
    return { content, resources: this.resources.resourcesInUse(), lost: this.marks.lost };
  }

  /** What Do and BDC name is decided when it is known whether they stay. */
  nameResource(category: ResourceCategory, word: Name): void {
    if (category !== 'XObject') this.resources.use(category, word);
  }

  markPoint({ operands }: Operation): void {
    this.resources.use('Properties', operands[1]);
  }

  useGraphicsState(entries: Dict, operation: Operation, at: ContentPosition): void {
    const cut = this.shared.cropMask(entries, this.keep, at);
    if (!cut) return;
    const [operand] = operation.operands;
    this.resources.unuse('ExtGState', operand);
    this.replace(operation, `${formatName(this.resources.exchange('ExtGState', operand, cut))} gs`);
  }

  paintPath({ fills, strokes }: PathPainting, operation: Operation, at: ContentPosition): void {
    const { bounds, clipping, isWhole, start } = at.path;
    if (!bounds || clipping !== '' || (!fills && !strokes)) return;
    const { ctm, lineWidth } = at.state;
    const by = strokes ? Math.max(HAIRLINE, Math.abs(lineWidth) * scaleOf(ctm) * REACH_OF_CORNERS) : DUST;
    const { left, bottom, right, top } = bounds;
    const painted = { left: left - by, bottom: bottom - by, right: right + by, top: top + by };
    if (!isOutside(painted, this.keep)) return;
    this.marks.loseContent();
    this.replace({ start: isWhole ? start : operation.start, end: operation.end }, isWhole ? '' : 'n');
  }

  showText(items: readonly PdfValue[], operation: Operation, at: ContentPosition): void {
    const { text, ctm } = at.state;
    const before = beforeShowing(operation);
    // Without a font nothing is shown, but something could be read.
    if (!text.font) {
      this.replace(operation, before);
      return;
    }
    const left: string[] = [];
    let gone = false;
    for (const item of items) {
      if (typeof item === 'number') {
        at.cursor.adjust(item, text);
        left.push(formatNumber(item));
      } else if (item instanceof PdfString) {
        const glyphs = at.cursor.show(item.bytes, text, ctm);
        const outside = glyphs.map(({ box }) => isOutside(box, this.keep));
        if (outside.includes(true)) gone = true;
        left.push(...remainingGlyphs(item, glyphs, outside));
      }
    }
    if (!gone) return;
    this.marks.loseContent();
    this.replace(operation, `${before}[${left.join(' ')}] TJ`);
  }

  drawInlineImage(dict: Dict, operation: Operation, at: ContentPosition): void {
    this.resources.useInImage(dict);
    if (isOutside(boxThrough(at.state.ctm, UNIT), this.keep)) this.replace(operation, '');
  }

  drawOther(ref: Ref, { dict }: Stream, operation: Operation, at: ContentPosition): void {
    this.drawImage(ref, dict, operation, at);
  }

  drawImage(ref: Ref, _dict: Dict, operation: Operation, at: ContentPosition): void {
    const box = boxThrough(at.state.ctm, UNIT);
    if (isOutside(box, this.keep)) {
      this.lose(operation);
      return;
    }
    const cut = isInside(box, this.keep) ? undefined : cutImage(this.doc, ref, at.state.ctm, this.keep);
    if (!cut) {
      this.resources.use('XObject', operation.operands[0]);
      return;
    }
    const key = this.resources.exchange('XObject', operation.operands[0], cut.image);
    this.replace(operation, `q ${matrixText(cut.matrix)} cm ${formatName(key)} Do Q`);
  }

  drawForm(ref: Ref, dict: Dict, operation: Operation, at: ContentPosition): void {
    const form = at.form(ref);
    const bbox = boxOf(this.doc, dict.get('BBox') ?? null);
    const box = form && bbox && boxThrough(form.state.ctm, bbox);
    if (!box || isOutside(box, this.keep)) {
      // Readers draw no form without a box.
      this.shared.droppedForms.add(ref.key);
      this.lose(operation);
      return;
    }
    const hasResources = this.doc.dict(dict.get('Resources')) !== undefined;
    if (isInside(box, this.keep) && hasResources) {
      this.resources.use('XObject', operation.operands[0]);
      return;
    }
    const made = this.shared.cropForm(ref, form, this.keep);
    if (!made) {
      this.lose(operation);
      return;
    }
    if ((this.shared.cutForms.get(ref.key)?.lost.size ?? 0) > 0) this.marks.loseContent();
    const key = this.resources.exchange('XObject', operation.operands[0], made);
    this.replace(operation, `${formatName(key)} Do`);
  }

  beginMarkedContent(held: PdfValue | undefined, operation: Operation): void {
    const [tag, operand] = operation.operands;
    const properties = this.doc.dict(held);
    const mcid = properties && this.doc.number(properties.get('MCID'));
    if (!properties || !REPLACEMENT_TEXTS.some((key) => properties.has(key))) {
      this.resources.use('Properties', operand);
      this.marks.begin(mcid);
      return;
    }
    // Written at the end of the sequence, when it is known what is left of it.
    const place = this.output.putOff(operation);
    this.marks.begin(mcid, (lost) => {
      if (lost) this.output.exchange(place, withoutTexts(tag, properties));
      else this.resources.use('Properties', operand);
    });
  }

  endMarkedContent(): void {
    this.marks.end();
  }

  private lose(operation: Operation): void {
    this.marks.loseContent();
    this.replace(operation, '');
  }

  private replace(range: { start: number; end: number }, text: string): void {
    this.output.replace(range, ` ${text}\n`);
  }
}
