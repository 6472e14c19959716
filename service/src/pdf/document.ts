// A document as a graph of objects. Document logic is written against this class and knows no engine;
// an engine extends it with the few abstract verbs at the end.
import { Problem } from '../contract/problems.ts';
import { MAX_TREE_DEPTH, type ObjectGraph } from './object-graph.ts';
import {
  Dict,
  isName,
  Name,
  type ObjectId,
  type PdfObject,
  PdfString,
  type PdfValue,
  Ref,
  Stream,
} from './objects.ts';
import { settleInheritedAttributes } from './page-tree/inherited-attributes.ts';
import { pagesOfWrongTree } from './page-tree/page-tree-repair.ts';
import { textOf } from './text-strings.ts';

export abstract class PdfDocument implements ObjectGraph {
  private readonly objects = new Map<ObjectId, PdfObject>();
  protected readonly changed = new Map<ObjectId, Ref>();
  private pageRefs: Ref[] | undefined;

  /** The object behind a reference; null when there is none. */
  get(ref: Ref): PdfObject {
    let object = this.objects.get(ref.id);
    if (object === undefined) {
      object = this.load(ref);
      this.objects.set(ref.id, object);
    }
    return object;
  }

  /** Follows references until a value stands there. */
  resolve(value: PdfObject | undefined): PdfObject {
    let current: PdfObject = value ?? null;
    for (let hops = 0; current instanceof Ref; hops += 1) {
      if (hops > 20) return null;
      current = this.get(current);
    }
    return current;
  }

  dict(value: PdfObject | undefined): Dict | undefined {
    const resolved = this.resolve(value);
    if (resolved instanceof Stream) return resolved.dict;
    return resolved instanceof Dict ? resolved : undefined;
  }

  array(value: PdfObject | undefined): PdfValue[] | undefined {
    const resolved = this.resolve(value);
    return Array.isArray(resolved) ? resolved : undefined;
  }

  number(value: PdfObject | undefined): number | undefined {
    const resolved = this.resolve(value);
    return typeof resolved === 'number' ? resolved : undefined;
  }

  boolean(value: PdfObject | undefined): boolean | undefined {
    const resolved = this.resolve(value);
    return typeof resolved === 'boolean' ? resolved : undefined;
  }

  /** A name's word. */
  name(value: PdfObject | undefined): string | undefined {
    const resolved = this.resolve(value);
    return resolved instanceof Name ? resolved.value : undefined;
  }

  /** A text string's text. */
  text(value: PdfObject | undefined): string | undefined {
    const resolved = this.resolve(value);
    return resolved instanceof PdfString ? textOf(resolved) : undefined;
  }

  /**
   * The dictionary of an object that is about to be changed: it will be written back. Ask for it again after
   * `pages`, `setPages` or `save`: what is changed in it later would be lost.
   */
  edit(ref: Ref): Dict {
    const object = this.get(ref);
    const dict = object instanceof Stream ? object.dict : object instanceof Dict ? object : new Dict();
    if (!(object instanceof Stream) && object !== dict) this.objects.set(ref.id, dict);
    this.changed.set(ref.id, ref);
    return dict;
  }

  /** Puts a value in the place of an object. */
  replace(ref: Ref, value: PdfValue): void {
    this.hold(ref, value);
  }

  add(value: PdfValue): Ref {
    const ref = this.reserve();
    this.replace(ref, value);
    return ref;
  }

  get catalog(): Dict {
    return this.dict(this.catalogRef) ?? new Dict();
  }

  /** Pages in order, every one an object of its own; their tree is made anew where it tells something else. */
  pages(): readonly Ref[] {
    if (this.pageRefs) return this.pageRefs;
    const found = this.loadPages();
    this.pageRefs = found;
    const repaired = this.isTreeTrue ? undefined : pagesOfWrongTree(this, found);
    if (repaired?.length === 0) throw new Problem('invalid_pdf', 'The document has no pages.');
    if (repaired) this.setPages(repaired);
    return this.pageRefs;
  }

  /** Whether an engine has seen that the page tree tells what it lists. */
  protected get isTreeTrue(): boolean {
    return false;
  }

  get pageCount(): number {
    return this.pages().length;
  }

  page(index: number): Dict {
    return this.dict(this.pages()[index]) ?? new Dict();
  }

  /** A page attribute, inherited from the tree above where the page itself has none. */
  inherited(page: Dict, key: string): PdfObject {
    let node: Dict | undefined = page;
    for (let depth = 0; node && depth < MAX_TREE_DEPTH; depth += 1) {
      const value = this.resolve(node.get(key));
      if (value !== null) return value;
      node = this.dict(node.get('Parent'));
    }
    return null;
  }

  /** Makes these the document's pages, in this order; each must be an object of its own. */
  setPages(refs: readonly Ref[]): void {
    settleInheritedAttributes(this);
    this.linkPages(refs);
  }

  /** As `setPages`, for pages that have their inherited attributes already: nothing is read anew. */
  linkPages(refs: readonly Ref[]): void {
    const rootRef = this.catalog.get('Pages');
    const root = rootRef instanceof Ref ? rootRef : this.add(new Dict());
    if (root !== rootRef) this.edit(this.catalogRef).set('Pages', root);
    this.replace(root, Dict.of({ Type: new Name('Pages'), Kids: [...refs], Count: refs.length }));
    for (const ref of refs) {
      const page = this.edit(ref);
      page.set('Parent', root);
      if (!isName(page.get('Type'), 'Page')) page.set('Type', new Name('Page'));
    }
    this.pageRefs = [...refs];
  }

  /** About how many bytes the document would take if it were written now; undefined where only writing tells. */
  weight(): number | undefined {
    return undefined;
  }

  /** Holds an object the engine has made; it will be written back. */
  protected hold(ref: Ref, object: PdfObject): void {
    this.objects.set(ref.id, object);
    this.changed.set(ref.id, ref);
  }

  abstract readonly catalogRef: Ref;
  /** The trailer's own entries; change them with `setTrailer`. */
  abstract readonly trailer: Dict;
  abstract setTrailer(key: string, value: PdfValue | undefined): void;
  /** Decoded data of a stream, or as stored where a filter cannot be undone (`decoded` tells). */
  abstract streamData(ref: Ref): { bytes: Uint8Array; decoded: boolean };
  abstract rawStreamData(ref: Ref): Uint8Array;
  abstract addStream(dict: Dict, bytes: Uint8Array): Ref;
  /** New data for a stream; its Filter and DecodeParms become those given, or none. */
  abstract replaceStreamData(ref: Ref, bytes: Uint8Array, filter?: PdfValue, decodeParms?: PdfValue): void;
  /**
   * Copies an object and all it reaches from another document. Copies are made once per source object.
   * The walk stops at pages: references to pages that `copyPages` was not told of become null.
   */
  abstract copyFrom(other: PdfDocument, ref: Ref): Ref;
  /** Copies pages, with what they reach; what they say of one another holds for the copies. They have no parent. */
  abstract copyPages(other: PdfDocument, pages: readonly Ref[]): Ref[];
  /** Every object that will be written: all that can be reached. */
  abstract allRefs(): Ref[];
  protected abstract load(ref: Ref): PdfObject;
  protected abstract loadPages(): Ref[];
  protected abstract reserve(): Ref;
}
