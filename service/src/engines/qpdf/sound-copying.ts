// Copies an object, and all it reaches, from one document kept in memory to another.
import { Dict, isName, type PdfObject, type Ref, Stream } from '../../pdf/objects.ts';
import { refsIn, type SoundStore, valueWithRefs, withRefs } from './sound-store.ts';
import type { SoundState } from './sound-writing.ts';

/** The copies made so far, by the source's references; of pages that were only spoken of, the place kept for them. */
export interface Copies {
  refs: Map<string, Ref>;
  made: Set<string>;
}

/**
 * The copy of the object. `tell` learns what must be written anew. The walk stops at pages: for those a place is kept,
 * where nothing stands until they are copied.
 */
export function copySound(
  source: SoundState & { get(ref: Ref): PdfObject },
  target: SoundStore,
  copies: Copies,
  top: Ref,
  tell: (ref: Ref, object: PdfObject) => void,
): Ref {
  const reached: Ref[] = [];
  const visit = (ref: Ref): void => {
    if (copies.made.has(ref.key)) return;
    const object = source.get(ref);
    if (ref !== top && (object === null || isOfType(object, 'Pages'))) return;
    if (!copies.refs.has(ref.key)) copies.refs.set(ref.key, target.reserve());
    if (ref !== top && isOfType(object, 'Page')) return;
    copies.made.add(ref.key);
    reached.push(ref);
  };
  visit(top);
  for (let index = 0; index < reached.length; index += 1) {
    const ref = reached[index] as Ref;
    const written = source.changed(ref) === undefined ? source.store.written(ref) : undefined;
    const refs = written ? written.refs.map((placed) => placed.ref) : refsIn(source.get(ref));
    for (const each of refs) visit(each);
  }
  const other = (ref: Ref): Ref | null => copies.refs.get(ref.key) ?? null;
  for (const ref of reached) {
    const copy = copies.refs.get(ref.key) as Ref;
    const written = source.changed(ref) === undefined ? source.store.written(ref) : undefined;
    if (written) {
      const { data } = written;
      target.take({ ref: copy, ...withRefs(written.text, written.refs, other), ...(data && { data }) });
      continue;
    }
    const object = source.get(ref);
    if (object instanceof Stream) {
      target.replaceStreamData(copy, source.store.rawStreamData(ref));
      tell(copy, new Stream(valueWithRefs(object.dict, other) as Dict));
    } else tell(copy, valueWithRefs(object, other));
  }
  return copies.refs.get(top.key) as Ref;
}

const isOfType = (object: PdfObject, type: string): boolean =>
  object instanceof Dict && isName(object.get('Type'), type);
