import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import sharp from 'sharp';
import { failed, made, madeName, runHere } from '../../../../testing/calls/run-here.ts';
import { corpus, fixture, noCorpus } from '../../../../testing/documents/collection.ts';
import { zipEntries } from '../../../../testing/oracles/archives.ts';
import { bookFaults, noEpubcheck } from '../../../../testing/oracles/office-documents.ts';

const EVERYTHING = fixture('everything.pdf');
const epub = (params: Record<string, string> = {}, file = EVERYTHING) =>
  runHere('convert/pdf/epub', { files: { fileInput: file }, params });

test('a book has chapters by bookmarks, the first page as its cover, and is sound', {
  skip: noEpubcheck(),
}, async () => {
  const ran = await epub();
  assert.equal(madeName(ran), 'everything_convertedToEPUB.epub');
  assert.deepEqual(bookFaults(made(ran)), []);
  const entries = await zipEntries(made(ran));
  assert.ok(entries.filter(({ name }) => name.includes('chapter-')).length > 1);
  const cover = entries.find(({ name }) => name.endsWith('cover.jpg'));
  const { width = 0, height = 0 } = await sharp(cover?.bytes).metadata();
  assert.ok(Math.abs(height / width - 842 / 595) < 0.01);
});

test('for e-ink images are grey, and one flow is one chapter', async () => {
  const entries = await zipEntries(
    made(await epub({ targetDevice: 'KINDLE_EINK_TEXT', detectChapters: 'false' })),
  );
  assert.equal(entries.filter(({ name }) => name.includes('chapter-')).length, 1);
  const images = entries.filter(({ name }) => name.includes('/images/'));
  assert.ok(images.length > 1);
  for (const { name, bytes } of images) assert.equal((await sharp(bytes).metadata()).space, 'b-w', name);
});

const hasCalibre = spawnSync('ebook-convert', ['--version']).error === undefined;

test('AZW3 without Calibre names what is missing', {
  skip: hasCalibre && 'installed: ebook-convert',
}, async () => {
  const problem = failed(await epub({ outputFormat: 'AZW3' }));
  assert.equal(problem.reason, 'missing_dependency');
  assert.match(problem.detail, /ebook-convert/);
});

test('AZW3 is a book for Kindles', { skip: !hasCalibre && 'not installed: ebook-convert' }, async () => {
  const ran = await epub({ outputFormat: 'AZW3' });
  assert.equal(madeName(ran), 'everything_convertedToAZW3.azw3');
  assert.equal(made(ran).toString('latin1', 60, 68), 'BOOKMOBI');
});

test('epubcheck finds no fault in the book of a longer document', {
  skip: noCorpus() || noEpubcheck(),
}, async () => {
  const [path] = corpus('pdf').filter((each) => each.includes('adobe_errata'));
  assert.ok(path);
  assert.deepEqual(bookFaults(made(await epub({}, path))), []);
});
