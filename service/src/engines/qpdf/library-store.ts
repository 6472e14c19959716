// Objects kept by libqpdf: read when asked for, changed by handing them over as JSON.
import type { Content } from '../../contract/files.ts';
import { Problem } from '../../contract/problems.ts';
import { Dict, type PdfObject, type PdfValue, Ref, Stream } from '../../pdf/objects.ts';
import { formatValue, parseObject } from '../../pdf/syntax/object-syntax.ts';
import { putEmptyNames } from './empty-names.ts';
import { objectsToJson } from './json.ts';
import {
  copyBytes,
  DECODE,
  ERRORS_BIT,
  type Handle,
  type Library,
  nameInput,
  nameMark,
  type QpdfPointer,
  TYPE,
} from './library.ts';
import type { Store } from './store.ts';
import { type SaveOptions, write } from './write.ts';

const HIGHEST_NUMBER = 2 ** 31 - 1;
/** Up to here a hundred million objects can be added. */
export const ROOMY_NUMBER = HIGHEST_NUMBER - 100_000_000;

const noNumbersLeft = (cause?: string): Problem =>
  new Problem('invalid_pdf', 'The document has object numbers so high that none is left for a new object.', {
    cause,
  });

export class LibraryStore implements Store {
  readonly catalogRef: Ref;
  private readonly lib: Library;
  private readonly pointer: QpdfPointer;
  /** Memory that qpdf reads from; kept so that it is not collected. */
  private readonly keep: Uint8Array | undefined;
  /** Copied streams are read from their source's memory when this document is written, closed or not. */
  private readonly borrowed = new Set<unknown>();
  private trailerDict: Dict | undefined;
  private closed = false;
  private pageCacheStale = false;
  /** Whether there are more numbers than a job can use up. */
  private hasRoom = false;
  /** Whether qpdf's pointer to a file name is known to last, see `nameInput`. */
  private inputNamed: boolean;

  constructor(lib: Library, pointer: QpdfPointer, keep: Uint8Array | undefined) {
    this.lib = lib;
    this.pointer = pointer;
    this.keep = keep;
    this.inputNamed = keep !== undefined;
    this.catalogRef = this.refOf(lib.getRoot(pointer));
  }

  get headerVersion(): string {
    return this.lib.pdfVersion(this.pointer) as string;
  }

  get isEncrypted(): boolean {
    return this.lib.isEncrypted(this.pointer) !== 0;
  }

  takeWarnings(): string[] {
    const texts: string[] = [];
    while (this.lib.moreWarnings(this.pointer))
      texts.push(this.lib.errorText(this.pointer, this.lib.nextWarning(this.pointer)) as string);
    return texts;
  }

  trailer(): Dict {
    if (!this.trailerDict) {
      const handle = this.lib.getTrailer(this.pointer);
      const parsed = this.read(handle);
      this.trailerDict = parsed instanceof Dict ? parsed : new Dict();
      this.lib.release(this.pointer, handle);
    }
    return this.trailerDict;
  }

  setTrailer(key: string, value: PdfValue | undefined): void {
    const trailer = this.lib.getTrailer(this.pointer);
    if (value === undefined) this.lib.removeKey(this.pointer, trailer, `/${key}`);
    else this.lib.replaceKey(this.pointer, trailer, `/${key}`, this.handleOf(value));
    this.trailerDict = undefined;
  }

  load(ref: Ref): PdfObject {
    const handle = this.lib.getObject(this.pointer, ref.number, ref.generation);
    const object = this.read(handle);
    this.lib.release(this.pointer, handle);
    return object;
  }

  loadPages(): Ref[] {
    this.refreshPageCache();
    const count = this.lib.pageCount(this.pointer) as number;
    this.failOnError('The page tree could not be read.');
    if (count < 0) throw new Problem('invalid_pdf', 'The page tree of the document could not be read.');
    const refs: Ref[] = [];
    for (let index = 0; index < count; index += 1) {
      const handle = this.lib.pageHandle(this.pointer, index);
      refs.push(this.refOf(handle));
      this.lib.release(this.pointer, handle);
    }
    return refs;
  }

  reserve(): Ref {
    const direct = this.lib.newDictionary(this.pointer);
    const handle = this.lib.makeIndirect(this.pointer, direct);
    const ref = this.refOf(handle);
    this.lib.release(this.pointer, direct);
    this.lib.release(this.pointer, handle);
    if (ref.number === 0) throw noNumbersLeft(this.takeError());
    this.hasRoom = ref.number <= ROOMY_NUMBER;
    return ref;
  }

  addStream(bytes: Uint8Array): Ref {
    // Where no number is left, qpdf ends the process instead of saying so: the last one is taken first.
    if (!this.hasRoom && this.reserve().number === HIGHEST_NUMBER) throw noNumbersLeft();
    const handle = this.lib.newStream(this.pointer);
    const ref = this.refOf(handle);
    const none = this.lib.newNull(this.pointer);
    this.lib.replaceStreamData(this.pointer, handle, bytes, bytes.length, none, none);
    return ref;
  }

  replaceStreamData(ref: Ref, bytes: Uint8Array): void {
    const handle = this.lib.getObject(this.pointer, ref.number, ref.generation);
    const none = this.lib.newNull(this.pointer);
    this.lib.replaceStreamData(this.pointer, handle, bytes, bytes.length, none, none);
    this.lib.release(this.pointer, handle);
  }

  streamData(ref: Ref): { bytes: Uint8Array; decoded: boolean } {
    return this.stream(ref, DECODE.specialized);
  }

  rawStreamData(ref: Ref): Uint8Array {
    return this.stream(ref, DECODE.none).bytes;
  }

  copyFrom(other: LibraryStore, ref: Ref): Ref {
    const foreign = other.lib.getObject(other.pointer, ref.number, ref.generation);
    const copy = this.lib.copyForeign(this.pointer, other.pointer, foreign);
    this.failOnError('An object could not be copied.');
    const made = this.refOf(copy);
    other.lib.release(other.pointer, foreign);
    this.lib.release(this.pointer, copy);
    this.borrowed.add(other.keep);
    for (const memory of other.borrowed) this.borrowed.add(memory);
    return made;
  }

  /** Takes in objects under numbers that no other has. */
  adopt(objects: [Ref, PdfObject][]): void {
    if (objects.length > 0) this.update(objects, 'new');
  }

  /** Hands changes to qpdf. */
  update(objects: [Ref, PdfObject][], streams: 'known' | 'new' = 'known'): void {
    const json = Buffer.from(objectsToJson(objects, nameMark(this.lib), streams));
    if (!this.inputNamed) nameInput(this.lib, this.pointer);
    this.inputNamed = true;
    const status = this.lib.updateFromJson(this.pointer, json, json.length) as number;
    if (status & ERRORS_BIT) this.failOnError('The document could not be changed.');
    putEmptyNames(this.lib, this.pointer, objects);
    this.pageCacheStale = true;
  }

  write(options: SaveOptions, sourceBytes: number, newFile: (extension: string) => string): Content {
    this.refreshPageCache();
    this.inputNamed = false;
    return write(this.lib, this.pointer, options, sourceBytes, newFile, (what) => this.failOnError(what));
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.lib.cleanup([this.pointer]);
  }

  /** qpdf keeps a list of the pages, which our changes may have made wrong. */
  private refreshPageCache(): void {
    if (!this.pageCacheStale) return;
    this.pageCacheStale = false;
    this.lib.updatePageCache(this.pointer);
    this.failOnError('The page tree could not be read.');
  }

  private read(handle: Handle): PdfObject {
    const type = this.lib.typeCode(this.pointer, handle) as number;
    if (type === TYPE.stream) {
      const dictHandle = this.lib.streamDict(this.pointer, handle);
      const dict = parseObject(this.unparse(dictHandle));
      this.lib.release(this.pointer, dictHandle);
      return new Stream(dict instanceof Dict ? dict : new Dict());
    }
    return type <= TYPE.null ? null : parseObject(this.unparse(handle));
  }

  private unparse(handle: Handle): string {
    const text = this.lib.unparseText(this.pointer, handle) as string | null;
    const size = Number(this.lib.lastStringLength(this.pointer));
    // Strings may hold any byte. What is not ASCII was decoded as UTF-8: read it one character per byte.
    if (text !== null && text.length === size && !text.includes('\ufffd')) return text;
    return copyBytes(this.lib.unparsePointer(this.pointer, handle), size).toString('latin1');
  }

  private stream(ref: Ref, level: number): { bytes: Uint8Array; decoded: boolean } {
    const handle = this.lib.getObject(this.pointer, ref.number, ref.generation);
    const filtered = [0];
    const data: unknown[] = [null];
    const size = [0];
    const status = this.lib.streamData(this.pointer, handle, level, filtered, data, size) as number;
    this.lib.release(this.pointer, handle);
    if (status & ERRORS_BIT) {
      this.takeError();
      return { bytes: new Uint8Array(), decoded: false };
    }
    const bytes = copyBytes(data[0], Number(size[0]));
    this.lib.free(data[0]);
    return { bytes, decoded: filtered[0] !== 0 };
  }

  private refOf(handle: Handle): Ref {
    return new Ref(this.lib.objectNumber(this.pointer, handle), this.lib.generation(this.pointer, handle));
  }

  private handleOf(value: PdfValue): Handle {
    if (value instanceof Ref) return this.lib.getObject(this.pointer, value.number, value.generation);
    return this.lib.parse(this.pointer, formatValue(value));
  }

  private takeError(): string | undefined {
    if (!this.lib.hasError(this.pointer)) return undefined;
    return this.lib.errorText(this.pointer, this.lib.getError(this.pointer)) as string;
  }

  private failOnError(what: string): void {
    const text = this.takeError();
    if (text !== undefined) throw new Problem('invalid_pdf', what, { cause: text });
  }
}
