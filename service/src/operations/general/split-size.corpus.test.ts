// "Split parts do not carry other pages' content: the sum of parts stays within 1.2 times the source plus 20 KB per
// part": every document of the collection beside the clone, split into its pages.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { KIB } from '../../contract/limits.ts';
import { runHere } from '../../jobs/run-here.ts';
import { corpus, judge, missing, noCorpus, pdftotext } from '../judges.ts';
import { type ZipEntry, zipEntries } from './_page-judges.ts';

const skip = noCorpus() || missing('pdftotext', 'pdftoppm');

/**
 * Documents whose every page needs by itself, in glyphs it shows and pictures it draws, more than its share: how
 * many times the limit their parts may take together, and what fills them.
 */
const HEAVY: Record<string, { times: number; filledWith: string }> = {
  'pdf-js__issue1350.pdf': {
    times: 1.3,
    filledWith: 'a picture and nearly all of two fonts, the same on all three pages',
  },
  'pdfcpu__pike-stanford.pdf': {
    times: 1.85,
    filledWith:
      'two pictures on every page, and up to six fonts with long instructions for fitting glyphs to pixels',
  },
  'pdfbox__cweb.pdf': {
    times: 1.6,
    filledWith: 'up to eleven Type 1 fonts on a page, encrypted and so not to be packed',
  },
};

const INDEX = new URL('../../../../../shared/corpus/INDEX.tsv', import.meta.url);

/** By the name of the file. */
function readPasswords(): Map<string, string> {
  const [head = '', ...rows] = readFileSync(INDEX, 'utf8').split('\n');
  const at = head.split('\t').indexOf('password');
  const cells = rows.map((row) => row.split('\t'));
  return new Map(cells.map((row) => [row[0]?.split('/').at(-1) ?? '', row[at] ?? '']));
}
const passwords = noCorpus() ? new Map<string, string>() : readPasswords();

/** Frames of links lead elsewhere once pages are alone; all else is drawn as before. */
const picture = (bytes: Uint8Array, page: number): string =>
  createHash('sha256')
    .update(
      judge(
        'pdftoppm',
        ['-hide-annotations', '-r', '36', '-f', String(page), '-l', String(page), '{}'],
        bytes,
        [0, 1, 99],
      ),
    )
    .digest('hex');

for (const path of corpus('.')) {
  const file = path.slice(path.lastIndexOf('/') + 1);
  const password = passwords.get(file) ?? '';
  test(`parts of ${path.slice(path.indexOf('/corpus/') + 8)}`, { skip }, async (t) => {
    const source = readFileSync(path);
    const params: Record<string, string> = password === '' ? {} : { inputPassword: password };
    const ran = await runHere('general/split-pages', { files: { fileInput: path }, params });
    if (ran.state !== 'made') return t.skip('it cannot be opened');
    const parts = await zipEntries(ran.bytes);
    if (parts.length < 2) return t.skip('it has one page');
    const sum = parts.reduce((total, { bytes }) => total + bytes.length, 0);
    const limit = 1.2 * source.length + 20 * KIB * parts.length;
    assert.ok(
      sum <= limit * (HEAVY[file]?.times ?? 1),
      `${sum} bytes in ${parts.length} parts of ${source.length}`,
    );
    if (HEAVY[file]) assert.ok(sum > limit, 'it is no longer one of the heavy ones');
    // What a damaged file's pages are, programs see differently.
    if (password === '' && !/\/(?:malformed|broken-)/.test(path)) looksTheSame(source, parts);
  });
}

/** One page of each document is looked at. */
function looksTheSame(source: Buffer, parts: readonly ZipEntry[]): void {
  const index = Math.floor(parts.length / 2);
  const part = parts[index]?.bytes ?? Buffer.alloc(0);
  const page = String(index + 1);
  assert.equal(pdftotext(part), pdftotext(source, '-f', page, '-l', page));
  assert.equal(picture(part, 1), picture(source, index + 1));
}
