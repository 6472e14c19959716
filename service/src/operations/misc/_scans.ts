// Scans one after the other, laid on disk, and the photos on each as image files.
import { rmSync } from 'node:fs';
import type { InputFile } from '../../contract/files.ts';
import { sniff } from '../../contract/kinds.ts';
import type { Engines } from '../../engines/engines.ts';
import { findPhotos } from '../../pdf/images/photo-finding.ts';
import type { PhotoRules } from '../../pdf/images/photo-finding-scan.ts';
import { type CutPhoto, cutPhoto } from '../../pdf/images/photo-straightening.ts';
import { type LaidPixels, layStrips, onlyGrey, ScanFile } from '../../pdf/images/scan-file.ts';
import { TiffSpool } from '../../pdf/images/tiff-spool.ts';
import { MAX_PAGE_PIXELS } from '../../procedures/image-pages.ts';

/** "PDF pages are read at 300 dpi." */
const PAGE_DPI = 300;
const STRIP_PIXELS = 4_000_000;

type NewFile = (extension: string) => string;

export interface LaidScan extends LaidPixels {
  dpi?: number;
}

/** Each lies on disk only until the next is asked for. */
export async function* scansOf(
  engine: Pick<Engines, 'qpdf' | 'pdfium' | 'sharp'>,
  file: InputFile,
  newFile: NewFile,
): AsyncGenerator<LaidScan> {
  const scans =
    sniff(file.head()) === 'pdf' ? pageScans(engine, file, newFile) : frameScans(engine, file, newFile);
  for await (const scan of scans) {
    yield scan;
    rmSync(scan.path);
  }
}

async function* pageScans(
  engine: Pick<Engines, 'qpdf' | 'pdfium'>,
  file: InputFile,
  newFile: NewFile,
): AsyncGenerator<LaidScan> {
  const doc = engine.qpdf.open(file);
  using view = engine.pdfium.openLike(file, doc);
  const options = { dpi: PAGE_DPI, maxPixels: MAX_PAGE_PIXELS, annotations: true };
  for (const page of doc.pages().keys()) {
    if (view.isEmpty(page)) continue;
    const strips = view.renderStrips(page, options, STRIP_PIXELS);
    yield { ...layStrips(newFile('rgb'), view.drawnSize(page, options), strips), dpi: PAGE_DPI };
  }
}

/** As in convert/img/pdf, "each frame of a TIFF is a page, of an animation only the first". */
async function* frameScans(
  { sharp }: Pick<Engines, 'sharp'>,
  file: InputFile,
  newFile: NewFile,
): AsyncGenerator<LaidScan> {
  const field = 'fileInput';
  const frames = await sharp.frames(file, field);
  for (let frame = 0; frame < frames; frame += 1) yield sharp.lay(file, newFile('v'), { field, frame });
}

/** Paths of PNG files, in reading order. */
export async function photosOn(
  sharp: Engines['sharp'],
  laid: LaidScan,
  rules: PhotoRules & { angleThreshold: number },
  newFile: NewFile,
): Promise<string[]> {
  using scan = new ScanFile(laid);
  const { photos, background } = findPhotos(scan, rules);
  const stated = laid.dpi === undefined ? {} : { dpi: laid.dpi };
  const channels = laid.isGrey ? 1 : 3;
  const paths: string[] = [];
  for (const photo of photos) {
    const tiff = newFile('tiff');
    spool(tiff, cutPhoto(scan, background, photo, rules.angleThreshold), channels);
    const path = newFile('png');
    await sharp.encodeTo(path, { tiff, channels }, 'png', stated);
    rmSync(tiff);
    paths.push(path);
  }
  return paths;
}

function spool(path: string, { width, height, bands }: CutPhoto, channels: 1 | 3): void {
  const tiff = new TiffSpool(path, { width, height, channels });
  try {
    for (const rows of bands()) tiff.add(channels === 1 ? onlyGrey(rows) : rows, width);
  } finally {
    tiff.close();
  }
}
