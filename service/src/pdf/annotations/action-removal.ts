// Actions of unwanted kinds, taken out of the chains they stand in; what follows them in a chain stays.
import type { PdfDocument } from '../document.ts';
import { Dict, type PdfValue, Ref } from '../objects.ts';

/** A chain of actions holds this many at most; what is beyond goes. */
const MAX_ACTIONS = 200;

export class ActionRemoval {
  private readonly doc: PdfDocument;
  private readonly isUnwanted: (action: Dict) => boolean;
  /** Actions that are in the making or done: each is looked at once, so that cycles end. */
  private readonly done = new Map<Dict, PdfValue[]>();
  /** Whether an action written inside another object changed: that object must be written anew. */
  private inlineChanged = false;

  constructor(doc: PdfDocument, isUnwanted: (action: Dict) => boolean) {
    this.doc = doc;
    this.isUnwanted = isUnwanted;
  }

  /** Cleans what a holder has under `A`, `PA`, `OpenAction` and `AA`. Tells whether the holder itself changed. */
  cleanHolder(holder: Dict): boolean {
    this.inlineChanged = false;
    return this.cleanParts(holder) || this.inlineChanged;
  }

  private cleanParts(holder: Dict): boolean {
    let changed = false;
    for (const key of ['A', 'PA', 'OpenAction']) if (this.cleanKey(holder, key)) changed = true;
    const events = this.doc.dict(holder.get('AA'));
    if (!events) return changed;
    const kept = new Dict();
    for (const [event, action] of events) {
      const left = this.clean(action);
      if (left !== undefined) kept.set(event, left);
    }
    if (sameEntries(kept, events)) return changed;
    holder.put('AA', kept.size > 0 ? kept : undefined);
    return true;
  }

  private cleanKey(holder: Dict, key: string): boolean {
    const held = holder.get(key);
    if (held === undefined) return false;
    const left = this.clean(held);
    if (left === held) return false;
    if (left === undefined) holder.delete(key);
    else holder.set(key, left);
    return true;
  }

  /** The action without what is unwanted; undefined when nothing is left, itself when it stays. */
  private clean(action: PdfValue | undefined): PdfValue | undefined {
    if (action === undefined || !this.doc.dict(action)) return action;
    const [first, ...rest] = this.chain(action, 0);
    if (first === undefined || rest.length === 0) return first;
    // What followed an action that is gone now follows the first that stays.
    const dict = new Dict(this.doc.dict(first) ?? []);
    const next = dict.get('Next');
    const own = this.doc.array(next) ?? (next === undefined ? [] : [next]);
    return dict.set('Next', [...own, ...rest]);
  }

  private chain(action: PdfValue, depth: number): PdfValue[] {
    const dict = this.doc.dict(action);
    if (!dict || depth > MAX_ACTIONS) return [];
    const known = this.done.get(dict);
    if (known) return known;
    const result: PdfValue[] = [];
    this.done.set(dict, result);
    const held = dict.get('Next');
    const followers = this.doc.array(held) ?? (held === undefined ? [] : [held]);
    const next = followers.flatMap((follower) => this.chain(follower, depth + 1)).slice(0, MAX_ACTIONS);
    if (this.isUnwanted(dict)) {
      result.push(...next);
      return result;
    }
    result.push(action);
    const isSame = next.length === followers.length && next.every((each, index) => each === followers[index]);
    if (isSame && !this.inlineChanged) return result;
    const changed = action instanceof Ref ? this.doc.edit(action) : dict;
    if (changed === dict && !(action instanceof Ref)) this.inlineChanged = true;
    if (isSame) return result;
    changed.put('Next', next.length > 0 ? (next.length === 1 ? (next[0] ?? null) : next) : undefined);
    return result;
  }
}

const sameEntries = (a: Dict, b: Dict): boolean =>
  a.size === b.size && [...a].every(([key, value]) => value === b.get(key));
