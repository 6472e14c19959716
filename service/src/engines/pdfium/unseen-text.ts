// Text that is in a page but not seen on it: on a layer that is switched off, outside its clip, painted over by an
// opaque box, or drawn without paint where no image lies under it. It is taken from the page in hand, before its
// glyphs are read; the document stays as it is.
//
// Text without paint over an image is what was recognised in a scan: it stays. So does that of a page which has
// neither other text nor an image: there the image was taken away.
import type { Size } from '../../contract/raster.ts';
import type { Box } from '../../pdf/geometry/boxes.ts';
import { isWithin, meets } from './extents.ts';
import { hasImageObject } from './images.ts';
import type { Library, Pointer } from './library.ts';
import { ObjectFacts } from './object-facts.ts';
import { FORM, IMAGE, PATH, type PageObjects, pageObjects, TEXT } from './page-objects.ts';
import { pixelSize, renderPage } from './render.ts';

const MAX_COVERS = 2000;
/** Text at less than this scale may leave no trace in an image. */
const LEAST_SCALE = 0.7;
const MAX_SIDE = 1600;
/** How far text may reach beyond what hides it, in points: bounds of text are generous. */
const SLACK = 1;
/** How far recognised text may reach beyond its image. */
const BESIDE = 4;

interface Drawn {
  object: Pointer;
  /** The form it stands in; 0 for the page itself. */
  form: Pointer;
  /** How far it reaches: that of its form for what stands in one. */
  extent: Box;
}

/** Asked only where there are layers on the page. */
export interface PageToSee {
  size(): Size;
  /** Whether some layer of the document may be off. */
  mayHide(): boolean;
}

/** The objects that are left; undefined where they are too many to be looked at. */
export function dropUnseenText(
  library: Library,
  page: Pointer,
  { size, mayHide }: PageToSee,
): PageObjects | undefined {
  const { native } = library;
  const objects = pageObjects(library, page);
  if (!objects) return undefined;
  const facts = new ObjectFacts(library);
  try {
    const unseen = findUnseen(library, page, objects, facts);
    unseen.push(...unseenOnLayers(library, page, { size, mayHide }, objects, facts));
    const gone = new Set<Pointer>();
    for (const { object, form } of unseen) {
      if (gone.has(object)) continue;
      gone.add(object);
      const removed =
        form === 0
          ? native.FPDFPage_RemoveObject(page, object)
          : native.FPDFFormObj_RemoveObject(form, object);
      if (removed) native.FPDFPageObj_Destroy(object);
    }
    return gone.size === 0 ? objects : pageObjects(library, page);
  } finally {
    facts.close();
  }
}

/** From the last object to the first: what is painted over is known then. */
function findUnseen(library: Library, page: Pointer, onPage: PageObjects, facts: ObjectFacts): Drawn[] {
  const { count, objects, types } = onPage;
  const unseen: Drawn[] = [];
  const unpainted: Drawn[] = [];
  const covers: Box[] = [];
  let isAnyPainted = false;
  for (let i = count - 1; i >= 0; i -= 1) {
    const object = objects[i] as Pointer;
    const type = types[i];
    if (type === PATH && covers.length < MAX_COVERS) {
      const cover = facts.coverOf(object);
      if (cover) covers.push(cover);
    } else if (type === TEXT) {
      const isUnpainted = facts.isUnpainted(object);
      if (!isUnpainted) isAnyPainted = true;
      const clip = facts.clipOf(object);
      if (!isUnpainted && !clip && covers.length === 0) continue;
      const extent = facts.extentOf(object);
      if (!extent) continue;
      const drawn = { object, form: 0, extent };
      if (isUnpainted) unpainted.push(drawn);
      else if ((clip && !meets(extent, clip)) || covers.some((cover) => isWithin(extent, cover, SLACK)))
        unseen.push(drawn);
    } else if (type === FORM && !facts.hasUnpaintedText(object)) isAnyPainted = true;
    else if (type === FORM) {
      const extent = facts.extentOf(object);
      if (extent)
        for (const inner of facts.textIn(object))
          if (facts.isUnpainted(inner.object)) unpainted.push({ ...inner, extent });
    }
  }
  if (!isAnyPainted && !hasImageObject(library, page)) return unseen;
  return [...unseen, ...withoutImage(library, page, onPage, unpainted, facts)];
}

function withoutImage(
  library: Library,
  page: Pointer,
  { count, objects, types }: PageObjects,
  unpainted: readonly Drawn[],
  facts: ObjectFacts,
): Drawn[] {
  if (unpainted.length === 0) return [];
  if (!hasImageObject(library, page)) return [...unpainted];
  const images: Box[] = [];
  for (let i = 0; i < count; i += 1) {
    const type = types[i];
    // A form may hold the image: as far as it reaches, text may be recognised.
    const extent = type === IMAGE || type === FORM ? facts.extentOf(objects[i] as Pointer) : undefined;
    if (extent) images.push(extent);
  }
  return unpainted.filter(({ extent }) => !images.some((image) => meets(extent, image, BESIDE)));
}

/** Layers may be off for many reasons: whether theirs are seen is found by drawing the page without them. */
function unseenOnLayers(
  library: Library,
  page: Pointer,
  seen: PageToSee,
  { count, objects, types }: PageObjects,
  facts: ObjectFacts,
): Drawn[] {
  const { native } = library;
  const layered: Drawn[] = [];
  for (let i = 0; i < count; i += 1) {
    const object = objects[i] as Pointer;
    const type = types[i];
    if ((type !== TEXT && type !== FORM) || !facts.isOnLayer(object)) continue;
    const extent = facts.extentOf(object);
    if (!extent) continue;
    if (type === TEXT) {
      if (!facts.isUnpainted(object)) layered.push({ object, form: 0, extent });
    } else layered.push(...facts.textIn(object).map((inner) => ({ ...inner, extent })));
  }
  if (layered.length === 0 || !seen.mayHide()) return [];
  const size = seen.size();
  const scale = Math.min(1, MAX_SIDE / Math.max(size.width, size.height));
  if (scale < LEAST_SCALE) return [];
  const pixels = pixelSize(size, { scale });
  const draw = (): Uint8Array => renderPage(library, page, pixels, { forms: undefined }).rgba;
  const withThem = draw();
  for (const { object } of layered) native.FPDFPageObj_SetIsActive(object, 0);
  const without = draw();
  for (const { object } of layered) native.FPDFPageObj_SetIsActive(object, 1);
  return layered.filter(({ extent }) => {
    const [left, top, right, bottom] = facts.pixelsOf(page, extent, pixels);
    for (let y = top; y < bottom; y += 1) {
      const from = (y * pixels.width + left) * 4;
      const to = (y * pixels.width + right) * 4;
      if (Buffer.compare(withThem.subarray(from, to), without.subarray(from, to)) !== 0) return false;
    }
    return true;
  });
}
