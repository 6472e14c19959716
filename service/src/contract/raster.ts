// Sizes, and the pixels of a page or an image that was drawn.

export interface Size {
  width: number;
  height: number;
}

/** Four bytes a pixel (red, green, blue, opacity: 255 on white), rows from the top, nothing between rows. */
export interface Raster extends Size {
  rgba: Uint8Array;
}
