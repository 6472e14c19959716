// "Split parts do not carry other pages' content: the sum of parts stays within 1.2 times the source plus 20 KB per
// part": every document of the collection beside the clone, split into its pages.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { made, runHere } from '../../../testing/calls/run-here.ts';
import { corpus, corpusFolder, noCorpus } from '../../../testing/documents/collection.ts';
import { type ZipEntry, zipEntries } from '../../../testing/oracles/pages.ts';
import { askProgramBytes, missing, pdftotext } from '../../../testing/oracles/programs.ts';
import { KIB } from '../../contract/limits.ts';

const skip = noCorpus() || missing('pdftotext', 'pdftoppm');

const ROOT = corpusFolder('.');
const read = (name: string): string => (noCorpus() ? '{}' : readFileSync(new URL(name, ROOT), 'utf8'));
const facts = JSON.parse(read('facts.json')) as Record<string, { pages_qpdf: number | null }>;

/** By the name of the file. */
function readPasswords(): Map<string, string> {
  const [head = '', ...rows] = read('INDEX.tsv').split('\n');
  const at = head.split('\t').indexOf('password');
  const cells = rows.map((row) => row.split('\t'));
  return new Map(cells.map((row) => [row[0] ?? '', row[at] ?? '']));
}
const passwords = readPasswords();

/** Frames of links lead elsewhere once pages are alone; all else is drawn as before. */
const image = (bytes: Uint8Array, page: number): string =>
  createHash('sha256')
    .update(
      askProgramBytes(
        'pdftoppm',
        ['-hide-annotations', '-r', '36', '-f', String(page), '-l', String(page), '{}'],
        bytes,
        [0, 1, 99],
      ),
    )
    .digest('hex');

for (const path of corpus('.')) {
  const name = `shared/${path.slice(path.indexOf('/corpus/') + 8)}`;
  const pages = facts[name]?.pages_qpdf ?? 0;
  if (pages < 2) continue;
  test(`parts of ${name}`, { skip }, async () => {
    const source = readFileSync(path);
    const password = passwords.get(name) ?? '';
    const params: Record<string, string> = password === '' ? {} : { inputPassword: password };
    const ran = await runHere('general/split-pages', { files: { fileInput: path }, params });
    const parts = await zipEntries(made(ran));
    assert.equal(parts.length, pages);
    const sum = parts.reduce((total, { bytes }) => total + bytes.length, 0);
    const limit = 1.2 * source.length + 20 * KIB * parts.length;
    assert.ok(sum <= limit, `${sum} bytes in ${pages} parts of ${source.length}`);
    // What a damaged file's pages are, programs see differently.
    if (password === '' && !/\/(?:malformed|broken-)/.test(path)) looksTheSame(source, parts);
  });
}

if (noCorpus()) test('parts of every document of the collection', { skip });

/** One page of each document is looked at. */
function looksTheSame(source: Buffer, parts: readonly ZipEntry[]): void {
  const index = Math.floor(parts.length / 2);
  const part = parts[index]?.bytes ?? Buffer.alloc(0);
  const page = String(index + 1);
  assert.equal(pdftotext(part), pdftotext(source, '-f', page, '-l', page));
  assert.equal(image(part, 1), image(source, index + 1));
}
