// What a PNG file holds. Its rows can be embedded in a PDF as they are.

export interface PngParts {
  width: number;
  height: number;
  bits: number;
  /** 0 grey, 2 red-green-blue, 3 palette, 4 and 6 with opacity. */
  colourType: number;
  interlaced: boolean;
  palette: Uint8Array | undefined;
  /** Opacity beside the pixels: of palette entries, or of one colour. */
  hasClearColours: boolean;
  /** The deflated rows. */
  rows: Uint8Array;
}

const HEADER_BYTES = 8;

/** Undefined where the chunks make no sense. */
export function readPng(file: Uint8Array): PngParts | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length);
  let header: Buffer | undefined;
  let palette: Buffer | undefined;
  let hasClearColours = false;
  const rows: Buffer[] = [];
  for (let at = HEADER_BYTES; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (data.length < length) return undefined;
    if (type === 'IHDR') header = data;
    else if (type === 'PLTE') palette = data;
    else if (type === 'tRNS') hasClearColours = true;
    else if (type === 'IDAT') rows.push(data);
    else if (type === 'IEND') break;
    at += length + 12;
  }
  if (!header || header.length < 13 || rows.length === 0) return undefined;
  return {
    width: header.readUInt32BE(0),
    height: header.readUInt32BE(4),
    bits: header.readUInt8(8),
    colourType: header.readUInt8(9),
    interlaced: header.readUInt8(12) !== 0,
    palette,
    hasClearColours,
    rows: rows.length === 1 ? (rows[0] as Buffer) : Buffer.concat(rows),
  };
}
