// An ICC profile made of what a reader shows: colours of a document look after archiving as they looked before.
import { descriptionTag, iccProfile, textTag, typedTag, WHITE, xyzTag } from './icc-writer.ts';
import { labOfSrgb } from './srgb-profile.ts';

export type Rgb = [red: number, green: number, blue: number];
/** How many values a colour has. */
export type Components = 1 | 3 | 4;

/** Points along each value: with so many a reader's own table is met within half a step of 255, on average. */
const POINTS: Readonly<Record<Components, number>> = { 1: 129, 3: 17, 4: 9 };
const COLOURS = { 1: 'GRAY', 3: 'RGB ', 4: 'CMYK' } as const;

/** The colours whose look the profile is made of, each value 0 to 1; the last value changes fastest. */
export function sampledValues(components: Components): number[][] {
  const points = POINTS[components];
  return Array.from({ length: points ** components }, (_, index) =>
    Array.from(
      { length: components },
      (_, value) => (Math.floor(index / points ** (components - 1 - value)) % points) / (points - 1),
    ),
  );
}

/** `looks`: red, green and blue, 0 to 255, of each of `sampledValues`. */
export function lookProfile(looks: readonly Rgb[], components: Components, name: string): Uint8Array {
  return iccProfile({ deviceClass: 'scnr', colours: COLOURS[components], connection: 'Lab ' }, [
    ['desc', descriptionTag(name)],
    ['cprt', textTag('No copyright, use freely')],
    ['wtpt', xyzTag(WHITE)],
    ['A2B0', lookTable(looks, components)],
  ]);
}

/** lut16Type (ICC.1:2001-04, 6.5.7): straight curves around the table of colours. */
export function lookTable(looks: readonly Rgb[], components: Components): Buffer {
  const curves = Buffer.from([0, 0, 0xff, 0xff]);
  const head = typedTag('mft2', 4 + 36 + 4);
  head.writeUInt8(components, 8);
  head.writeUInt8(3, 9);
  head.writeUInt8(POINTS[components], 10);
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
  return Buffer.concat([head, ...Array(components).fill(curves), table, ...Array(3).fill(curves)]);
}
