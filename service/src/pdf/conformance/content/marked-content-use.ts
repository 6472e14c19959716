// Marked content while a stream is read: what is tagged, what is an artifact, what is explained by ActualText.

import type { PdfDocument } from '../../document.ts';
import { type Dict, Name, type PdfValue } from '../../objects.ts';
import type { Operation } from '../../syntax/content-reader.ts';
import type { StructureParents } from '../rules/structure-parents.ts';
import type { Drawn, Place } from './drawn.ts';

interface Opened {
  isTagged: boolean;
  isArtifact: boolean;
  isExplained: boolean;
}

const MAX_NOTES = 2000;

export class MarkedContent {
  private readonly doc: PdfDocument;
  private readonly drawn: Drawn;
  private readonly open: Opened[];
  private readonly parents: StructureParents;
  /** The page or form whose content is read. */
  private readonly holder: Dict;
  /** Content of annotations is tagged with the annotation. */
  private readonly isCovered: boolean;

  constructor(
    doc: PdfDocument,
    drawn: Drawn,
    parents: StructureParents,
    holder: Dict,
    options: { isCovered?: boolean; open?: Opened[] } = {},
  ) {
    this.doc = doc;
    this.drawn = drawn;
    this.parents = parents;
    this.holder = holder;
    this.isCovered = options.isCovered ?? false;
    this.open = options.open ?? [];
  }

  /** For a form or a glyph drawn here: it stands in what is open around it. */
  inside(form?: Dict): MarkedContent {
    const tagged = form?.has('StructParent') ?? false;
    const outer = tagged
      ? [...this.open, { isTagged: true, isArtifact: false, isExplained: false }]
      : [...this.open];
    const holder = form?.has('StructParents') ? form : this.holder;
    return new MarkedContent(this.doc, this.drawn, this.parents, holder, {
      isCovered: this.isCovered,
      open: outer,
    });
  }

  get isExplained(): boolean {
    return this.open.some((opened) => opened.isExplained);
  }

  begin(held: PdfValue | undefined, { operands }: Operation, here: Place): void {
    const tag = operands[0] instanceof Name ? operands[0].value : '';
    const properties = this.doc.dict(held);
    const mark = this.doc.number(properties?.get('MCID'));
    const isTagged = mark !== undefined && this.parents.knows(this.holder, mark);
    const isArtifact = tag === 'Artifact';
    const inArtifact = this.open.some((opened) => opened.isArtifact);
    const inTag = this.open.some((opened) => opened.isTagged);
    if ((isTagged && inArtifact) || (isArtifact && inTag)) push(this.drawn.wronglyNested, here);
    this.open.push({ isTagged, isArtifact, isExplained: properties?.has('ActualText') ?? false });
    if (properties && ['Lang', 'ActualText', 'Alt', 'E'].some((key) => properties.has(key)))
      push(this.drawn.markedTexts, { ...here, tag, properties });
  }

  end(): void {
    this.open.pop();
  }

  paint({ where, page }: Place): void {
    if (this.isCovered || this.open.some(({ isTagged, isArtifact }) => isTagged || isArtifact)) return;
    if (this.drawn.untagged.at(-1)?.where !== where) push(this.drawn.untagged, { where, page });
  }
}

function push<T>(list: T[], item: T): void {
  if (list.length < MAX_NOTES) list.push(item);
}
