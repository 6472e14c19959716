// The structure tree of a page, where the document is tagged.
import type { TagNode } from '../../../contract/page-items.ts';
import type { Library, Pointer } from '../library.ts';

const MAX_DEPTH = 40;
const MAX_NODES = 20_000;
const MAX_TEXT_BYTES = 4_096;

const utf16 = new TextDecoder('utf-16le');

export function readTags(library: Library, page: Pointer): TagNode[] {
  const { native } = library;
  if (page === 0) return [];
  const tree = native.FPDF_StructTree_GetForPage(page);
  if (tree === 0) return [];
  const reader = new TagReader(library);
  try {
    const nodes: TagNode[] = [];
    const count = native.FPDF_StructTree_CountChildren(tree);
    for (let i = 0; i < count; i += 1) {
      const node = reader.read(native.FPDF_StructTree_GetChildAtIndex(tree, i), 0);
      if (node) nodes.push(node);
    }
    return nodes;
  } finally {
    native.FPDF_StructTree_Close(tree);
  }
}

class TagReader {
  private readonly library: Library;
  private nodes = 0;

  constructor(library: Library) {
    this.library = library;
  }

  read(element: Pointer, depth: number): TagNode | undefined {
    if (element === 0 || depth > MAX_DEPTH || this.nodes >= MAX_NODES) return undefined;
    this.nodes += 1;
    const { native } = this.library;
    const node: TagNode = {
      role: this.text((buffer, size) => native.FPDF_StructElement_GetType(element, buffer, size)) ?? '',
      contents: [],
      children: [],
      alternative: this.text((buffer, size) => native.FPDF_StructElement_GetAltText(element, buffer, size)),
    };
    const count = native.FPDF_StructElement_CountChildren(element);
    for (let i = 0; i < count && this.nodes < MAX_NODES; i += 1) {
      const child = native.FPDF_StructElement_GetChildAtIndex(element, i);
      if (child !== 0) {
        const read = this.read(child, depth + 1);
        if (read) node.children.push(read);
        continue;
      }
      const content = native.FPDF_StructElement_GetChildMarkedContentID(element, i);
      if (content >= 0) node.contents.push(content);
    }
    return node;
  }

  private text(ask: (buffer: Pointer, size: number) => number): string | undefined {
    return readText(this.library, ask);
  }
}

/** Text that PDFium writes as UTF-16 with a zero behind it; undefined where there is none. */
export function readText(
  library: Library,
  ask: (buffer: Pointer, size: number) => number,
  maxBytes = MAX_TEXT_BYTES,
): string | undefined {
  using buffer = library.borrow(maxBytes);
  const bytes = ask(buffer.at, maxBytes);
  if (bytes <= 2 || bytes > maxBytes) return undefined;
  return utf16.decode(library.heap().slice(buffer.at, buffer.at + bytes - 2));
}
