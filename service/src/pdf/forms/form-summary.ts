// What kind of form a document has, without looking at its values.
import type { PdfDocument } from '../document.ts';
import { MAX_TREE_DEPTH } from '../object-graph.ts';
import { Dict, type PdfValue, Ref } from '../objects.ts';

export interface FormSummary {
  rootFields: number;
  hasXfa: boolean;
  /** Whether a signature field is signed. */
  isSigned: boolean;
}

export function formSummary(doc: PdfDocument): FormSummary {
  const form = doc.dict(doc.catalog.get('AcroForm'));
  const roots = (doc.array(form?.get('Fields')) ?? []).filter((field) => doc.resolve(field) instanceof Dict);
  return {
    rootFields: roots.length,
    hasXfa: doc.resolve(form?.get('XFA')) !== null,
    isSigned: holdsSignature(doc, roots, undefined, new Set(), 0),
  };
}

function holdsSignature(
  doc: PdfDocument,
  fields: readonly PdfValue[],
  inheritedType: string | undefined,
  seen: Set<string>,
  depth: number,
): boolean {
  if (depth > MAX_TREE_DEPTH) return false;
  return fields.some((value) => {
    if (value instanceof Ref) {
      if (seen.has(value.key)) return false;
      seen.add(value.key);
    }
    const field = doc.dict(value);
    if (!field) return false;
    const type = doc.name(field.get('FT')) ?? inheritedType;
    if (type === 'Sig' && doc.dict(field.get('V'))) return true;
    return holdsSignature(doc, doc.array(field.get('Kids')) ?? [], type, seen, depth + 1);
  });
}
