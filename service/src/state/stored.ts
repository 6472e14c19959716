// Bytes and answers that the state keeps.
import type { Readable } from 'node:stream';

/** Bytes that the state keeps, here or elsewhere: brought where they are needed. They never change. */
export interface StoredBytes {
  readonly size: number;
  /** Copies them to a path where nothing is yet: whoever works there, a subverted worker too, changes nothing here. */
  bringTo(path: string): Promise<void>;
  /** So many of them from a byte on, or as many as there are. */
  read(from: number, length: number): Promise<Buffer>;
  /** As `read`, piece by piece; all of them unless told. */
  stream(from?: number, length?: number): Promise<Readable>;
}

export interface StoredResponse {
  status: number;
  headers: Record<string, string>;
  /** Kept by the state until the answer's expiry; the bytes, where they are few; or nothing (204). */
  body: { stored: StoredBytes } | { bytes: Uint8Array } | null;
}
export interface NewStoredResponse {
  status: number;
  headers: Record<string, string>;
  body: { path: string } | { bytes: Uint8Array } | null;
}
