// A page drawn without some of its objects: they are switched off for as long as it takes.
import type { OmittedItems } from '../../../contract/page-items.ts';
import type { Library, Pointer } from '../library.ts';
import { FORM, IMAGE, TEXT } from '../page-objects.ts';

const MAX_FORM_DEPTH = 20;
const MAX_OBJECTS = 100_000;

export function drawWithout<Drawn>(
  library: Library,
  page: Pointer,
  omitted: OmittedItems,
  draw: () => Drawn,
): Drawn {
  const { native } = library;
  const objects = objectsOf(library, page, omitted);
  for (const object of objects) native.FPDFPageObj_SetIsActive(object, 0);
  try {
    return draw();
  } finally {
    for (const object of objects) native.FPDFPageObj_SetIsActive(object, 1);
  }
}

/** Images are counted in the order in which they are found among all objects, forms opened up. */
function objectsOf({ native }: Library, page: Pointer, { text, images }: OmittedItems): Pointer[] {
  const wanted = new Set(images);
  const found: Pointer[] = [];
  let [image, seen] = [0, 0];
  const walk = (count: number, objectAt: (i: number) => Pointer, depth: number): void => {
    for (let i = 0; i < count && seen < MAX_OBJECTS; i += 1) {
      const object = objectAt(i);
      if (object === 0) continue;
      seen += 1;
      const type = native.FPDFPageObj_GetType(object);
      if (type === TEXT && text) found.push(object);
      else if (type === IMAGE) {
        if (wanted.has(image)) found.push(object);
        image += 1;
      } else if (type === FORM && depth < MAX_FORM_DEPTH) {
        const inside = native.FPDFFormObj_CountObjects(object);
        walk(inside, (k) => native.FPDFFormObj_GetObject(object, k), depth + 1);
      }
    }
  };
  walk(native.FPDFPage_CountObjects(page), (i) => native.FPDFPage_GetObject(page, i), 0);
  return found;
}
