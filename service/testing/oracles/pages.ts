// What tests of page operations ask of a result.

import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { fileInMemory } from '../../src/contract/files.ts';
import { createQpdf } from '../../src/engines/qpdf/qpdf.ts';
import { type Survey, surveyOf } from './document-survey.ts';
import { askProgram, qpdfObjects } from './programs.ts';

/** Our own count of what a document holds; its text and structure are judged by other programs. */
export function surveyBytes(bytes: Uint8Array, passwords: readonly string[] = []): Survey {
  const opened = createQpdf({
    passwords,
    newFile: () => {
      throw new Error('nothing is written here');
    },
  });
  try {
    const doc = opened.engine.open(fileInMemory('result.pdf', bytes));
    return surveyOf(doc);
  } finally {
    opened.closeAll();
  }
}

/** Page objects anywhere in the file. qpdf writes what can be reached, so a page too many was reached. */
export function pageObjects(bytes: Uint8Array): number {
  return Object.values(qpdfObjects(bytes)).filter((object) => {
    const value = object.value as Record<string, unknown> | null | undefined;
    return value !== null && typeof value === 'object' && value['/Type'] === '/Page';
  }).length;
}

/** Everything in the file, streams undone: to look for words that must not be there. */
export const plainBytes = (bytes: Uint8Array): string =>
  askProgram('qpdf', ['--qdf', '--object-streams=disable', '--decode-level=all', '{}', '-'], bytes, [0, 3]);

/** The objects of the file that have this type or subtype. */
export function objectsOf(bytes: Uint8Array, key: string, word: string): Record<string, unknown>[] {
  return Object.values(qpdfObjects(bytes)).flatMap(({ value, stream }) => {
    const dict = (stream?.dict ?? value) as Record<string, unknown> | null | undefined;
    return dict !== null && typeof dict === 'object' && dict[key] === `/${word}` ? [dict] : [];
  });
}

export interface ZipEntry {
  name: string;
  bytes: Buffer;
}

export async function zipEntries(zip: Buffer): Promise<ZipEntry[]> {
  const opened = await new Promise<ZipFile>((resolve, reject) =>
    fromBuffer(zip, { lazyEntries: true }, (error, file) => (error ? reject(error) : resolve(file))),
  );
  const entries: ZipEntry[] = [];
  return new Promise((resolve, reject) => {
    opened.on('error', reject);
    opened.on('end', () => resolve(entries));
    opened.on('entry', (entry: Entry) => {
      opened.openReadStream(entry, (error, stream) => {
        if (error) return reject(error);
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          entries.push({ name: entry.fileName, bytes: Buffer.concat(chunks) });
          opened.readEntry();
        });
      });
    });
    opened.readEntry();
  });
}
