// The sRGB colour space (IEC 61966-2-1): as an ICC profile, and its colours as those of profiles.
import { descriptionTag, iccProfile, textTag, typedTag, WHITE, xyzTag } from './icc-writer.ts';

/** Primaries adapted to the white of profiles. */
const RED = [0.43607, 0.22249, 0.01392] as const;
const GREEN = [0.38515, 0.71687, 0.09708] as const;
const BLUE = [0.14307, 0.06061, 0.7141] as const;

const CURVE_POINTS = 1024;

let made: Uint8Array | undefined;

export function srgbProfile(): Uint8Array {
  made ??= build();
  return made;
}

function build(): Uint8Array {
  const curve = curveTag();
  return iccProfile({ deviceClass: 'mntr', colours: 'RGB ', connection: 'XYZ ' }, [
    ['desc', descriptionTag('sRGB IEC61966-2.1')],
    ['cprt', textTag('No copyright, use freely')],
    ['wtpt', xyzTag(WHITE)],
    ['rXYZ', xyzTag(RED)],
    ['gXYZ', xyzTag(GREEN)],
    ['bXYZ', xyzTag(BLUE)],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ]);
}

function curveTag(): Buffer {
  const bytes = typedTag('curv', 4 + CURVE_POINTS * 2);
  bytes.writeUInt32BE(CURVE_POINTS, 8);
  for (let index = 0; index < CURVE_POINTS; index += 1)
    bytes.writeUInt16BE(Math.round(linear(index / (CURVE_POINTS - 1)) * 65_535), 12 + index * 2);
  return bytes;
}

const linear = (value: number): number =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;

/** Red, green and blue of 0 to 1 as L*, a* and b*. */
export function labOfSrgb(red: number, green: number, blue: number): [number, number, number] {
  const light = [linear(red), linear(green), linear(blue)] as const;
  const [x, y, z] = WHITE.map((white, axis) => {
    const value = light[0] * (RED[axis] ?? 0) + light[1] * (GREEN[axis] ?? 0) + light[2] * (BLUE[axis] ?? 0);
    const ratio = value / white;
    return ratio > 216 / 24_389 ? Math.cbrt(ratio) : (ratio * 24_389) / 27 / 116 + 16 / 116;
  }) as [number, number, number];
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}
