// The sRGB colour space (IEC 61966-2-1): as an ICC profile, and its colours as those of profiles.
import { curveTag, descriptionTag, iccProfile, textTag, WHITE, xyzTag } from './icc-writer.ts';

/** Primaries adapted to the white of profiles. */
const RED = [0.43607, 0.22249, 0.01392] as const;
const GREEN = [0.38515, 0.71687, 0.09708] as const;
const BLUE = [0.14307, 0.06061, 0.7141] as const;

let made: Uint8Array | undefined;

export function srgbProfile(): Uint8Array {
  made ??= build();
  return made;
}

function build(): Uint8Array {
  const curve = curveTag(linear);
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

const linear = (value: number): number =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;

let madeGrey: Uint8Array | undefined;

/** Greys as bright as those of sRGB. */
export function greyProfile(): Uint8Array {
  madeGrey ??= iccProfile({ deviceClass: 'mntr', colours: 'GRAY', connection: 'XYZ ' }, [
    ['desc', descriptionTag('Greys of sRGB')],
    ['cprt', textTag('No copyright, use freely')],
    ['wtpt', xyzTag(WHITE)],
    ['kTRC', curveTag(linear)],
  ]);
  return madeGrey;
}

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
