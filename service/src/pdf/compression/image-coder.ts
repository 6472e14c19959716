// What compression asks of an engine that knows images.
import type { Size } from '../../contract/raster.ts';
import type { Ref } from '../objects.ts';

/** Rows from the top, one byte a channel: grey, red-green-blue, or four inks as the file holds them. */
export interface Samples extends Size {
  channels: 1 | 3 | 4;
  data: Uint8Array;
}

export interface ImageCoder {
  /** A JPEG as a PDF reader sees it, in this size where one is given. Undefined where it cannot be read. */
  decodeJpeg(file: Uint8Array, size?: Size): Promise<Samples | undefined>;
  /** An image in JPEG 2000, red-green-blue: by whoever renders pages. */
  decodeOther(ref: Ref, size: Size): Promise<Samples | undefined>;
  /** Fewer pixels. */
  shrink(samples: Samples, size: Size): Promise<Samples>;
  /** Quality 1 to 100. `fine` keeps colour as sharp as brightness. */
  encodeJpeg(samples: Samples, quality: number, options: { fine: boolean }): Promise<Uint8Array>;
  /** Deflated rows with the filters of PNG; grey or red-green-blue. */
  pack(samples: Samples): Promise<Uint8Array>;
}
