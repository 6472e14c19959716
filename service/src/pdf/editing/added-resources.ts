// The resources of a stream that is rewritten: all it had, and what is added under names that are free.

import type { PdfDocument } from '../document.ts';
import { Dict, type PdfValue, Ref } from '../objects.ts';
import type { ResourceCategory } from '../syntax/content-names.ts';

export class AddedResources {
  private readonly doc: PdfDocument;
  private readonly held: Dict;
  /** Copies of categories that were changed. */
  private readonly changed = new Map<ResourceCategory, Dict>();

  constructor(doc: PdfDocument, held: Dict) {
    this.doc = doc;
    this.held = held;
  }

  get isChanged(): boolean {
    return this.changed.size > 0;
  }

  /** The name of a font that text is set in: the one it has, or a new one where a graphics state brought it. */
  fontName(name: string, font: PdfValue | undefined): string {
    const known = this.of('Font').get(name);
    const isSame = known === font || (known instanceof Ref && font instanceof Ref && known.key === font.key);
    return isSame || font === undefined ? name : this.add('Font', 'F', font);
  }

  /** The name of something that may be there already. */
  add(category: ResourceCategory, wanted: string, value: PdfValue): string {
    const entries = this.of(category);
    for (const [name, each] of entries)
      if (each === value || (each instanceof Ref && value instanceof Ref && each.key === value.key))
        return name;
    let name = wanted;
    for (let number = 2; entries.has(name); number += 1) name = `${wanted}_${number}`;
    this.edit(category).set(name, value);
    return name;
  }

  set(category: ResourceCategory, name: string, value: PdfValue): void {
    this.edit(category).set(name, value);
  }

  delete(category: ResourceCategory, name: string): void {
    if (this.of(category).has(name)) this.edit(category).delete(name);
  }

  /** All of them. */
  result(): Dict {
    const all = new Dict(this.held);
    for (const [category, entries] of this.changed) all.set(category, entries);
    return all;
  }

  private of(category: ResourceCategory): Dict {
    return this.changed.get(category) ?? this.doc.dict(this.held.get(category)) ?? new Dict();
  }

  private edit(category: ResourceCategory): Dict {
    let entries = this.changed.get(category);
    if (!entries) {
      entries = new Dict(this.of(category));
      this.changed.set(category, entries);
    }
    return entries;
  }
}
