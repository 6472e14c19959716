// A file's bytes as a stream of a document, without ever holding them: the C API takes stream data only from
// memory, but copies streams between documents by reference. So the file is wrapped into a small document of its
// own on disk, and qpdf reads it from there while it writes.
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { Ref } from '../../pdf/objects.ts';

const CHUNK_BYTES = 1024 * 1024;

const OBJECTS = [
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 1 1] >>',
];

/** Where the stream stands in the wrapping document. */
export const WRAPPED = new Ref(OBJECTS.length + 1);

/** Writes a document at `target` whose one stream holds the `size` bytes of `source`. */
export function wrapFile(source: string, size: number, target: string): void {
  const from = openSync(source, 'r');
  const to = openSync(target, 'wx', 0o600);
  try {
    const offsets: number[] = [];
    let head = '%PDF-1.4\n';
    const add = (object: string): void => {
      offsets.push(head.length);
      head += `${offsets.length} 0 obj\n${object}`;
    };
    for (const object of OBJECTS) add(`${object}\nendobj\n`);
    add(`<< /Length ${size} >>\nstream\n`);
    writeSync(to, head, null, 'latin1');
    copyAll(from, to, size);
    writeSync(to, tail(offsets, head.length + size), null, 'latin1');
  } finally {
    closeSync(from);
    closeSync(to);
  }
}

function tail(offsets: readonly number[], end: number): string {
  const close = '\nendstream\nendobj\n';
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const count = offsets.length + 1;
  return `${close}xref\n0 ${count}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${end + close.length}\n%%EOF\n`;
}

function copyAll(from: number, to: number, size: number): void {
  const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, Math.max(size, 1)));
  for (let left = size; left > 0; ) {
    const read = readSync(from, chunk, 0, Math.min(chunk.length, left), null);
    if (read === 0) throw new Error('the file became shorter while it was read');
    writeSync(to, chunk, 0, read);
    left -= read;
  }
}
