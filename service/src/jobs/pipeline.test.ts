// Operations 9, with real operations, through planning and the executor.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import {
  failed,
  type GivenFile,
  made,
  madeJson,
  madeName,
  type Ran,
  runPipelineHere,
} from '../../testing/calls/run-here.ts';
import { fixture } from '../../testing/documents/collection.ts';
import { pdfOf } from '../../testing/documents/written-pdf.ts';
import { zipEntries } from '../../testing/oracles/archives.ts';
import { withoutOffice } from '../../testing/oracles/office-program.ts';
import { missing, pdfinfo, pdftotext } from '../../testing/oracles/programs.ts';
import { closeBrowser, probe as probeBrowser } from '../engines/browser/browser.ts';

after(closeBrowser);

const TEXT = readFileSync(fixture('text-two-pages.pdf'));
const LOCKED = readFileSync(fixture('everything-locked.pdf'));

const named = (name: string, bytes: Uint8Array = TEXT): GivenFile => ({ name, bytes });

/** A document of so many empty pages. */
function pagesOf(count: number): Buffer {
  const kids = Array.from({ length: count }, (_, n) => `${n + 3} 0 R`).join(' ');
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`,
    ...Array(count).fill('<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] >>'),
  ]);
}

interface Step {
  op?: unknown;
  params?: unknown;
  [alias: string]: unknown;
}

const pipe = (
  steps: readonly Step[] | string,
  files: GivenFile | GivenFile[] = named('a.pdf'),
  more: { files?: Record<string, GivenFile | GivenFile[]>; params?: Record<string, string> } = {},
): Promise<Ran> =>
  runPipelineHere({
    files: { fileInput: files, ...more.files },
    params: { steps: typeof steps === 'string' ? steps : JSON.stringify(steps), ...more.params },
  });

const ROTATE = { op: 'general/rotate-pdf', params: { angle: 90 } };
const SPLIT = { op: 'general/split-pages' };
const COUNT = { op: 'analysis/page-count' };
const noPdfinfo = missing('pdfinfo');
const rotationOf = (bytes: Buffer): string | undefined => pdfinfo(bytes)['Page rot'];
const namesIn = async (ran: Ran): Promise<string[]> => (await zipEntries(made(ran))).map(({ name }) => name);

test('an operation is named by its path, with or without /api/v1, or by its last segment', {
  skip: noPdfinfo,
}, async () => {
  for (const op of [
    'general/rotate-pdf',
    '/api/v1/general/rotate-pdf',
    'api/v1/general/rotate-pdf',
    '/general/rotate-pdf',
    'rotate-pdf',
  ]) {
    assert.equal(rotationOf(made(await pipe([{ op }]))), '90', op);
  }
});

test('operation and parameters are other words for op and params; params may be absent', {
  skip: noPdfinfo,
}, async () => {
  assert.equal(
    rotationOf(made(await pipe([{ operation: 'rotate-pdf', parameters: { angle: 180 } }]))),
    '180',
  );
  assert.equal(rotationOf(made(await pipe([{ op: 'rotate-pdf' }]))), '90');
});

test('params are JSON values or the text a form would carry', { skip: noPdfinfo }, async () => {
  for (const angle of [270, '270'])
    assert.equal(rotationOf(made(await pipe([{ op: 'rotate-pdf', params: { angle } }]))), '270');
  const kept = async (pageNumbers: unknown) =>
    pdfinfo(made(await pipe([{ op: 'remove-pages', params: { pageNumbers } }], named('a.pdf', pagesOf(9)))))
      .Pages;
  for (const pages of ['1,3-4', ['1', '3-4'], [1, 3, 4]])
    assert.equal(await kept(pages), '6', JSON.stringify(pages));
  assert.equal(await kept(2), '8');
});

test('what is wrong with steps is said before anything runs, with step and op where they apply', async () => {
  const cases: [sent: Step[] | string, detail: RegExp, at: { step?: number; op?: string }][] = [
    ['not json', /steps must be a JSON array.*not valid JSON/, {}],
    ['{}', /steps must be a JSON array/, {}],
    ['[]', /1 to 50/, {}],
    ['[1]', /steps\[0\]\.op must name an operation/, { step: 0 }],
    [[ROTATE, { op: 'general/fold' }], /steps\[1\]\.op "general\/fold" is not an operation/, { step: 1 }],
    [[ROTATE, { op: 'toString' }], /not an operation/, { step: 1 }],
    [
      [{ op: 'rotate-pdf', params: [] }],
      /steps\[0\]\.params must be an object/,
      { step: 0, op: 'general/rotate-pdf' },
    ],
    [[{ op: 'general/fold', params: 5 }], /steps\[0\]\.op "general\/fold" is not/, { step: 0 }],
    [
      [{ op: 'add-image' }],
      /imageFile is required: give params imageFile@part.* or imageFile@upload/,
      { step: 0, op: 'misc/add-image' },
    ],
    [[ROTATE, { op: 'rotate-pdf', params: { angle: 45 } }], /angle/, { step: 1, op: 'general/rotate-pdf' }],
    [[ROTATE, { op: 'rotate-pdf', params: { angle: true } }], /angle/, { step: 1, op: 'general/rotate-pdf' }],
    [[{ op: 'filter-contains-text' }], /text is required/, { step: 0, op: 'filter/filter-contains-text' }],
    [
      [{ op: 'rotate-pdf', params: { fileInput: 'x' } }],
      /fileInput does not belong in a step/,
      { step: 0, op: 'general/rotate-pdf' },
    ],
    [[COUNT, ROTATE], /analysis\/page-count fits only the last step/, { step: 1, op: 'general/rotate-pdf' }],
    [
      [{ op: 'show-javascript' }, ROTATE],
      /general\/rotate-pdf takes pdf, but misc\/show-javascript gives javascript/,
      { step: 1, op: 'general/rotate-pdf' },
    ],
    [Array(51).fill(ROTATE), /1 to 50/, {}],
  ];
  // A file that is no PDF shows that nothing ran.
  for (const [sent, detail, at] of cases) {
    const {
      reason,
      detail: said,
      step,
      op,
    } = failed(await pipe(sent, named('a.pdf', Buffer.from('no PDF'))));
    assert.equal(reason, 'invalid_parameter');
    assert.match(said, detail);
    assert.deepEqual({ step, op }, { step: at.step, op: at.op }, said);
  }
  const selection = failed(await pipe([{ op: 'rotate-pdf', params: { pageNumbers: '0' } }]));
  assert.deepEqual(
    [selection.reason, selection.step, selection.op],
    ['invalid_page_selection', 0, 'general/rotate-pdf'],
  );
});

test('fifty steps run', { skip: noPdfinfo }, async () => {
  assert.equal(rotationOf(made(await pipe(Array(50).fill(ROTATE)))), '180');
});

test('one to a hundred files', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => named(`${n}.pdf`, pagesOf(1)));
  for (const count of [0, 101]) {
    const { reason, detail } = failed(await pipe([ROTATE], many(count)));
    assert.equal(reason, 'invalid_parameter');
    assert.match(detail, /fileInput.*1 to 100/);
  }
  assert.equal((await namesIn(await pipe([ROTATE], many(100)))).length, 100);
});

test('a step runs once per file, and several results are output.zip', { skip: noPdfinfo }, async () => {
  const ran = await pipe([ROTATE], [named('a.pdf'), named('b.pdf'), named('a.pdf')]);
  assert.equal(madeName(ran), 'output.zip');
  assert.equal(ran.state === 'made' && ran.result.mediaType, 'application/octet-stream');
  const entries = await zipEntries(made(ran));
  assert.deepEqual(
    entries.map(({ name }) => name),
    ['a_rotated.pdf', 'b_rotated.pdf', 'a_rotated_1.pdf'],
  );
  for (const { bytes } of entries) assert.equal(rotationOf(bytes), '90');
});

test('every file of a split feeds the next step', { skip: noPdfinfo }, async () => {
  const ran = await pipe([SPLIT, ROTATE]);
  const entries = await zipEntries(made(ran));
  assert.deepEqual(
    entries.map(({ name }) => name),
    ['a_1_rotated.pdf', 'a_2_rotated.pdf'],
  );
  for (const { bytes } of entries) assert.deepEqual([pdfinfo(bytes).Pages, rotationOf(bytes)], ['1', '90']);
});

test('merging takes all current files at once', { skip: noPdfinfo }, async () => {
  const ran = await pipe([SPLIT, { op: 'merge-pdfs' }, ROTATE], [named('a.pdf'), named('b.pdf')]);
  assert.equal(pdfinfo(made(ran)).Pages, '4');
  assert.equal(madeName(ran), 'a_1_rotated.pdf');
});

test('a suffix replaces that of the step before; names of archive entries and derived names stay', async () => {
  assert.equal(madeName(await pipe([ROTATE])), 'a_rotated.pdf');
  assert.equal(
    madeName(await pipe([ROTATE, { op: 'remove-pages', params: { pageNumbers: '1' } }])),
    'a_removed_pages.pdf',
  );
  assert.equal(madeName(await pipe([{ op: 'merge-pdfs' }, ROTATE])), 'a_rotated.pdf');
  assert.deepEqual(await namesIn(await pipe([ROTATE, SPLIT])), ['a_1.pdf', 'a_2.pdf']);
  const derived = madeName(await pipe([{ op: 'auto-rename' }]));
  assert.doesNotMatch(String(derived), /^a/);
  const next = madeName(await pipe([{ op: 'auto-rename' }, ROTATE]));
  assert.equal(next, String(derived).replace(/\.pdf$/, '_rotated.pdf'));
});

test('a file that passes a filter keeps name and content', async () => {
  const pass = { op: 'filter-page-count', params: { pageCount: 2, comparator: 'Equal' } };
  const ran = await pipe([pass], named('My report.v2.PDF'));
  assert.equal(madeName(ran), 'My report.v2.PDF');
  assert.deepEqual(made(ran), TEXT);
  assert.equal(madeName(await pipe([ROTATE, pass])), 'a_rotated.pdf');
  assert.equal(madeName(await pipe([ROTATE, pass, ROTATE])), 'a_rotated.pdf');
});

test('a file that does not pass is dropped; with all dropped there is nothing', async () => {
  const pass = { op: 'filter-page-count', params: { pageCount: 3, comparator: 'Less' } };
  const files = [named('two.pdf'), named('nine.pdf', pagesOf(9))];
  const ran = await pipe([pass, ROTATE], files);
  assert.equal(madeName(ran), 'two_rotated.pdf');
  const none = await pipe([{ ...pass, params: { pageCount: 1, comparator: 'Less' } }, ROTATE], files);
  assert.equal(none.state, 'nothing');
});

test('one file out of an archive is itself, of its own type', async () => {
  const ran = await pipe([SPLIT], named('a.pdf', pagesOf(1)));
  assert.equal(madeName(ran), 'a_1.pdf');
  assert.equal(ran.state === 'made' && ran.result.mediaType, 'application/pdf');
});

test('JSON ends a pipeline: one has no name, several are named by the operation', async () => {
  const one = await pipe([ROTATE, COUNT]);
  assert.deepEqual(madeJson(one), { pageCount: 2 });
  assert.equal(madeName(one), undefined);
  assert.equal(one.state === 'made' && one.result.mediaType, 'application/json');
  const several = await pipe([ROTATE, COUNT], [named('a.pdf'), named('b.pdf', pagesOf(5))]);
  assert.equal(madeName(several), 'output.zip');
  const entries = await zipEntries(made(several));
  assert.deepEqual(
    entries.map(({ name, bytes }) => [name, JSON.parse(bytes.toString('utf8'))]),
    [
      ['a_page-count.json', { pageCount: 2 }],
      ['b_page-count.json', { pageCount: 5 }],
    ],
  );
});

test('a failure carries step, op and the file to blame, and there is no partial result', async () => {
  const pageNine = { op: 'rotate-pdf', params: { pageNumbers: '9' } };
  const problem = failed(await pipe([ROTATE, pageNine], [named('nine.pdf', pagesOf(9)), named('two.pdf')]));
  assert.equal(problem.reason, 'page_out_of_range');
  assert.deepEqual([problem.step, problem.op, problem.file], [1, 'general/rotate-pdf', 'two_rotated.pdf']);
  const broken = failed(
    await pipe([{ op: 'merge-pdfs' }], [named('a.pdf'), named('b.pdf', Buffer.from('x'))]),
  );
  assert.deepEqual(
    [broken.reason, broken.step, broken.op, broken.file],
    ['invalid_pdf', 0, 'general/merge-pdfs', 'b.pdf'],
  );
  assert.match(broken.detail, /b\.pdf/);
});

test('the file to blame is the one that a failure is about, wherever it came from', async () => {
  const good = named('data.pdf');
  const junk = named('a.pdf', Buffer.from('x'));
  const blamedIn = async (...call: Parameters<typeof pipe>) => failed(await pipe(...call)).file;
  assert.equal(await blamedIn([{ op: 'merge-pdfs' }], [good, named('locked.pdf', LOCKED)]), 'locked.pdf');
  assert.equal(await blamedIn([{ op: 'overlay-pdfs' }], [good, junk]), 'a.pdf');
  assert.equal(await blamedIn([{ op: 'convert/img/pdf' }], [junk, named('b.txt')]), 'a.pdf');
  const image = { op: 'add-image', params: { 'imageFile@part': 'pic' } };
  assert.equal(await blamedIn([image], good, { files: { pic: junk } }), 'a.pdf');
  const unreadable = named('photo.png', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
  assert.equal(await blamedIn([image], good, { files: { pic: unreadable } }), 'photo.png');
  assert.equal(await blamedIn([image], junk, { files: { pic: unreadable } }), 'a.pdf');
  assert.equal(await blamedIn([SPLIT, { op: 'merge-pdfs' }], named('many.pdf', pagesOf(501))), undefined);
});

test('the password of the request opens the first step, that of a step its own', {
  skip: noPdfinfo,
}, async () => {
  const locked = named('locked.pdf', LOCKED);
  const missingOne = failed(await pipe([ROTATE], locked));
  assert.deepEqual(
    [missingOne.reason, missingOne.step, missingOne.file],
    ['password_required', 0, 'locked.pdf'],
  );
  assert.equal(
    failed(await pipe([ROTATE], locked, { params: { inputPassword: 'no' } })).reason,
    'wrong_password',
  );
  assert.equal(
    pdfinfo(made(await pipe([ROTATE, ROTATE], locked, { params: { inputPassword: 'open-sesame' } }))).Pages,
    '4',
  );
  const inStep = { op: 'rotate-pdf', params: { inputPassword: 'open-sesame' } };
  assert.equal(pdfinfo(made(await pipe([inStep], locked))).Pages, '4');
});

test('a step after add-password needs inputPassword', { skip: noPdfinfo }, async () => {
  const lock = { op: 'add-password', params: { password: 'secret' } };
  const problem = failed(await pipe([lock, ROTATE]));
  assert.deepEqual(
    [problem.reason, problem.step, problem.op],
    ['password_required', 1, 'general/rotate-pdf'],
  );
  // The password of the request is for what was sent, not for what a step made.
  assert.equal(
    failed(await pipe([lock, ROTATE], named('a.pdf'), { params: { inputPassword: 'secret' } })).step,
    1,
  );
  const opened = await pipe([lock, { op: 'rotate-pdf', params: { inputPassword: 'secret' } }]);
  assert.equal(pdfinfo(made(opened)).Encrypted, 'no');
});

test('a step that makes too many files fails', async () => {
  const many = failed(await pipe([SPLIT, ROTATE], named('a.pdf', pagesOf(2001))));
  assert.deepEqual([many.reason, many.step, many.op], ['bad_request', 0, 'general/split-pages']);
  assert.match(many.detail, /2000/);
});

test('a step that takes all files takes no more than it may', async () => {
  const problem = failed(await pipe([SPLIT, { op: 'merge-pdfs' }], named('a.pdf', pagesOf(501))));
  assert.deepEqual(
    [problem.reason, problem.step, problem.op],
    ['invalid_parameter', 1, 'general/merge-pdfs'],
  );
});

test('without overlays of its own, overlay-pdfs lays the other current files over the first', async () => {
  const overlay = { op: 'overlay-pdfs' };
  const ran = await pipe([ROTATE, overlay], [named('base.pdf', pagesOf(3)), named('over.pdf')]);
  assert.equal(madeName(ran), 'base_overlayed.pdf');
  assert.deepEqual(
    madeJson(await pipe([overlay, COUNT], [named('base.pdf', pagesOf(3)), named('over.pdf')])),
    {
      pageCount: 3,
    },
  );
  const alone = failed(await pipe([ROTATE, overlay]));
  assert.deepEqual([alone.reason, alone.step, alone.op], ['invalid_parameter', 1, 'general/overlay-pdfs']);
  assert.match(alone.detail, /overlayFiles/);
});

test('extra parts go to the steps that name them, once per current file', async () => {
  const overlay = (part: unknown) => ({ op: 'overlay-pdfs', params: { 'overlayFiles@part': part } });
  const files = [named('a.pdf'), named('b.pdf')];
  const extra = { files: { stamp: named('stamp.pdf', pagesOf(1)) } };
  const ran = await pipe([overlay('stamp'), ROTATE, overlay(['stamp'])], files, extra);
  assert.deepEqual(await namesIn(ran), ['a_overlayed.pdf', 'b_overlayed.pdf']);
  for (const part of ['other', 7]) {
    const problem = failed(await pipe([ROTATE, overlay(part)], files, extra));
    assert.deepEqual(
      [problem.reason, problem.step, problem.op],
      ['invalid_parameter', 1, 'general/overlay-pdfs'],
    );
    assert.match(problem.detail, /overlayFiles@part/);
  }
  const broken = failed(
    await pipe([overlay('stamp')], files, { files: { stamp: named('s.pdf', Buffer.from('x')) } }),
  );
  assert.deepEqual([broken.reason, broken.step], ['invalid_pdf', 0]);
});

test('equal requests give equal archives', async () => {
  const once = async () => made(await pipe([COUNT], [named('a.pdf'), named('b.pdf')]));
  assert.deepEqual(await once(), await once());
});

const MAIL = named('mail.eml', Buffer.from('From: a@example.org\r\nSubject: Hi\r\n\r\nGuten Tag\r\n'));
const browser = await probeBrowser();
const noBrowser = !browser.available && 'not installed: Chromium';

/** What a step makes of the document, another makes a PDF of again. */
const THERE_AND_BACK: readonly [
  first: string,
  params: Record<string, unknown>,
  second: string,
  name: string,
  needs: string | false,
][] = [
  ['convert/pdf/html', {}, 'convert/html/pdf', 'a.pdf', noBrowser],
  ['convert/pdf/markdown', {}, 'convert/markdown/pdf', 'a.pdf', noBrowser],
  ['convert/pdf/markdown', { includeImages: true }, 'convert/markdown/pdf', 'a.pdf', noBrowser],
  ['convert/pdf/markdown', {}, 'convert/file/pdf', 'a_convertedToPDF.pdf', withoutOffice || noBrowser],
  ['convert/pdf/text', {}, 'convert/ebook/pdf', 'a_convertedToPDF.pdf', noBrowser],
  ['convert/pdf/text', { outputFormat: 'rtf' }, 'convert/file/pdf', 'a_convertedToPDF.pdf', withoutOffice],
  ['convert/pdf/word', {}, 'convert/file/pdf', 'a_convertedToPDF.pdf', withoutOffice],
  ['convert/pdf/word', { outputFormat: 'odt' }, 'convert/file/pdf', 'a_convertedToPDF.pdf', withoutOffice],
  ['convert/pdf/word', {}, 'convert/ebook/pdf', 'a_convertedToPDF.pdf', withoutOffice || noBrowser],
  ['convert/pdf/presentation', {}, 'convert/file/pdf', 'a_convertedToPDF.pdf', withoutOffice],
  ['convert/pdf/epub', {}, 'convert/ebook/pdf', 'a_convertedToPDF.pdf', noBrowser],
];
for (const [first, params, second, name, needs] of THERE_AND_BACK) {
  test(`${second} takes what ${first} makes of ${JSON.stringify(params)}`, {
    skip: needs || missing('pdftotext'),
  }, async () => {
    const ran = await pipe([{ op: first, params }, { op: second }]);
    const [word = ''] = /[A-Za-z]{6,}/.exec(pdftotext(TEXT)) ?? [];
    assert.ok(word !== '' && pdftotext(made(ran)).includes(word), word);
    assert.equal(madeName(ran), name);
  });
}

test('tables as CSV and as a workbook become PDF again', { skip: withoutOffice || noPdfinfo }, async () => {
  const tables = named('t.pdf', readFileSync(fixture('tables.pdf')));
  for (const op of ['convert/pdf/csv', 'convert/pdf/xlsx'])
    assert.ok(Number(pdfinfo(made(await pipe([{ op }, { op: 'convert/file/pdf' }], tables))).Pages) > 0, op);
});

test('images, drawings and comics of the pages become pages again', {
  skip: noPdfinfo || missing('pdftocairo', 'rsvg-convert'),
}, async () => {
  const small = { dpi: 20 };
  const cases: [Step, string][] = [
    ...['png', 'jpg', 'gif', 'webp', 'tif'].map((imageFormat): [Step, string] => [
      { op: 'convert/pdf/img', params: { imageFormat, ...small } },
      'convert/img/pdf',
    ]),
    [{ op: 'convert/pdf/vector' }, 'convert/svg/pdf'],
    [{ op: 'convert/pdf/cbz', params: small }, 'convert/cbz/pdf'],
  ];
  for (const [first, op] of cases)
    assert.equal(pdfinfo(made(await pipe([first, { op }]))).Pages, '2', JSON.stringify(first));
});

test('a mail as HTML becomes a PDF', { skip: noBrowser || missing('pdftotext') }, async () => {
  const html = { op: 'convert/eml/pdf', params: { downloadHtml: true } };
  const ran = await pipe([html, { op: 'convert/html/pdf' }], MAIL);
  assert.match(pdftotext(made(ran)), /Guten Tag/);
  assert.equal(madeName(ran), 'mail.eml.pdf');
});

test('archives of a page and its images count as one file', async () => {
  for (const [step, name] of [
    [{ op: 'convert/pdf/html' }, 'aToHtml.zip'],
    [{ op: 'convert/pdf/markdown', params: { includeImages: true } }, 'a_markdown.zip'],
  ] as const) {
    const one = await pipe([ROTATE, step]);
    assert.equal(madeName(one), name);
    assert.equal(one.state === 'made' && one.result.mediaType, 'application/octet-stream');
    assert.match(String((await namesIn(one))[0]), /^a\.(?:html|md)$/);
    const two = await pipe([step], [named('a.pdf'), named('b.pdf')]);
    assert.deepEqual(await namesIn(two), [name, name.replace(/^a/, 'b')]);
  }
});

test('what no step makes of its fields is not handed on: kinds are held against each other first', async () => {
  const cases: [first: string, params: Record<string, unknown>, second: string, gives: string][] = [
    ['convert/pdf/xml', {}, 'convert/file/pdf', 'xml'],
    ['convert/pdf/html', {}, 'convert/file/pdf', 'zip'],
    ['convert/pdf/cbz', {}, 'convert/html/pdf', 'cbz'],
    ['convert/pdf/word', {}, 'convert/html/pdf', 'docx'],
    ['convert/pdf/word', { outputFormat: 'odt' }, 'convert/ebook/pdf', 'odt'],
    ['convert/pdf/csv', {}, 'convert/ebook/pdf', 'csv'],
    ['convert/pdf/text', { outputFormat: 'rtf' }, 'convert/ebook/pdf', 'rtf'],
    ['convert/pdf/text', {}, 'convert/eml/pdf', 'text'],
    ['convert/pdf/vector', { outputFormat: 'ps' }, 'convert/svg/pdf', 'ps'],
    ['convert/pdf/vector', {}, 'convert/img/pdf', 'svg'],
    ['convert/pdf/img', {}, 'convert/svg/pdf', 'png'],
    ['general/rotate-pdf', {}, 'convert/ebook/pdf', 'pdf'],
    ['general/split-pdf-by-sections', {}, 'convert/cbz/pdf', 'pdf'],
    ['misc/show-javascript', {}, 'convert/file/pdf', 'javascript'],
    ['convert/eml/pdf', { downloadHtml: true }, 'general/rotate-pdf', 'html'],
  ];
  for (const [first, params, second, gives] of cases) {
    // A file that is no PDF shows that nothing ran.
    const steps = [{ op: first, params }, { op: second }];
    const { reason, detail, step, op } = failed(await pipe(steps, named('a.pdf', Buffer.from('no PDF'))));
    assert.deepEqual([reason, step, op], ['invalid_parameter', 1, second], first);
    assert.match(detail, new RegExp(`${second} takes .*, but ${first} gives ${gives}\\.$`));
  }
});
