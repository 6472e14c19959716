// Colours of an unnamed printing press, by what a reader shows for them.
import { lookProfile, type Rgb, sampledValues } from './look-profile.ts';

export type Cmyk = [cyan: number, magenta: number, yellow: number, black: number];

/** Points along each ink. */
export const POINTS = 9;

/** The colours whose look the profile is made of, each part 0 to 1; black changes fastest. */
export const sampledColours = (): Cmyk[] => sampledValues(4) as Cmyk[];

/** `looks`: red, green and blue, 0 to 255, of each of `sampledColours`. */
export const cmykProfile = (looks: readonly Rgb[]): Uint8Array =>
  lookProfile(looks, 4, 'CMYK as shown on screens');
