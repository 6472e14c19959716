// Originals of what was rewritten must not stay listed where nothing draws them.

import { inheritedEntry } from '../content/page-content.ts';
import { ResourceUsage } from '../content/resource-usage.ts';
import type { PdfDocument } from '../document.ts';
import { Dict, isName, type PdfValue, Ref, Stream } from '../objects.ts';
import { RESOURCE_CATEGORIES } from '../syntax/content-names.ts';

/** Takes unused entries out of the resources of pages, forms, patterns and fonts that list one of these objects. */
export function dropUnusedOriginals(doc: PdfDocument, replaced: ReadonlySet<string>): void {
  if (replaced.size === 0) return;
  const usage = new ResourceUsage(doc);
  for (const ref of doc.pages()) {
    const page = doc.dict(ref) ?? new Dict();
    const held = inheritedEntry(doc, page, 'Resources');
    if (!lists(doc, held, replaced)) continue;
    const own = doc.edit(ref);
    if (held !== undefined) own.set('Resources', held);
    const trimmed = usage.prune(held, usage.ofPage(own));
    if (trimmed !== undefined && trimmed !== held) own.set('Resources', trimmed);
  }
  dropInherited(doc);
  // Many producers give all forms one dictionary.
  for (const ref of doc.allRefs()) {
    const object = doc.get(ref);
    const dict = object instanceof Stream ? object.dict : object;
    if (!(dict instanceof Dict) || !lists(doc, dict.get('Resources'), replaced)) continue;
    if (object instanceof Stream) usage.trimForm(ref);
    else if (isName(dict.get('Subtype'), 'Type3')) usage.trimFont(ref);
  }
}

function lists(doc: PdfDocument, held: PdfValue | undefined, replaced: ReadonlySet<string>): boolean {
  const resources = doc.dict(held);
  return RESOURCE_CATEGORIES.some((category) =>
    [...(doc.dict(resources?.get(category))?.values() ?? [])].some((value) =>
      [value, maskGroup(doc, value)].some((each) => each instanceof Ref && replaced.has(each.key)),
    ),
  );
}

/** What a graphics state draws, where it has a soft mask. */
const maskGroup = (doc: PdfDocument, state: PdfValue): PdfValue | undefined =>
  doc.dict(doc.dict(state)?.get('SMask'))?.get('G');

/** Pages have what they use by now: lists in the tree above would only keep what they no longer use. */
function dropInherited(doc: PdfDocument): void {
  const seen = new Set<string>();
  const owners: Ref[] = [];
  for (const ref of doc.pages()) {
    const page = doc.dict(ref) ?? new Dict();
    if (!page.has('Resources')) {
      const held = inheritedEntry(doc, page, 'Resources');
      if (held !== undefined) doc.edit(ref).set('Resources', held);
    }
    let above = page.get('Parent');
    for (let depth = 0; above instanceof Ref && !seen.has(above.key) && depth < 100; depth += 1) {
      seen.add(above.key);
      owners.push(above);
      above = doc.dict(above)?.get('Parent');
    }
  }
  for (const ref of owners) if (doc.dict(ref)?.has('Resources')) doc.edit(ref).delete('Resources');
}
