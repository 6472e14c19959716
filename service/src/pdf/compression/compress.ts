// A document made smaller, by level. What is read of it is read before any data of streams is replaced: an engine
// may learn of the new filters only when the document is saved.
import type { Size } from '../../contract/raster.ts';
import type { PdfDocument } from '../document.ts';
import type { Ref } from '../objects.ts';
import { mergeDuplicates } from './duplicates.ts';
import { type LineArt, retone } from './grayscale-and-line-art.ts';
import type { ImageCoder } from './image-coder.ts';
import { type ImageFacts, readImages } from './image-facts.ts';
import type { Recoded } from './image-packing.ts';
import { imagePlaces } from './image-places.ts';
import { recode } from './image-recoding.ts';
import { leanMetadata } from './lean-metadata.ts';
import type { ImageLevel, Level } from './levels.ts';
import { repackStreams } from './repacking.ts';
import { dropPrivateData, dropUnusedResources, subsetFonts } from './unused.ts';

/** What is left to do once all but the images is done. */
export interface ImagesLeft {
  images: readonly ImageFacts[];
  places: ReadonlyMap<string, Size>;
}

export interface Tones {
  grey: boolean;
  lineArt: LineArt | undefined;
}

/** Images that are worked on at once, as long as they have no more pixels than this together. */
const LANES = 3;
const MAX_PIXELS_AT_ONCE = 8_000_000;

/** All that changes no pixel. `refs` are all objects of the document. */
export function compressExactly(doc: PdfDocument, level: Level, refs: readonly Ref[]): ImagesLeft {
  leanMetadata(doc, { withThumbnails: !level.images });
  if (level.images) dropPrivateData(doc, refs);
  if (level.mergesDuplicates) {
    dropUnusedResources(doc, refs);
    mergeDuplicates(doc, refs);
  }
  const left = doc.allRefs();
  const images = readImages(doc, left);
  const places = level.images && images.length > 0 ? imagePlaces(doc) : new Map<string, Size>();
  const tight = level.images !== undefined;
  const { used, written } = level.subsetsFonts
    ? subsetFonts(doc, { tight })
    : { used: left, written: new Set<string>() };
  const isUsed = new Set(used.map(({ key }) => key));
  const isImage = new Set(images.map(({ ref }) => ref.key));
  repackStreams(
    doc,
    left.filter(({ key }) => isUsed.has(key) && !isImage.has(key) && !written.has(key)),
    tight ? 'fair' : 'hard',
  );
  return { images, places };
}

interface Running {
  facts: ImageFacts;
  made: Promise<Recoded | undefined>;
}

/** So many images of so many are done. */
export type OnImage = (done: number, of: number) => void;

/** Small images go side by side; never are the pixels of two large ones in memory. */
export async function* recodeImages(
  doc: PdfDocument,
  { images, places }: ImagesLeft,
  level: ImageLevel | undefined,
  { grey, lineArt }: Tones,
  coder: ImageCoder,
  onImage: OnImage = () => {},
): AsyncGenerator<{ facts: ImageFacts; made: Recoded | undefined }> {
  const start = async (facts: ImageFacts): Promise<Recoded | undefined> => {
    const place = places.get(facts.ref.key);
    const toned = grey || lineArt ? await retone(doc, facts, place, level, coder, lineArt) : undefined;
    return toned ?? recode(doc, facts, place, level, coder);
  };
  const running: Running[] = [];
  let pixels = 0;
  let done = 0;
  const tell = (): void => {
    done += 1;
    onImage(done, images.length);
  };
  for (const facts of images) {
    const more = facts.width * facts.height;
    while (running.length === LANES || (running.length > 0 && pixels + more > MAX_PIXELS_AT_ONCE)) {
      const first = running.shift() as Running;
      pixels -= first.facts.width * first.facts.height;
      const made = await first.made;
      tell();
      yield { facts: first.facts, made };
    }
    const made = start(facts);
    // Whoever waits for it hears of its failure; until then nobody does.
    made.catch(() => {});
    running.push({ facts, made });
    pixels += more;
  }
  for (const { facts, made } of running) {
    const recoded = await made;
    tell();
    yield { facts, made: recoded };
  }
}
