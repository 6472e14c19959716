// A document the qpdf engine has opened. Sound files are read and written by ourselves; all others, and those of which
// more is asked than we can do, by libqpdf. Objects are read when asked for and written back when the document is saved.
import type { Content } from '../../contract/files.ts';
import { LIMITS, MIB } from '../../contract/limits.ts';
import { Problem } from '../../contract/problems.ts';
import { PdfDocument } from '../../pdf/document.ts';
import { filtersOf, isPacking, mayBeTooLarge, undoFilter } from '../../pdf/filters/stream-filters.ts';
import { claimsOf, isPartOne, removeClaims } from '../../pdf/metadata/claims.ts';
import { readInfo, renewModificationDate } from '../../pdf/metadata/metadata.ts';
import {
  Dict,
  idOf,
  name,
  type PdfObject,
  PdfString,
  type PdfValue,
  Ref,
  Stream,
} from '../../pdf/objects.ts';
import { moveInheritedAttributes } from '../../pdf/page-tree/inherited-attributes.ts';
import { reachableRefs } from '../../pdf/reachable.ts';
import { noteClaims } from './claimed-content.ts';
import { requireShallow } from './deep-write.ts';
import type { Library } from './library.ts';
import { LibraryStore } from './library-store.ts';
import { writeLinearized } from './linearization/writer.ts';
import { ByteWriter } from './strict/byte-writer.ts';
import { type Copies, copySound } from './strict/copying.ts';
import { type AesEncryption, StrictEncryption, tellOfEncryption } from './strict/encryption.ts';
import { moveToLibrary } from './strict/hand-over.ts';
import { Doubt } from './strict/object-scan.ts';
import { StrictStore } from './strict/store.ts';
import { type StrictState, weighSound, writeSound } from './strict/writer.ts';
import type { Encryption, SaveOptions } from './write.ts';

/** Of a large document, results up to the first stay in memory, all together up to the second. */
const LARGEST_HELD_BYTES = MIB;
const MOST_HELD_BYTES = 64 * MIB;

export class QpdfDocument extends PdfDocument {
  /** How large the sources are: decides whether a result is made in memory. */
  sourceBytes: number;
  private store: LibraryStore | StrictStore;
  private readonly lib: Library;
  private readonly newFile: (extension: string) => string;
  private readonly sources = new WeakSet<QpdfDocument>();
  private readonly copies = new WeakMap<QpdfDocument, Copies>();
  private renewed: string | undefined;
  /** What results of this document hold in memory. */
  private heldBytes = 0;

  constructor(
    lib: Library,
    store: LibraryStore | StrictStore,
    options: { newFile: (extension: string) => string; sourceBytes: number },
  ) {
    super();
    this.lib = lib;
    this.store = store;
    this.newFile = options.newFile;
    this.sourceBytes = options.sourceBytes;
  }

  get catalogRef(): Ref {
    return this.store.catalogRef;
  }

  get trailer(): Dict {
    return this.store.trailer();
  }

  setTrailer(key: string, value: PdfValue | undefined): void {
    this.store.setTrailer(key, value);
  }

  get isEncrypted(): boolean {
    return this.store instanceof LibraryStore && this.store.isEncrypted;
  }

  /** What had to be mended since this was last asked, in qpdf's words: not for callers. */
  takeWarnings(): string[] {
    return this.store instanceof LibraryStore ? this.store.takeWarnings() : [];
  }

  /** The file was damaged: how its objects are found was made anew. Ask before objects are read. */
  get wasRebuilt(): boolean {
    return this.takeWarnings().some((text) => /damaged|reconstruct|cross-reference/i.test(text));
  }

  /** The version in the file's header, such as 1.4. */
  get headerVersion(): string {
    return this.store.headerVersion;
  }

  streamData(ref: Ref): { bytes: Uint8Array; decoded: boolean } {
    return this.unpacked(ref) ?? this.library().streamData(ref);
  }

  /**
   * Data that unpacks without a doubt, or to too much; undefined is for the library to judge. That knows no bound, so
   * what may be too much is unpacked here first.
   */
  private unpacked(ref: Ref): { bytes: Uint8Array; decoded: boolean } | undefined {
    const object = this.get(ref);
    if (!(object instanceof Stream)) return undefined;
    const filters = filtersOf(this, object.dict);
    const isSound = this.store instanceof StrictStore;
    if (!filters || (!isSound && filters.length === 0)) return undefined;
    const isPacked = filters.every(({ name }) => isPacking(name));
    if (!isSound && !isPacked) return undefined;
    const raw = this.rawStreamData(ref);
    if (!isPacked) return { bytes: raw, decoded: false };
    if (!isSound && !mayBeTooLarge(raw.length, filters)) return undefined;
    try {
      let bytes = raw;
      for (const filter of filters) {
        const undone = undoFilter(this, bytes, filter);
        if (!undone.complete) return undefined;
        bytes = undone.bytes;
      }
      return { bytes, decoded: true };
    } catch (error) {
      if (error instanceof Problem) return { bytes: new Uint8Array(), decoded: false };
      throw error;
    }
  }

  rawStreamData(ref: Ref): Uint8Array {
    return this.beyondDoubt((store) => store.rawStreamData(ref));
  }

  addStream(dict: Dict, bytes: Uint8Array): Ref {
    const ref = this.store.addStream(bytes);
    this.sourceBytes += bytes.length;
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
    this.store.replaceStreamData(ref, bytes);
    dict.delete('Filter');
    dict.delete('DecodeParms');
    if (filter !== null) dict.set('Filter', filter);
    if (decodeParms !== null) dict.set('DecodeParms', decodeParms);
  }

  copyFrom(other: PdfDocument, ref: Ref): Ref {
    if (!(other instanceof QpdfDocument)) throw new TypeError('both documents must be held by qpdf');
    if (!this.sources.has(other)) this.sourceBytes += other.sourceBytes;
    this.sources.add(other);
    other.survey();
    if (this.store instanceof StrictStore && other.store instanceof StrictStore)
      return this.copySound(this.store, other, other.store, ref);
    const theirs = other.library();
    other.flush();
    return this.library().copyFrom(theirs, ref);
  }

  copyPages(other: PdfDocument, pages: readonly Ref[]): Ref[] {
    if (!(other instanceof QpdfDocument)) throw new TypeError('both documents must be held by qpdf');
    other.survey();
    if (this.store instanceof StrictStore && other.store instanceof StrictStore) {
      const copies = pages.map((page) => this.copyFrom(other, page));
      for (const copy of copies) this.edit(copy).delete('Parent');
      return copies;
    }
    // qpdf makes null of what leads to a page it has not copied yet. So first copies of nothing stand for the pages;
    // then what the pages hold is copied, and put into these.
    const dicts = pages.map((page) => other.dict(page) ?? new Dict());
    for (const page of pages) other.replace(page, new Dict());
    const copies = pages.map((page) => this.copyFrom(other, page));
    pages.forEach((page, index) => {
      other.replace(page, dicts[index] ?? new Dict());
    });
    const holders = dicts.map((dict) => other.add(withoutTree(dict)));
    holders.forEach((holder, index) => {
      const held = this.dict(this.copyFrom(other, holder)) ?? new Dict();
      const copy = copies[index];
      if (copy) this.replace(copy, new Dict(held).set('Type', name('Page')) as Dict);
    });
    return copies;
  }

  private copySound(store: StrictStore, other: QpdfDocument, theirs: StrictStore, ref: Ref): Ref {
    const copies = this.copies.get(other) ?? { refs: new Map(), made: new Set() };
    this.copies.set(other, copies);
    return copySound(other.strictState(theirs), store, copies, ref, (copy, object) =>
      this.hold(copy, object),
    );
  }

  allRefs(): Ref[] {
    return reachableRefs(this);
  }

  /**
   * Writes the document; small results stay in memory. The document can be changed and saved again. What it claims to
   * conform to is noted: whoever sends the result has to see that it is true.
   */
  save(options: SaveOptions = {}): Content {
    const claims = claimsOf(this);
    if (claims.length === 0) return this.write(options);
    // PDF/A and PDF/X know no encryption, and nobody could take the claim out of the written file.
    const isHidden = options.encryption !== undefined || options.keepEncryption === true;
    const ended = claims.filter(({ family }) => isHidden && family !== 'PDF/UA');
    if (ended.length > 0)
      removeClaims(
        this,
        ended.map(({ family }) => family),
      );
    const stay = claims.filter((claim) => !ended.includes(claim));
    const written: SaveOptions = stay.some(isPartOne) ? { ...options, objectStreams: 'disable' } : options;
    const content = this.write(written);
    noteClaims(content, { claims: stay, encrypted: ended, options: written, isSealed: isHidden });
    return content;
  }

  private write(options: SaveOptions): Content {
    // A page tree that tells something else than it lists would be written as it is.
    this.pages();
    if (!options.keepModificationDate) this.renewDate();
    this.dropUnusableId();
    // Pages of a linearized file take nothing from above: each can be shown as soon as it has arrived.
    if (options.linearize) moveInheritedAttributes(this);
    const content =
      this.store instanceof StrictStore && isPlain(options) && this.saveSound(this.store, options);
    if (content) return content;
    if (options.linearize) requireShallow(Number(this.trailer.get('Size') ?? 0));
    const library = this.library();
    this.flush();
    return library.write(options, this.sourceBytes, this.newFile);
  }

  /** False where it is known to have no object streams. */
  get mayBePacked(): boolean {
    return !(this.store instanceof StrictStore) || this.store.file.packed;
  }

  override weight(): number | undefined {
    try {
      return this.store instanceof StrictStore ? weighSound(this.strictState(this.store)) : undefined;
    } catch (error) {
      if (error instanceof Doubt) return undefined;
      throw error;
    }
  }

  /** Undefined where an object leaves a doubt. */
  private saveSound(
    store: StrictStore,
    { objectStreams = 'preserve', encryption, linearize }: SaveOptions,
  ): Content | undefined {
    const packObjects = objectStreams === 'preserve' ? store.file.packed : objectStreams === 'generate';
    const ordered = encryption && orderedEncryption(encryption);
    const version = ordered ? tellOfEncryption(this, ordered.keyLength) : store.headerVersion;
    const options = { version, packObjects, encryption: ordered && new StrictEncryption(this, ordered) };
    const begin = () =>
      new ByteWriter({
        inMemory: this.mayHold(),
        newFile: () => this.newFile('pdf'),
        // What is saved again and again are parts.
        expected: this.heldBytes === 0 ? this.sourceBytes + ROOM_BYTES : 0,
      });
    try {
      const state = this.strictState(store);
      const out = linearize
        ? writeLinearized(state, options, this.pages(), begin)
        : writeSound(state, options, begin);
      const content = out.end();
      if ('bytes' in content) this.heldBytes += content.bytes.length;
      return content;
    } catch (error) {
      if (error instanceof Doubt) return undefined;
      throw error;
    }
  }

  /** How much of a result may stay in memory: all of a small document, and small parts of a large one. */
  private mayHold(): number {
    if (this.sourceBytes <= LIMITS.spoolBytes) return Number.POSITIVE_INFINITY;
    return Math.min(LARGEST_HELD_BYTES, MOST_HELD_BYTES - this.heldBytes);
  }

  /** A split saves one document many times: the date of the first save serves for all. */
  private renewDate(): void {
    if (this.renewed !== undefined && this.text(readInfo(this).get('ModDate')) === this.renewed) return;
    renewModificationDate(this);
    this.renewed = this.text(readInfo(this).get('ModDate'));
  }

  /** qpdf takes the first part of the file's ID for a string, and aborts the process where it is none. */
  private dropUnusableId(): void {
    const id = this.trailer.get('ID');
    if (id === undefined) return;
    const usable = this.array(id)
      ?.slice(0, 2)
      .every((part) => this.resolve(part) instanceof PdfString);
    if (!usable || this.array(id)?.length !== 2) this.setTrailer('ID', undefined);
  }

  close(): void {
    this.store.close();
  }

  protected load(ref: Ref): PdfObject {
    return this.beyondDoubt((store) => store.load(ref));
  }

  protected loadPages(): Ref[] {
    this.flush();
    return this.store.loadPages();
  }

  protected override get isTreeTrue(): boolean {
    return this.store instanceof StrictStore && this.store.file.isTreeTrue && this.changed.size === 0;
  }

  protected reserve(): Ref {
    return this.store.reserve();
  }

  private strictState(store: StrictStore): StrictState {
    return {
      store,
      changed: (number) => {
        const ref = this.changed.get(idOf(number, store.generationOf(number)));
        return ref && this.get(ref);
      },
      dataNow: (number) => store.rawStreamData(new Ref(number, store.generationOf(number))),
    };
  }

  /** What is read from the store; where that leaves a doubt, from the library's. */
  private beyondDoubt<T>(read: (store: LibraryStore | StrictStore) => T): T {
    try {
      return read(this.store);
    } catch (error) {
      if (!(error instanceof Doubt)) throw error;
      return read(this.library());
    }
  }

  /** Whoever copies from a document must not meet a doubt half way. */
  private survey(): void {
    this.beyondDoubt((store) => store instanceof StrictStore && store.survey());
  }

  /** From now on the library keeps the document. Who is about to change more of it still may. */
  private library(): LibraryStore {
    if (!(this.store instanceof LibraryStore)) this.store = moveToLibrary(this.lib, this.store);
    return this.store;
  }

  /** Hands our changes to the library; in sound documents they are found where they are made. */
  private flush(): void {
    if (this.store instanceof StrictStore || this.changed.size === 0) return;
    const objects = [...this.changed.values()].map((ref): [Ref, PdfObject] => [ref, this.get(ref)]);
    this.changed.clear();
    this.store.update(objects);
  }
}

/** By how much a result is mostly longer than its source, if it is. */
const ROOM_BYTES = 64 * 1024;

/** What a page holds, not to be taken for a page. */
const withoutTree = (page: Dict): Dict =>
  new Dict([...page].filter(([key]) => key !== 'Type' && key !== 'Parent'));

const orderedEncryption = ({ keyLength, ...order }: Encryption): AesEncryption | undefined =>
  keyLength === 40 ? undefined : { ...order, keyLength };

/** Nothing is asked for that only the library can do. */
const isPlain = (options: SaveOptions): boolean =>
  !(options.linearize && options.encryption) &&
  !options.decode &&
  !options.normalizeContent &&
  options.encryption?.keyLength !== 40 &&
  !options.keepEncryption &&
  !options.version;
