// Images of a page that are drawn from it. PDFium goes through the whole page for each of them: a page of many paths
// and many images would be gone through hundreds of times. After a few, the page is drawn once and the rest is cut out.
import type { DrawnDocument, ItemBox, OmittedItems } from '../../contract/page-items.ts';
import type { Raster } from '../../contract/raster.ts';

type Drawing = Pick<DrawnDocument, 'jpeg' | 'renderArea'>;

/** So many images of a page are drawn one by one. */
const ONE_BY_ONE = 6;
const MOST_PIXELS = 12_000_000;

/** `sizeOf` tells how large a page is, in points. */
export function drawPagesOnce(document: Drawing, sizeOf: (page: number) => ItemBox | undefined): Drawing {
  let key = '';
  let times = 0;
  let whole: { area: Raster; scale: number } | undefined;
  return {
    jpeg: (page, image) => document.jpeg(page, image),
    renderArea(page, box, scale, omitted) {
      const asked = keyOf(page, omitted);
      if (asked !== key) [key, times, whole] = [asked, 0, undefined];
      times += 1;
      const size = times > ONE_BY_ONE ? sizeOf(page) : undefined;
      if (!size) return document.renderArea(page, box, scale, omitted);
      if (!whole || whole.scale < scale * 0.9) {
        const fitting = Math.min(scale, Math.sqrt(MOST_PIXELS / Math.max(1, size.width * size.height)));
        if (!whole || whole.scale < fitting * 0.9)
          whole = { area: document.renderArea(page, size, fitting, omitted), scale: fitting };
      }
      return cutOut(whole.area, whole.scale, box, scale);
    },
  };
}

const keyOf = (page: number, omitted: OmittedItems | undefined): string =>
  `${page} ${omitted ? `${omitted.text} ${omitted.images.join(',')}` : ''}`;

/** The nearest pixel of the page for each of the image; white beyond its edges. */
function cutOut(from: Raster, fromScale: number, box: ItemBox, scale: number): Raster {
  const width = Math.max(1, Math.round(box.width * scale));
  const height = Math.max(1, Math.round(box.height * scale));
  const rgba = new Uint8Array(width * height * 4).fill(255);
  const pixels = new Uint32Array(rgba.buffer);
  const bytes = from.rgba.byteOffset % 4 === 0 ? from.rgba : from.rgba.slice();
  const source = new Uint32Array(bytes.buffer, bytes.byteOffset, from.width * from.height);
  for (let row = 0; row < height; row += 1) {
    const y = Math.floor((box.y + (row + 0.5) / scale) * fromScale);
    if (y < 0 || y >= from.height) continue;
    for (let column = 0; column < width; column += 1) {
      const x = Math.floor((box.x + (column + 0.5) / scale) * fromScale);
      if (x >= 0 && x < from.width) pixels[row * width + column] = source[y * from.width + x] as number;
    }
  }
  return { width, height, rgba };
}
