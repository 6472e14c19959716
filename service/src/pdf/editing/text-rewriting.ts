// Edits of strings written into the content of a page. All else is copied byte for byte; a form is copied before it is
// changed, so that whoever else draws it does not notice.

import { createHash } from 'node:crypto';
import { ContentOutput } from '../content/content-output.ts';
import type { ContentVisitor } from '../content/content-visitor.ts';
import { beforeShowing } from '../content/text-operators.ts';
import type { PdfDocument } from '../document.ts';
import type { GlyphFonts } from '../fonts/glyph-fonts.ts';
import { Dict, Name, type PdfValue, Ref } from '../objects.ts';
import { MarkedContent, REPLACEMENT_TEXTS } from '../structure/marked-content.ts';
import type { Operation } from '../syntax/content-reader.ts';
import { formatName, formatValue } from '../syntax/object-syntax.ts';
import { textString } from '../text-strings.ts';
import { AddedResources } from './added-resources.ts';
import { type ElementEdit, editedString } from './element-edit.ts';
import { ElementCount, elementInterpreter } from './element-visitor.ts';
import { type Position, readShown, type State } from './shown-text.ts';

/** Texts that stand for what is shown, when some of it has changed: what they say now; undefined where they go. */
export type Reword = (entry: string, text: string) => string | undefined;

export interface PageEdits {
  /** By the number of the string. */
  edits: ReadonlyMap<number, ElementEdit>;
  reword: Reword;
}

interface Rewritten {
  /** Absent: nothing was changed. */
  changed: { content: Buffer; resources: Dict } | undefined;
  /** Ids of marked content whose text has changed. */
  touched: ReadonlySet<number>;
}

export class TextRewriting {
  readonly doc: PdfDocument;
  readonly fonts: GlyphFonts;
  /** Ids of marked content whose text has changed, by page. */
  readonly touched = new Map<string, ReadonlySet<number>>();
  /** What forms became, by the keys of the originals. */
  readonly forms = new Map<string, { ref: Ref; lost: ReadonlySet<number> }>();
  private readonly made = new Map<string, Ref>();

  constructor(doc: PdfDocument, fonts: GlyphFonts) {
    this.doc = doc;
    this.fonts = fonts;
  }

  rewritePage(page: Ref, edits: PageEdits): void {
    const { doc } = this;
    const { changed, touched } = this.run(elementInterpreter(doc, page), edits, new ElementCount());
    if (!changed) return;
    const dict = doc.edit(page);
    dict.set('Contents', doc.addStream(new Dict(), changed.content));
    dict.set('Resources', changed.resources);
    this.touched.set(page.key, touched);
  }

  /** The form itself where nothing changes, or a rewritten copy. */
  form(ref: Ref, form: Position | undefined, edits: PageEdits, count: ElementCount): Ref {
    if (!form) return ref;
    const { changed, touched } = this.run(form, edits, count);
    if (!changed) return ref;
    // Pages that show the same change of a form share its copy.
    const digest = createHash('sha256').update(formatValue(changed.resources)).update(changed.content);
    const key = `${ref.key} ${digest.digest('base64')}`;
    const known = this.made.get(key);
    if (known) return known;
    const copy = new Dict(this.doc.dict(ref)).set('Resources', changed.resources) as Dict;
    for (const entry of ['Filter', 'DecodeParms', 'Length', 'PieceInfo', 'Metadata']) copy.delete(entry);
    const made = this.doc.addStream(copy, changed.content);
    this.made.set(key, made);
    if (!this.forms.has(ref.key)) this.forms.set(ref.key, { ref: made, lost: touched });
    return made;
  }

  private run(at: Position, edits: PageEdits, count: ElementCount): Rewritten {
    const stream = new StreamRewriting(this, at, edits, count);
    at.run(stream);
    return stream.finished();
  }
}

class StreamRewriting implements ContentVisitor<State> {
  readonly fonts: GlyphFonts;
  private readonly work: TextRewriting;
  private readonly edits: PageEdits;
  private readonly count: ElementCount;
  private readonly output: ContentOutput;
  private readonly resources: AddedResources;
  private readonly marks = new MarkedContent();
  private hasChanged = false;
  /** Where each form is drawn by its name, and what is drawn there now. */
  private readonly drawn = new Map<string, { place: number; made: Ref; isNew: boolean }[]>();
  /** Property lists by name: whether something still uses them as they are. */
  private readonly lists = new Map<string, boolean>();

  constructor(work: TextRewriting, at: Position, edits: PageEdits, count: ElementCount) {
    this.work = work;
    this.fonts = work.fonts;
    this.edits = edits;
    this.count = count;
    this.output = new ContentOutput(at.bytes);
    this.resources = new AddedResources(work.doc, at.resources);
  }

  showText(items: readonly PdfValue[], operation: Operation, at: Position): void {
    const { state, cursor } = at;
    const place = { state, line: cursor.lineMatrix, come: cursor.come(state.text) };
    const shown = readShown(items, at);
    if (!shown || shown.glyphs.length === 0) return;
    const edit = this.edits.edits.get(this.count.next(at));
    if (!edit) return;
    if (edit.said) this.marks.loseContent();
    this.hasChanged = true;
    const text = editedString(shown, edit, this.resources, place);
    this.output.replace(operation, ` ${beforeShowing(operation)}${text}\n`);
  }

  drawImage(_ref: Ref, _dict: Dict, _operation: Operation, at: Position): void {
    this.count.next(at);
  }

  drawInlineImage(_dict: Dict, { data }: Operation, at: Position): void {
    if (data) this.count.next(at);
  }

  drawForm(ref: Ref, _dict: Dict, operation: Operation, at: Position): void {
    const [name] = operation.operands;
    if (!(name instanceof Name)) return;
    const made = this.work.form(ref, at.form(ref), this.edits, this.count);
    const isNew = made !== ref;
    if (isNew) this.marks.loseContent();
    const uses = this.drawn.get(name.value) ?? [];
    uses.push({ place: this.output.putOff(operation), made, isNew });
    this.drawn.set(name.value, uses);
  }

  beginMarkedContent(properties: PdfValue | undefined, operation: Operation): void {
    const { doc } = this.work;
    const [tag, operand] = operation.operands;
    const list = doc.resolve(properties);
    const dict = list instanceof Dict ? list : undefined;
    const mcid = dict && doc.number(dict.get('MCID'));
    const name = operand instanceof Name ? operand.value : undefined;
    const keep = (): void => void (name !== undefined && this.lists.set(name, true));
    if (!dict || !REPLACEMENT_TEXTS.some((key) => dict.has(key))) {
      keep();
      this.marks.begin(mcid);
      return;
    }
    // Written at the end of the sequence, when it is known whether any of it has changed.
    const place = this.output.putOff(operation);
    this.marks.begin(mcid, (isTouched) => {
      const other = isTouched ? this.reworded(dict) : undefined;
      if (!other) return keep();
      this.hasChanged = true;
      if (name !== undefined && !this.lists.has(name)) this.lists.set(name, false);
      const written = isPlain(other)
        ? formatValue(other)
        : formatName(this.resources.add('Properties', 'List', doc.add(other)));
      this.output.exchange(
        place,
        ` ${formatName(tag instanceof Name ? tag.value : 'Span')} ${written} BDC\n`,
      );
    });
  }

  endMarkedContent(): void {
    this.marks.end();
  }

  /** Undefined where nothing in it changes. */
  private reworded(properties: Dict): Dict | undefined {
    const other = new Dict(properties);
    let isOther = false;
    for (const key of REPLACEMENT_TEXTS) {
      const text = this.work.doc.text(properties.get(key));
      const now = text === undefined ? undefined : this.edits.reword(key, text);
      if (text === undefined || now === text) continue;
      if (now === undefined) other.delete(key);
      else other.set(key, textString(now));
      isOther = true;
    }
    return isOther ? other : undefined;
  }

  finished(): Rewritten {
    this.marks.endAll();
    this.exchangeForms();
    for (const [name, isUsed] of this.lists) if (!isUsed) this.resources.delete('Properties', name);
    const isChanged = this.hasChanged || this.resources.isChanged;
    return {
      changed: isChanged ? { content: this.output.finish(), resources: this.resources.result() } : undefined,
      touched: this.marks.lost,
    };
  }

  /** A form that is drawn alike everywhere keeps its name, and what it was is no longer named. */
  private exchangeForms(): void {
    for (const [name, uses] of this.drawn) {
      if (!uses.some(({ isNew }) => isNew)) continue;
      const [first] = uses;
      if (first && uses.every(({ made }) => made === first.made)) {
        this.resources.set('XObject', name, first.made);
        continue;
      }
      for (const { place, made, isNew } of uses)
        if (isNew)
          this.output.exchange(place, ` ${formatName(this.resources.add('XObject', name, made))} Do\n`);
    }
  }
}

/** Content may hold no references. */
function isPlain(value: PdfValue): boolean {
  if (Array.isArray(value)) return value.every(isPlain);
  if (value instanceof Dict) return [...value.values()].every(isPlain);
  return !(value instanceof Ref);
}
