// Pixels, in memory or in a file, and how they are encoded.

export interface EncodeOptions {
  /** Dots per inch that the file states; none where it is absent. */
  dpi?: number;
  /** The image is black and white only: one bit a pixel where the format can. */
  twoTone?: boolean;
  /** The fourth channel says nothing and is left out. */
  opaque?: boolean;
  /** There are no more than 256 colours: one byte a pixel where the format can. */
  fewColours?: boolean;
}

/** Rows from the top, nothing between them; the fourth channel is opacity, not multiplied into the others. */
export interface Pixels {
  width: number;
  height: number;
  /** Grey, red-green-blue, or with opacity. */
  channels: 1 | 3 | 4;
  data: Uint8Array;
}

/** Pixels in a TIFF file of ours. */
export interface SpooledPixels {
  tiff: string;
  /** 1 where they are to stay grey. */
  channels?: 1 | 3;
}
