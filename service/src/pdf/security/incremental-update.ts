// A new revision of a document: what is changed or added here is to be appended to the file, the rest stays as it is.
import { PdfDocument } from '../document.ts';
import { cloneValue, type Dict, type PdfObject, type PdfValue, Ref, Stream } from '../objects.ts';
import { reachableRefs } from '../reachable.ts';

/** An object of the new revision; streams with their data. */
export interface RevisedObject {
  ref: Ref;
  object: PdfObject;
  data: Uint8Array | undefined;
}

export class RevisionDocument extends PdfDocument {
  readonly catalogRef: Ref;
  private readonly base: PdfDocument;
  private readonly data = new Map<string, Uint8Array>();
  private readonly trailerEntries: Dict;
  private nextNumber: number;

  constructor(base: PdfDocument) {
    super();
    this.base = base;
    this.catalogRef = base.catalogRef;
    this.trailerEntries = cloneValue(base.trailer);
    const stated = base.number(base.trailer.get('Size')) ?? 0;
    // The engine knows of every object, whatever the file says of their number.
    this.nextNumber = Math.max(base.add(null).number, Math.min(stated, MAX_OBJECTS));
  }

  /** One more than the highest object number. */
  get size(): number {
    return this.nextNumber;
  }

  get trailer(): Dict {
    return this.trailerEntries;
  }

  setTrailer(key: string, value: PdfValue | undefined): void {
    if (value === undefined) this.trailerEntries.delete(key);
    else this.trailerEntries.set(key, value);
  }

  /** What this revision changes, in the order of object numbers. */
  changes(): RevisedObject[] {
    return [...this.changed.values()]
      .map((ref) => ({ ref, object: this.get(ref), data: this.dataOf(ref) }))
      .toSorted((a, b) => a.ref.number - b.ref.number);
  }

  private dataOf(ref: Ref): Uint8Array | undefined {
    if (!(this.get(ref) instanceof Stream)) return undefined;
    return this.data.get(ref.key) ?? this.base.rawStreamData(ref);
  }

  streamData(ref: Ref): { bytes: Uint8Array; decoded: boolean } {
    const own = this.data.get(ref.key);
    return own ? { bytes: own, decoded: true } : this.base.streamData(ref);
  }

  rawStreamData(ref: Ref): Uint8Array {
    return this.data.get(ref.key) ?? this.base.rawStreamData(ref);
  }

  addStream(dict: Dict, bytes: Uint8Array): Ref {
    const ref = this.reserve();
    this.data.set(ref.key, bytes);
    this.hold(ref, new Stream(dict));
    return ref;
  }

  replaceStreamData(
    ref: Ref,
    bytes: Uint8Array,
    filter: PdfValue = null,
    decodeParms: PdfValue = null,
  ): void {
    const dict = this.edit(ref);
    this.data.set(ref.key, bytes);
    dict.delete('Filter');
    dict.delete('DecodeParms');
    if (filter !== null) dict.set('Filter', filter);
    if (decodeParms !== null) dict.set('DecodeParms', decodeParms);
  }

  copyFrom(): never {
    throw new TypeError('a revision takes no objects of other documents');
  }

  copyPages(): never {
    throw new TypeError('a revision takes no objects of other documents');
  }

  allRefs(): Ref[] {
    return reachableRefs(this);
  }

  protected load(ref: Ref): PdfObject {
    const object = this.base.get(ref);
    return object instanceof Stream ? new Stream(cloneValue(object.dict)) : cloneValue(object);
  }

  protected loadPages(): Ref[] {
    return [...this.base.pages()];
  }

  protected reserve(): Ref {
    const ref = new Ref(this.nextNumber);
    this.nextNumber += 1;
    return ref;
  }
}

/** ISO 32000-1, annex C: the most indirect objects a file may have. */
const MAX_OBJECTS = 8_388_607;
