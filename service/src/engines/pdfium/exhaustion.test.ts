import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { inMemory, onePagePdf, quiet } from '../../../testing/documents/small-pdf.ts';
import { GIB, MIB } from '../../contract/limits.ts';
import { Problem } from '../../contract/problems.ts';
import { loadLibrary } from './library.ts';
import { createPdfium, isPoisoned } from './pdfium.ts';

test('a document that unpacks past the memory of the engine is memory_exceeded', async () => {
  const library = await loadLibrary();
  const pdfium = await createPdfium({ passwords: [], log: quiet });
  // Most of the memory is taken, though never touched: a small bomb does for a large one.
  library.allocate(GIB - 64 * MIB);
  const packed = deflateSync(Buffer.alloc(100 * MIB, ' ')).toString('latin1');
  const bytes = Buffer.from(onePagePdf(packed))
    .toString('latin1')
    .replace('<<  /Length', '<< /Filter /FlateDecode /Length');
  const document = pdfium.open(inMemory('bomb.pdf', Buffer.from(bytes, 'latin1')));
  assert.throws(
    () => document.pageText(0),
    (error) => error instanceof Problem && error.reason === 'memory_exceeded',
  );
  assert.equal(isPoisoned(), true);
  assert.ok(library.heap().length <= GIB * 1.2);
  pdfium.close();
});
