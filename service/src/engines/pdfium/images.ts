// Images among a page's objects.
import type { Library, Pointer } from './library.ts';

/** FPDFPageObj_GetType. */
const IMAGE = 3;
const FORM = 5;

/** PDFium itself nests forms no deeper when it reads a page, cycles cut; this only bounds our own recursion. */
const MAX_FORM_DEPTH = 50;

/** Whether a loaded page draws an image: directly, inline, or inside forms. */
export function hasImageObject(library: Library, page: Pointer): boolean {
  const { native } = library;
  return anyImage(library, native.FPDFPage_CountObjects(page), (i) => native.FPDFPage_GetObject(page, i), 0);
}

function anyImage(library: Library, count: number, objectAt: (i: number) => Pointer, depth: number): boolean {
  const { native } = library;
  const forms: Pointer[] = [];
  for (let i = 0; i < count; i += 1) {
    const object = objectAt(i);
    if (object === 0) continue;
    const type = native.FPDFPageObj_GetType(object);
    if (type === IMAGE) return true;
    if (type === FORM && depth < MAX_FORM_DEPTH) forms.push(object);
  }
  return forms.some((form) =>
    anyImage(
      library,
      native.FPDFFormObj_CountObjects(form),
      (i) => native.FPDFFormObj_GetObject(form, i),
      depth + 1,
    ),
  );
}
