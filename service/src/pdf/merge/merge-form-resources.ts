// Default resources of forms: fonts that fields name in their default appearance (ISO 32000-1, 12.7.3.3).
import type { PdfDocument } from '../document.ts';
import type { FormField } from '../forms/form-tree.ts';
import { freeNames } from '../free-names.ts';
import { cloneValue, Dict, isName, PdfString, type PdfValue, Ref, Stream } from '../objects.ts';
import { sameValue } from '../same-value.ts';
import { formatName } from '../syntax/object-syntax.ts';
import type { MergePart } from './merge-part.ts';

type FontNames = ReadonlyMap<string, string>;

/** Adds a form's resources to those of the merged form; tells which fonts got another name. */
export function mergeFormResources(doc: PdfDocument, merged: Dict, form: Dict): FontNames {
  const renames = new Map<string, string>();
  const own = doc.dict(form.get('DR'));
  if (!own) return renames;
  const target = new Dict(doc.dict(merged.get('DR')) ?? []);
  merged.set('DR', target);
  for (const [category, value] of own) {
    const resources = doc.dict(value);
    if (!resources) {
      if (!target.has(category)) target.set(category, value);
      continue;
    }
    const there = new Dict(doc.dict(target.get(category)) ?? []);
    target.set(category, there);
    const free = freeNames();
    for (const key of there.keys()) free(key);
    for (const [key, resource] of resources) {
      if (!there.has(key)) there.set(free(key), resource);
      else if (category === 'Font' && !sameValue(doc, there.get(key), resource)) {
        const unique = free(key);
        renames.set(key, unique);
        there.set(unique, resource);
      }
    }
  }
  return renames;
}

/** Makes a part's fields and annotations use the new names of their fonts. */
export function renameFonts(
  doc: PdfDocument,
  part: MergePart,
  fields: readonly FormField[],
  resources: PdfValue | undefined,
  renames: FontNames,
): void {
  for (const field of fields) {
    renameInAppearance(doc, field.ref, renames);
    for (const widget of field.widgets) {
      if (widget !== field.ref) renameInAppearance(doc, widget, renames);
      giveResources(doc, doc.dict(widget)?.get('AP'), resources);
    }
  }
  for (const page of part.pages) {
    for (const annotation of doc.array(doc.dict(page)?.get('Annots')) ?? []) {
      const isText = isName(doc.resolve(doc.dict(annotation)?.get('Subtype')), 'FreeText');
      if (isText && annotation instanceof Ref) renameInAppearance(doc, annotation, renames);
    }
  }
}

function renameInAppearance(doc: PdfDocument, ref: Ref, renames: FontNames): void {
  const given = doc.resolve(doc.dict(ref)?.get('DA'));
  if (!(given instanceof PdfString)) return;
  const text = Buffer.from(given.bytes).toString('latin1');
  const renamed = renameFontsIn(text, renames);
  if (renamed !== text) doc.edit(ref).set('DA', new PdfString(Buffer.from(renamed, 'latin1')));
}

/** `/Helv 12 Tf 0 g` with another name for the font. */
export function renameFontsIn(appearance: string, renames: FontNames): string {
  return appearance.replace(/\/([^\s/()<>[\]{}%]+)(?=\s+[-+.\d]+\s+Tf\b)/g, (whole, escaped: string) => {
    const font = escaped.replace(/#([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    const renamed = renames.get(font);
    return renamed === undefined ? whole : formatName(renamed);
  });
}

/** Appearances without resources of their own draw with the form's: they get those of the form they came from. */
function giveResources(
  doc: PdfDocument,
  appearances: PdfValue | undefined,
  resources: PdfValue | undefined,
): void {
  if (resources === undefined) return;
  for (const value of doc.dict(appearances)?.values() ?? []) {
    const object = doc.resolve(value);
    const streams = object instanceof Dict ? [...object.values()] : [value];
    for (const each of streams) {
      const stream = doc.resolve(each);
      if (!(each instanceof Ref) || !(stream instanceof Stream) || stream.dict.has('Resources')) continue;
      doc.edit(each).set('Resources', cloneValue(resources));
    }
  }
}
