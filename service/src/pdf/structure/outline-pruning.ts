// The outline without what leads to pages that are gone.
import type { PdfDocument } from '../document.ts';
import { type PdfValue, Ref } from '../objects.ts';
import type { ActionPruner } from './goto-actions.ts';
import { type OutlineNode, readOutline, writeOutline } from './outlines.ts';
import type { PageTargets } from './page-targets.ts';

export class OutlinePruner {
  private readonly doc: PdfDocument;
  private readonly targets: PageTargets;
  private readonly nodes: readonly OutlineNode[];
  private readonly pageOfNode = new Map<OutlineNode, string>();
  /** Entries that name a structure element. */
  private readonly elements = new Map<Ref, PdfValue>();

  constructor(doc: PdfDocument, targets: PageTargets) {
    this.doc = doc;
    this.targets = targets;
    this.nodes = readOutline(doc);
    this.learn(this.nodes);
  }

  private learn(nodes: readonly OutlineNode[]): void {
    for (const node of nodes) {
      const action = this.doc.dict(node.action);
      const page =
        node.dest !== undefined
          ? this.targets.pageOf(node.dest)
          : action && this.targets.pageOfAction(action);
      if (page !== undefined) this.pageOfNode.set(node, page);
      const element = node.ref && this.doc.dict(node.ref)?.get('SE');
      if (node.ref && element !== undefined) this.elements.set(node.ref, element);
      this.learn(node.children);
    }
  }

  /** Entries to gone pages lose their destination; those with nothing left below them vanish. */
  keep(
    isGone: (pageKey: string | undefined) => boolean,
    actions: ActionPruner,
    structureElements: ReadonlySet<string>,
  ): void {
    if (this.nodes.length === 0) return;
    writeOutline(this.doc, this.prune(this.nodes, isGone, actions));
    for (const [ref, element] of this.elements) {
      const isLeft = element instanceof Ref && structureElements.has(element.key);
      if (isLeft) this.doc.edit(ref).set('SE', element);
      else this.doc.edit(ref).delete('SE');
    }
  }

  private prune(
    nodes: readonly OutlineNode[],
    isGone: (pageKey: string | undefined) => boolean,
    actions: ActionPruner,
  ): OutlineNode[] {
    const left: OutlineNode[] = [];
    for (const node of nodes) {
      const children = this.prune(node.children, isGone, actions);
      const leadsNowhere = isGone(this.pageOfNode.get(node));
      if (leadsNowhere && children.length === 0) continue;
      // A heading that had no target of its own goes with the last entry below it.
      if (node.children.length > 0 && children.length === 0 && !this.pageOfNode.has(node) && !node.action)
        continue;
      const { dest, action, ...rest } = node;
      const kept: OutlineNode = { ...rest, children };
      if (dest !== undefined && !leadsNowhere) kept.dest = dest;
      const leftAction = actions.prune(action);
      if (leftAction !== undefined) kept.action = leftAction;
      left.push(kept);
    }
    return left;
  }
}
