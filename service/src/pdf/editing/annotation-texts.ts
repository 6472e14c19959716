// Texts beside the pages' own: those of annotations and the values of form fields. Replacing leaves them as they are, and
// says how many hold what was looked for.

import { append } from '../../contract/maps.ts';
import type { PdfDocument } from '../document.ts';
import { valueText } from '../forms/field-values.ts';
import { readFields } from '../forms/form-fields.ts';
import { Ref } from '../objects.ts';

const MAX_ANNOTATIONS = 50_000;

export class AnnotationTexts {
  private readonly doc: PdfDocument;
  /** Of the fields that a widget belongs to. */
  private readonly values = new Map<string, string[]>();

  constructor(doc: PdfDocument) {
    this.doc = doc;
    for (const field of readFields(doc)) {
      const value = valueText(doc, field);
      if (value) for (const { key } of field.widgets) append(this.values, key, value);
    }
  }

  /** One for each annotation that says something. */
  ofPage(index: number): string[] {
    const { doc } = this;
    const held = doc.array(doc.dict(doc.pages()[index])?.get('Annots')) ?? [];
    return held.slice(0, MAX_ANNOTATIONS).flatMap((each) => {
      const annotation = doc.dict(each);
      const value = each instanceof Ref ? this.values.get(each.key) : undefined;
      const text = value?.join('\n') ?? doc.text(annotation?.get('Contents'));
      return text ? [text] : [];
    });
  }
}
