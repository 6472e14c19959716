// Images among a page's objects.
import type { Size } from '../../contract/raster.ts';
import type { Library, Pointer } from './library.ts';

/** FPDFPageObj_GetType. */
const IMAGE = 3;
const FORM = 5;

/** PDFium itself nests forms no deeper when it reads a page, cycles cut; this only bounds our own recursion. */
const MAX_FORM_DEPTH = 50;

/** Whether a loaded page draws an image: directly, inline, or inside forms. */
export const hasImageObject = (library: Library, page: Pointer): boolean =>
  !imagesOf(library, page).next().done;

/** The pixels of each image that a loaded page draws, as the document declares them. */
export function imageSizes(library: Library, page: Pointer): Size[] {
  using size = library.borrow(8);
  const sizes: Size[] = [];
  for (const image of imagesOf(library, page)) {
    if (!library.native.FPDFImageObj_GetImagePixelSize(image, size.at, size.at + 4)) continue;
    const pixels = size.view();
    sizes.push({ width: pixels.getUint32(0, true), height: pixels.getUint32(4, true) });
  }
  return sizes;
}

function imagesOf(library: Library, page: Pointer): Generator<Pointer> {
  const { native } = library;
  return among(library, native.FPDFPage_CountObjects(page), (i) => native.FPDFPage_GetObject(page, i), 0);
}

/** Those that stand there themselves first, then those in forms. */
function* among(
  library: Library,
  count: number,
  objectAt: (i: number) => Pointer,
  depth: number,
): Generator<Pointer> {
  const { native } = library;
  const forms: Pointer[] = [];
  for (let i = 0; i < count; i += 1) {
    const object = objectAt(i);
    if (object === 0) continue;
    const type = native.FPDFPageObj_GetType(object);
    if (type === IMAGE) yield object;
    if (type === FORM && depth < MAX_FORM_DEPTH) forms.push(object);
  }
  for (const form of forms)
    yield* among(
      library,
      native.FPDFFormObj_CountObjects(form),
      (i) => native.FPDFFormObj_GetObject(form, i),
      depth + 1,
    );
}
