import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixture, quiet } from '../../../testing/documents/small-pdf.ts';
import { Problem } from '../../contract/problems.ts';
import { loadLibrary } from './library.ts';
import { createPdfium, isPoisoned } from './pdfium.ts';

const problem = (run: () => unknown): Problem => {
  try {
    run();
  } catch (error) {
    assert(error instanceof Problem, String(error));
    return error;
  }
  return assert.fail('nothing was thrown');
};

test('a refused allocation is memory_exceeded and harms nothing', async () => {
  const library = await loadLibrary();
  assert.equal(problem(() => library.allocate(2 ** 31 - 65_536)).reason, 'memory_exceeded');
  assert.equal(isPoisoned(), false);
});

test('a trap poisons the engine for good, and closing still works', async () => {
  const library = await loadLibrary();
  const pdfium = await createPdfium({ passwords: [], log: quiet });
  const document = pdfium.open(fixture('text-two-pages.pdf'));
  document.pageText(0);

  // A handle that points nowhere: the call reads outside the instance's memory.
  const trap = problem(() => library.native.FPDF_GetPageCount(0x7fff_fff0));
  assert.equal(trap.reason, 'internal');
  assert.equal((trap.cause as Error).name, 'RuntimeError');
  assert.equal(isPoisoned(), true);

  assert.equal(problem(() => document.pageText(1)).reason, 'internal');
  assert.equal(problem(() => pdfium.open(fixture('text-two-pages.pdf'))).reason, 'internal');
  document.close();
  pdfium.close();
});
