import { type Content, contentSize, type InputFile } from '../../contract/files.ts';
import type { Engines } from '../../engines/engines.ts';
import type { SaveOptions } from '../../engines/qpdf/write.ts';
import type { OnImage, Tones } from '../../pdf/compression/compress.ts';
import type { ImageCoder } from '../../pdf/compression/image-coder.ts';
import { FIRST_IMAGE_LEVEL } from '../../pdf/compression/levels.ts';
import { type Ledger, readSizeBreakdown } from '../../pdf/compression/size-breakdown.ts';
import { compressAtLevel, compressToTarget } from '../../pdf/compression/target.ts';
import { drawnPixels, putOnPage } from '../../pdf/images/image-decoding.ts';
import { readSignatures } from '../../pdf/security/signature-fields.ts';

type Engine = Pick<Engines, 'qpdf' | 'sharp' | 'pdfium'>;
type Opened = ReturnType<Engines['qpdf']['open']>;

/** Hears of pages that are done. */
type Progress = (done: number, of: number) => void;

export interface Wishes {
  /** Where a target is given, the level to begin with. */
  level: number;
  targetBytes: number | undefined;
  tones: Tones;
  save: SaveOptions;
}

export interface Compressed {
  content: Content;
  bytes: number;
  before: Ledger;
  after: Ledger;
  isSigned: boolean;
}

export async function compress(
  engine: Engine,
  file: InputFile,
  wishes: Wishes,
  progress: Progress = () => {},
): Promise<Compressed> {
  const { level, targetBytes } = wishes;
  if (targetBytes === undefined || level >= FIRST_IMAGE_LEVEL) return attempt(engine, file, wishes, progress);
  for (let exact = level; exact < FIRST_IMAGE_LEVEL; exact += 1) {
    const made = await attempt(engine, file, { ...wishes, level: exact, targetBytes: undefined }, progress);
    if (made.bytes <= targetBytes) return made;
  }
  return attempt(engine, file, { ...wishes, level: FIRST_IMAGE_LEVEL }, progress);
}

async function attempt(
  engine: Engine,
  file: InputFile,
  { level, targetBytes, tones, save }: Wishes,
  progress: Progress,
): Promise<Compressed> {
  const doc = engine.qpdf.open(file);
  const refs = doc.allRefs();
  const before = readSizeBreakdown(doc, refs, file.size);
  const isSigned = readSignatures(doc).length > 0;
  const coder = coderFor(engine, doc);
  // What takes its time are the images: as many pages are done as images are, in their share.
  const pages = doc.pageCount;
  const onImage: OnImage = (done, of) => progress(Math.floor((done * pages) / of), pages);
  progress(0, pages);
  if (targetBytes === undefined) await compressAtLevel(doc, refs, level, tones, coder, onImage);
  else
    await compressToTarget(doc, refs, { from: level, targetBytes, tones, onImage }, coder, () =>
      contentSize(doc.save(save)),
    );
  const content = doc.save(save);
  progress(pages, pages);
  const bytes = contentSize(content);
  const after = readSizeBreakdown(doc, doc.allRefs(), bytes);
  engine.qpdf.close(doc);
  return { content, bytes, before, after, isSigned };
}

/** JPEG 2000 is read by whoever renders pages: the image alone on a page, pixel for point. */
function coderFor(engine: Engine, doc: Opened): ImageCoder {
  return {
    ...engine.sharp.samples,
    async decodeOther(ref, { width, height }) {
      const sheet = engine.qpdf.create();
      putOnPage(sheet, doc, { ref, width, height, bilevel: false });
      using page = engine.pdfium.open({ name: 'picture.pdf', content: sheet.save() });
      engine.qpdf.close(sheet);
      const { rgba } = page.render(0, { scale: 1, maxPixels: width * height });
      return drawnPixels(rgba, width, height);
    },
  };
}
