// The form's field tree, to be cut down to the fields with widgets on some pages as often as wished.
import type { PdfDocument } from '../document.ts';
import { MAX_TREE_DEPTH } from '../object-graph.ts';
import { Dict, isName, type PdfValue, Ref } from '../objects.ts';

interface FieldNode {
  ref: Ref;
  dict: Dict;
  kids: FieldNode[];
  parent: FieldNode | undefined;
  /** Which of the parent's kids it is. */
  index: number;
}

const MAX_FIELDS = 500_000;

export class FieldTree {
  private readonly doc: PdfDocument;
  private readonly nodes = new Map<string, FieldNode>();
  private readonly form: Dict | undefined;
  /** Fields without widgets on any page. */
  private always: readonly FieldNode[] | undefined;

  /** `widgets` are the widget annotations of all pages. */
  constructor(doc: PdfDocument, widgets: Iterable<Ref>) {
    this.doc = doc;
    const form = doc.dict(doc.catalog.get('AcroForm'));
    this.form = form && new Dict(form);
    for (const ref of doc.array(form?.get('Fields')) ?? []) this.read(ref, undefined, 0);
    for (const ref of widgets) this.read(this.rootOf(ref), undefined, 0);
  }

  private rootOf(widget: Ref): Ref {
    let root = widget;
    for (let depth = 0; depth < MAX_TREE_DEPTH; depth += 1) {
      const parent = this.doc.dict(root)?.get('Parent');
      if (!(parent instanceof Ref) || !this.doc.dict(parent)) return root;
      root = parent;
    }
    return root;
  }

  private read(ref: PdfValue, parent: FieldNode | undefined, depth: number): FieldNode | undefined {
    const dict = this.doc.dict(ref);
    if (!(ref instanceof Ref) || !dict || this.nodes.has(ref.key)) return undefined;
    if (depth > MAX_TREE_DEPTH || this.nodes.size >= MAX_FIELDS || isForeign(this.doc, dict))
      return undefined;
    const node: FieldNode = { ref, dict: new Dict(dict), kids: [], parent, index: parent?.kids.length ?? 0 };
    this.nodes.set(ref.key, node);
    for (const kid of this.doc.array(dict.get('Kids')) ?? []) {
      const read = this.read(kid, node, depth + 1);
      if (read) node.kids.push(read);
    }
    return node;
  }

  /**
   * Leaves the fields that have a widget among `shown`. `isPlaced` tells widgets of any page, kept or gone: fields
   * that never had a widget stay. Widgets themselves are restored by their page, not here.
   */
  keep(catalog: Dict, shown: ReadonlySet<string>, isPlaced: (key: string) => boolean): void {
    const kept = new Set<FieldNode>();
    const add = (first: FieldNode | undefined): void => {
      for (let node = first; node && !kept.has(node); node = node.parent) kept.add(node);
    };
    this.always ??= [...this.nodes.values()].filter(
      ({ ref, kids }) => kids.length === 0 && !isPlaced(ref.key),
    );
    for (const node of this.always) add(node);
    for (const key of shown) add(this.nodes.get(key));
    for (const [node, kids] of this.keptKids(kept)) this.writeKids(node, kids, shown.has(node.ref.key));
    this.writeForm(catalog, kept);
  }

  /** In their order. */
  private keptKids(kept: ReadonlySet<FieldNode>): Map<FieldNode, FieldNode[]> {
    const kids = new Map<FieldNode, FieldNode[]>();
    for (const node of kept) if (node.kids.length > 0) kids.set(node, []);
    for (const node of kept) if (node.parent) kids.get(node.parent)?.push(node);
    for (const list of kids.values()) list.sort((one, other) => one.index - other.index);
    return kids;
  }

  private writeKids(node: FieldNode, kept: readonly FieldNode[], isShown: boolean): void {
    const kids = kept.map((kid) => kid.ref);
    if (isShown) this.doc.edit(node.ref).set('Kids', kids);
    else this.doc.replace(node.ref, new Dict(node.dict).set('Kids', kids));
  }

  private writeForm(catalog: Dict, kept: ReadonlySet<FieldNode>): void {
    const listed = this.doc.array(this.form?.get('Fields'));
    if (!this.form || !listed) return;
    const stays = (value: PdfValue): boolean => {
      const node = value instanceof Ref ? this.nodes.get(value.key) : undefined;
      // What is written in the list itself, rather than referred to, has no page to lose.
      return node ? kept.has(node) : !(value instanceof Ref);
    };
    const fields = listed.filter(stays);
    if (fields.length === 0 && listed.length > 0) {
      catalog.delete('AcroForm');
      return;
    }
    const form = new Dict(this.form).set('Fields', fields) as Dict;
    const order = this.doc.array(form.get('CO'))?.filter(stays);
    if (order) form.set('CO', order);
    // XFA holds the values of every field, those on gone pages too.
    if (kept.size < this.nodes.size) form.delete('XFA');
    if (![...kept].some((node) => this.isSignature(node))) form.delete('SigFlags');
    const held = catalog.get('AcroForm');
    if (held instanceof Ref) this.doc.replace(held, form);
    else catalog.set('AcroForm', form);
  }

  private isSignature(node: FieldNode): boolean {
    for (let at: FieldNode | undefined = node; at; at = at.parent) {
      const type = this.doc.resolve(at.dict.get('FT'));
      if (type !== null) return isName(type, 'Sig');
    }
    return false;
  }
}

/** A damaged tree may lead to objects that are no fields. */
function isForeign(doc: PdfDocument, dict: Dict): boolean {
  return ['Page', 'Pages', 'Catalog', 'StructElem'].includes(doc.name(dict.get('Type')) ?? '');
}
