// A document's pages, and what its catalog says of them, become objects of another document.
import { computeOnce } from '../../contract/maps.ts';
import type { PdfDocument } from '../document.ts';
import { Dict, type PdfValue, Ref } from '../objects.ts';
import { inheritedAttributes } from '../page-tree/inherited-attributes.ts';
import { copyOutline } from './merge-outlines.ts';
import type { MergePart, MergeSource } from './merge-part.ts';

/** Copies the pages, then the rest: references to pages find the copies. */
export function takeIn(doc: PdfDocument, { doc: other, title }: MergeSource): MergePart {
  const taken = new ValuesTaken(doc, other);
  const pages = taken.pages();
  // Pages leave their tree: what they inherit from it must stand in themselves.
  for (const [page, attributes] of inheritedAttributes(other)) {
    const copy = doc.edit(taken.copy(page));
    for (const [key, value] of attributes) copy.set(key, taken.shared(value));
  }
  const outline = copyOutline(doc, other);
  const catalog = taken.value(mergedEntries(other)) as Dict;
  return { catalog, pages, outline, title };
}

/** What merging looks at in the catalogs of others; settings of the viewer and metadata are the first's. */
const MERGED_ENTRIES = [
  'AcroForm',
  'AF',
  'Dests',
  'Extensions',
  'Lang',
  'MarkInfo',
  'Names',
  'OCProperties',
  'OutputIntents',
  'PageLabels',
  'StructTreeRoot',
  'Threads',
];

function mergedEntries({ catalog }: PdfDocument): Dict {
  return new Dict([...catalog].filter(([key]) => MERGED_ENTRIES.includes(key)));
}

/** Values of the other document as they read in this one: whatever they refer to is copied. */
class ValuesTaken {
  private readonly doc: PdfDocument;
  private readonly other: PdfDocument;
  private readonly copies = new Map<string, Ref>();
  private readonly dicts = new Map<PdfValue, Ref>();

  constructor(doc: PdfDocument, other: PdfDocument) {
    this.doc = doc;
    this.other = other;
  }

  pages(): Ref[] {
    const sources = this.other.pages();
    const copies = this.doc.copyPages(this.other, sources);
    sources.forEach((source, index) => {
      const copy = copies[index];
      if (copy) this.copies.set(source.key, copy);
    });
    return copies;
  }

  copy(ref: Ref): Ref {
    return computeOnce(this.copies, ref.key, () => this.doc.copyFrom(this.other, ref));
  }

  value(value: PdfValue): PdfValue {
    if (value instanceof Ref) return this.copy(value);
    if (Array.isArray(value)) return value.map((item) => this.value(item));
    if (!(value instanceof Dict)) return value;
    return new Dict([...value].map(([key, item]): [string, PdfValue] => [key, this.value(item)]));
  }

  /** As `value`; a dictionary that several pages use becomes one object. */
  shared(value: PdfValue): PdfValue {
    if (!(value instanceof Dict)) return this.value(value);
    return computeOnce(this.dicts, value, () => this.doc.add(this.value(value)));
  }
}
