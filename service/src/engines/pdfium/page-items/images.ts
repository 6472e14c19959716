// Images of a page: the file itself where the document holds one, else what is seen in their place.
import type { ItemBox } from '../../../contract/page-items.ts';
import type { Raster, Size } from '../../../contract/raster.ts';
import { type Library, outOfMemory, type Pointer } from '../library.ts';
import { isJpeg, type OpenPage } from './jpeg.ts';
import { readPageSpace } from './page-space.ts';
import { findImage } from './shapes.ts';

/** FPDFBitmap_BGRx and flags of FPDF_RenderPageBitmap. */
const FORMAT_BGRX = 3;
const RED_FIRST = 0x10;

/** The JPEG file of an image that needs nothing else to be shown. */
export function readJpeg(library: Library, openPage: OpenPage, id: number): Uint8Array | undefined {
  const { native } = library;
  const object = findImage(library, openPage, readPageSpace(library, openPage.page), id);
  if (object === undefined || !isJpeg(library, openPage, object)) return undefined;
  const bytes = native.FPDFImageObj_GetImageDataRaw(object, 0, 0);
  if (bytes <= 0) return undefined;
  using buffer = library.borrow(bytes);
  native.FPDFImageObj_GetImageDataRaw(object, buffer.at, bytes);
  const file = library.heap().slice(buffer.at, buffer.at + bytes);
  return file[0] === 0xff && file[1] === 0xd8 ? file : undefined;
}

/** A part of the page as it is seen, on white. */
export function renderArea(
  library: Library,
  page: Pointer,
  pageSize: Size,
  box: ItemBox,
  scale: number,
): Raster {
  const { native } = library;
  const [width, height] = [
    Math.max(1, Math.round(box.width * scale)),
    Math.max(1, Math.round(box.height * scale)),
  ];
  const bytes = width * height * 4;
  using pixels = library.borrow(bytes);
  library.heap().fill(0xff, pixels.at, pixels.at + bytes);
  const bitmap = native.FPDFBitmap_CreateEx(width, height, FORMAT_BGRX, pixels.at, width * 4);
  if (bitmap === 0) throw outOfMemory();
  try {
    native.FPDF_RenderPageBitmap(
      bitmap,
      page,
      -Math.round(box.x * scale),
      -Math.round(box.y * scale),
      Math.max(1, Math.round(pageSize.width * scale)),
      Math.max(1, Math.round(pageSize.height * scale)),
      0,
      RED_FIRST,
    );
  } finally {
    native.FPDFBitmap_Destroy(bitmap);
  }
  return { width, height, rgba: library.heap().slice(pixels.at, pixels.at + bytes) };
}
