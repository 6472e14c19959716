// Files as they travel between the layers: in memory while small, else at a path of ours.

export type Content = { bytes: Uint8Array } | { path: string };

/** A document a caller sent, or a step before made. */
export interface InputFile {
  /** The caller's name for it, cleaned. */
  readonly name: string;
  /** The name without its last extension. */
  readonly base: string;
  readonly size: number;
  readonly content: Content;
  /** The first bytes, enough for `sniff`. */
  head(): Uint8Array;
  bytes(): Uint8Array;
}

/** Bytes of ours where a file is wanted. */
export function fileInMemory(name: string, bytes: Uint8Array): InputFile {
  return { name, base: name, size: bytes.length, content: { bytes }, head: () => bytes, bytes: () => bytes };
}
