// Copies an object, and all it reaches, from one sound document to another.
import { Dict, isName, type PdfObject, type Ref, Stream } from '../../../pdf/objects.ts';
import { refsIn, type StrictStore, valueWithRefs, type Written } from './store.ts';
import { REF_FIELDS } from './strict-object.ts';
import type { StrictState } from './writer.ts';

/** The copies made so far, by the source's numbers; of pages that were only spoken of, the place kept for them. */
export interface Copies {
  refs: Map<number, Ref>;
  made: Set<number>;
}

/** An object as it stands in the source: changed, or in the words it came with. */
type Found = { number: number; changed: PdfObject } | { number: number; written: Written };

/**
 * The copy of the object. `tell` learns what must be written anew. The walk stops at pages: for those a place is kept,
 * where nothing stands until they are copied.
 */
export function copySound(
  source: StrictState,
  target: StrictStore,
  copies: Copies,
  top: Ref,
  tell: (ref: Ref, object: PdfObject) => void,
): Ref {
  const reached: Found[] = [];
  const visit = (number: number): void => {
    if (copies.made.has(number)) return;
    const found = find(source, number);
    const type = typeOf(found);
    const isTop = number === top.number;
    if (!isTop && (!found || type === 'Pages')) return;
    if (!copies.refs.has(number)) copies.refs.set(number, target.reserve());
    if (!isTop && type === 'Page') return;
    copies.made.add(number);
    if (found) reached.push(found);
  };
  visit(top.number);
  for (let index = 0; index < reached.length; index += 1) {
    const found = reached[index] as Found;
    if ('changed' in found) for (const ref of refsIn(found.changed)) visitRef(source, ref, visit);
    else {
      const { refs } = found.written.object;
      const { meaning } = found.written;
      for (let place = 0; place < refs.length; place += REF_FIELDS) {
        const number = refs[place] as number;
        const meant = meaning ? meaning(number) : number;
        if (meant !== 0) visit(meant);
      }
    }
  }
  const copyOf = (number: number): number => copies.refs.get(number)?.number ?? 0;
  const other = (ref: Ref): Ref | null => copies.refs.get(ref.number) ?? null;
  for (const found of reached) {
    const copy = copies.refs.get(found.number) as Ref;
    if ('written' in found) {
      const { object, meaning } = found.written;
      target.take(copy.number, { object, meaning: meaning ? (number) => copyOf(meaning(number)) : copyOf });
    } else if (found.changed instanceof Stream) {
      target.replaceStreamData(copy, source.dataNow(found.number));
      tell(copy, new Stream(valueWithRefs(found.changed.dict, other) as Dict));
    } else tell(copy, valueWithRefs(found.changed, other));
  }
  return copies.refs.get(top.number) as Ref;
}

function find({ store, changed }: StrictState, number: number): Found | undefined {
  const now = changed(number);
  if (now !== undefined) return now === null ? undefined : { number, changed: now };
  const written = store.writtenAt(number);
  return written && { number, written };
}

/** A reference with the generation of another time leads nowhere. */
function visitRef({ store }: StrictState, ref: Ref, visit: (number: number) => void): void {
  if (ref.generation === store.generationOf(ref.number)) visit(ref.number);
}

function typeOf(found: Found | undefined): string | undefined {
  if (!found) return undefined;
  if ('written' in found) return found.written.object.data ? '' : found.written.object.type;
  return found.changed instanceof Dict
    ? ['Page', 'Pages'].find((type) => isName((found.changed as Dict).get('Type'), type))
    : undefined;
}
