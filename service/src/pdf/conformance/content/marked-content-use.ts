// Marked content while a stream is read: what is tagged, what is an artifact, what is explained by ActualText.

import type { PdfDocument } from '../../document.ts';
import { type Dict, Name, type PdfValue } from '../../objects.ts';
import type { Operation } from '../../syntax/content-reader.ts';
import type { StructureParents } from '../rules/structure-parents.ts';
import type { Drawn, Place } from './drawn.ts';

interface Opened {
  isTagged: boolean;
  isArtifact: boolean;
  properties?: Dict | undefined;
  /** That of its MCID. */
  element?: Dict | undefined;
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
  /** The appearance of a signature that has no description of its own. */
  private readonly isNamelessSignature: boolean;

  constructor(
    doc: PdfDocument,
    drawn: Drawn,
    parents: StructureParents,
    holder: Dict,
    options: { isCovered?: boolean; isNamelessSignature?: boolean; open?: Opened[] } = {},
  ) {
    this.doc = doc;
    this.drawn = drawn;
    this.parents = parents;
    this.holder = holder;
    this.isCovered = options.isCovered ?? false;
    this.isNamelessSignature = options.isNamelessSignature ?? false;
    this.open = options.open ?? [];
  }

  /** For a form or a glyph drawn here: it stands in what is open around it. */
  inside(form?: Dict): MarkedContent {
    const tagged = form?.has('StructParent') ?? false;
    const outer = tagged ? [...this.open, { isTagged: true, isArtifact: false }] : [...this.open];
    const holder = form?.has('StructParents') ? form : this.holder;
    return new MarkedContent(this.doc, this.drawn, this.parents, holder, {
      isCovered: this.isCovered,
      isNamelessSignature: this.isNamelessSignature,
      open: outer,
    });
  }

  /** Neither an artifact nor part of an annotation. */
  get isRealContent(): boolean {
    return !this.isCovered && !this.open.some(({ isArtifact }) => isArtifact);
  }

  /** Whether a text (ActualText, Alt) stands for what is shown: around it, or at the element it belongs to. */
  hasText(key: 'ActualText' | 'Alt'): boolean {
    const element = this.open.findLast((opened) => opened.element)?.element;
    const says = (dict: Dict | undefined): boolean => this.doc.text(dict?.get(key)) !== undefined;
    return this.open.some(({ properties }) => says(properties)) || says(element);
  }

  begin(held: PdfValue | undefined, { operands }: Operation, here: Place): void {
    const tag = operands[0] instanceof Name ? operands[0].value : '';
    const properties = this.doc.dict(held);
    const mark = this.doc.number(properties?.get('MCID'));
    const element = mark === undefined ? undefined : this.parents.elementOf(this.holder, mark);
    const isTagged = element !== undefined;
    const isArtifact = tag === 'Artifact';
    const inArtifact = this.open.some((opened) => opened.isArtifact);
    const inTag = this.open.some((opened) => opened.isTagged);
    if ((isTagged && inArtifact) || (isArtifact && inTag))
      push(this.drawn.wronglyNested, { ...here, isArtifact });
    this.open.push({ isTagged, isArtifact, properties, element });
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

  image(here: Place): void {
    this.paint(here);
    if (this.isNamelessSignature && !this.open.some(({ properties }) => properties?.has('Alt')))
      push(this.drawn.namelessSignatureImages, here);
  }
}

function push<T>(list: T[], item: T): void {
  if (list.length < MAX_NOTES) list.push(item);
}
