// The header of a MOBI book.
import type { BookResource } from './book.ts';
import type { PalmDatabase } from './palm-database.ts';

export interface MobiHeader {
  database: PalmDatabase;
  /** Index of the header's own record: those of the text follow. */
  base: number;
  record: Buffer;
  version: number;
  decoder: TextDecoder;
  exth: Map<number, Buffer>;
  /** Index of a record that a field of the header names, in the whole database. */
  pointer(at: number): number | undefined;
  resource(index: number): BookResource | undefined;
}
