// A page as pixels.
import type { Raster, Size } from '../../contract/raster.ts';
import type { Forms } from './forms.ts';
import { type Library, outOfMemory, type Pointer } from './library.ts';

export type Resolution = { dpi: number } | { scale: number };

export type RenderOptions = Resolution & {
  /** A page that would have more is drawn smaller, in proportion. */
  maxPixels: number;
  /** Draw annotations other than form fields. Default: no. */
  annotations?: boolean;
  /** Draw the values of form fields. Default: yes. */
  forms?: boolean;
  /** Nothing stands behind the page: what it does not cover is clear. Default: it lies on white. */
  clear?: boolean;
};

/** FPDFBitmap_BGRx, FPDFBitmap_BGRA and the flags of FPDF_RenderPageBitmap. */
const FORMAT_BGRX = 3;
const FORMAT_BGRA = 4;
const DRAW_ANNOTATIONS = 0x01;
const RED_FIRST = 0x10;
const BYTES_PER_PIXEL = 4;

/** Pixels of a page of this size (points), before any limit. */
export function pixelSize(page: Size, resolution: Resolution): Size {
  const scale = 'dpi' in resolution ? resolution.dpi / 72 : resolution.scale;
  const pixels = (points: number): number => Math.max(1, Math.round(points * scale)) || 1;
  return { width: pixels(page.width), height: pixels(page.height) };
}

/** The largest size of the same proportions with no more pixels than allowed. */
export function withinPixels({ width, height }: Size, maxPixels: number): Size {
  if (width * height <= maxPixels) return { width, height };
  const shrink = Math.sqrt(maxPixels / (width * height));
  const shortSide = Math.max(1, Math.floor(Math.min(width, height) * shrink));
  const longSide = Math.min(Math.floor(maxPixels / shortSide), Math.round(Math.max(width, height) * shrink));
  return width < height ? { width: shortSide, height: longSide } : { width: longSide, height: shortSide };
}

/** Some rows of a page. */
export interface Rows {
  top: number;
  height: number;
}

interface DrawOptions {
  annotations?: boolean;
  clear?: boolean;
  forms: Forms | undefined;
  /** All of them where none are named. */
  rows?: Rows;
}

/** `size` is that of the whole page. */
export function renderPage(
  library: Library,
  page: Pointer,
  size: Size,
  { annotations = false, clear = false, forms, rows = { top: 0, height: size.height } }: DrawOptions,
): Raster {
  const { native } = library;
  const { width } = size;
  const bytes = width * rows.height * BYTES_PER_PIXEL;
  using pixels = library.borrow(bytes);
  library.heap().fill(clear ? 0 : 0xff, pixels.at, pixels.at + bytes);
  const format = clear ? FORMAT_BGRA : FORMAT_BGRX;
  const bitmap = native.FPDFBitmap_CreateEx(width, rows.height, format, pixels.at, width * BYTES_PER_PIXEL);
  if (bitmap === 0) throw outOfMemory();
  try {
    const flags = RED_FIRST | (annotations ? DRAW_ANNOTATIONS : 0);
    native.FPDF_RenderPageBitmap(bitmap, page, 0, -rows.top, width, size.height, 0, flags);
    forms?.draw(bitmap, page, { ...size, top: rows.top }, flags);
  } finally {
    native.FPDFBitmap_Destroy(bitmap);
  }
  return { width, height: rows.height, rgba: library.heap().slice(pixels.at, pixels.at + bytes) };
}
