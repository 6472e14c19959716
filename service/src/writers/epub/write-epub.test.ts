import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { document, everything, heading, page, paragraph } from '../../../testing/documents/layout-models.ts';
import { zipEntries } from '../../../testing/oracles/archives.ts';
import { bookFaults, noEpubcheck } from '../../../testing/oracles/office-documents.ts';
import { writeEpub } from './write-epub.ts';

const folder = mkdtempSync(join(tmpdir(), 'bindery-epub-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** One pixel. */
const COVER = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AfwD/2Q==',
  'base64',
);

async function epub(model = everything(), detectChapters = true) {
  const path = join(folder, `${Math.random()}.epub`);
  await writeEpub(path, model, {
    name: 'book',
    detectChapters,
    identifier: 'urn:uuid:7f3c1f5e-0000-8000-a000-000000000000',
    modified: '2024-01-02T03:04:05Z',
    cover: COVER,
  });
  const bytes = readFileSync(path);
  return { bytes, entries: await zipEntries(bytes) };
}
const text = (entries: Awaited<ReturnType<typeof zipEntries>>, name: string): string =>
  entries.find((entry) => entry.name === name)?.bytes.toString('utf8') ?? '';

test('epubcheck finds nothing wrong with it', { skip: noEpubcheck() }, async () => {
  assert.deepEqual(bookFaults((await epub()).bytes), []);
});

test('the type of the file comes first, as it is and without extra fields', async () => {
  const { bytes } = await epub();
  assert.equal(bytes.toString('latin1', 30, 58), 'mimetypeapplication/epub+zip');
});

test('chapters follow headings, notes and links stay within the book', async () => {
  const { entries } = await epub();
  const names = entries.map(({ name }) => name).filter((name) => name.includes('chapter-'));
  assert.deepEqual(names, ['OEBPS/chapter-1.xhtml', 'OEBPS/chapter-2.xhtml']);
  const first = text(entries, 'OEBPS/chapter-1.xhtml');
  assert.match(first, /<aside epub:type="footnote"[^>]*id="note-1">/);
  assert.match(first, /href="chapter-2\.xhtml#page-2"/);
  assert.doesNotMatch(first, /Running title|Page 7/);
  assert.match(text(entries, 'OEBPS/nav.xhtml'), /chapter-2\.xhtml#heading-2">Second chapter/);
});

test('bookmarks come before headings', async () => {
  const pages = [1, 2, 3].map((number) =>
    page(number, [heading(`Heading ${number}`, 1, 72), paragraph('words', 100)]),
  );
  const outline = [
    { title: 'Part one', page: 1, children: [{ title: 'Inner', page: 2, children: [] }] },
    { title: 'Part two', page: 3, children: [] },
  ];
  const { entries } = await epub(document(pages, { outline }));
  assert.equal(entries.filter(({ name }) => name.includes('chapter-')).length, 2);
  assert.match(text(entries, 'OEBPS/chapter-2.xhtml'), /<title>Part two<\/title>/);
});

test('without chapters the book is one flow', async () => {
  const { entries } = await epub(everything(), false);
  assert.equal(entries.filter(({ name }) => name.includes('chapter-')).length, 1);
});
