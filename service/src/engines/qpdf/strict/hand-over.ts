// A sound document becomes the library's: it opens the same file, and is told what has come since.
import { Problem } from '../../../contract/problems.ts';
import { Dict, type PdfObject, Ref, Stream } from '../../../pdf/objects.ts';
import { begin, ERRORS_BIT, type Library, type QpdfPointer, readFromMemory } from '../library.ts';
import { LibraryStore } from '../library-store.ts';
import { cString } from '../write.ts';
import type { FileSource, Source } from './source.ts';
import { refsIn, type StrictStore } from './store.ts';

/** Objects that were changed are not handed over: whoever keeps account of them does that. */
export function moveToLibrary(lib: Library, store: StrictStore): LibraryStore {
  const pointer = begin(lib);
  if (read(lib, pointer, store.source) & ERRORS_BIT) {
    lib.cleanup([pointer]);
    throw new Problem('invalid_pdf', 'The document could not be read.');
  }
  const library = new LibraryStore(lib, pointer, store.source.whole());
  // When the library first opens a stream of objects, it takes all of them as they stand there, also those that were
  // replaced before: so each is opened now.
  for (const ref of store.file.onePackedOfEach()) library.load(ref);
  library.adopt(places(store));
  for (const [number, { object }] of store.taken) {
    const ref = new Ref(number);
    if (object.data) library.replaceStreamData(ref, store.rawStreamData(ref));
  }
  for (const [number, data] of store.newData)
    library.replaceStreamData(new Ref(number, store.generationOf(number)), data);
  // New data takes the filters away: what dictionaries say is told after it.
  const taken = [...store.taken.keys()].map((number) => new Ref(number));
  if (taken.length > 0) library.update(taken.map((ref) => [ref, store.load(ref)]));
  for (const [key, value] of store.newTrailer) library.setTrailer(key, value);
  return library;
}

function read(lib: Library, pointer: QpdfPointer, source: Source): number {
  const none = cString('', 'utf8');
  const bytes = source.whole();
  return bytes
    ? readFromMemory(lib, pointer, bytes, none)
    : (lib.read(pointer, (source as FileSource).path, none) as number);
}

/** Of what the file does not have, objects taken in from elsewhere and new streams: which are streams. */
function places(store: StrictStore): [Ref, PdfObject][] {
  const objects = new Map<number, PdfObject>();
  // Numbers that were given away already must not be given again.
  if (store.lastNumber > store.file.highest) objects.set(store.lastNumber, new Dict());
  // The library drops an entry whose object it does not know, and what the trailer names may be new.
  for (const value of store.newTrailer.values())
    for (const { number } of refsIn(value ?? null))
      if (number > store.file.highest) objects.set(number, new Dict());
  for (const number of store.newData.keys())
    if (number > store.file.highest) objects.set(number, new Stream(new Dict()));
  for (const [number, { object }] of store.taken)
    objects.set(number, object.data ? new Stream(new Dict()) : new Dict());
  return [...objects].map(([number, object]) => [new Ref(number), object]);
}
