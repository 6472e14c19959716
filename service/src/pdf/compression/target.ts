// Operations, compress-pdf: a target's level is "chosen from the ratio and raised until met or 9".
import type { PdfDocument } from '../document.ts';
import type { Ref } from '../objects.ts';
import { compressExactly, type OnImage, recodeImages, type Tones } from './compress.ts';
import { grayImages, greyDrawings } from './greying.ts';
import type { ImageCoder } from './image-coder.ts';
import type { Recoded } from './image-packing.ts';
import { putRecoded } from './image-recoding.ts';
import { HIGHEST_LEVEL, levelOf } from './levels.ts';
import { repackStreams } from './repacking.ts';

/** What a file may grow by when images are put in: their entries, and the table of objects. */
const MARGIN_BYTES = 1024;

export async function compressAtLevel(
  doc: PdfDocument,
  refs: readonly Ref[],
  level: number,
  tones: Tones,
  coder: ImageCoder,
  onImage?: OnImage,
): Promise<void> {
  const { images, ...rest } = levelOf(level);
  const left = compressExactly(doc, { images, ...rest }, tones.grey ? greyDrawings(doc) : refs);
  for await (const { facts, made } of recodeImages(doc, left, images, tones, coder, onImage)) {
    if (made) putRecoded(doc, facts.ref, made);
    else repackStreams(doc, [facts.ref], images ? 'fair' : 'hard');
  }
  if (tones.grey) grayImages(doc);
}

/**
 * Raises the level until the document would be small enough, among the levels that change images. All but the
 * images is done once; `savedBytes` tells what the document weighs then.
 */
export async function compressToTarget(
  doc: PdfDocument,
  refs: readonly Ref[],
  {
    from,
    targetBytes,
    tones,
    onImage,
  }: { from: number; targetBytes: number; tones: Tones; onImage?: OnImage },
  coder: ImageCoder,
  savedBytes: () => number,
): Promise<void> {
  const left = compressExactly(doc, levelOf(from), tones.grey ? greyDrawings(doc) : refs);
  const whole = savedBytes();
  for (let level = from; level <= HIGHEST_LEVEL; level += 1) {
    const chosen: [Ref, Recoded][] = [];
    let bytes = whole;
    for await (const { facts, made } of recodeImages(
      doc,
      left,
      levelOf(level).images,
      tones,
      coder,
      onImage,
    )) {
      if (!made) continue;
      chosen.push([facts.ref, made]);
      bytes += made.bytes.length - facts.bytes;
    }
    if (bytes + MARGIN_BYTES > targetBytes && level < HIGHEST_LEVEL) continue;
    for (const [ref, made] of chosen) putRecoded(doc, ref, made);
    if (tones.grey) grayImages(doc);
    return;
  }
}
