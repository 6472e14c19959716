// A content stream as it is rewritten: copied as it stands, but for the operations that something is put in place of.

export class ContentOutput {
  /** Behind what was copied or replaced last. */
  copied = 0;
  private readonly bytes: Uint8Array;
  private readonly pieces: Uint8Array[] = [];

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get isChanged(): boolean {
    return this.copied > 0;
  }

  /** The text stands as it is: blanks keep operators apart that stood next to a bracket. Tells its place. */
  replace({ start, end }: { start: number; end: number }, by: string | Uint8Array): number {
    this.copyTo(start);
    this.copied = Math.max(this.copied, end);
    return this.put(by);
  }

  /** Copies an operation to a place of its own: what stands there is decided later. */
  putOff({ start, end }: { start: number; end: number }): number {
    return this.replace({ start, end }, this.bytes.subarray(start, end));
  }

  /** Something more, where copying has come to. Tells its place, for `exchange`. */
  put(piece: string | Uint8Array): number {
    return this.pieces.push(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece) - 1;
  }

  /** Something else for what was put: some is known only later. */
  exchange(place: number, piece: string): void {
    this.pieces[place] = Buffer.from(piece, 'latin1');
  }

  copyTo(end: number): void {
    if (end > this.copied) this.pieces.push(this.bytes.subarray(this.copied, end));
    this.copied = Math.max(this.copied, end);
  }

  /** With all that follows. */
  finish(): Buffer {
    this.copyTo(this.bytes.length);
    return Buffer.concat(this.pieces);
  }
}
