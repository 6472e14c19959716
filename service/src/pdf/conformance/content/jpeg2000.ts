// The boxes of a JPEG 2000 file that tell about colour (ISO 15444-1, annex I).

export interface Jpeg2000 {
  channels: number;
  /** Bits of a channel. */
  depth: number;
  /** Channels differ in depth. */
  differs: boolean;
  colours: { method: number; approximation: number; enumerated: number | undefined }[];
}

const MAX_BOXES = 1000;

/** Without channels where the bytes are a bare codestream or no JPEG 2000 at all. */
export function readJpeg2000(bytes: Uint8Array): Jpeg2000 {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const read: Jpeg2000 = { channels: 0, depth: 0, differs: false, colours: [] };
  readBoxes(view, 0, view.byteLength, read, 0);
  return read;
}

function readBoxes(view: DataView, from: number, to: number, read: Jpeg2000, depth: number): void {
  let count = 0;
  for (let at = from; at + 8 <= to && count < MAX_BOXES; count += 1) {
    const stated = view.getUint32(at);
    const type = view.getUint32(at + 4);
    const head = stated === 1 ? 16 : 8;
    const size = stated === 0 ? to - at : stated === 1 && at + 16 <= to ? view.getUint32(at + 12) : stated;
    if (size < head) return;
    const end = Math.min(to, at + size);
    const body = at + head;
    if (type === 0x6a703268 && depth < 2) readBoxes(view, body, end, read, depth + 1);
    else if (type === 0x69686472 && body + 14 <= end) {
      read.channels = view.getUint16(body + 8);
      const bits = view.getUint8(body + 10);
      read.depth = bits === 255 ? 0 : (bits & 0x7f) + 1;
    } else if (type === 0x62706363) read.differs = true;
    else if (type === 0x636f6c72 && body + 3 <= end) {
      const method = view.getUint8(body);
      read.colours.push({
        method,
        approximation: view.getUint8(body + 2),
        enumerated: method === 1 && body + 7 <= end ? view.getUint32(body + 3) : undefined,
      });
    }
    at = end;
  }
}

interface Jpeg2000Test {
  test: string;
  message: string;
  /** `hasSpace`: the image names a colour space itself, and that of the data does not count. */
  fits(jpx: Jpeg2000, hasSpace: boolean): boolean;
}

/** What part 2 asks of such data (6.2.8.3). */
export const JPEG2000_TESTS: readonly Jpeg2000Test[] = [
  {
    test: '1',
    message: 'JPEG 2000 data has 1, 3 or 4 colour channels.',
    fits: ({ channels }) => [1, 3, 4].includes(channels),
  },
  {
    test: '2',
    message: 'JPEG 2000 data with several colour specifications marks the best one.',
    fits: (jpx, hasSpace) =>
      hasSpace ||
      jpx.colours.length === 1 ||
      jpx.colours.filter(({ approximation }) => approximation === 1).length === 1,
  },
  {
    test: '3',
    message: 'The colour specification of JPEG 2000 data has method 1, 2 or 3.',
    fits: (jpx, hasSpace) => hasSpace || jpx.colours.every(({ method }) => [1, 2, 3].includes(method)),
  },
  {
    test: '4',
    message: 'JPEG 2000 data does not use the colour space CIEJab.',
    fits: (jpx, hasSpace) => hasSpace || jpx.colours.every(({ enumerated }) => enumerated !== 19),
  },
  {
    test: '5',
    message: 'All channels of JPEG 2000 data have the same depth, of 1 to 38 bits.',
    fits: ({ depth, differs }) => !differs && depth >= 1 && depth <= 38,
  },
];
