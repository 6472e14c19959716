// Links of a page: where they are, where they lead.
import type { PageLink } from '../../../contract/page-items.ts';
import type { Library, Pointer } from '../library.ts';
import { type PageSpace, readPageSpace } from './page-space.ts';
import { boxOf } from './shapes.ts';

const MAX_LINKS = 5_000;
const MAX_URL_BYTES = 8_192;

/** FPDFAction_GetType. */
const GO_TO = 1;
const URI = 3;

export function readLinks(library: Library, document: Pointer, page: Pointer): PageLink[] {
  const { native } = library;
  let toDisplay: PageSpace['toDisplay'] | undefined;
  const links: PageLink[] = [];
  // A position PDFium keeps for us, the link it found, and a rectangle.
  using scratch = library.borrow(24);
  scratch.view().setUint32(0, 0, true);
  while (links.length < MAX_LINKS && native.FPDFLink_Enumerate(page, scratch.at, scratch.at + 4)) {
    const link = scratch.view().getUint32(4, true);
    const target = targetOf(library, document, link);
    if (!target || !native.FPDFLink_GetAnnotRect(link, scratch.at + 8)) continue;
    const [left = 0, top = 0, right = 0, bottom = 0] = scratch.floats().subarray(2);
    toDisplay ??= readPageSpace(library, page).toDisplay;
    const box = boxOf([left, bottom, right, top], toDisplay);
    links.push({ box, target });
  }
  return links;
}

function targetOf(library: Library, document: Pointer, link: Pointer): PageLink['target'] | undefined {
  const { native } = library;
  const direct = native.FPDFLink_GetDest(document, link);
  if (direct !== 0) return pageOf(library, document, direct);
  const action = native.FPDFLink_GetAction(link);
  if (action === 0) return undefined;
  const type = native.FPDFAction_GetType(action);
  if (type === GO_TO) return pageOf(library, document, native.FPDFAction_GetDest(document, action));
  if (type !== URI) return undefined;
  using buffer = library.borrow(MAX_URL_BYTES);
  const bytes = native.FPDFAction_GetURIPath(document, action, buffer.at, MAX_URL_BYTES);
  const url = buffer.text(bytes, 'utf8');
  return url === undefined ? undefined : { url };
}

function pageOf(library: Library, document: Pointer, destination: Pointer): { page: number } | undefined {
  if (destination === 0) return undefined;
  const index = library.native.FPDFDest_GetDestPageIndex(document, destination);
  return index >= 0 ? { page: index + 1 } : undefined;
}
