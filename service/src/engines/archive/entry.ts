// An entry of an archive that a caller sent.

export interface ArchiveEntry {
  /** With `/` between folders, never leading out. */
  readonly path: string;
  /** Unpacked. */
  readonly size: number;
  readonly isEncrypted: boolean;
}
