import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fixture, quiet } from '../../../testing/documents/small-pdf.ts';
import { missing } from '../../../testing/oracles/programs.ts';
import { createPoppler } from './poppler.ts';

const dir = mkdtempSync(join(tmpdir(), 'bindery-poppler-'));
after(() => rmSync(dir, { recursive: true, force: true }));
let files = 0;
const poppler = createPoppler({
  log: quiet,
  newFile: (extension) => {
    files += 1;
    return join(dir, `${files}.${extension}`);
  },
});
const skip = missing('pdftotext');

test('words of every page, from a file and from memory', { skip }, async () => {
  const { content } = fixture('text-two-pages.pdf');
  for (const given of [content, { bytes: readFileSync(content.path) }]) {
    const words = await poppler.words(given);
    assert.ok(Array.isArray(words));
    assert.equal(words.length, 2);
    assert.ok(words.every(({ words: each }) => each.length > 20));
  }
});

test('a document that it gives up on is not one without words', { skip }, async () => {
  assert.equal(await poppler.words({ bytes: Buffer.from('%PDF-1.7 nothing') }), 'gave-up');
  assert.equal(await poppler.words({ bytes: Buffer.of() }), 'gave-up');
});
