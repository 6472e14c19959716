import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  failed,
  type GivenFile,
  made,
  madeJson,
  madeName,
  runHere,
} from '../../../testing/calls/run-here.ts';
import { fixture } from '../../../testing/documents/collection.ts';
import { onePage } from '../../../testing/documents/written-pdf.ts';
import { askProgram, missing, qpdfCheck, qpdfObjects } from '../../../testing/oracles/programs.ts';

const skip = missing('qpdf', 'pdfinfo');
const TEXT = fixture('text-two-pages.pdf');

interface Entry {
  title: string;
  pageNumber: number;
  children: Entry[];
}
const entry = (title: string, pageNumber: number, children: Entry[] = []): Entry => ({
  title,
  pageNumber,
  children,
});

const edit = (file: GivenFile, bookmarkData: unknown, params: Record<string, string> = {}) =>
  runHere('general/edit-table-of-contents', {
    files: { fileInput: file },
    params: {
      bookmarkData: typeof bookmarkData === 'string' ? bookmarkData : JSON.stringify(bookmarkData),
      ...params,
    },
  });
const extract = async (bytes: Buffer): Promise<unknown> =>
  madeJson(await runHere('general/extract-bookmarks', { files: { fileInput: { name: 'a.pdf', bytes } } }));

/** The outline as qpdf reads it. */
function outline(bytes: Buffer): Entry[] {
  type Kid = { title: string; destpageposfrom1: number; kids: Kid[] };
  const plain = ({ title, destpageposfrom1, kids }: Kid): Entry =>
    entry(title, destpageposfrom1, kids.map(plain));
  const json = JSON.parse(askProgram('qpdf', ['--json', '--json-key=outlines', '{}'], bytes)) as {
    outlines: Kid[];
  };
  return json.outlines.map(plain);
}

const nested = (levels: number): Entry[] =>
  levels === 0 ? [] : [entry(`level ${levels}`, 1, nested(levels - 1))];
const CASES: [string, Entry[]][] = [
  ['one entry', [entry('Ch 1', 1)]],
  [
    'entries below entries',
    [entry('A', 1, [entry('A.1', 2, [entry('A.1.a', 1)]), entry('A.2', 2)]), entry('B', 2)],
  ],
  ['titles in any script', [entry('Überblick', 1), entry('章 \u{1f4d8}', 2), entry('a\\(b)', 1)]],
  ['32 levels', nested(32)],
  ['10 000 entries', Array.from({ length: 10_000 }, (_, i) => entry(String(i), (i % 2) + 1))],
  ['a title of 1000 characters beyond the basic plane', [entry('\u{1f4d8}'.repeat(1000), 1)]],
  ['no entry', []],
];
for (const [what, bookmarks] of CASES) {
  test(`${what}: written, read by qpdf and by extract-bookmarks alike`, { skip }, async () => {
    const ran = await edit(TEXT, bookmarks);
    const bytes = made(ran);
    assert.equal(madeName(ran), 'text-two-pages_with_toc.pdf');
    qpdfCheck(bytes);
    if (what !== '32 levels') assert.deepEqual(outline(bytes), bookmarks);
    const read = await extract(bytes);
    assert.deepEqual(read, bookmarks);
    assert.deepEqual(await extract(made(await edit({ name: 'b.pdf', bytes }, read))), bookmarks);
  });
}

const STYLED = onePage({
  catalog: '/Outlines 5 0 R /PageMode /UseOutlines',
  more: [
    '<< /Type /Outlines /First 6 0 R /Last 6 0 R /Count 2 >>',
    '<< /Title (old) /Parent 5 0 R /A << /S /URI /URI (https://example.org) >> /C [1 0 0] /F 2 /First 7 0 R /Last 7 0 R /Count 1 >>',
    '<< /Title (older) /Parent 6 0 R /Dest [3 0 R /FitH 700] /Mine (kept) >>',
  ],
});

test('replaceExisting=false appends; what was there stays to the letter', { skip }, async () => {
  const bytes = made(
    await edit({ name: 'a.pdf', bytes: STYLED }, [entry('new', 1)], { replaceExisting: 'false' }),
  );
  qpdfCheck(bytes);
  const dicts = Object.values(qpdfObjects(bytes)).map(({ value }) => value as Record<string, unknown>);
  const of = (title: string) => dicts.find((dict) => dict?.['/Title'] === `u:${title}`) ?? {};
  assert.deepEqual(of('old')['/A'], { '/S': '/URI', '/URI': 'u:https://example.org' });
  assert.deepEqual([of('old')['/C'], of('old')['/F'], of('old')['/Count']], [[1, 0, 0], 2, 1]);
  assert.deepEqual([of('older')['/Mine'], (of('older')['/Dest'] as unknown[])[1]], ['u:kept', '/FitH']);
  assert.deepEqual(dicts.find((dict) => dict?.['/Type'] === '/Outlines')?.['/Count'], 3);
  assert.deepEqual(await extract(bytes), [entry('old', 1, [entry('older', 1)]), entry('new', 1)]);
});

test('replacing removes the old entries, and an empty list the outline', { skip }, async () => {
  const file = { name: 'a.pdf', bytes: STYLED };
  assert.deepEqual(outline(made(await edit(file, [entry('new', 1)]))), [entry('new', 1)]);
  const none = made(await edit(file, []));
  assert.doesNotMatch(JSON.stringify(qpdfObjects(none)), /Outlines|older/);
  const kept = made(await edit(file, [], { replaceExisting: 'false' }));
  assert.deepEqual(
    outline(kept).map(({ title }) => title),
    ['old'],
  );
});

test('children may be left out, and other members are ignored', { skip }, async () => {
  const bytes = made(await edit(TEXT, [{ title: 'a', pageNumber: 2, id: 7 }]));
  assert.deepEqual(outline(bytes), [entry('a', 2)]);
});

const bad = (children: unknown) => [entry('a', 1), entry('b', 1), { title: 'c', pageNumber: 1, children }];
const REFUSED: [string, unknown, string, RegExp][] = [
  ['text that is not JSON', '[{', 'invalid_parameter', /^bookmarkData must be/],
  ['no list', { title: 'a', pageNumber: 1 }, 'invalid_parameter', /^bookmarkData must be/],
  [
    'an empty title',
    bad([{ title: '', pageNumber: 1 }]),
    'invalid_parameter',
    /bookmarkData\[2\]\.children\[0\]\.title/,
  ],
  [
    'a title of 1001 characters',
    [entry('x'.repeat(1001), 1)],
    'invalid_parameter',
    /bookmarkData\[0\]\.title/,
  ],
  [
    'a missing title',
    bad([{ pageNumber: 1 }]),
    'invalid_parameter',
    /bookmarkData\[2\]\.children\[0\]\.title/,
  ],
  [
    'a page number that is text',
    [{ title: 'a', pageNumber: '1' }],
    'invalid_parameter',
    /bookmarkData\[0\]\.pageNumber/,
  ],
  [
    'a broken page number',
    [{ title: 'a', pageNumber: 1.5 }],
    'invalid_parameter',
    /bookmarkData\[0\]\.pageNumber/,
  ],
  ['children that are no list', bad('x'), 'invalid_parameter', /bookmarkData\[2\]\.children/],
  ['33 levels', nested(33), 'invalid_parameter', /bookmarkData/],
  [
    '10 001 entries',
    Array.from({ length: 10_001 }, () => entry('x', 1)),
    'invalid_parameter',
    /bookmarkData.*10000/,
  ],
  ['page 0', [entry('a', 0)], 'page_out_of_range', /bookmarkData\[0\]\.pageNumber is 0.*2 pages/],
  [
    'a page beyond the last',
    bad([entry('d', 3)]),
    'page_out_of_range',
    /bookmarkData\[2\]\.children\[0\]\.pageNumber is 3/,
  ],
];
for (const [what, data, reason, detail] of REFUSED) {
  test(`${what} is refused`, async () => {
    const problem = failed(await edit(TEXT, data));
    assert.equal(problem.reason, reason);
    assert.match(problem.detail, detail);
  });
}

test('bookmarkData is required, replaceExisting is a flag', async () => {
  assert.match(failed(await edit(TEXT, '')).detail, /bookmarkData is required/);
  assert.match(failed(await edit(TEXT, [], { replaceExisting: 'perhaps' })).detail, /replaceExisting/);
});
