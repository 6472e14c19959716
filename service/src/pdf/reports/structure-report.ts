// The tags of a document as a tree of plain nodes, with the text they stand for.
import type { PdfDocument } from '../document.ts';
import { Dict } from '../objects.ts';
import { readStructure, type StructureElement } from '../structure/structure-tree.ts';
import { nameText } from '../text-strings.ts';

export interface StructureNode {
  Type: string;
  /** The text of the element itself: what it replaces or describes, else what is marked with it. */
  Content?: string;
  Children: StructureNode[];
}

/** What is beyond this is not told. */
const MAX_NODES = 50_000;
const MAX_DEPTH = 60;

/** `texts` are the texts of marked content, by page and number. */
export function structureReport(
  doc: PdfDocument,
  texts: ReadonlyMap<string, ReadonlyMap<number, string>>,
): StructureNode[] {
  const index = readStructure(doc, new Set(doc.pages().map((ref) => ref.key)));
  if (!index) return [];
  let left = MAX_NODES;
  const nodesOf = (element: StructureElement, depth: number): StructureNode[] =>
    element.items.flatMap((item) => {
      if (!item.element || left <= 0 || depth > MAX_DEPTH) return [];
      left -= 1;
      const content = contentOf(doc, item.element, texts);
      return [
        {
          Type: nameText(doc.name(item.element.dict.get('S')) ?? ''),
          ...(content === '' ? {} : { Content: content }),
          Children: nodesOf(item.element, depth + 1),
        },
      ];
    });
  return nodesOf(index.root, 0);
}

function contentOf(
  doc: PdfDocument,
  { dict, items }: StructureElement,
  texts: ReadonlyMap<string, ReadonlyMap<number, string>>,
): string {
  const stated = doc.text(dict.get('ActualText')) ?? doc.text(dict.get('Alt'));
  if (stated !== undefined) return stated;
  const parts = items.flatMap(({ value, page, element }) => {
    if (element || page === undefined) return [];
    const held = doc.resolve(value);
    const number =
      typeof held === 'number' ? held : held instanceof Dict ? doc.number(held.get('MCID')) : undefined;
    return number === undefined ? [] : (texts.get(page)?.get(number) ?? []);
  });
  return parts.join('').replace(/\s+/gu, ' ').trim();
}
