// Whether a picture is a JPEG file as it is: grey or coloured, no mask, no further filter.
import type { Library, Pointer } from '../library.ts';

const MAX_FILTER_NAME = 32;
const METADATA_BYTES = 28;
const BITS_PER_PIXEL_AT = 16;

export function isJpeg(library: Library, page: Pointer, object: Pointer): boolean {
  const { native } = library;
  if (native.FPDFImageObj_GetImageFilterCount(object) !== 1) return false;
  if (filterOf(library, object) !== 'DCTDecode' || native.FPDFPageObj_HasTransparency(object)) return false;
  return [8, 24].includes(bitsPerPixel(library, page, object));
}

function filterOf(library: Library, object: Pointer): string {
  const buffer = library.allocate(MAX_FILTER_NAME);
  try {
    const bytes = library.native.FPDFImageObj_GetImageFilter(object, 0, buffer, MAX_FILTER_NAME);
    if (bytes <= 1 || bytes > MAX_FILTER_NAME) return '';
    return Buffer.from(library.heap().subarray(buffer, buffer + bytes - 1)).toString('latin1');
  } finally {
    library.free(buffer);
  }
}

function bitsPerPixel(library: Library, page: Pointer, object: Pointer): number {
  const scratch = library.allocate(METADATA_BYTES);
  try {
    if (!library.native.FPDFImageObj_GetImageMetadata(object, page, scratch)) return 0;
    return new DataView(library.heap().buffer, scratch, METADATA_BYTES).getUint32(BITS_PER_PIXEL_AT, true);
  } finally {
    library.free(scratch);
  }
}
