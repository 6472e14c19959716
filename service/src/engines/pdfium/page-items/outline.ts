// Bookmarks of a document with the pages they lead to.
import type { OutlineItem } from '../../../contract/page-items.ts';
import type { Library, Pointer } from '../library.ts';
import { readText } from './tags.ts';

const MAX_ITEMS = 10_000;
const MAX_DEPTH = 30;

export function readOutline(library: Library, document: Pointer): OutlineItem[] {
  const { native } = library;
  const seen = new Set<Pointer>();
  const read = (parent: Pointer, depth: number): OutlineItem[] => {
    const items: OutlineItem[] = [];
    if (depth > MAX_DEPTH) return items;
    let bookmark = native.FPDFBookmark_GetFirstChild(document, parent);
    for (; bookmark !== 0 && !seen.has(bookmark) && seen.size < MAX_ITEMS; ) {
      seen.add(bookmark);
      const current = bookmark;
      const destination = destinationOf(library, document, current);
      const index = destination === 0 ? -1 : native.FPDFDest_GetDestPageIndex(document, destination);
      items.push({
        title: readText(library, (buffer, size) => native.FPDFBookmark_GetTitle(current, buffer, size)) ?? '',
        page: index >= 0 ? index + 1 : undefined,
        children: read(current, depth + 1),
      });
      bookmark = native.FPDFBookmark_GetNextSibling(document, current);
    }
    return items;
  };
  return read(0, 0);
}

function destinationOf(library: Library, document: Pointer, bookmark: Pointer): Pointer {
  const { native } = library;
  const direct = native.FPDFBookmark_GetDest(document, bookmark);
  if (direct !== 0) return direct;
  const action = native.FPDFBookmark_GetAction(bookmark);
  return action === 0 ? 0 : native.FPDFAction_GetDest(document, action);
}

/** An entry of the document's information; undefined where it has none. */
export function readInformation(library: Library, document: Pointer, key: string): string | undefined {
  using name = library.borrow(key.length + 1);
  library.heap().set([...Buffer.from(key, 'latin1'), 0], name.at);
  return readText(library, (buffer, size) =>
    library.native.FPDF_GetMetaText(document, name.at, buffer, size),
  );
}

export const readLanguage = (library: Library, document: Pointer): string | undefined =>
  readText(library, (buffer, size) => library.native.EPDFCatalog_GetLanguage(document, buffer, size), 256);
