// The name `/` is lawful PDF (some signatures hold it), but qpdf's JSON cannot tell it from plain text.
// It is left out there and put in its place afterwards.
import { Dict, isEmptyName, type PdfObject, type Ref, Stream } from '../../pdf/objects.ts';
import { formatName } from '../../pdf/syntax/object-syntax.ts';
import type { Handle, Library, QpdfPointer } from './library.ts';

type Path = readonly (string | number)[];

export function putEmptyNames(lib: Library, pointer: QpdfPointer, objects: Iterable<[Ref, PdfObject]>): void {
  for (const [ref, object] of objects) {
    const paths: Path[] = [];
    collect(object instanceof Stream ? object.dict : object, [], paths);
    for (const path of paths) put(lib, pointer, ref, object instanceof Stream, path);
  }
}

function collect(value: PdfObject, path: Path, found: Path[]): void {
  if (isEmptyName(value) && path.length > 0) found.push(path);
  else if (Array.isArray(value)) for (const [i, item] of value.entries()) collect(item, [...path, i], found);
  else if (value instanceof Dict) for (const [key, item] of value) collect(item, [...path, key], found);
}

function put(lib: Library, pointer: QpdfPointer, ref: Ref, isStream: boolean, path: Path): void {
  const handles: Handle[] = [lib.getObject(pointer, ref.number, ref.generation)];
  const step = (made: Handle): Handle => {
    handles.push(made);
    return made;
  };
  let at = handles[0] as Handle;
  if (isStream) at = step(lib.streamDict(pointer, at));
  for (const key of path.slice(0, -1)) {
    at = step(
      typeof key === 'number' ? lib.arrayItem(pointer, at, key) : lib.getKey(pointer, at, formatName(key)),
    );
  }
  const name = step(lib.newName(pointer, '/'));
  const last = path.at(-1) as string | number;
  if (typeof last === 'number') lib.setArrayItem(pointer, at, last, name);
  else lib.replaceKey(pointer, at, formatName(last), name);
  for (const handle of handles) lib.release(pointer, handle);
}
