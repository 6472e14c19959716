// Copies an object, and all it reaches, from one document kept in memory to another.
import { Dict, isName, type PdfObject, type Ref, Stream } from '../../pdf/objects.ts';
import { refsIn, type SoundStore, valueWithRefs, withRefs } from './sound-store.ts';
import type { SoundState } from './sound-writing.ts';

/** The copies made so far, by the source's references. */
export type Copies = Map<string, Ref>;

/**
 * The copy of the object. `tell` learns what must be written anew. The walk stops at pages: references to pages that
 * were not copied before become null.
 */
export function copySound(
  source: SoundState & { get(ref: Ref): PdfObject },
  target: SoundStore,
  copies: Copies,
  top: Ref,
  tell: (ref: Ref, object: PdfObject) => void,
): Ref {
  const known = copies.get(top.key);
  if (known) return known;
  const reached: Ref[] = [];
  const visit = (ref: Ref): void => {
    if (copies.has(ref.key)) return;
    const object = source.get(ref);
    if (ref !== top && (object === null || isOfTree(object))) return;
    copies.set(ref.key, target.reserve());
    reached.push(ref);
  };
  visit(top);
  for (let index = 0; index < reached.length; index += 1) {
    const ref = reached[index] as Ref;
    const written = source.changed(ref) === undefined ? source.store.written(ref) : undefined;
    const refs = written ? written.refs.map((placed) => placed.ref) : refsIn(source.get(ref));
    for (const each of refs) visit(each);
  }
  const other = (ref: Ref): Ref | null => copies.get(ref.key) ?? null;
  for (const ref of reached) {
    const copy = copies.get(ref.key) as Ref;
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
  return copies.get(top.key) as Ref;
}

const isOfTree = (object: PdfObject): boolean =>
  object instanceof Dict && (isName(object.get('Type'), 'Page') || isName(object.get('Type'), 'Pages'));
