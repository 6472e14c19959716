// The head of an ICC profile (ICC.1, 7.2): what kind of device, which colours, which version.
import { lookup } from '../../../contract/lookup.ts';

export interface IccProfile {
  version: number;
  /** Four letters: mntr, prtr, scnr, spac. */
  deviceClass: string;
  /** Four letters: "RGB ", "CMYK", "GRAY", "Lab ". */
  colourSpace: string;
}

/** Undefined where the bytes are no profile. */
export function readIccProfile(bytes: Uint8Array): IccProfile | undefined {
  if (bytes.length < 128) return undefined;
  const text = (from: number): string => Buffer.from(bytes.subarray(from, from + 4)).toString('latin1');
  if (text(36) !== 'acsp') return undefined;
  return {
    version: (bytes[8] ?? 0) + ((bytes[9] ?? 0) >> 4) / 10,
    deviceClass: text(12),
    colourSpace: text(16),
  };
}

/** Components of a profile's colours. */
export const ICC_COMPONENTS: Readonly<Record<string, number>> = lookup({
  GRAY: 1,
  'RGB ': 3,
  'Lab ': 3,
  CMYK: 4,
});
