// The annotations and form fields of a document as an editor wants them.
import type { PdfDocument } from '../document.ts';
import { defaultAppearance } from '../forms/default-appearance.ts';
import { choiceOptions, optionsOf } from '../forms/field-options.ts';
import { selectedButton, selectedTexts, valueText } from '../forms/field-values.ts';
import { attribute, type Field, readFields } from '../forms/form-fields.ts';
import { isoDate, momentOfPdf } from '../metadata/pdf-dates.ts';
import { type Dict, PdfString, type PdfValue, Ref } from '../objects.ts';
import { destinationOf, pageIndexes, pageIndexOf, readNamedDestinations } from '../structure/destinations.ts';
import { nameText } from '../text-strings.ts';
import { rawDict } from './raw-values.ts';

const MAX_ANNOTATIONS = 50_000;

export class EditorAnnotations {
  private readonly doc: PdfDocument;
  private readonly named: ReturnType<typeof readNamedDestinations>;
  private readonly indexes: Map<string, number>;
  private readonly pageOfWidget = new Map<string, number>();

  constructor(doc: PdfDocument) {
    this.doc = doc;
    this.named = readNamedDestinations(doc);
    this.indexes = pageIndexes(doc);
    doc.pages().forEach((page, index) => {
      for (const each of doc.array(doc.dict(page)?.get('Annots')) ?? [])
        if (each instanceof Ref && !this.pageOfWidget.has(each.key))
          this.pageOfWidget.set(each.key, index + 1);
    });
  }

  ofPage(page: Ref, lightweight: boolean) {
    const { doc } = this;
    const held = (doc.array(doc.dict(page)?.get('Annots')) ?? []).slice(0, MAX_ANNOTATIONS);
    return held.flatMap((each) => {
      const annotation = doc.dict(each);
      return annotation ? [this.one(annotation, lightweight)] : [];
    });
  }

  private one(annotation: Dict, lightweight: boolean) {
    const { doc } = this;
    const word = (key: string): string | undefined => {
      const name = doc.name(annotation.get(key));
      return name === undefined ? undefined : nameText(name);
    };
    const date = (key: string): string | undefined => {
      const moment = momentOfPdf(doc.text(annotation.get(key)) ?? '');
      return moment && isoDate(moment);
    };
    return {
      subtype: word('Subtype') ?? '',
      contents: doc.text(annotation.get('Contents')),
      rect: numbers(doc, annotation.get('Rect')),
      appearanceState: word('AS'),
      color: doc.array(annotation.get('C')) ? numbers(doc, annotation.get('C')) : undefined,
      flags: doc.number(annotation.get('F')),
      destination: this.destination(annotation),
      iconName: word('Name'),
      subject: doc.text(annotation.get('Subj')),
      author: doc.text(annotation.get('T')),
      creationDate: date('CreationDate'),
      modificationDate: date('M'),
      rawData: lightweight ? undefined : rawDict(doc, annotation),
    };
  }

  /** An address, or a page of this document. */
  private destination(annotation: Dict): string | undefined {
    const { doc } = this;
    const uri = doc.resolve(doc.dict(annotation.get('A'))?.get('URI'));
    if (uri instanceof PdfString) return Buffer.from(uri.bytes).toString('latin1');
    const found = destinationOf(doc, this.named, annotation);
    const index = found && pageIndexOf(found, this.indexes);
    return index === undefined ? undefined : `page ${index + 1}`;
  }

  *fields(lightweight: boolean) {
    for (const field of readFields(this.doc)) {
      // A field without a widget has no place, but a value.
      const widgets: (Ref | undefined)[] = field.widgets.length > 0 ? field.widgets : [undefined];
      for (const widget of widgets) yield this.field(field, widget, lightweight);
    }
  }

  private field(field: Field, widget: Ref | undefined, lightweight: boolean) {
    const { doc } = this;
    const own = (key: string): string | undefined => doc.text(attribute(doc, field.ref, key));
    const look = defaultAppearance(doc, widget ?? field.ref);
    const button = field.kind === 'checkbox' || field.kind === 'radio';
    const on = button ? selectedButton(doc, field) : undefined;
    const options = optionsOf(doc, field).map(({ value }) => value);
    const type = doc.name(attribute(doc, field.ref, 'FT'));
    const initial = doc.resolve(attribute(doc, field.ref, 'DV'));
    return {
      name: field.name,
      partialName: field.partial,
      fieldType: type === undefined ? '' : nameText(type),
      value: valueText(doc, field),
      defaultValue:
        doc.text(initial) ??
        (doc.name(initial) === undefined ? undefined : nameText(doc.name(initial) ?? '')),
      flags: field.flags,
      alternateFieldName: own('TU'),
      mappingName: own('TM'),
      pageNumber: widget ? this.pageOfWidget.get(widget.key) : undefined,
      rect: widget ? numbers(doc, doc.dict(widget)?.get('Rect')) : undefined,
      options: options.length > 0 ? options : undefined,
      selectedIndices: type === 'Ch' ? this.selected(field) : undefined,
      checked: button && widget ? on?.widget.key === widget.key : undefined,
      fontName: look?.font === undefined ? undefined : nameText(look.font),
      fontSize: look?.size,
      rawData: lightweight ? undefined : rawDict(doc, field.ref),
    };
  }

  private selected(field: Field): number[] {
    const chosen = new Set(selectedTexts(this.doc, field));
    return choiceOptions(this.doc, field.ref).flatMap(({ value }, index) =>
      chosen.has(value) ? [index] : [],
    );
  }
}

const MAX_NUMBERS = 64;

const numbers = (doc: PdfDocument, value: PdfValue | undefined): number[] =>
  (doc.array(value) ?? []).slice(0, MAX_NUMBERS).map((each) => doc.number(each) ?? 0);
