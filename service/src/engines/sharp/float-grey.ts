// Grey in floating point. libvips takes its numbers for those of whole ones, 0 to 255; most programs write 0 to 1, and
// all of the image would be black. Colours in floating point it knows.
import type { Metadata } from 'sharp';
import type { Open } from './repack.ts';

/** Of half precision it thinks as of 16 bits. */
const WHITES: Partial<Record<Metadata['space'] & string, number>> = { 'b-w': 255, grey16: 65_535 };

/** The image upright in whole numbers, as PNG; undefined where it is no such image. */
export async function wholeGrey(open: Open, facts: Metadata): Promise<Buffer | undefined> {
  const white = WHITES[facts.space ?? ''];
  if (facts.depth !== 'float' || white === undefined || facts.channels > 2) return undefined;
  const { channels } = await open({ ignoreIcc: true }).stats();
  // They come without what follows the point: 1 may be somewhat brighter than white.
  if (channels.some(({ max }) => max > 1)) return undefined;
  const each = <T>(value: T): T[] => channels.map(() => value);
  return open({ ignoreIcc: true })
    .autoOrient()
    .linear(each(white), each(0.5))
    .toColourspace('b-w')
    .png({ compressionLevel: 1 })
    .toBuffer();
}
