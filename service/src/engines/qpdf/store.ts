// What a document asks of whoever keeps its objects: the library, or for small sound files our own memory.
import type { Dict, PdfObject, PdfValue, Ref } from '../../pdf/objects.ts';

export interface Store {
  readonly catalogRef: Ref;
  /** The version in the file's header, such as 1.4. */
  readonly headerVersion: string;
  trailer(): Dict;
  setTrailer(key: string, value: PdfValue | undefined): void;
  load(ref: Ref): PdfObject;
  loadPages(): Ref[];
  /** A new object; what it is will be told later. */
  reserve(): Ref;
  /** A new stream; its dictionary will be told later. */
  addStream(bytes: Uint8Array): Ref;
  replaceStreamData(ref: Ref, bytes: Uint8Array): void;
  rawStreamData(ref: Ref): Uint8Array;
  close(): void;
}
