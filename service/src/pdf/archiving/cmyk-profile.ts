// An ICC profile for colours of an unnamed printing press: it says what a reader shows for them, so that a document
// looks after archiving as it looked before.
import { descriptionTag, iccProfile, textTag, typedTag, WHITE, xyzTag } from './icc-writer.ts';
import { labOfSrgb } from './srgb-profile.ts';

export type Cmyk = [cyan: number, magenta: number, yellow: number, black: number];
export type Rgb = [red: number, green: number, blue: number];

/** Points along each ink: with so many a reader's own table is met within half a step of 255, on average. */
export const POINTS = 9;
const INKS = 4;

/** The colours whose look the profile is made of, each part 0 to 1; black changes fastest. */
export function sampledColours(): Cmyk[] {
  const step = (index: number, place: number): number =>
    (Math.floor(index / POINTS ** place) % POINTS) / (POINTS - 1);
  return Array.from({ length: POINTS ** INKS }, (_, index) => [
    step(index, 3),
    step(index, 2),
    step(index, 1),
    step(index, 0),
  ]);
}

/** `looks`: red, green and blue, 0 to 255, of each of `sampledColours`. */
export function cmykProfile(looks: readonly Rgb[]): Uint8Array {
  return iccProfile({ deviceClass: 'scnr', colours: 'CMYK', connection: 'Lab ' }, [
    ['desc', descriptionTag('CMYK as shown on screens')],
    ['cprt', textTag('No copyright, use freely')],
    ['wtpt', xyzTag(WHITE)],
    ['A2B0', lookTable(looks)],
  ]);
}

/** lut16Type (ICC.1:2001-04, 6.5.7): straight curves around the table of colours. */
export function lookTable(looks: readonly Rgb[]): Buffer {
  const curves = Buffer.from([0, 0, 0xff, 0xff]);
  const head = typedTag('mft2', 4 + 36 + 4);
  head.writeUInt8(INKS, 8);
  head.writeUInt8(3, 9);
  head.writeUInt8(POINTS, 10);
  // The matrix is for XYZ alone; here it changes nothing.
  for (const diagonal of [0, 4, 8]) head.writeInt32BE(0x10000, 12 + diagonal * 4);
  head.writeUInt16BE(2, 48);
  head.writeUInt16BE(2, 50);
  const table = Buffer.alloc(looks.length * 6);
  for (const [index, [red, green, blue]] of looks.entries()) {
    const [light, a, b] = labOfSrgb(red / 255, green / 255, blue / 255);
    const words = [(light / 100) * 0xff00, (a + 128) * 256, (b + 128) * 256];
    for (const [place, word] of words.entries())
      table.writeUInt16BE(Math.max(0, Math.min(0xffff, Math.round(word))), index * 6 + place * 2);
  }
  return Buffer.concat([head, ...Array(INKS).fill(curves), table, ...Array(3).fill(curves)]);
}
