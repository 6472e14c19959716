// What an image is packed to without loss, and what anything else has to be held against.
import { Dict, type PdfValue } from '../objects.ts';
import type { ImageCoder, Samples } from './image-coder.ts';

/** What takes the place of an image's data, and the entries that say how to read it. */
export interface Recoded {
  bytes: Uint8Array;
  filter: string;
  parms?: Dict | undefined;
  entries: Record<string, PdfValue>;
}

/** What loses something must spare this much of what loses nothing. */
export const WORTH_LOSING = 0.85;
/** An estimate that is this many times larger is no mistake. */
const NOWHERE_NEAR = 3;
const BANDS = 8;
const BAND_ROWS = 12;

/** Rows with the filters of PNG. */
export const pack = async (samples: Samples, coder: ImageCoder): Promise<Recoded> => ({
  bytes: await coder.pack(samples),
  filter: 'FlateDecode',
  parms: predictor(samples),
  entries: {},
});

/** Whether samples may be as small, packed without loss: a few bands of them tell. */
export async function isNear(samples: Samples, coder: ImageCoder, rival: number): Promise<boolean> {
  const { width, height, channels, data } = samples;
  if (height < BANDS * BAND_ROWS * 2) return true;
  const band = BAND_ROWS * width * channels;
  const some = new Uint8Array(BANDS * band);
  for (let index = 0; index < BANDS; index += 1) {
    const row = Math.floor(((height - BAND_ROWS) * index) / (BANDS - 1));
    some.set(data.subarray(row * width * channels, row * width * channels + band), index * band);
  }
  const packed = await coder.pack({ width, height: BANDS * BAND_ROWS, channels, data: some });
  return packed.length * (height / (BANDS * BAND_ROWS)) <= rival * NOWHERE_NEAR;
}

export const predictor = ({ width, channels }: Samples): Dict =>
  Dict.of({ Predictor: 15, Colors: channels, BitsPerComponent: 8, Columns: width });
