// A document with its pages made large, so that nothing hides beside them.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileInMemory } from '../../src/contract/files.ts';
import { createQpdf } from '../../src/engines/qpdf/qpdf.ts';
import type { PdfDocument } from '../../src/pdf/document.ts';
import type { Ref } from '../../src/pdf/objects.ts';

/** Runs `look` on the document, opened. */
export function withDocument<T>(bytes: Uint8Array, look: (doc: PdfDocument, save: () => Buffer) => T): T {
  const dir = mkdtempSync(join(tmpdir(), 'bindery-wide-'));
  const opened = createQpdf({ passwords: [], newFile: (extension) => join(dir, `saved.${extension}`) });
  try {
    const doc = opened.engine.open(fileInMemory('a.pdf', bytes));
    return look(doc, () => {
      const saved = doc.save();
      return 'bytes' in saved ? Buffer.from(saved.bytes) : readFileSync(saved.path);
    });
  } finally {
    opened.closeAll();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The document with other boxes for its pages. */
export function withBoxes(bytes: Uint8Array, boxOf: (page: Ref, index: number) => number[]): Buffer {
  return withDocument(bytes, (doc, save) => {
    doc.pages().forEach((ref, index) => {
      const page = doc.edit(ref);
      const box = boxOf(ref, index);
      page.set('MediaBox', box);
      page.set('CropBox', box);
    });
    return save();
  });
}
