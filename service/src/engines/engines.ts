// The doors operations may walk through. Types only: importing this loads no engine.
import type { Archive } from './archive/archive.ts';
import type { Browser } from './browser/print.ts';
import type { Calibre } from './calibre/calibre.ts';
import type { Codes } from './codes/codes.ts';
import type { EngineState } from './engine-state.ts';
import type { Ghostscript } from './ghostscript/ghostscript.ts';
import type { Markdown } from './markdown/markdown.ts';
import type { Office } from './office/office.ts';
import type { Pdfium } from './pdfium/pdfium.ts';
import type { Poppler } from './poppler/poppler.ts';
import type { Qpdf } from './qpdf/qpdf.ts';
import type { Rsvg } from './rsvg/rsvg.ts';
import type { Sharp } from './sharp/sharp.ts';
import type { Signatures } from './signatures/signatures.ts';
import type { Tesseract } from './tesseract/tesseract.ts';
import type { Text } from './text/text.ts';
import type { Verapdf } from './verapdf/verapdf.ts';

export interface Engines {
  /** Archives that callers send: the files in a ZIP, and nothing that does harm. yauzl, in process. */
  archive: Archive;
  /** Pages: HTML as a browser lays it out, printed. Chromium, kept running beside the jobs of a worker. */
  browser: Browser;
  /** Structure: open tolerantly, objects, page tree, encryption, saving. libqpdf, in process. */
  qpdf: Qpdf;
  /** Markdown to a page for the browser. markdown-it and highlight.js, in process. */
  markdown: Markdown;
  /** Looking: text, images, rendering. PDFium as WebAssembly. */
  pdfium: Pdfium;
  /** A second opinion on text, and pages as SVG, EPS and PostScript: poppler's programs. */
  poppler: Poppler;
  /** Books in formats of single vendors: Calibre's ebook-convert. Optional: without it only those formats are missing. */
  calibre: Calibre;
  /** Pages drawn anew, for archives and printing presses. Ghostscript, a separate program. */
  ghostscript: Ghostscript;
  /** Office documents: to PDF and from one format to another. LibreOffice, kept running beside the jobs of a worker. */
  office: Office;
  /** Images: files to what a PDF holds, pixels to PNG, JPEG, GIF. libvips, in process. */
  sharp: Sharp;
  /** QR codes in images. ZXing as WebAssembly. */
  codes: Codes;
  /** Drawings: SVG to PDF, vectors stay vectors. librsvg, a separate program. */
  rsvg: Rsvg;
  /** Keys, certificates and signatures. OpenSSL, as Node has it. */
  signatures: Signatures;
  /** Words in images of pages. Tesseract, a separate program for each page. */
  tesseract: Tesseract;
  /** Drawn text: any script, shaped and laid out with the fonts of this machine. HarfBuzz as WebAssembly. */
  text: Text;
  /** The reference checker of PDF/A, a separate program. Optional: without it nothing is asked. */
  verapdf: Verapdf;
}

export type EngineName = keyof Engines;

export type EngineStates = Record<EngineName, EngineState>;
