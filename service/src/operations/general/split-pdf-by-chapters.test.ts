import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failed, made, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { fixture } from '../../../testing/documents/collection.ts';
import { onePage, pdfOf } from '../../../testing/documents/written-pdf.ts';
import { plainBytes, surveyBytes, zipEntries } from '../../../testing/oracles/pages.ts';
import { missing, pdfinfo, pdftotext, qpdfCheck } from '../../../testing/oracles/programs.ts';

const skip = missing('qpdf', 'pdfinfo', 'pdftotext');

interface Entry {
  title: string;
  page?: number;
  children?: Entry[];
}

/** Pages of different widths, and an outline. */
function book(pages: number, outline: Entry[]): Buffer {
  const objects: string[] = [];
  const kids = Array.from({ length: pages }, (_, index) => `${3 + index} 0 R`);
  const next = 3 + pages;
  const entries: { number: number; text: string }[] = [];
  let free = next + 1;
  const place = (list: Entry[], parent: number): { first: number; last: number } => {
    const numbers = list.map(() => free++);
    list.forEach((entry, index) => {
      const number = numbers[index] ?? 0;
      const below = entry.children?.length ? place(entry.children, number) : undefined;
      entries.push({
        number,
        text: `<< /Title <feff${Buffer.from(entry.title, 'utf16le').swap16().toString('hex')}> /Parent ${parent} 0 R
          ${numbers[index + 1] ? `/Next ${numbers[index + 1]} 0 R` : ''} ${index > 0 ? `/Prev ${numbers[index - 1]} 0 R` : ''}
          ${entry.page ? `/Dest [${2 + entry.page} 0 R /Fit]` : ''} ${below ? `/First ${below.first} 0 R /Last ${below.last} 0 R /Count 1` : ''} >>`,
      });
    });
    return { first: numbers[0] ?? 0, last: numbers.at(-1) ?? 0 };
  };
  const root = place(outline, next);
  objects.push(
    `<< /Type /Catalog /Pages 2 0 R ${outline.length ? `/Outlines ${next} 0 R` : ''} >>`,
    `<< /Type /Pages /Count ${pages} /Kids [${kids.join(' ')}] >>`,
    ...kids.map((_, index) => `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${101 + index} 100] >>`),
    `<< /Type /Outlines /First ${root.first} 0 R /Last ${root.last} 0 R /Count 1 >>`,
    ...entries.sort((a, b) => a.number - b.number).map(({ text }) => text),
  );
  return pdfOf(objects, { trailer: '/Info << /Title (The book) >>' });
}

const BOOK = book(10, [
  {
    title: 'One',
    page: 2,
    children: [
      { title: 'One A', page: 2 },
      { title: 'One B', page: 4 },
    ],
  },
  { title: 'Two', page: 5 },
  { title: 'No target', children: [{ title: 'Deep', page: 7, children: [{ title: 'Deeper', page: 8 }] }] },
  { title: 'Three', page: 9 },
]);

const split = (params: Record<string, string> = {}, bytes: Uint8Array = BOOK) =>
  runHere('general/split-pdf-by-chapters', { files: { fileInput: { name: 'a.pdf', bytes } }, params });

/** Names and page numbers of the parts: widths tell which pages they are. */
async function parts(params: Record<string, string>, bytes?: Uint8Array): Promise<[string, number[]][]> {
  const entries = await zipEntries(made(await split(params, bytes)));
  return entries.map(({ name, bytes: part }) => {
    qpdfCheck(part);
    const info = pdfinfo(part, '-f', '1', '-l', '99');
    const widths = Object.entries(info).filter(([key]) => / size$/.test(key) && key !== 'File size');
    return [name, widths.map(([, value]) => Number.parseInt(value, 10) - 100)];
  });
}

const CASES: [Record<string, string>, [string, number[]][]][] = [
  [
    {},
    [
      ['0 One.pdf', [2, 3, 4]],
      ['1 Two.pdf', [5, 6, 7, 8]],
      ['2 Three.pdf', [9, 10]],
    ],
  ],
  [
    { bookmarkLevel: '1' },
    [
      ['0 One One A.pdf', [2, 3]],
      ['1 One B.pdf', [4]],
      ['2 Two.pdf', [5, 6]],
      ['3 Deep.pdf', [7, 8]],
      ['4 Three.pdf', [9, 10]],
    ],
  ],
  [
    { bookmarkLevel: '31', allowDuplicates: 'true', includeFrontMatter: 'true' },
    [
      ['0 front.pdf', [1]],
      ['1 One.pdf', [2]],
      ['2 One A.pdf', [2, 3]],
      ['3 One B.pdf', [4]],
      ['4 Two.pdf', [5, 6]],
      ['5 Deep.pdf', [7]],
      ['6 Deeper.pdf', [8]],
      ['7 Three.pdf', [9, 10]],
    ],
  ],
];

for (const [params, expected] of CASES) {
  test(`${JSON.stringify(params)} makes ${expected.length} parts`, { skip }, async () => {
    assert.deepEqual(await parts(params), expected);
    assert.equal(madeName(await split(params)), 'a.zip');
  });
}

test('names are padded to equal width, cleaned and cut', { skip }, async () => {
  const titles = [
    'a/b\\c:d*e?f"g<h>i|j\u0001\u202e',
    '',
    'é'.repeat(150),
    '日本語 🎉',
    ...Array(8).fill('same'),
  ];
  const bytes = book(
    12,
    titles.map((title, index) => ({ title, page: index + 1 })),
  );
  assert.deepEqual(
    (await parts({}, bytes)).map(([name]) => name),
    [
      '00 abcdefghij.pdf',
      '01.pdf',
      `02 ${'é'.repeat(100)}.pdf`,
      '03 日本語 🎉.pdf',
      ...[4, 5, 6, 7, 8, 9, 10, 11].map((n) => `${String(n).padStart(2, '0')} same.pdf`),
    ],
  );
});

test('an outline that jumps about still gives every part its pages', { skip }, async () => {
  const bytes = book(5, [
    { title: 'Last', page: 4 },
    { title: 'First', page: 1 },
    { title: 'Also last', page: 4 },
  ]);
  assert.deepEqual(await parts({}, bytes), [
    ['0 First.pdf', [1, 2, 3]],
    ['1 Last Also last.pdf', [4, 5]],
  ]);
});

test('document information comes along only when asked for', { skip }, async () => {
  for (const [includeMetadata, title] of [
    ['true', 'The book'],
    ['false', undefined],
  ] as const) {
    for (const { bytes } of await zipEntries(made(await split({ includeMetadata }))))
      assert.equal(pdfinfo(bytes).Title, title);
  }
});

test('parts keep what belongs to their pages and nothing of the others', { skip }, async () => {
  const ran = await runHere('general/split-pdf-by-chapters', {
    files: { fileInput: fixture('tied-pages.pdf') },
    params: { bookmarkLevel: '1' },
  });
  for (const { bytes } of await zipEntries(made(ran))) {
    const shown = [1, 2, 3, 4].filter((page) => pdftotext(bytes).includes(`Text of page ${page}`));
    const plain = plainBytes(bytes);
    for (const page of [1, 2, 3, 4])
      assert.equal(plain.includes(`(Form of page ${page})`), shown.includes(page));
    assert.equal(surveyBytes(bytes).pages, shown.length);
  }
});

test('nothing to cut at is nothing_found', async () => {
  for (const bytes of [onePage(), book(2, [{ title: 'No target' }])])
    assert.equal(failed(await split({}, bytes)).reason, 'nothing_found');
});

const REFUSED: [Record<string, string>, string][] = [
  [{ bookmarkLevel: '32' }, 'bookmarkLevel'],
  [{ bookmarkLevel: '-1' }, 'bookmarkLevel'],
  [{ includeMetadata: 'x' }, 'includeMetadata'],
  [{ allowDuplicates: 'x' }, 'allowDuplicates'],
  [{ includeFrontMatter: 'x' }, 'includeFrontMatter'],
];

for (const [params, field] of REFUSED) {
  test(`${JSON.stringify(params)} is refused, naming ${field}`, async () => {
    const problem = failed(await split(params));
    assert.equal(problem.reason, 'invalid_parameter');
    assert.ok(problem.detail.includes(field), problem.detail);
  });
}
