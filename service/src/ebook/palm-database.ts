// The container of Kindle's older books: records in a row (Palm database), the text in some of them.

export interface PalmDatabase {
  /** `BOOKMOBI` or `TEXtREAd`. */
  kind: string;
  record(index: number): Buffer | undefined;
  count: number;
}

const HEADER_BYTES = 78;

export function openPalmDatabase(bytes: Uint8Array): PalmDatabase | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (file.length < HEADER_BYTES + 8) return undefined;
  const kind = file.toString('latin1', 60, 68);
  if (kind !== 'BOOKMOBI' && kind !== 'TEXtREAd') return undefined;
  const count = file.readUInt16BE(76);
  if (count === 0 || file.length < HEADER_BYTES + 8 * count) return undefined;
  const start = (index: number): number =>
    index < count ? file.readUInt32BE(HEADER_BYTES + 8 * index) : file.length;
  return {
    kind,
    count,
    record(index) {
      if (!Number.isInteger(index) || index < 0 || index >= count) return undefined;
      const [from, to] = [start(index), start(index + 1)];
      return from < to && to <= file.length ? file.subarray(from, to) : undefined;
    },
  };
}

/** A number of the big-endian kind; 0 where the record ends before. */
export const u32 = (record: Buffer | undefined, at: number): number =>
  record && at >= 0 && at + 4 <= record.length ? record.readUInt32BE(at) : 0;
export const u16 = (record: Buffer | undefined, at: number): number =>
  record && at >= 0 && at + 2 <= record.length ? record.readUInt16BE(at) : 0;
