import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { madeJson, runHere } from '../../../testing/calls/run-here.ts';
import { corpus, noCorpus } from '../../../testing/documents/collection.ts';
import { onePage } from '../../../testing/documents/written-pdf.ts';
import { pdfinfo } from '../../../testing/oracles/programs.ts';

const properties = async (bytes: Uint8Array) =>
  madeJson(
    await runHere('analysis/document-properties', { files: { fileInput: { name: 'a.pdf', bytes } } }),
  ) as Record<string, string | null>;

const NONE = {
  title: null,
  author: null,
  subject: null,
  keywords: null,
  creator: null,
  producer: null,
  creationDate: null,
  modificationDate: null,
};

const cases: Record<string, { info: string; expected: object }> = {
  'text in every encoding': {
    info: '<< /Title <feff05e905dc05d505ddd83dde00> /Author (J\\374rgen) /Subject <efbbbfe282ac> /Keywords (a\\222b) /Creator () >>',
    expected: {
      title: '\u05e9\u05dc\u05d5\u05dd\u{1f600}',
      author: 'J\u00fcrgen',
      subject: '\u20ac',
      keywords: 'a\u2122b',
      creator: '',
    },
  },
  'dates with their offset': {
    info: "<< /CreationDate (D:20240102150405+02'00') /ModDate (D:20240102150405Z) >>",
    expected: { creationDate: '2024-01-02T15:04:05+02:00', modificationDate: '2024-01-02T15:04:05Z' },
  },
  'unreadable dates are null': { info: '<< /CreationDate (soon) /ModDate 7 >>', expected: {} },
  'values of other types are null': { info: '<< /Title /Name /Author 7 /Subject [(x)] >>', expected: {} },
  'an info dictionary that is none': { info: '[1 2 3]', expected: {} },
};
for (const [what, { info, expected }] of Object.entries(cases)) {
  test(`document-properties: ${what}`, async () => {
    assert.deepEqual(await properties(onePage({ more: [info], trailer: '/Info 5 0 R' })), {
      ...NONE,
      ...expected,
    });
  });
}

for (const trailer of ['', '/Info 1 0 R', '/Info 3 0 R', '/Info 99 0 R', '/Info 4 0 R', '/Info 7']) {
  test(`a document with ${trailer || 'no info dictionary'} has no properties`, async () => {
    assert.deepEqual(await properties(onePage({ trailer })), NONE);
  });
}

test('properties agree with pdfinfo over a collection', { skip: noCorpus() }, async () => {
  const label: [string, string][] = [
    ['title', 'Title'],
    ['author', 'Author'],
    ['producer', 'Producer'],
  ];
  for (const path of corpus('pdf/outline', 'pdf/cjk', 'pdf/text', 'pdf/rtl')) {
    const bytes = readFileSync(path);
    const found = await properties(bytes);
    const told = pdfinfo(bytes);
    for (const [ours, theirs] of label) {
      assert.equal(
        (found[ours] ?? '').replace(/\s+/g, ' ').trim(),
        (told[theirs] ?? '').replace(/\s+/g, ' '),
        `${path} ${ours}`,
      );
    }
    const date = told.ModDate;
    if (date)
      assert.equal(
        Date.parse(found.modificationDate ?? ''),
        Date.parse(date.replace(/([+-]\d\d)$/, '$1:00')),
        path,
      );
  }
});
