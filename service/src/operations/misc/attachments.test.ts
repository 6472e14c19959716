import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { failed, jobOf, made, madeJson, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { corpus, fixture, noCorpus } from '../../../testing/documents/collection.ts';
import { onePage, pdfOf, streamOf } from '../../../testing/documents/written-pdf.ts';
import { zipEntries } from '../../../testing/oracles/archives.ts';
import { surveyBytes } from '../../../testing/oracles/pages.ts';
import { askProgram, missing, qpdfCheck, qpdfObjects } from '../../../testing/oracles/programs.ts';
import { createLog } from '../../contract/log.ts';
import { execute } from '../../jobs/execute.ts';
import { JobDirectory } from '../../jobs/job-directory.ts';

const skip = missing('qpdf', 'pdfdetach');
const input = (bytes: Uint8Array, name = 'a.pdf') => ({ fileInput: { name, bytes } });

interface Listed {
  filename: string;
  size: number | null;
  contentType: string | null;
  description: string | null;
  creationDate: string | null;
  modificationDate: string | null;
}
const list = async (bytes: Uint8Array) =>
  madeJson(await runHere('misc/list-attachments', { files: input(bytes) })) as Listed[];
const names = async (bytes: Uint8Array) => (await list(bytes)).map(({ filename }) => filename);
const add = (bytes: Uint8Array, attachments: { name: string; bytes: Uint8Array }[], params = {}) =>
  runHere('misc/add-attachments', { files: { ...input(bytes), attachments }, params });

/** Names as poppler lists them. */
const detached = (bytes: Uint8Array): string[] =>
  askProgram('pdfdetach', ['-list', '{}'], bytes)
    .split('\n')
    .flatMap((line) => /^\d+: (.*)$/.exec(line)?.[1] ?? []);

/** The bytes of one, as poppler writes them. */
function saved(bytes: Uint8Array, number: number): Buffer {
  const dir = mkdtempSync(join(tmpdir(), 'bindery-detach-'));
  try {
    askProgram('pdfdetach', ['-save', String(number), '-o', join(dir, 'x'), '{}'], bytes);
    return readFileSync(join(dir, 'x'));
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** A file of the document, one pinned to the page by a mark with a pop-up, one associated with the page. */
const PINNED = onePage({
  catalog:
    '/Names << /EmbeddedFiles << /Kids [<< /Limits [(k) (k)] /Names [(k) 5 0 R] >>] >> >> /AF [5 0 R] /PageMode /UseAttachments',
  page: '/Annots [7 0 R 8 0 R 11 0 R] /AF [9 0 R]',
  more: [
    '<< /Type /Filespec /F (old.txt) /UF <feff00fc002e007400780074> /Desc (Umlaut) /EF << /F 6 0 R >> >>',
    streamOf(
      'hello',
      "/Type /EmbeddedFile /Subtype /text#2Fplain /Params << /Size 5 /CreationDate (D:20240102150405+01'00') /ModDate (rubbish) >>",
    ),
    '<< /Type /Annot /Subtype /FileAttachment /Rect [0 0 9 9] /Contents (pinned) /Popup 8 0 R /FS << /F (pin.csv) /EF << /F 10 0 R >> >> >>',
    '<< /Type /Annot /Subtype /Popup /Rect [0 0 9 9] /Parent 7 0 R >>',
    '<< /Type /Filespec /UF (page.bin) /EF << /UF 12 0 R >> >>',
    streamOf('a,b\n'),
    '<< /Type /Annot /Subtype /Square /Rect [0 0 9 9] >>',
    streamOf(deflateSync('xyz').toString('latin1'), '/Filter /FlateDecode'),
  ],
});

test('files of the document and of its pages are listed, each once', async () => {
  assert.deepEqual(await list(PINNED), [
    {
      filename: '\u00fc.txt',
      size: 5,
      contentType: 'text/plain',
      description: 'Umlaut',
      creationDate: '2024-01-02T15:04:05+01:00',
      modificationDate: null,
    },
    {
      filename: 'page.bin',
      size: 3,
      contentType: null,
      description: null,
      creationDate: null,
      modificationDate: null,
    },
    {
      filename: 'pin.csv',
      size: 4,
      contentType: 'text/csv',
      description: 'pinned',
      creationDate: null,
      modificationDate: null,
    },
  ]);
  assert.deepEqual(await list(onePage()), []);
});

test('added files are there for another reader, with type, size, dates and checksum', { skip }, async () => {
  const files = [
    { name: 'notes.TXT', bytes: Buffer.from('one') },
    { name: '\u65e5\u672c.docx', bytes: Buffer.alloc(3000, 7) },
    { name: 'strange.zzz', bytes: Buffer.alloc(0) },
  ];
  const ran = await add(PINNED, files);
  assert.equal(madeName(ran), 'a_with_attachments.pdf');
  const result = made(ran);
  qpdfCheck(result);
  assert.deepEqual(detached(result), [
    '\u00fc.txt',
    'notes.TXT',
    'strange.zzz',
    '\u65e5\u672c.docx',
    'pin.csv',
  ]);
  assert.deepEqual(saved(result, 4), files[1]?.bytes);
  const listed = await list(result);
  const word = listed.find(({ filename }) => filename === '\u65e5\u672c.docx');
  assert.match(word?.contentType ?? '', /wordprocessingml/);
  assert.equal(word?.size, 3000);
  assert.match(word?.creationDate ?? '', /^20\d\d-/);
  assert.equal(
    listed.find(({ filename }) => filename === 'strange.zzz')?.contentType,
    'application/octet-stream',
  );
  const md5 = createHash('md5').update('one').digest('hex');
  const dicts = Object.values(qpdfObjects(result)).flatMap(({ stream }) => (stream ? [stream.dict] : []));
  assert.ok(dicts.some((dict) => (dict['/Params'] as Record<string, unknown>)?.['/CheckSum'] === `b:${md5}`));
});

test('an equal name replaces, also among the files sent', { skip }, async () => {
  const once = made(await add(PINNED, [{ name: '\u00fc.txt', bytes: Buffer.from('new') }]));
  assert.deepEqual(detached(once), ['\u00fc.txt', 'pin.csv']);
  assert.equal(saved(once, 1).toString(), 'new');
  assert.ok(!JSON.stringify(qpdfObjects(once)).includes('Umlaut'), 'nothing of the old one stays');
  const twice = made(
    await add(onePage(), [
      { name: 'x', bytes: Buffer.from('first') },
      { name: 'x', bytes: Buffer.from('second') },
    ]),
  );
  assert.deepEqual(detached(twice), ['x']);
  assert.equal(saved(twice, 1).toString(), 'second');
});

test('a key that another file has already is no reason to lose that file', { skip }, async () => {
  const bytes = made(await add(PINNED, [{ name: 'k', bytes: Buffer.from('k') }]));
  assert.deepEqual(detached(bytes).sort(), ['k', 'pin.csv', '\u00fc.txt']);
});

test('five hundred files are found again, in a tree that is in order', { skip }, async () => {
  const files = Array.from({ length: 500 }, (_, i) => ({ name: `f${i}.txt`, bytes: Buffer.from(String(i)) }));
  const result = made(await add(onePage(), files));
  qpdfCheck(result);
  assert.equal(detached(result).length, 500);
  const ordered = [...files].sort((a, b) => (a.name < b.name ? -1 : 1));
  assert.equal(saved(result, 300).toString(), ordered[299]?.bytes.toString());
});

test('large files are embedded from where they lie', { skip }, async () => {
  const dir = mkdtempSync(join(tmpdir(), 'bindery-attach-'));
  try {
    const big = Buffer.alloc(20 << 20, 'endstream endobj ');
    writeFileSync(join(dir, 'big'), big);
    const job = jobOf('misc/add-attachments', {
      files: {
        ...input(readFileSync(fixture('everything.pdf'))),
        attachments: [{ name: 'big.dat', bytes: big }],
      },
    });
    const step = job.steps[0];
    assert.ok(step);
    step.extraFiles = { attachments: [{ name: 'big.dat', size: big.length, content: { file: 'big' } }] };
    const outcome = await execute(job, new JobDirectory(dir), createLog('silent'));
    assert.ok(outcome.state === 'made', JSON.stringify(outcome));
    assert.ok('file' in outcome.result.content);
    const result = readFileSync(join(dir, outcome.result.content.file));
    assert.deepEqual(detached(result), ['big.dat', 'note.txt']);
    assert.ok(saved(result, 1).equals(big));
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test('files too large, alone or together, are refused by name', async () => {
  const big = Buffer.alloc((50 << 20) + 1);
  const alone = failed(await add(onePage(), [{ name: 'big', bytes: big }]));
  assert.equal(alone.reason, 'invalid_parameter');
  assert.match(alone.detail, /attachments: big .*50 MB/);
  const part = big.subarray(0, 45 << 20);
  const together = failed(await add(onePage(), Array(5).fill({ name: 'part', bytes: part })));
  assert.equal(together.reason, 'invalid_parameter');
  assert.match(together.detail, /attachments .*200 MB/);
  const many = failed(await add(onePage(), Array(501).fill({ name: 'x', bytes: Buffer.from('x') })));
  assert.equal(many.reason, 'invalid_parameter');
  assert.match(many.detail, /attachments/);
});

test('a result made PDF/A-3b says what its attachments are', { skip }, async () => {
  const files = [
    { name: 'data.csv', bytes: Buffer.from('a,b\n1,2\n') },
    { name: 'Übersicht', bytes: Buffer.from('x') },
  ];
  const ran = await add(readFileSync(fixture('everything.pdf')), files, { convertToPdfA3b: 'true' });
  assert.equal(madeName(ran), 'a_with_attachments_PDFA-3b.pdf');
  assert.equal(ran.state === 'made' && ran.result.headers?.['X-Conformance-Result'], 'valid');
  const bytes = made(ran);
  qpdfCheck(bytes);
  const listed = detached(bytes);
  for (const { name, bytes: data } of files)
    assert.deepEqual(saved(bytes, listed.indexOf(name) + 1), data, listed.join());
  const specs = Object.values(qpdfObjects(bytes)).flatMap(({ value }) => {
    const dict = value as Record<string, unknown> | undefined;
    return dict?.['/Type'] === '/Filespec' ? [dict] : [];
  });
  assert.ok(specs.length >= files.length);
  for (const spec of specs) assert.equal(spec['/AFRelationship'], '/Unspecified');
  const [verified] = madeJson(await runHere('security/verify-pdf', { files: input(bytes) })) as {
    standard: string;
    compliant: boolean;
  }[];
  assert.deepEqual([verified?.standard, verified?.compliant], ['3b', true]);
  const plain = await add(onePage(), files);
  assert.equal(plain.state === 'made' && plain.result.headers?.['X-Conformance-Result'], undefined);
});

test('a portfolio stays one', { skip }, async () => {
  const portfolio = onePage({
    catalog:
      '/Collection << /Type /Collection /View /D /D <3c333e622e747874> >> /Names << /EmbeddedFiles << /Names [(<3>b.txt) 5 0 R] >> >>',
    more: ['<< /Type /Filespec /F (b.txt) /UF (b.txt) /CI << /x (1) >> /EF << /F 6 0 R >> >>', streamOf('b')],
  });
  const added = made(await add(portfolio, [{ name: 'c.txt', bytes: Buffer.from('c') }]));
  const collection = (bytes: Buffer) =>
    Object.values(qpdfObjects(bytes)).flatMap(({ value }) =>
      value !== null && typeof value === 'object' && '/Collection' in value
        ? [value['/Collection'] as Record<string, unknown>]
        : [],
    )[0];
  assert.equal(collection(added)?.['/View'], '/D');
  const renamed = made(
    await runHere('misc/rename-attachment', {
      files: input(added),
      params: { attachmentName: 'b.txt', newName: 'd.txt' },
    }),
  );
  assert.equal(collection(renamed)?.['/D'], 'u:<3>d.txt', 'the file shown first, in its folder');
  assert.deepEqual(detached(renamed).sort(), ['c.txt', 'd.txt']);
});

test('files are extracted under their names, without paths, each once', async () => {
  const ran = await runHere('misc/extract-attachments', { files: input(PINNED) });
  assert.equal(madeName(ran), 'a_attachments.zip');
  const entries = await zipEntries(made(ran));
  assert.deepEqual(
    entries.map(({ name, bytes }) => [name, bytes.toString()]),
    [
      ['\u00fc.txt', 'hello'],
      ['page.bin', 'xyz'],
      ['pin.csv', 'a,b\n'],
    ],
  );
  const evil = ['(../../etc/passwd)', '(..\\\\..\\\\passwd)', '(passwd)', '(/)', '()'];
  const bytes = onePage({
    catalog: `/Names << /EmbeddedFiles << /Names [${evil.map((_, i) => `(${i}) ${5 + i * 2} 0 R`).join(' ')}] >> >>`,
    more: evil.flatMap((name, i) => [`<< /F ${name} /EF << /F ${6 + i * 2} 0 R >> >>`, streamOf(String(i))]),
  });
  const safe = await zipEntries(made(await runHere('misc/extract-attachments', { files: input(bytes) })));
  assert.deepEqual(
    safe.map(({ name }) => name),
    ['passwd', 'passwd_1', 'passwd_2', 'document', '4'],
  );
});

test('what unpacks to more than 50 MB is left out; what is left then may be nothing', async () => {
  const bomb = deflateSync(Buffer.alloc((50 << 20) + 1)).toString('latin1');
  const withBomb = (more: string) =>
    onePage({
      catalog: `/Names << /EmbeddedFiles << /Names [(bomb) 5 0 R ${more}] >> >>`,
      more: [
        '<< /F (bomb) /EF << /F 6 0 R >> >>',
        streamOf(bomb, '/Filter /FlateDecode /Params << /Size 3 >>'),
        '<< /F (small) /EF << /F 8 0 R >> >>',
        streamOf('small'),
      ],
    });
  const entries = await zipEntries(
    made(await runHere('misc/extract-attachments', { files: input(withBomb('(small) 7 0 R')) })),
  );
  assert.deepEqual(
    entries.map(({ name }) => name),
    ['small'],
  );
  assert.equal(
    failed(await runHere('misc/extract-attachments', { files: input(withBomb('')) })).reason,
    'nothing_found',
  );
});

test('beyond 200 MB in all the rest is left out', async () => {
  const part = deflateSync(Buffer.alloc(45 << 20)).toString('latin1');
  const keys = [0, 1, 2, 3, 4, 5];
  const bytes = onePage({
    catalog: `/Names << /EmbeddedFiles << /Names [${keys.map((i) => `(${i}) ${5 + i * 2} 0 R`).join(' ')}] >> >>`,
    more: keys.flatMap((i) => [
      `<< /F (f${i}) /EF << /F ${6 + i * 2} 0 R >> >>`,
      i === 5 ? streamOf('tiny') : streamOf(part, '/Filter /FlateDecode'),
    ]),
  });
  const entries = await zipEntries(made(await runHere('misc/extract-attachments', { files: input(bytes) })));
  assert.deepEqual(
    entries.map(({ name }) => name),
    ['f0', 'f1', 'f2', 'f3', 'f5'],
  );
});

test('no attachment is nothing_found', async () => {
  const problem = failed(await runHere('misc/extract-attachments', { files: input(onePage()) }));
  assert.equal(problem.reason, 'nothing_found');
  assert.match(problem.detail, /a\.pdf/);
});

test('a deleted file is gone from every place, and nothing else is', { skip }, async () => {
  const remove = async (attachmentName: string) => {
    const ran = await runHere('misc/delete-attachment', { files: input(PINNED), params: { attachmentName } });
    assert.equal(madeName(ran), 'a_attachment_deleted.pdf');
    qpdfCheck(made(ran));
    return made(ran);
  };
  const own = await remove('\u00fc.txt');
  assert.deepEqual(await names(own), ['page.bin', 'pin.csv']);
  assert.ok(!JSON.stringify(qpdfObjects(own)).includes('UseAttachments'));
  const pinned = await remove('pin.csv');
  assert.deepEqual(await names(pinned), ['\u00fc.txt', 'page.bin']);
  const subtypes = Object.values(qpdfObjects(pinned)).flatMap(({ value }) =>
    value !== null && typeof value === 'object' && '/Subtype' in value ? [value['/Subtype']] : [],
  );
  assert.deepEqual(subtypes, ['/Square'], 'the mark and its pop-up are gone, the square stays');
  assert.deepEqual(await names(await remove('page.bin')), ['\u00fc.txt', 'pin.csv']);
});

test('a renamed file has its new name everywhere', { skip }, async () => {
  const rename = (attachmentName: string, newName: string) =>
    runHere('misc/rename-attachment', { files: input(PINNED), params: { attachmentName, newName } });
  for (const [from, to, now] of [
    ['\u00fc.txt', 'new \u03a9.txt', ['new \u03a9.txt', 'pin.csv']],
    ['pin.csv', 'pinned.txt', ['\u00fc.txt', 'pinned.txt']],
  ] as const) {
    const ran = await rename(from, to);
    assert.equal(madeName(ran), 'a_attachment_renamed.pdf');
    const result = made(ran);
    qpdfCheck(result);
    assert.deepEqual(detached(result), now);
    assert.equal(saved(result, 1).toString(), 'hello');
  }
  const used = failed(await rename('pin.csv', '\u00fc.txt'));
  assert.equal(used.reason, 'invalid_parameter');
  assert.match(used.detail, /^newName: .*\u00fc\.txt/);
  for (const bad of ['a/b', 'a\\b', '..', 'x\ny', 'x'.repeat(256), '']) {
    const problem = failed(await rename('pin.csv', bad));
    assert.equal(problem.reason, 'invalid_parameter');
    assert.match(problem.detail, /newName/);
  }
});

for (const path of ['misc/delete-attachment', 'misc/rename-attachment']) {
  test(`${path} names an attachment that is not there`, async () => {
    for (const bytes of [PINNED, onePage()]) {
      const params = { attachmentName: 'no such', newName: 'x' };
      const problem = failed(await runHere(path, { files: input(bytes), params }));
      assert.equal(problem.reason, 'invalid_parameter');
      assert.match(problem.detail, /^attachmentName: .*"no such"/);
    }
  });
}

test('nothing else changes', async () => {
  for (const name of ['everything.pdf', 'tied-pages.pdf']) {
    const bytes = readFileSync(fixture(name));
    const { attachments, ...before } = surveyBytes(bytes);
    const [first = ''] = attachments;
    const calls: [path: string, params: Record<string, string>, left: string[]][] = [
      ['misc/rename-attachment', { attachmentName: first, newName: 'zz.txt' }, ['zz.txt']],
      ['misc/delete-attachment', { attachmentName: first }, []],
    ];
    for (const [path, params, left] of calls) {
      const after = surveyBytes(made(await runHere(path, { files: input(bytes), params })));
      assert.deepEqual(after, { ...before, attachments: left }, `${path} ${name}`);
    }
    const added = surveyBytes(made(await add(bytes, [{ name: 'zz.txt', bytes: Buffer.from('x') }])));
    assert.deepEqual(added, { ...before, attachments: [first, 'zz.txt'] }, name);
  }
});

test('broken trees, specifications and lists do no harm', { skip }, async () => {
  const bytes = pdfOf([
    '<< /Type /Catalog /Pages 2 0 R /AF [null 4 0 R 7] /Names << /EmbeddedFiles 5 0 R >> /Collection 3 >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /AF 7 /Annots [null 4 0 R << /Subtype /FileAttachment /FS 4 0 R >> << /Subtype /FileAttachment >>] >>',
    '<< /F 5 /UF [1] /EF << /F 6 0 R /UF 3 0 R >> >>',
    '<< /Kids [5 0 R 5 0 R] /Names [(a) 4 0 R (b) (c) (d) 4 0 R 9 9 (e)] >>',
    streamOf('x', '/Params [1] /Subtype 4'),
  ]);
  assert.deepEqual(await names(bytes), ['a']);
  const result = made(await add(bytes, [{ name: 'z', bytes: Buffer.from('z') }]));
  qpdfCheck(result, { tolerant: true });
  assert.deepEqual(await names(result), ['a', 'z']);
  const gone = await runHere('misc/delete-attachment', {
    files: input(bytes),
    params: { attachmentName: 'a' },
  });
  assert.deepEqual(await names(made(gone)), []);
});

test('poppler and we see the same files in a collection', { skip: noCorpus() || skip }, async () => {
  // Poppler counts the marks on pages, we count files.
  const distinct = (filenames: readonly string[]) => [...new Set(filenames)].sort();
  for (const path of corpus('pdf/attachments', 'pdf/portfolio')) {
    const bytes = readFileSync(path);
    assert.deepEqual(distinct(await names(bytes)), distinct(detached(bytes)), path);
    const more = made(await add(bytes, [{ name: 'added.txt', bytes: Buffer.from('x') }]));
    assert.deepEqual(distinct(await names(more)), distinct([...detached(bytes), 'added.txt']), path);
  }
});
