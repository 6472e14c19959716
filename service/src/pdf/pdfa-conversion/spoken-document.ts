// What PDF/UA asks for and a program can supply without guessing: a title that is shown, the tab order of the
// structure, descriptions of links and fields from what they hold already.
import type { PdfDocument } from '../document.ts';
import { editInfo, readXmp } from '../metadata/metadata.ts';
import { Dict, name, Ref } from '../objects.ts';
import { textString } from '../text-strings.ts';

/** `title` is taken where the document has none of its own. */
export function makeSpeakable(doc: PdfDocument, title: string): void {
  const catalog = doc.edit(doc.catalogRef);
  const preferences = new Dict(doc.dict(catalog.get('ViewerPreferences')) ?? []);
  catalog.set('ViewerPreferences', preferences.set('DisplayDocTitle', true));
  const info = editInfo(doc);
  const stated = doc.text(info.get('Title'))?.trim() || readXmp(doc)?.packet.get('dc:title')?.trim();
  if (!stated) info.set('Title', textString(title));
  for (const page of doc.pages()) {
    const annotations = doc.array(doc.dict(page)?.get('Annots')) ?? [];
    if (annotations.length === 0) continue;
    doc.edit(page).set('Tabs', name('S'));
    for (const value of annotations) {
      const annotation = doc.dict(value);
      if (!annotation) continue;
      if (value instanceof Ref) doc.edit(value);
      describe(doc, annotation);
    }
  }
}

function describe(doc: PdfDocument, annotation: Dict): void {
  const subtype = doc.name(annotation.get('Subtype'));
  if (subtype === 'Link' && !doc.text(annotation.get('Contents'))) {
    const address = doc.text(doc.dict(annotation.get('A'))?.get('URI'));
    if (address) annotation.set('Contents', textString(address));
  }
  if (subtype !== 'Widget' || doc.text(annotation.get('TU'))) return;
  const parent = doc.dict(annotation.get('Parent'));
  if (doc.text(parent?.get('TU'))) return;
  const called = doc.text(annotation.get('T')) || doc.text(parent?.get('T'));
  if (called) annotation.set('TU', textString(called));
}
