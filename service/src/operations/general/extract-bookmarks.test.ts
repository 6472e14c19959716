import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { madeJson, runHere } from '../../../testing/calls/run-here.ts';
import { corpus, fixture, noCorpus } from '../../../testing/documents/collection.ts';
import { pdfOf, streamOf } from '../../../testing/documents/written-pdf.ts';
import { askProgram, missing } from '../../../testing/oracles/programs.ts';

const skip = missing('qpdf');

interface Entry {
  title: string;
  pageNumber: number;
  children: Entry[];
}
const extract = async (bytes: Buffer): Promise<Entry[]> =>
  madeJson(
    await runHere('general/extract-bookmarks', { files: { fileInput: { name: 'a.pdf', bytes } } }),
  ) as Entry[];

const entry = (title: string, pageNumber: number, children: Entry[] = []): Entry => ({
  title,
  pageNumber,
  children,
});

/** Three pages; the catalog and further objects from 7 on are given. */
const threePages = (catalog: string, more: string[]): Buffer =>
  pdfOf([
    `<< /Type /Catalog /Pages 2 0 R /Outlines 7 0 R ${catalog} >>`,
    '<< /Type /Pages /Kids [3 0 R 4 0 R 5 0 R] /Count 3 /MediaBox [0 0 100 100] >>',
    ...[1, 2, 3].map(() => '<< /Type /Page /Parent 2 0 R /Contents 6 0 R >>'),
    streamOf(''),
    ...more,
  ]);
/** Siblings from object 8 on, below the outline in object 7. */
const siblings = (entries: string[]): string[] => [
  `<< /First 8 0 R /Last ${entries.length + 7} 0 R >>`,
  ...entries.map(
    (each, i) => `<< /Parent 7 0 R ${i + 1 < entries.length ? `/Next ${i + 9} 0 R` : ''} ${each} >>`,
  ),
];

test('a document without outline gives an empty list', async () => {
  assert.deepEqual(await extract(readFileSync(fixture('text-two-pages.pdf'))), []);
});

test('every kind of destination is followed; what leads nowhere has page 1', async () => {
  const catalog =
    '/Dests << /old [4 0 R /Fit] >> /Names << /Dests << /Kids [<< /Limits [(a) (z)] /Names [(new) << /D [5 0 R /Fit] >>] >>] >> >>';
  const bytes = threePages(
    catalog,
    siblings([
      '/Title (explicit) /Dest [5 0 R /XYZ null null null]',
      '/Title (name) /Dest /old',
      '/Title (string) /Dest (new)',
      '/Title (string of the old table) /Dest (old)',
      '/Title (action) /A << /S /GoTo /D (new) >>',
      '/Title (number) /Dest [1 /Fit]',
      '/Title (none)',
      '/Title (unknown) /Dest (nowhere)',
      '/Title (no page) /Dest [6 0 R /Fit]',
      '/Title (far) /Dest [99 /Fit]',
      '/Title (elsewhere) /A << /S /GoToR /F (b.pdf) /D [2 /Fit] >>',
      '/Dest [4 0 R /Fit]',
      '/Title <feff00dc> /Dest [4 0 R /Fit]',
    ]),
  );
  assert.deepEqual(await extract(bytes), [
    entry('explicit', 3),
    entry('name', 2),
    entry('string', 3),
    entry('string of the old table', 2),
    entry('action', 3),
    entry('number', 2),
    ...['none', 'unknown', 'no page', 'far', 'elsewhere'].map((title) => entry(title, 1)),
    entry('', 2),
    entry('Ü', 2),
  ]);
});

const HOSTILE: [string, string[], string[]][] = [
  [
    'an entry that follows itself',
    ['<< /First 8 0 R >>', '<< /Title (a) /Next 8 0 R /First 8 0 R >>'],
    ['a'],
  ],
  [
    'a child that leads back to the root',
    ['<< /First 8 0 R >>', '<< /Title (a) /First 7 0 R /Next 7 0 R >>'],
    ['a'],
  ],
  ['an entry that is a page', ['<< /First 3 0 R >>'], []],
  ['an outline of a wrong type', ['[1 2 3]'], []],
  ['an entry written directly', ['<< /First << /Title (a) >> >>'], []],
];
for (const [what, more, titles] of HOSTILE) {
  test(`${what} ends without harm`, async () => {
    const read = await extract(threePages('', more));
    assert.deepEqual(
      read.map(({ title }) => title),
      titles,
    );
  });
}

test('an outline 5000 levels deep is cut, not followed to the end', async () => {
  const levels = Array.from({ length: 5000 }, (_, i) => `<< /Title (t) /First ${i + 9} 0 R >>`);
  let deep = await extract(threePages('', ['<< /First 8 0 R >>', ...levels]));
  let depth = 0;
  for (; deep[0]; depth += 1) deep = deep[0].children;
  assert.ok(depth >= 32 && depth <= 200, String(depth));
});

test('real outlines are read as qpdf reads them', { skip: skip || noCorpus() }, async () => {
  type Kid = { title: string; destpageposfrom1: number | null; kids: Kid[] };
  const compare = (read: Entry[], wanted: Kid[], path: string): void => {
    assert.deepEqual(
      read.map(({ title }) => title),
      wanted.map(({ title }) => title),
      path,
    );
    wanted.forEach(({ destpageposfrom1, kids }, index) => {
      // Where qpdf finds no page we may: it does not look into every kind of name table.
      if (destpageposfrom1 !== null) assert.equal(read[index]?.pageNumber, destpageposfrom1, path);
      compare(read[index]?.children ?? [], kids, path);
    });
  };
  for (const path of corpus('pdf/outline', 'pdf/multipage-text')) {
    const bytes = readFileSync(path);
    const json = askProgram('qpdf', ['--json', '--json-key=outlines', '{}'], bytes, [0, 3]);
    compare(await extract(bytes), (JSON.parse(json) as { outlines: Kid[] }).outlines, path);
  }
});
