// Tags of content that was taken out: words that stand for it go too.
import type { PdfDocument } from '../document.ts';
import { Dict, type PdfValue, Ref } from '../objects.ts';
import { textString } from '../text-strings.ts';
import { REPLACEMENT_TEXTS } from './marked-content.ts';
import { readStructure, type StructureElement, type StructureItem } from './structure-tree.ts';

export interface Losses {
  /** Whether marked content of a page lost something. */
  isLost(pageKey: string, mcid: number): boolean;
  /** Annotations that are gone. */
  isGone(key: string): boolean;
  /** What the text of an entry says now that some of the content has changed; without it, or undefined, it goes. */
  reword?(entry: string, text: string): string | undefined;
  /** What a form became; nothing where it is as it was. */
  form(key: string): { ref: Ref; lost: ReadonlySet<number> } | 'dropped' | undefined;
}

export function pruneStructure(doc: PdfDocument, losses: Losses): void {
  const index = readStructure(doc, new Set(doc.pages().map((ref) => ref.key)));
  if (index) new LossPruner(doc, losses).prune(index.root);
}

class LossPruner {
  private readonly doc: PdfDocument;
  private readonly losses: Losses;

  constructor(doc: PdfDocument, losses: Losses) {
    this.doc = doc;
    this.losses = losses;
  }

  /** Whether something below the element was lost. */
  prune(element: StructureElement): { lost: boolean; dict: Dict } {
    let [lost, changed] = [false, false];
    const items: PdfValue[] = [];
    for (const item of element.items) {
      const { value, isLost } = item.element ? this.pruneBelow(item.element) : this.item(item);
      if (isLost) lost = true;
      if (value !== item.value) changed = true;
      if (value !== undefined) items.push(value);
    }
    const dict = new Dict(element.dict);
    if (changed) {
      dict.put('K', items.length > 0 ? items : undefined);
    }
    if (lost) for (const key of [...REPLACEMENT_TEXTS, 'T']) changed = this.reword(dict, key) || changed;
    if (changed && element.ref) this.doc.replace(element.ref, dict);
    return { lost, dict };
  }

  /** Whether the entry has changed. */
  private reword(dict: Dict, entry: string): boolean {
    const text = this.doc.text(dict.get(entry));
    const now = text === undefined ? undefined : this.losses.reword?.(entry, text);
    if (now === undefined) return dict.delete(entry);
    if (now === text) return false;
    dict.set(entry, textString(now));
    return true;
  }

  private pruneBelow(element: StructureElement): { value: PdfValue; isLost: boolean } {
    const { lost, dict } = this.prune(element);
    return { value: element.ref ?? dict, isLost: lost };
  }

  /** Content, and whether something of it was lost; no value where nothing is left to name. */
  private item({ value, page, object }: StructureItem): { value: PdfValue | undefined; isLost: boolean } {
    if (object !== undefined && this.losses.isGone(object)) return { value: undefined, isLost: true };
    if (typeof value === 'number')
      return { value, isLost: page !== undefined && this.losses.isLost(page, value) };
    const dict = this.doc.dict(value);
    const mcid = this.doc.number(dict?.get('MCID'));
    const held = dict?.get(object === undefined ? 'Stm' : 'Obj');
    const form = held instanceof Ref ? this.losses.form(held.key) : undefined;
    if (form === 'dropped') return { value: undefined, isLost: true };
    if (dict && form) {
      const moved = new Dict(dict).set(object === undefined ? 'Stm' : 'Obj', form.ref) as Dict;
      return { value: moved, isLost: mcid === undefined || form.lost.has(mcid) };
    }
    const isLost =
      mcid !== undefined && page !== undefined && held === undefined && this.losses.isLost(page, mcid);
    return { value, isLost };
  }
}
