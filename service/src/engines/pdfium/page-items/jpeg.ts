// Whether an image is a JPEG file as it is: grey or coloured, no mask, no further filter.
import type { Library, Pointer } from '../library.ts';

const MAX_FILTER_NAME = 32;
const METADATA_BYTES = 28;
const BITS_PER_PIXEL_AT = 16;

/** A page in hand, and the document it belongs to. */
export interface OpenPage {
  page: Pointer;
  document: Pointer;
}

export function isJpeg(library: Library, openPage: OpenPage, object: Pointer): boolean {
  const { native } = library;
  if (native.FPDFImageObj_GetImageFilterCount(object) !== 1) return false;
  if (filterOf(library, object) !== 'DCTDecode' || native.FPDFPageObj_HasTransparency(object)) return false;
  return (
    [8, 24].includes(bitsPerPixel(library, openPage.page, object)) && !isMasked(library, openPage, object)
  );
}

/** PDFium does not tell of a mask, but draws with it; drawing a larger image only to know would take long. */
const MAX_DRAWN_PIXELS = 400_000;
const FORMAT_BGRA = 4;
const OPAQUE = 250;

function isMasked(library: Library, { page, document }: OpenPage, object: Pointer): boolean {
  const { native } = library;
  if (pixelsOf(library, object) > MAX_DRAWN_PIXELS) return false;
  const bitmap = native.FPDFImageObj_GetRenderedBitmap(document, page, object);
  if (bitmap === 0) return false;
  try {
    if (native.FPDFBitmap_GetFormat(bitmap) !== FORMAT_BGRA) return false;
    const from = native.FPDFBitmap_GetBuffer(bitmap);
    const bytes = native.FPDFBitmap_GetStride(bitmap) * native.FPDFBitmap_GetHeight(bitmap);
    const pixels = library.heap().subarray(from, from + bytes);
    for (let at = 3; at < bytes; at += 4) if ((pixels[at] as number) < OPAQUE) return true;
    return false;
  } finally {
    native.FPDFBitmap_Destroy(bitmap);
  }
}

function pixelsOf(library: Library, object: Pointer): number {
  using scratch = library.borrow(8);
  library.native.FPDFImageObj_GetImagePixelSize(object, scratch.at, scratch.at + 4);
  const view = scratch.view();
  return view.getUint32(0, true) * view.getUint32(4, true);
}

function filterOf(library: Library, object: Pointer): string {
  using buffer = library.borrow(MAX_FILTER_NAME);
  const bytes = library.native.FPDFImageObj_GetImageFilter(object, 0, buffer.at, MAX_FILTER_NAME);
  return buffer.text(bytes, 'latin1') ?? '';
}

function bitsPerPixel(library: Library, page: Pointer, object: Pointer): number {
  using scratch = library.borrow(METADATA_BYTES);
  if (!library.native.FPDFImageObj_GetImageMetadata(object, page, scratch.at)) return 0;
  return scratch.view().getUint32(BITS_PER_PIXEL_AT, true);
}
