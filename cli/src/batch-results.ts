// What a batch made: the files of its ZIP put where they belong, or the ZIP itself, and what came of each file.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { BATCH_MANIFEST, type BatchEntry, BinderyError, FileResult, readBatchManifest } from '@bindery/sdk';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { type Destination, type Kept, keep } from './outputs.ts';

export interface BatchReport extends Partial<Kept> {
  input: string;
  error?: unknown;
  /** The service made something of it; an error is then one of this machine. */
  wasMade: boolean;
}

/** A manifest of 500 files has far less. */
const MANIFEST_BYTES = 16 * 1024 ** 2;
const MOST_ENTRIES = 10_000;
/** What is unpacked from one answer, whatever it claims. */
const UNPACKED_BYTES = 8 * 1024 ** 3;

const strange = (error?: unknown): BinderyError =>
  error instanceof BinderyError
    ? error
    : new BinderyError('The result of the batch is not the ZIP that was promised.', {
        ...{ code: 'bad_response', reason: 'bad_response', cause: error },
        hint: 'Check that the address is that of a Bindery service.',
      });

/** The ZIP stays as it is. */
export async function keepZip(
  result: FileResult,
  destination: Destination,
  labels: readonly string[],
): Promise<BatchReport[]> {
  const { output } = await keep(result, destination);
  const { zip, told } = await opened(output, labels);
  zip.close();
  return told.map((entry, at) => ({ ...reportOf(entry, labels[at]), ...(entry.result ? { output } : {}) }));
}

/** Each result goes into the folder under its own name. */
export async function keepBatch(
  result: FileResult,
  destination: Destination,
  labels: readonly string[],
): Promise<BatchReport[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bindery-batch-'));
  try {
    const path = join(folder, 'batch.zip');
    await result.save(path);
    const { zip, entries, told } = await opened(path, labels);
    try {
      const reports: BatchReport[] = [];
      for (const [at, entry] of told.entries())
        reports.push(await settled(zip, entries, entry, reportOf(entry, labels[at]), destination));
      return reports;
    } finally {
      zip.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const reportOf = ({ file, result, error }: BatchEntry, label: string | undefined): BatchReport => ({
  input: label ?? file,
  wasMade: result !== null,
  ...(error === undefined ? {} : { error }),
});

async function settled(
  zip: ZipFile,
  entries: ReadonlyMap<string, Entry>,
  { result, mediaType }: BatchEntry,
  report: BatchReport,
  destination: Destination,
): Promise<BatchReport> {
  if (result === null) return report;
  try {
    const packed = entries.get(result);
    if (packed === undefined) throw strange();
    return { ...report, ...(await keep(await fileOf(zip, packed, mediaType), destination)) };
  } catch (error) {
    return { ...report, error };
  }
}

/** As if it were an answer of its own: its name is made fit to be saved under, and nobody finds half a file. */
async function fileOf(zip: ZipFile, entry: Entry, mediaType: string): Promise<FileResult> {
  const stream = Readable.toWeb(await zip.openReadStreamPromise(entry)) as ReadableStream<Uint8Array>;
  const headers = new Headers({
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(entry.fileName.toWellFormed())}`,
  });
  if (/^[\w!#$&^.+/-]+$/.test(mediaType)) headers.set('content-type', mediaType);
  return new FileResult(new Response(stream, { headers }), strange);
}

interface OpenedBatch {
  zip: ZipFile;
  entries: ReadonlyMap<string, Entry>;
  told: BatchEntry[];
}

async function opened(path: string, labels: readonly string[]): Promise<OpenedBatch> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch((error: unknown) => {
    throw strange(error);
  });
  try {
    const entries = new Map<string, Entry>();
    let bytes = 0;
    for await (const entry of zip.eachEntry()) {
      bytes += entry.uncompressedSize;
      if (bytes > UNPACKED_BYTES || entries.size >= MOST_ENTRIES) throw strange();
      entries.set(entry.fileName, entry);
    }
    const manifest = entries.get(BATCH_MANIFEST);
    if (manifest === undefined) throw strange();
    const file = await fileOf(zip, manifest, 'application/json');
    const told = readBatchManifest(await file.text({ maxBytes: MANIFEST_BYTES }));
    // Told by their places: names of files may be equal.
    if (told.length !== labels.length) throw strange();
    return { zip, entries, told };
  } catch (error) {
    zip.close();
    throw strange(error);
  }
}
