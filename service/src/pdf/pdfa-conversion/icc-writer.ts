// Writes ICC profiles of version 2, which every part of PDF/A knows.

/** The white of profiles, D50. */
export const WHITE: readonly [number, number, number] = [0.9642, 1, 0.82491];

const HEADER_BYTES = 128;
const TAG_ROW_BYTES = 12;
const CURVE_POINTS = 1024;

export interface ProfileKind {
  deviceClass: 'mntr' | 'scnr' | 'prtr' | 'spac';
  colours: 'RGB ' | 'CMYK' | 'GRAY';
  connection: 'XYZ ' | 'Lab ';
}

/** Tags that share one buffer share its place in the file. */
export function iccProfile(
  kind: ProfileKind,
  tags: readonly [signature: string, data: Buffer][],
): Uint8Array {
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
  return Buffer.concat([header(kind, at), table, ...data]);
}

function header({ deviceClass, colours, connection }: ProfileKind, size: number): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.writeUInt32BE(size, 0);
  bytes.writeUInt32BE(0x02100000, 8);
  bytes.write(`${deviceClass}${colours}${connection}`, 12, 'latin1');
  // A date there must be; that of the sRGB standard.
  for (const [index, part] of [1999, 10, 1, 0, 0, 0].entries()) bytes.writeUInt16BE(part, 24 + index * 2);
  bytes.write('acsp', 36, 'latin1');
  for (const [index, value] of WHITE.entries()) bytes.writeInt32BE(fixed(value), 68 + index * 4);
  return bytes;
}

const fixed = (value: number): number => Math.round(value * 65_536);

export function typedTag(type: string, size: number): Buffer {
  const bytes = Buffer.alloc(8 + size);
  bytes.write(type, 0, 'latin1');
  return bytes;
}

export function xyzTag(values: readonly number[]): Buffer {
  const bytes = typedTag('XYZ ', 12);
  for (const [index, value] of values.entries()) bytes.writeInt32BE(fixed(value), 8 + index * 4);
  return bytes;
}

/** A curve from 0 to 1 as a table of its values. */
export function curveTag(of: (value: number) => number): Buffer {
  const bytes = typedTag('curv', 4 + CURVE_POINTS * 2);
  bytes.writeUInt32BE(CURVE_POINTS, 8);
  for (let index = 0; index < CURVE_POINTS; index += 1) {
    const value = Math.max(0, Math.min(1, of(index / (CURVE_POINTS - 1)) || 0));
    bytes.writeUInt16BE(Math.round(value * 65_535), 12 + index * 2);
  }
  return bytes;
}

export function textTag(text: string): Buffer {
  const bytes = typedTag('text', text.length + 1);
  bytes.write(text, 8, 'latin1');
  return bytes;
}

/** A text of ASCII; its Unicode and Macintosh forms are left empty. */
export function descriptionTag(text: string): Buffer {
  const bytes = typedTag('desc', 4 + text.length + 1 + 8 + 3 + 67);
  bytes.writeUInt32BE(text.length + 1, 8);
  bytes.write(text, 12, 'latin1');
  return bytes;
}
