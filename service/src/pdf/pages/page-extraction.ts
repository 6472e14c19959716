// Makes a document hold only some of its pages, with all that belongs to them and nothing that belongs to the
// others (operations 1.7: "references to pages that are gone are removed"). What ties pages together is learnt
// once; then any number of parts can be taken from the same open document, one after the other.

import { ResourcePruner } from '../content/resource-pruning.ts';
import type { PdfDocument } from '../document.ts';
import { FontSubsetter } from '../fonts/font-subsetting.ts';
import { annotationsOn } from '../fonts/font-usage.ts';
import { FieldTree } from '../forms/field-tree.ts';
import { FormFonts } from '../forms/form-fonts.ts';
import { dropMetadataPadding } from '../metadata/xmp-padding.ts';
import { cloneValue, Dict, isName, type PdfValue, Ref } from '../objects.ts';
import { type Annotation, type PageParcel, PageParcels } from '../page-tree/page-objects.ts';
import { ArticleThreads } from '../structure/article-threads.ts';
import { keepCatalogEntries } from '../structure/catalog-pruning.ts';
import { ActionPruner } from '../structure/goto-actions.ts';
import { nameNumberedPages } from '../structure/numbered-destinations.ts';
import { OutlinePruner } from '../structure/outline-pruning.ts';
import { PageTargets } from '../structure/page-targets.ts';
import { StructurePruner } from '../structure/structure-pruning.ts';
import { readStructure } from '../structure/structure-tree.ts';
import { type PageLabel, readPageLabels, writePageLabels } from './page-labels.ts';
import { PlainPages } from './plain-pages.ts';

export interface PartOptions {
  /** Whether attachments and other large things of the document as a whole come along. */
  wholeDocumentThings?: boolean;
  /** How many bytes the part may take: fonts lose glyphs it does not show only where it would take more. */
  share?: number;
  /** Where the part must be small: its font programs become smaller than just cut (see SubsetOptions). */
  tightFonts?: boolean;
}

const MAX_PAGES_TO_TRIM = 100;

export class PageExtraction {
  private readonly doc: PdfDocument;
  private readonly catalog: Dict;
  private readonly targets: PageTargets;
  private readonly parcels: PageParcels;
  private readonly threads: ArticleThreads;
  private readonly fields: FieldTree;
  private readonly outline: OutlinePruner;
  private readonly structure: StructurePruner | undefined;
  private readonly labels: ReadonlyMap<string, PageLabel> | undefined;
  private readonly resources: ResourcePruner;
  private readonly fonts: FontSubsetter;
  private readonly formFonts: FormFonts;
  private readonly plain: PlainPages;
  private readonly pageCount: number;
  /** Content is read for the glyphs it shows, not only for what it names. */
  private readsGlyphs = false;

  constructor(doc: PdfDocument) {
    this.doc = doc;
    // Pages get their inherited attributes: the tree above them will go.
    doc.setPages(doc.pages());
    nameNumberedPages(doc);
    dropMetadataPadding(doc);
    this.catalog = cloneValue(doc.catalog);
    this.targets = new PageTargets(doc);
    this.parcels = new PageParcels(doc);
    this.threads = new ArticleThreads(doc);
    this.fields = new FieldTree(doc, this.parcels.widgets());
    this.outline = new OutlinePruner(doc, this.targets);
    const labels = readPageLabels(doc);
    this.labels =
      labels &&
      new Map(doc.pages().flatMap((ref, index) => (labels[index] ? [[ref.key, labels[index]]] : [])));
    const index = readStructure(doc, new Set(doc.pages().map((ref) => ref.key)));
    this.structure =
      index &&
      new StructurePruner(
        doc,
        index,
        this.parentKeys(this.parcels.all, () => true),
      );
    this.fonts = new FontSubsetter(doc);
    this.plain = new PlainPages(doc, this.parcels.all);
    this.resources = new ResourcePruner(doc, [...this.parcels.all], {
      isPlain: (page) => this.plain.has(page),
      namesOn: (page) => (this.readsGlyphs ? this.fonts.namesOn(page) : undefined),
    });
    this.formFonts = new FormFonts(doc);
    this.pageCount = doc.pageCount;
  }

  /** Leaves these pages, in this order. Each must be a page the document had when this was made. */
  keep(pages: readonly Ref[], options: PartOptions = {}): void {
    const { wholeDocumentThings = true } = options;
    const kept = new Set(pages.map((ref) => ref.key));
    const isKept = (key: string): boolean => kept.has(key);
    const isGone = (key: string | undefined): boolean => key !== undefined && !kept.has(key);
    const catalog = cloneValue(this.catalog);
    const actions = new ActionPruner(this.doc, this.targets, isGone);

    const parcels = pages.flatMap((ref) => this.parcels.of(ref) ?? []);
    const beads = this.threads.keep(catalog, isKept);
    this.readsGlyphs = this.isSmall(parcels);
    const trimmed = this.resources.trim(parcels, kept);
    const placed = new Map<string, { ref: Ref; value: PdfValue }>();
    const shown = new Set<string>();
    for (const parcel of parcels) {
      const annotations = this.pruneAnnotations(parcel, actions, isGone);
      for (const { ref, dict } of annotations) {
        placed.set(ref.key, { ref, value: dict });
        shown.add(ref.key);
      }
      const page = this.prunePage(parcel, annotations, actions, beads, kept);
      const resources = trimmed.get(parcel.ref.key);
      if (resources !== undefined) page.set('Resources', resources);
      placed.set(parcel.ref.key, { ref: parcel.ref, value: page });
    }
    this.parcels.place(placed);
    this.doc.replace(this.doc.catalogRef, catalog);
    this.doc.linkPages(pages);

    this.fields.keep(catalog, shown, (key) => this.parcels.isAnnotation(key));
    const elements = this.structure?.keep(catalog, {
      pages: [...kept],
      isKept,
      isAnnotationGone: (key) => this.parcels.isAnnotation(key) && !shown.has(key),
      parentKeys: this.parentKeys(parcels, (key) => shown.has(key)),
    });
    this.outline.keep([...kept], isGone, actions, elements ?? new Set());
    keepCatalogEntries(this.doc, catalog, {
      targets: this.targets,
      actions,
      isGone,
      pages: [...kept],
      wholeDocumentThings,
    });
    if (this.labels)
      writePageLabels(
        this.doc,
        pages.map((ref) => this.labels?.get(ref.key) ?? { style: 'D', number: 1 }),
      );
    this.keepFonts(catalog, parcels, options);
  }

  /** Where many pages stay, what they do not show of their fonts is little, and all of them would have to be read. */
  private isSmall(parcels: readonly PageParcel[]): boolean {
    return parcels.length * 2 <= this.pageCount && parcels.length <= MAX_PAGES_TO_TRIM;
  }

  private keepFonts(catalog: Dict, parcels: readonly PageParcel[], { share, tightFonts }: PartOptions): void {
    if (!this.isSmall(parcels)) {
      this.formFonts.restore(catalog);
      this.fonts.restoreAll();
      return;
    }
    const annotations = parcels.flatMap((parcel) => annotationsOn(this.doc, parcel));
    const whole = this.formFonts.keep(catalog, annotations);
    const read = parcels.filter((parcel) => !this.plain.has(parcel));
    if (share !== undefined) this.fonts.restoreAll();
    const weight = share === undefined ? undefined : this.doc.weight();
    if (weight === undefined) this.fonts.subset(read, whole, { tight: tightFonts ?? false });
    else if (weight > (share ?? 0)) this.fonts.spare(weight - (share ?? 0), read, whole);
  }

  private pruneAnnotations(
    { ref: page, annotations }: PageParcel,
    actions: ActionPruner,
    isGone: (key: string | undefined) => boolean,
  ): Annotation[] {
    const left: Annotation[] = [];
    for (const { ref, dict } of annotations) {
      const isLink = isName(dict.get('Subtype'), 'Link');
      const target = this.targets.pageOf(dict.get('Dest'));
      if (isLink && isGone(target)) continue;
      const copy = new Dict(dict);
      if (isGone(target)) copy.delete('Dest');
      actions.pruneHolder(copy);
      if (isLink && dict.has('A') && !copy.has('A') && !copy.has('Dest')) continue;
      if (copy.get('P') instanceof Ref) copy.set('P', page);
      left.push({ ref, dict: copy });
    }
    return left;
  }

  private prunePage(
    { dict, annotations }: PageParcel,
    left: readonly Annotation[],
    actions: ActionPruner,
    beads: ReadonlySet<string>,
    kept: ReadonlySet<string>,
  ): Dict {
    const page = new Dict(dict);
    actions.pruneHolder(page);
    if (left.length < annotations.length) {
      const shown = new Set(left.map(({ ref }) => ref.key));
      const gone = new Set(annotations.map(({ ref }) => ref.key).filter((key) => !shown.has(key)));
      const list = this.doc.array(dict.get('Annots')) ?? [];
      page.set(
        'Annots',
        list.filter((each) => !(each instanceof Ref && gone.has(each.key))),
      );
    }
    const ownBeads =
      this.doc.array(page.get('B'))?.filter((bead) => bead instanceof Ref && beads.has(bead.key)) ?? [];
    page.put('B', ownBeads.length > 0 ? ownBeads : undefined);
    // Parts of a print job (PDF/VT) span pages; without their neighbours they say nothing true.
    page.delete('DPart');
    const separation = this.doc.dict(page.get('SeparationInfo'));
    const plates = this.doc
      .array(separation?.get('Pages'))
      ?.filter((plate) => plate instanceof Ref && kept.has(plate.key));
    if (separation && plates) page.set('SeparationInfo', new Dict(separation).set('Pages', plates) as Dict);
    return page;
  }

  private parentKeys(parcels: Iterable<PageParcel>, isShown: (key: string) => boolean): Set<number> {
    const keys = new Set<number>();
    const add = (value: PdfValue | undefined): void => {
      if (typeof value === 'number') keys.add(value);
    };
    for (const { dict, annotations } of parcels) {
      add(dict.get('StructParents'));
      for (const { ref, dict: annotation } of annotations)
        if (isShown(ref.key)) add(annotation.get('StructParent'));
    }
    return keys;
  }
}
