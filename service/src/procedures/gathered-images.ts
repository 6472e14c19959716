// Images of a document in their own pixels, whole however large: colours that do not fit into memory are laid into a
// file.
import { createHash } from 'node:crypto';
import { LIMITS } from '../contract/limits.ts';
import { DOCUMENT_MEMORY_BYTES } from '../contract/memory.ts';
import { Problem } from '../contract/problems.ts';
import type { PdfiumDocument } from '../engines/pdfium/pdfium.ts';
import type { Pixels, SpooledPixels } from '../engines/sharp/pixels.ts';
import { LeanPixels } from '../pdf/images/lean-pixels.ts';
import { TiffSpool } from '../pdf/images/tiff-spool.ts';
import { dropOpacity } from './page-images.ts';

/** Pixels that fit into a worker beside what draws and packs them. */
const MAX_BYTES = DOCUMENT_MEMORY_BYTES / 4;
const STRIP_PIXELS = 16_000_000;

export interface GatheredImage {
  pixels: Pixels | SpooledPixels;
  /** Equal for images that look the same. */
  digest: string;
  isSeen: boolean;
}

/** The image that is drawn on a page of its own; `what` names it where it is too large. */
export function gatherImage(
  view: PdfiumDocument,
  index: number,
  what: string,
  newFile: (extension: string) => string,
): GatheredImage {
  try {
    return inMemory(view, index, what);
  } catch (error) {
    const { width, height } = view.drawnSize(index, OPTIONS);
    if (!(error instanceof Problem) || width * height * 3 > LIMITS.resultBytes) throw error;
    return inFile(view, index, newFile('tiff'), error);
  }
}

const OPTIONS = { scale: 1, maxPixels: Number.MAX_SAFE_INTEGER, clear: true, forms: false } as const;

function inMemory(view: PdfiumDocument, index: number, what: string): GatheredImage {
  const { width, height } = view.drawnSize(index, OPTIONS);
  const lean = new LeanPixels({ width, height }, MAX_BYTES, what);
  const hash = createHash('sha1').update(`${width}x${height} `);
  for (const { rgba } of view.renderStrips(index, OPTIONS, STRIP_PIXELS)) {
    lean.add(rgba);
    hash.update(rgba);
  }
  const { channels, data, isSeen } = lean;
  return { pixels: { width, height, channels, data }, digest: hash.digest('base64'), isSeen };
}

function inFile(view: PdfiumDocument, index: number, path: string, tooLarge: Problem): GatheredImage {
  const size = view.drawnSize(index, OPTIONS);
  const hash = createHash('sha1').update(`${size.width}x${size.height} `);
  const spool = new TiffSpool(path, { ...size, channels: 3 });
  try {
    for (const { width, rgba } of view.renderStrips(index, OPTIONS, STRIP_PIXELS)) {
      // A file of this kind has no room for what is clear.
      if (!isOpaque(rgba)) throw tooLarge;
      const rows = new Uint8Array((rgba.length / 4) * 3);
      dropOpacity(rows, rgba);
      spool.add(rows, width);
      hash.update(rgba);
    }
  } finally {
    spool.close();
  }
  return { pixels: { tiff: path, channels: 3 }, digest: hash.digest('base64'), isSeen: true };
}

function isOpaque(rgba: Uint8Array): boolean {
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at] !== 255) return false;
  return true;
}
