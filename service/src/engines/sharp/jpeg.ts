// What the headers of a JPEG file tell (ITU-T T.81).

export interface JpegFacts {
  width: number;
  height: number;
  components: number;
  bits: number;
  /** Baseline or progressive Huffman coding: what readers of PDF can decode. */
  isCommon: boolean;
  /** Written by Adobe's rules: CMYK is inverted, and the file itself tells how colours were transformed. */
  isAdobe: boolean;
  /** Three components named R, G, B, and nothing else that tells. */
  isPlainRgb: boolean;
}

const START_OF_SCAN = 0xda;
const END = 0xd9;
const COMMON_FRAMES = [0xc0, 0xc1, 0xc2];
/** Frames are C0 to CF but for tables and reserved ones. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

export function readJpeg(file: Uint8Array): JpegFacts | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length);
  let isAdobe = false;
  let isJfif = false;
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] as number;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === START_OF_SCAN || marker === END) return undefined;
    const length = bytes.readUInt16BE(at + 2);
    const data = bytes.subarray(at + 4, at + 2 + length);
    if (marker === 0xe0) isJfif ||= data.toString('latin1', 0, 4) === 'JFIF';
    if (marker === 0xee) isAdobe ||= data.toString('latin1', 0, 5) === 'Adobe';
    if (isFrame(marker)) return frameFacts(marker, data, isAdobe, isJfif);
    at += 2 + length;
  }
  return undefined;
}

function frameFacts(marker: number, data: Buffer, isAdobe: boolean, isJfif: boolean): JpegFacts | undefined {
  if (data.length < 6) return undefined;
  const components = data[5] ?? 0;
  const letters = Array.from({ length: components }, (_, index) => data[6 + 3 * index]);
  return {
    bits: data[0] ?? 0,
    height: data.readUInt16BE(1),
    width: data.readUInt16BE(3),
    components,
    isCommon: COMMON_FRAMES.includes(marker),
    isAdobe,
    isPlainRgb:
      !isAdobe && !isJfif && components === 3 && String.fromCharCode(...(letters as number[])) === 'RGB',
  };
}
