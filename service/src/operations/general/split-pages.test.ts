import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { failed, made, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { fixture } from '../../../testing/documents/collection.ts';
import { pdfOf, streamOf } from '../../../testing/documents/written-pdf.ts';
import {
  pageObjects,
  plainBytes,
  surveyBytes,
  type ZipEntry,
  zipEntries,
} from '../../../testing/oracles/pages.ts';
import { missing, pdfinfo, pdftotext, qpdfCheck } from '../../../testing/oracles/programs.ts';

const TIED = fixture('tied-pages.pdf');
const skip = missing('qpdf', 'pdfinfo', 'pdftotext');

async function split(
  params: Record<string, string>,
  bytes: Uint8Array = readFileSync(TIED),
): Promise<ZipEntry[]> {
  const ran = await runHere('general/split-pages', {
    files: { fileInput: { name: 'doc.pdf', bytes } },
    params,
  });
  assert.equal(madeName(ran), 'doc_split.zip');
  return zipEntries(made(ran));
}

/** Pages that show their number, all with one dictionary of resources and a noisy image each. */
function numbered(count: number): Buffer {
  const pages = Array.from({ length: count }, (_, index) => 5 + index * 3);
  const noise = (seed: number): string => {
    let state = seed + 1;
    return Array.from({ length: 3000 }, () => {
      state = (state * 48271) % 2147483647;
      return String.fromCharCode(state & 0xff);
    }).join('');
  };
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${count} /MediaBox [0 0 200 200] /Resources 3 0 R /Kids [${pages.map((page) => `${page} 0 R`).join(' ')}] >>`,
    `<< /Font << /F1 4 0 R >> /XObject << ${pages.map((page, index) => `/Im${index} ${page + 2} 0 R`).join(' ')} >> >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((page, index) => [
      `<< /Type /Page /Parent 2 0 R /Contents ${page + 1} 0 R >>`,
      streamOf(`BT /F1 12 Tf 9 9 Td (number ${index + 1}.) Tj ET q 50 0 0 50 20 20 cm /Im${index} Do Q`),
      streamOf(
        noise(index),
        '/Type /XObject /Subtype /Image /Width 1000 /Height 1 /ColorSpace /DeviceRGB /BitsPerComponent 8',
      ),
    ]),
  ]);
}

// "of 20 pages `1,3,5-9` makes 8 files, `all` 20, `2n+1` 10, `3n` 7"
const COUNTS: [string, number[]][] = [
  ['1,3,5-9', [1, 2, 2, 1, 1, 1, 1, 11]],
  ['all', Array(20).fill(1)],
  ['2n+1', [3, 2, 2, 2, 2, 2, 2, 2, 2, 1]],
  ['3n', [3, 3, 3, 3, 3, 3, 2]],
  ['20', [20]],
  ['99n', [20]],
  ['5,5,3', [3, 2, 15]],
];

const TWENTY = numbered(20);

for (const [pageNumbers, counts] of COUNTS) {
  test(`cutting 20 pages after ${pageNumbers} makes ${counts.length} parts`, { skip }, async () => {
    const parts = await split({ pageNumbers }, TWENTY);
    assert.deepEqual(
      parts.map(({ name }) => name),
      counts.map((_, index) => `doc_${index + 1}.pdf`),
    );
    let next = 1;
    for (const [index, { bytes }] of parts.entries()) {
      qpdfCheck(bytes);
      const expected = Array.from({ length: counts[index] ?? 0 }, () => next++);
      assert.deepEqual(
        [...pdftotext(bytes).matchAll(/number (\d+)\./g)].map((match) => Number(match[1])),
        expected,
      );
      assert.equal(pageObjects(bytes), expected.length);
    }
    const sum = parts.reduce((total, { bytes }) => total + bytes.length, 0);
    assert.ok(sum <= 1.2 * TWENTY.length + 20 * 1024 * parts.length);
    // Tighter than the rule: an image per page is all that a part may carry of the shared dictionary.
    for (const [index, { bytes }] of parts.entries())
      assert.ok(bytes.length < 2000 + (counts[index] ?? 0) * 4000);
  });
}

test('no part holds words of another', { skip }, async () => {
  const parts = await split({});
  assert.equal(parts.length, 4);
  for (const [index, { bytes }] of parts.entries()) {
    qpdfCheck(bytes);
    const plain = plainBytes(bytes);
    for (const page of [1, 2, 3, 4]) {
      assert.equal(plain.includes(`page ${page})`), page === index + 1, `page ${page} in part ${index + 1}`);
    }
  }
});

test('each part keeps what belongs to its pages', { skip }, async () => {
  const [first, second, third] = (await split({ pageNumbers: '2,3' })).map(({ bytes }) => surveyBytes(bytes));
  assert.deepEqual(
    first?.outline.map(({ title, to }) => [title, to]),
    [
      ['Part A', 0],
      ['A one', 1],
      ['Web', null],
      ['By number', 1],
    ],
  );
  assert.deepEqual(first?.links, [
    { from: 0, to: 1 },
    { from: 1, to: 0 },
  ]);
  assert.deepEqual(
    first?.fields.map(({ name }) => name),
    ['name', 'grp', 'grp.a'],
  );
  assert.deepEqual(
    second?.fields.map(({ name }) => name),
    ['agree', 'grp', 'grp.b'],
  );
  assert.deepEqual(
    third?.fields.map(({ name }) => name),
    ['sig'],
  );
  assert.deepEqual([first?.pageLabels, second?.pageLabels, third?.pageLabels], [['i', 'ii'], ['A-1'], ['5']]);
  assert.deepEqual([first?.attachments, second?.attachments, third?.attachments], [['note.txt'], [], []]);
  for (const part of [first, second, third]) {
    assert.deepEqual(part?.layers, ['Layer one']);
    assert.equal(part?.tagged, true);
    assert.ok((part?.structureElements ?? 0) >= 2);
  }
  // Document, heading, two paragraphs and the link; document and paragraph; document, paragraph and the empty one.
  assert.deepEqual(
    [first, second, third].map((part) => part?.structureElements),
    [5, 2, 3],
  );
});

test('metadata goes into every part', { skip }, async () => {
  for (const { bytes } of await split({ pageNumbers: '2' })) {
    assert.equal(pdfinfo(bytes).Title, 'Tied pages');
    assert.equal(pdfinfo(bytes).Author, 'Bindery');
    assert.ok(plainBytes(bytes).includes('<rdf:li xml:lang="x-default">Tied pages'));
  }
});

test('a page is the same in its part as after removing the others', { skip }, async () => {
  const parts = await split({});
  const removed = await runHere('general/remove-pages', {
    files: { fileInput: TIED },
    params: { pageNumbers: '1,3,4' },
  });
  const part = surveyBytes(parts[1]?.bytes ?? Buffer.alloc(0));
  assert.deepEqual({ ...surveyBytes(made(removed)), attachments: [] }, part);
});

test('parts have object streams where the document has', { skip }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bindery-split-'));
  try {
    for (const [objectStreams, isPacked] of [
      ['disable', false],
      ['generate', true],
    ] as const) {
      const path = join(folder, `${objectStreams}.pdf`);
      execFileSync('qpdf', [`--object-streams=${objectStreams}`, '--min-version=1.7', TIED, path]);
      for (const { bytes } of await split({}, readFileSync(path))) {
        qpdfCheck(bytes);
        assert.equal(bytes.includes('/ObjStm'), isPacked);
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const REFUSED: [string, string][] = [
  ['21', 'page_out_of_range'],
  ['1-21', 'page_out_of_range'],
  ['1/0*n', 'invalid_page_selection'],
  ['x', 'invalid_page_selection'],
];

for (const [pageNumbers, reason] of REFUSED) {
  test(`${JSON.stringify(pageNumbers)} is refused as ${reason}`, async () => {
    const files = { fileInput: { name: 'doc.pdf', bytes: TWENTY } };
    assert.equal(
      failed(await runHere('general/split-pages', { files, params: { pageNumbers } })).reason,
      reason,
    );
  });
}
