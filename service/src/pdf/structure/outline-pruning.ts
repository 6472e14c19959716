// The outline without what leads to pages that are gone.
import { append } from '../../contract/maps.ts';
import type { PdfDocument } from '../document.ts';
import { type PdfValue, Ref } from '../objects.ts';
import type { ActionPruner } from './goto-actions.ts';
import { type OutlineNode, readOutline, writeOutline } from './outlines.ts';
import type { PageTargets } from './page-targets.ts';

interface Place {
  parent: OutlineNode | undefined;
  /** Which of the parent's children it is. */
  index: number;
}

export class OutlinePruner {
  private readonly doc: PdfDocument;
  private readonly targets: PageTargets;
  private readonly nodes: readonly OutlineNode[];
  private readonly pageOfNode = new Map<OutlineNode, string>();
  private readonly places = new Map<OutlineNode, Place>();
  private readonly byPage = new Map<string, OutlineNode[]>();
  /** Entries that stay whichever pages do. */
  private readonly always: OutlineNode[] = [];
  /** The structure elements that entries name. */
  private readonly elements = new Map<OutlineNode, PdfValue>();

  constructor(doc: PdfDocument, targets: PageTargets) {
    this.doc = doc;
    this.targets = targets;
    this.nodes = readOutline(doc);
    this.learn(this.nodes, undefined);
  }

  private learn(nodes: readonly OutlineNode[], parent: OutlineNode | undefined): void {
    for (const [index, node] of nodes.entries()) {
      const action = this.doc.dict(node.action);
      const page =
        node.dest !== undefined
          ? this.targets.pageOf(node.dest)
          : action && this.targets.pageOfAction(action);
      this.places.set(node, { parent, index });
      if (page !== undefined) {
        this.pageOfNode.set(node, page);
        append(this.byPage, page, node);
        // A heading that had no target of its own goes with the last entry below it.
      } else if (node.children.length === 0 || node.action) this.always.push(node);
      const element = node.ref && this.doc.dict(node.ref)?.get('SE');
      if (element !== undefined) this.elements.set(node, element);
      this.learn(node.children, node);
    }
  }

  /** Entries to gone pages lose their destination; those with nothing left below them vanish. */
  keep(
    pages: readonly string[],
    isGone: (pageKey: string | undefined) => boolean,
    actions: ActionPruner,
    structureElements: ReadonlySet<string>,
  ): void {
    if (this.nodes.length === 0) return;
    const left = this.leftBelow(pages);
    const prune = (parent: OutlineNode | undefined): OutlineNode[] =>
      (left.get(parent) ?? []).map((node) => {
        const { dest, action, ...rest } = node;
        const kept: OutlineNode = { ...rest, children: prune(node) };
        if (dest !== undefined && !isGone(this.pageOfNode.get(node))) kept.dest = dest;
        const leftAction = actions.prune(action);
        if (leftAction !== undefined) kept.action = leftAction;
        return kept;
      });
    writeOutline(this.doc, prune(undefined));
    for (const nodes of left.values()) for (const node of nodes) this.keepElement(node, structureElements);
  }

  /** The entries that stay, by what they stand below, in their order. Only those are looked at. */
  private leftBelow(pages: readonly string[]): Map<OutlineNode | undefined, OutlineNode[]> {
    const left = new Map<OutlineNode | undefined, OutlineNode[]>();
    const seen = new Set<OutlineNode>();
    const add = (first: OutlineNode): void => {
      for (let node: OutlineNode | undefined = first; node && !seen.has(node); ) {
        seen.add(node);
        const parent: OutlineNode | undefined = this.places.get(node)?.parent;
        append(left, parent, node);
        node = parent;
      }
    };
    for (const node of this.always) add(node);
    for (const page of pages) for (const node of this.byPage.get(page) ?? []) add(node);
    const indexOf = (node: OutlineNode): number => this.places.get(node)?.index ?? 0;
    for (const nodes of left.values()) nodes.sort((one, other) => indexOf(one) - indexOf(other));
    return left;
  }

  private keepElement(node: OutlineNode, structureElements: ReadonlySet<string>): void {
    const element = this.elements.get(node);
    if (!node.ref || element === undefined) return;
    const isLeft = element instanceof Ref && structureElements.has(element.key);
    this.doc.edit(node.ref).put('SE', isLeft ? element : undefined);
  }
}
