// A ZIP written to a file while its parts are made: the package of office documents, books and comics.
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import yazl from 'yazl';
import { inBatches } from './batches.ts';

/** One date for all parts, so that equal documents give equal bytes. ZIP keeps it as a clock on the wall shows it. */
const PART_DATE = new Date(1980, 0, 1);
/** Books must begin with a part that has no extra fields, such as a second date. */
const SETTINGS = { mtime: PART_DATE, mode: 0o100644, forceDosTimestamp: true } as const;
/** What may wait for the disk. */
const WAITING_BYTES = 4 * 1024 * 1024;

export class PackageWriter {
  readonly path: string;
  private readonly zip = new yazl.ZipFile();
  private readonly written: Promise<void>;
  private readonly failed: Promise<never>;
  private readonly output: Readable & { writableLength: number };
  private before: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.path = path;
    this.output = this.zip.outputStream as Readable & { writableLength: number };
    this.written = pipeline(this.output, createWriteStream(path));
    this.failed = new Promise((_, reject) => this.zip.on('error', reject));
    // Both are told by `finish`, and by whoever waits for a part.
    this.written.catch(() => {});
    this.failed.catch(() => {});
  }

  /** A small part, deflated unless told otherwise. */
  add(name: string, content: string | Uint8Array, { compress = true }: { compress?: boolean } = {}): void {
    const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : asBuffer(content);
    this.zip.addBuffer(bytes, name, { ...SETTINGS, compress });
  }

  /** A part that is packed already, such as an image; comes back when there is room for the next. */
  async addPacked(name: string, bytes: Uint8Array): Promise<void> {
    await Promise.race([this.before, this.failed]);
    this.zip.addBuffer(asBuffer(bytes), name, { ...SETTINGS, compress: false });
    while (this.output.readableLength + this.output.writableLength > WAITING_BYTES)
      await Promise.race([wait(1), this.failed]);
  }

  async addPackedFile(name: string, path: string): Promise<void> {
    await this.addPacked(name, await readFile(path));
  }

  /** A long part, deflated as its pieces are made; comes back when the last is. */
  async addPieces(name: string, pieces: AsyncIterable<string> | Iterable<string>): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const source = Readable.from(inBatches(pieces), { objectMode: false });
    source.once('end', resolve);
    source.once('error', reject);
    this.before = promise;
    promise.catch(() => {});
    this.zip.addReadStreamLazy(name, { ...SETTINGS, compress: true }, (give) => give(null, source));
    await Promise.race([promise, this.failed]);
  }

  async finish(): Promise<{ path: string }> {
    this.zip.end();
    await Promise.race([this.written, this.failed]);
    return { path: this.path };
  }
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
