import { existsSync, readFileSync } from 'node:fs';
import { fileInMemory, type InputFile } from '../../src/contract/files.ts';
import { createLog } from '../../src/contract/log.ts';
import type { Raster } from '../../src/contract/raster.ts';
import { openEngines } from '../../src/engines/load.ts';
import { pdfOf, streamOf } from '../documents/written-pdf.ts';
import { type Survey, surveyOf } from './document-survey.ts';
import { askProgramBytes } from './programs.ts';

export interface FormParts {
  /** Fields that are their own widgets, from object 6 on; "Rect" and the like are theirs to give. */
  fields: string[];
  /** Further objects, after the fields. */
  more?: string[];
  /** Entries of the page and the form besides the usual ones. */
  page?: string;
  form?: string;
  catalog?: string;
  content?: string;
  /** What the form lists and the page shows: all fields, unless said otherwise. */
  listed?: string;
  annots?: string;
}

/** Object number of the first field. */
const FIRST_FIELD = 6;

export function formPdf(parts: FormParts): Buffer {
  const refs = parts.fields.map((_, index) => `${FIRST_FIELD + index} 0 R`).join(' ');
  return pdfOf([
    `<< /Type /Catalog /Pages 2 0 R ${parts.catalog ?? ''} /AcroForm << /Fields [${parts.listed ?? refs}]
      /DA (/Helv 0 Tf 0 g) /DR << /Font << /Helv 5 0 R >> >> ${parts.form ?? ''} >> >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 300] /Contents 4 0 R /Annots [${parts.annots ?? refs}]
      /Resources << /Font << /Helv 5 0 R >> >> ${parts.page ?? ''} >>`,
    streamOf(parts.content ?? ''),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...parts.fields.map((field) => {
      const usual = { '/Subtype': '/Widget', '/F': '4' };
      const missing = Object.entries(usual).filter(([key]) => !field.includes(`${key} `));
      return `<< /Type /Annot /P 3 0 R ${missing.flat().join(' ')} ${field} >>`;
    }),
    ...(parts.more ?? []),
  ]);
}

export interface CorpusForm {
  path: string;
  password: string | undefined;
  /** Names and types as another library read them; the first sixty. */
  fields: { name: string; type: string }[];
}

const SHARED = new URL('../../../../shared/', import.meta.url);

/** The forms of the collection beside the clone; none where it is absent. */
export function corpusForms(): CorpusForm[] {
  const facts = new URL('corpus/facts.json', SHARED);
  if (!existsSync(facts)) return [];
  const all = JSON.parse(readFileSync(facts, 'utf8')) as Record<string, { fields?: CorpusForm['fields'] }>;
  const rows = readFileSync(new URL('corpus/INDEX.tsv', SHARED), 'utf8')
    .split('\n')
    .map((row) => row.split('\t'));
  const column = rows[0]?.indexOf('password') ?? -1;
  const passwords = new Map(rows.map((row) => [row[0], row[column]]));
  return Object.entries(all).flatMap(([key, { fields = [] }]) => {
    const path = decodeURIComponent(new URL(key.replace(/^shared\//, 'corpus/'), SHARED).pathname);
    if (fields.length === 0 || !existsSync(path)) return [];
    return [{ path, password: passwords.get(key) || undefined, fields }];
  });
}

/** A rectangle of the page as displayed, from its top-left corner, in points. */
export type Area = readonly [x: number, y: number, width: number, height: number];

/** How many pixels of the area (72 dpi) are not white, as poppler draws the first page. */
export function popplerInk(bytes: Uint8Array, [x, y, width, height]: Area): number {
  const crop = ['-x', x, '-y', y, '-W', width, '-H', height].map(String);
  const image = askProgramBytes(
    'pdftoppm',
    ['-r', '72', '-gray', '-f', '1', '-l', '1', ...crop, '{}'],
    bytes,
  );
  // A PGM: three lines of text, then a byte for each pixel.
  const pixels = image.subarray(image.length - width * height);
  return pixels.filter((pixel) => pixel < 200).length;
}

/** The same by PDFium, form fields and annotations drawn. */
export async function pdfiumInk(bytes: Uint8Array, [x, y, width, height]: Area): Promise<number> {
  const { width: across, rgba } = await pdfiumRaster(bytes, 0, 72);
  let ink = 0;
  for (let row = y; row < y + height; row += 1)
    for (let column = x; column < x + width; column += 1)
      if ((rgba[4 * (row * across + column) + 1] ?? 255) < 200) ink += 1;
  return ink;
}

export async function pdfiumRaster(bytes: Uint8Array, page: number, dpi: number): Promise<Raster> {
  const log = createLog('silent');
  const session = await openEngines(['pdfium'], { passwords: [], newFile: () => '', log });
  try {
    const doc = session.engines.pdfium.open(inMemory(bytes));
    return doc.render(page, { dpi, maxPixels: 1e8, annotations: true, forms: true });
  } finally {
    session.close();
  }
}

/** The largest part of pixels, in thousandths, by which two rasters of one size differ clearly. */
export function difference(one: Raster, other: Raster): number {
  if (one.width !== other.width || one.height !== other.height) return 1000;
  let differing = 0;
  for (let at = 0; at < one.rgba.length; at += 4) {
    const apart = [0, 1, 2].some(
      (part) => Math.abs((one.rgba[at + part] ?? 0) - (other.rgba[at + part] ?? 0)) > 64,
    );
    if (apart) differing += 1;
  }
  return (1000 * differing) / (one.width * one.height);
}

/** What a document holds besides its text. */
export async function survey(bytes: Uint8Array): Promise<Survey> {
  const session = await openEngines(['qpdf'], { passwords: [], newFile: () => '', log: createLog('silent') });
  try {
    return surveyOf(session.engines.qpdf.open(inMemory(bytes)));
  } finally {
    session.close();
  }
}

const inMemory = (bytes: Uint8Array): InputFile => fileInMemory('result.pdf', bytes);
