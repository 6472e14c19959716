// Actions whose target page is gone: taken out of the chain they stand in, the rest of the chain stays.
import type { PdfDocument } from '../document.ts';
import { Dict, type PdfValue } from '../objects.ts';
import type { PageTargets } from './page-targets.ts';

/** A chain of actions holds this many at most; hostile files make cycles. */
const MAX_ACTIONS = 200;

export class ActionPruner {
  private readonly doc: PdfDocument;
  private readonly targets: PageTargets;
  private readonly isGone: (pageKey: string | undefined) => boolean;
  private left = 0;

  constructor(doc: PdfDocument, targets: PageTargets, isGone: (pageKey: string | undefined) => boolean) {
    this.doc = doc;
    this.targets = targets;
    this.isGone = isGone;
  }

  /** The actions under A and in AA (additional actions by event) of a page, annotation, field or catalog. */
  pruneHolder(holder: Dict): void {
    const action = this.prune(holder.get('A'));
    if (action === undefined) holder.delete('A');
    else holder.set('A', action);
    const events = this.doc.dict(holder.get('AA'));
    if (!events) return;
    const kept = new Dict();
    for (const [event, each] of events) {
      const left = this.prune(each);
      if (left !== undefined) kept.set(event, left);
    }
    const isSame =
      kept.size === events.size && [...kept].every(([event, each]) => each === events.get(event));
    if (!isSame) holder.set('AA', kept);
  }

  /** The action without what leads to gone pages; undefined when nothing is left, itself when nothing changed. */
  prune(action: PdfValue | undefined): PdfValue | undefined {
    this.left = MAX_ACTIONS;
    return this.chain(action);
  }

  private chain(action: PdfValue | undefined): PdfValue | undefined {
    const dict = this.doc.dict(action);
    if (!dict) return action;
    this.left -= 1;
    if (this.left < 0) return undefined;
    const next = this.next(dict.get('Next'));
    if (this.isGone(this.targets.pageOfAction(dict))) return Array.isArray(next) ? next[0] : next;
    if (next === dict.get('Next') && !dict.has('SD')) return action;
    const changed = new Dict(dict);
    // A structure destination would reach into the structure of pages that are gone; D says the same place.
    changed.delete('SD');
    if (next === undefined) changed.delete('Next');
    else changed.set('Next', next);
    return changed;
  }

  private next(next: PdfValue | undefined): PdfValue | undefined {
    const several = this.doc.array(next);
    if (!several) return this.chain(next);
    const kept: PdfValue[] = [];
    for (const each of several) {
      const left = this.left > 0 ? this.chain(each) : undefined;
      if (left !== undefined) kept.push(left);
    }
    if (kept.length === several.length && kept.every((each, index) => each === several[index])) return next;
    return kept.length === 0 ? undefined : kept;
  }
}
