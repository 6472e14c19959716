// The sRGB colour space (IEC 61966-2-1) as an ICC profile of version 2, which every part of PDF/A knows.

/** Primaries adapted to the white of profiles, D50. */
const RED = [0.43607, 0.22249, 0.01392];
const GREEN = [0.38515, 0.71687, 0.09708];
const BLUE = [0.14307, 0.06061, 0.7141];
const WHITE = [0.9642, 1, 0.82491];

const CURVE_POINTS = 1024;
const HEADER_BYTES = 128;
const TAG_ROW_BYTES = 12;

let made: Uint8Array | undefined;

export function srgbProfile(): Uint8Array {
  made ??= build();
  return made;
}

function build(): Uint8Array {
  const curve = curveTag();
  const tags: [signature: string, data: Buffer][] = [
    ['desc', descriptionTag('sRGB IEC61966-2.1')],
    ['cprt', textTag('No copyright, use freely')],
    ['wtpt', xyzTag(WHITE)],
    ['rXYZ', xyzTag(RED)],
    ['gXYZ', xyzTag(GREEN)],
    ['bXYZ', xyzTag(BLUE)],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ];
  const table = Buffer.alloc(4 + tags.length * TAG_ROW_BYTES);
  table.writeUInt32BE(tags.length, 0);
  const placed = new Map<Buffer, number>();
  const data: Buffer[] = [];
  let at = HEADER_BYTES + table.length;
  for (const [index, [signature, bytes]] of tags.entries()) {
    let offset = placed.get(bytes);
    if (offset === undefined) {
      offset = at;
      placed.set(bytes, offset);
      const padded = Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);
      data.push(padded);
      at += padded.length;
    }
    const row = 4 + index * TAG_ROW_BYTES;
    table.write(signature, row, 'latin1');
    table.writeUInt32BE(offset, row + 4);
    table.writeUInt32BE(bytes.length, row + 8);
  }
  return Buffer.concat([header(at), table, ...data]);
}

function header(size: number): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.writeUInt32BE(size, 0);
  bytes.writeUInt32BE(0x02100000, 8);
  bytes.write('mntrRGB XYZ ', 12, 'latin1');
  // A date there must be; that of the standard.
  for (const [index, part] of [1999, 10, 1, 0, 0, 0].entries()) bytes.writeUInt16BE(part, 24 + index * 2);
  bytes.write('acsp', 36, 'latin1');
  for (const [index, value] of WHITE.entries()) bytes.writeInt32BE(fixed(value), 68 + index * 4);
  return bytes;
}

const fixed = (value: number): number => Math.round(value * 65_536);

function typed(type: string, size: number): Buffer {
  const bytes = Buffer.alloc(8 + size);
  bytes.write(type, 0, 'latin1');
  return bytes;
}

function xyzTag(values: readonly number[]): Buffer {
  const bytes = typed('XYZ ', 12);
  for (const [index, value] of values.entries()) bytes.writeInt32BE(fixed(value), 8 + index * 4);
  return bytes;
}

function textTag(text: string): Buffer {
  const bytes = typed('text', text.length + 1);
  bytes.write(text, 8, 'latin1');
  return bytes;
}

/** A text of ASCII; its Unicode and Macintosh forms are left empty. */
function descriptionTag(text: string): Buffer {
  const bytes = typed('desc', 4 + text.length + 1 + 8 + 3 + 67);
  bytes.writeUInt32BE(text.length + 1, 8);
  bytes.write(text, 12, 'latin1');
  return bytes;
}

function curveTag(): Buffer {
  const bytes = typed('curv', 4 + CURVE_POINTS * 2);
  bytes.writeUInt32BE(CURVE_POINTS, 8);
  for (let index = 0; index < CURVE_POINTS; index += 1) {
    const value = index / (CURVE_POINTS - 1);
    const linear = value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    bytes.writeUInt16BE(Math.round(linear * 65_535), 12 + index * 2);
  }
  return bytes;
}
