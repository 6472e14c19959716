// Groups on pages where nothing shows through change nothing: without them such a page need not be drawn anew.
import { computeOnce } from '../../contract/maps.ts';
import { isTransparentState } from '../conformance/content/transparent-state.ts';
import { inheritedEntry } from '../content/page-content.ts';
import type { PdfDocument } from '../document.ts';
import { Dict, type PdfValue, Ref, Stream } from '../objects.ts';

interface Reached {
  forms: ReadonlySet<string>;
  isOpaque: boolean;
}

export function dropOpaqueGroups(doc: PdfDocument): void {
  const reachedBy = new Map<Dict, Reached>();
  const reach = (resources: Dict): Reached => {
    return computeOnce(reachedBy, resources, () => new Resources(doc).all(resources));
  };
  const [opaque, kept] = [new Set<string>(), new Set<string>()];
  for (const ref of doc.pages()) {
    const page = doc.dict(ref) ?? new Dict();
    const { forms, isOpaque } = reach(doc.dict(inheritedEntry(doc, page, 'Resources')) ?? new Dict());
    if (isOpaque && page.has('Group')) doc.edit(ref).delete('Group');
    for (const key of forms) (isOpaque ? opaque : kept).add(key);
    // Appearances are seen above the page: what they draw is theirs.
    for (const annotation of doc.array(page.get('Annots')) ?? [])
      for (const key of reach(appearances(doc, doc.dict(annotation))).forms) kept.add(key);
  }
  for (const ref of doc.allRefs())
    if (opaque.has(ref.key) && !kept.has(ref.key) && doc.dict(ref)?.has('Group'))
      doc.edit(ref).delete('Group');
}

/** Every appearance of an annotation, as if content named them. */
function appearances(doc: PdfDocument, annotation: Dict | undefined): Dict {
  const named = new Dict();
  for (const value of doc.dict(annotation?.get('AP'))?.values() ?? []) {
    const held = doc.resolve(value);
    for (const each of held instanceof Dict ? held.values() : [value]) named.set(`${named.size}`, each);
  }
  return new Dict().set('XObject', named);
}

/** All that content could draw with its resources, whether it does or not. */
class Resources {
  private readonly doc: PdfDocument;
  private readonly forms = new Set<string>();
  private readonly walked = new Set<Dict>();
  private isOpaque = true;

  constructor(doc: PdfDocument) {
    this.doc = doc;
  }

  all(resources: Dict): Reached {
    const waiting = [resources];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      if (this.walked.has(next)) continue;
      this.walked.add(next);
      waiting.push(...this.inner(next));
    }
    return { forms: this.forms, isOpaque: this.isOpaque };
  }

  /** Resources of what these resources name. */
  private inner(resources: Dict): Dict[] {
    for (const state of this.named(resources, 'ExtGState')) this.state(state);
    const xobjects = this.named(resources, 'XObject').filter((value) => this.xobject(value));
    const patterns = this.named(resources, 'Pattern');
    for (const pattern of patterns) this.state(this.doc.dict(pattern)?.get('ExtGState'));
    return [...xobjects, ...patterns, ...this.named(resources, 'Font')].flatMap(
      (value) => this.doc.dict(this.doc.dict(value)?.get('Resources')) ?? [],
    );
  }

  private named(resources: Dict, category: string): PdfValue[] {
    return [...(this.doc.dict(resources.get(category))?.values() ?? [])];
  }

  private state(value: PdfValue | undefined): void {
    const dict = this.doc.dict(value);
    if (dict && isTransparentState(this.doc, dict)) this.isOpaque = false;
  }

  /** Whether it is a form. */
  private xobject(value: PdfValue): boolean {
    const { doc } = this;
    const dict = doc.dict(value);
    const isMasked =
      doc.resolve(dict?.get('SMask')) instanceof Stream || (doc.number(dict?.get('SMaskInData')) ?? 0) > 0;
    if (isMasked) this.isOpaque = false;
    const isForm = doc.name(dict?.get('Subtype')) === 'Form';
    if (isForm && value instanceof Ref) this.forms.add(value.key);
    return isForm;
  }
}
