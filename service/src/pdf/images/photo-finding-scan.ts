// What photos are looked for in, and by which rules.

export interface Scan {
  readonly width: number;
  readonly height: number;
  /** Three bytes a pixel (red, green, blue), rows from the top, nothing between them. */
  read(area: Area): Uint8Array;
}

export interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface PhotoRules {
  /** How far a channel of the background may stray from its colour, 0 to 255. */
  tolerance: number;
  /** Pixels of the smallest rectangle around a photo. */
  minArea: number;
  /** Pixels within the outline itself. */
  minContourArea: number;
  /** Pixels of background added on each side of the scan while photos are looked for. */
  borderSize: number;
}
