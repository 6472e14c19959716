// A document made smaller, by level. What is read of it is read before any data of streams is replaced: an engine
// may learn of the new filters only when the document is saved.
import type { PdfDocument } from '../document.ts';
import { mergeDuplicates } from './duplicates.ts';
import { leanMetadata } from './lean-metadata.ts';
import type { Level, PictureLevel } from './levels.ts';
import type { PictureCoder, Size } from './picture-coder.ts';
import { type PictureFacts, readPictures } from './picture-facts.ts';
import { picturePlaces } from './picture-places.ts';
import { type Recoded, recode } from './picture-recoding.ts';
import { repackStreams } from './repacking.ts';
import { type LineArt, retone } from './tones.ts';
import { dropPrivateData, dropUnusedResources, trimFonts } from './unused.ts';

/** What is left to do once all but the pictures is done. */
export interface PicturesLeft {
  pictures: readonly PictureFacts[];
  places: ReadonlyMap<string, Size>;
}

export interface Tones {
  grey: boolean;
  lineArt: LineArt | undefined;
}

/** All that changes no pixel. */
export function compressExactly(doc: PdfDocument, level: Level): PicturesLeft {
  leanMetadata(doc, { withThumbnails: !level.pictures });
  if (level.pictures) dropPrivateData(doc);
  if (level.mergesDuplicates) {
    dropUnusedResources(doc);
    mergeDuplicates(doc);
  }
  const refs = doc.allRefs();
  const pictures = readPictures(doc, refs);
  const places = level.pictures && pictures.length > 0 ? picturePlaces(doc) : new Map<string, Size>();
  const isPicture = new Set(pictures.map(({ ref }) => ref.key));
  const tight = level.pictures !== undefined;
  const written = level.trimsFonts ? trimFonts(doc, { tight }) : new Set<string>();
  const left = new Set(doc.allRefs().map((ref) => ref.key));
  repackStreams(
    doc,
    refs.filter(({ key }) => left.has(key) && !isPicture.has(key) && !written.has(key)),
  );
  return { pictures, places };
}

/** Each picture by itself: never are the pixels of two of them in memory. */
export async function* recodedPictures(
  doc: PdfDocument,
  { pictures, places }: PicturesLeft,
  level: PictureLevel | undefined,
  { grey, lineArt }: Tones,
  coder: PictureCoder,
): AsyncGenerator<{ facts: PictureFacts; made: Recoded | undefined }> {
  for (const facts of pictures) {
    const place = places.get(facts.ref.key);
    const toned = grey || lineArt ? await retone(doc, facts, place, level, coder, lineArt) : undefined;
    yield { facts, made: toned ?? (await recode(doc, facts, place, level, coder)) };
  }
}
