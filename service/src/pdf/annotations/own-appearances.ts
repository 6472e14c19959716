// Looks of annotations as streams of their own, where pages draw the same ones: what is changed in them is changed for
// the annotation alone.

import { copyStream } from '../content/stream-copies.ts';
import type { PdfDocument } from '../document.ts';
import { contentOf } from '../filters/content-data.ts';
import { Dict, isName, type PdfObject, type PdfValue, Ref, Stream } from '../objects.ts';
import { isContainer } from '../reachable.ts';
import { namesInContent } from '../syntax/content-names.ts';

/** Looks hold states, states hold streams, streams draw others. */
const MAX_NESTING = 10;

export function ownAppearances(doc: PdfDocument): void {
  const owned = new OwnStreams(doc, drawnByPages(doc));
  for (const page of doc.pages()) {
    for (const entry of doc.array(doc.dict(page)?.get('Annots')) ?? []) {
      const looks = entry instanceof Ref ? doc.dict(entry)?.get('AP') : undefined;
      if (!(entry instanceof Ref) || looks === undefined) continue;
      const own = owned.value(looks, 0);
      if (own !== looks) doc.edit(entry).set('AP', own);
    }
  }
}

/** All that the resources of pages lead to. */
function drawnByPages(doc: PdfDocument): Set<string> {
  const found = new Set<string>();
  const waiting: PdfObject[] = doc
    .pages()
    .map((page) => doc.inherited(doc.dict(page) ?? new Dict(), 'Resources'));
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (value instanceof Ref) {
      if (found.has(value.key)) continue;
      found.add(value.key);
      waiting.push(doc.get(value));
      continue;
    }
    const dict = value instanceof Stream ? value.dict : value;
    const isPage = dict instanceof Dict && isName(dict.get('Type'), 'Page');
    const inner = Array.isArray(dict) ? dict : dict instanceof Dict && !isPage ? dict.values() : [];
    for (const each of inner) if (isContainer(each)) waiting.push(each);
  }
  return found;
}

class OwnStreams {
  private readonly doc: PdfDocument;
  private readonly shared: ReadonlySet<string>;
  private readonly made = new Map<string, Ref>();

  constructor(doc: PdfDocument, shared: ReadonlySet<string>) {
    this.doc = doc;
    this.shared = shared;
  }

  /** The value itself where pages draw nothing of it. */
  value(value: PdfValue, depth: number): PdfValue {
    const { doc } = this;
    if (depth > MAX_NESTING) return value;
    if (value instanceof Ref && doc.get(value) instanceof Stream) return this.stream(value, depth);
    const dict = doc.dict(value);
    return dict ? (this.entries(dict, dict.keys(), depth) ?? value) : value;
  }

  private stream(ref: Ref, depth: number): Ref {
    const known = this.made.get(ref.key);
    if (known) return known;
    this.made.set(ref.key, ref);
    const { doc } = this;
    const resources = doc.dict(doc.dict(ref)?.get('Resources'));
    const drawn = doc.dict(resources?.get('XObject'));
    const names = drawn && namesInContent(contentOf(doc, ref))?.XObject;
    const own = drawn && this.entries(drawn, names ?? [], depth);
    if (!own && !this.shared.has(ref.key)) return ref;
    const copy = copyStream(doc, ref);
    if (own) doc.edit(copy).set('Resources', new Dict(resources).set('XObject', own));
    this.made.set(ref.key, copy);
    return copy;
  }

  /** With other values under some of the keys; undefined where all stay. */
  private entries(dict: Dict, keys: Iterable<string>, depth: number): Dict | undefined {
    const own = new Dict(dict);
    let isChanged = false;
    for (const key of keys) {
      const value = dict.get(key);
      const other = value === undefined ? undefined : this.value(value, depth + 1);
      if (other === undefined || other === value) continue;
      own.set(key, other);
      isChanged = true;
    }
    return isChanged ? own : undefined;
  }
}
