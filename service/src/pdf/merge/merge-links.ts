// Links of a document that became part of another: names that had to change, pages told by number.

import type { PdfDocument } from '../document.ts';
import { Dict, isName, Name, name, PdfString, type PdfValue, Ref } from '../objects.ts';
import { destinationKey } from '../structure/destinations.ts';
import { everyNode } from '../structure/outlines.ts';
import type { MergePart } from './merge-part.ts';

/** Named destinations that got another name. Keys hold one character per byte. */
export type Renames = ReadonlyMap<string, string>;

const MAX_ACTION_DEPTH = 50;

/** The destination as it must read in the merged document; undefined where it stays. */
export function moveDestination(
  doc: PdfDocument,
  part: MergePart,
  renames: Renames,
  value: PdfValue | undefined,
): PdfValue | undefined {
  const key = destinationKey(doc, value);
  if (key !== undefined) {
    const renamed = renames.get(key);
    if (renamed === undefined) return undefined;
    return doc.resolve(value) instanceof Name ? name(renamed) : new PdfString(Buffer.from(renamed, 'latin1'));
  }
  const array = doc.array(value);
  const index = doc.number(array?.[0]);
  const page = index === undefined ? undefined : part.pages[index];
  return array && page ? [page, ...array.slice(1)] : undefined;
}

/** Mends links and actions on the pages of a part, and its outline. */
export function repairLinks(doc: PdfDocument, part: MergePart, renames: Renames): void {
  const action = actionRepairer(doc, part, renames);
  for (const node of everyNode(part.outline)) {
    node.dest = moveDestination(doc, part, renames, node.dest) ?? node.dest;
    // The entry's object is written again with the outline, so a direct action needs no mark.
    action(node.action);
  }
  for (const page of part.pages) {
    const dict = doc.dict(page);
    if (!dict) continue;
    if (repairActions(doc, dict.get('AA'), action)) doc.edit(page);
    if (repairAnnotations(doc, part, renames, dict.get('Annots'), action)) doc.edit(page);
  }
}

type ActionRepairer = (value: PdfValue | undefined, depth?: number) => boolean;

/** Mends an action and those that follow it; tells whether the object that holds it must be written again. */
function actionRepairer(doc: PdfDocument, part: MergePart, renames: Renames): ActionRepairer {
  const seen = new Set<string>();
  const repair: ActionRepairer = (value, depth = 0) => {
    const dict = doc.dict(value);
    if (!dict || depth > MAX_ACTION_DEPTH) return false;
    if (value instanceof Ref) {
      if (seen.has(value.key)) return false;
      seen.add(value.key);
    }
    let changed = false;
    const moved =
      isName(doc.resolve(dict.get('S')), 'GoTo') && moveDestination(doc, part, renames, dict.get('D'));
    if (moved) {
      dict.set('D', moved);
      changed = true;
    }
    const next = dict.get('Next');
    for (const following of doc.array(next) ?? [next]) if (repair(following, depth + 1)) changed = true;
    if (changed && value instanceof Ref) doc.edit(value);
    return changed && !(value instanceof Ref);
  };
  return repair;
}

/** Additional actions: a dictionary of actions by event. */
function repairActions(doc: PdfDocument, value: PdfValue | undefined, action: ActionRepairer): boolean {
  let changed = false;
  for (const each of doc.dict(value)?.values() ?? []) if (action(each)) changed = true;
  if (changed && value instanceof Ref) doc.edit(value);
  return changed && !(value instanceof Ref);
}

function repairAnnotations(
  doc: PdfDocument,
  part: MergePart,
  renames: Renames,
  value: PdfValue | undefined,
  action: ActionRepairer,
): boolean {
  const annotations = doc.array(value);
  let changedHere = false;
  for (const annotation of annotations ?? []) {
    const dict = doc.dict(annotation);
    if (!(dict instanceof Dict)) continue;
    const moved = moveDestination(doc, part, renames, dict.get('Dest'));
    if (moved) dict.set('Dest', moved);
    const acted = action(dict.get('A'));
    if (!repairActions(doc, dict.get('AA'), action) && !acted && !moved) continue;
    if (annotation instanceof Ref) doc.edit(annotation);
    else changedHere = true;
  }
  if (changedHere && value instanceof Ref && annotations) doc.replace(value, annotations);
  return changedHere && !(value instanceof Ref);
}
