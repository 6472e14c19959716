// Comments of office documents: left out, as annotations, or in the margin. pdftotext, pdfinfo and qpdf judge.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { failed, type GivenFile, made, runHere } from '../../../../testing/calls/run-here.ts';
import { corpusFiles, noCorpus } from '../../../../testing/documents/collection.ts';
import { docx, flatOdf } from '../../../../testing/documents/office-documents.ts';
import { bytesOf, given, officeForTests, withoutOffice } from '../../../../testing/oracles/office-program.ts';
import { askProgram, missing, pdfinfo, pdftotext, qpdfCheck } from '../../../../testing/oracles/programs.ts';

const convert = async (file: GivenFile, comments?: string) =>
  made(
    await runHere('convert/file/pdf', {
      files: { fileInput: file },
      params: comments === undefined ? {} : { comments },
    }),
  );

/** Each note's words and author, and the width of its page, as qpdf finds them. */
function notesOf(bytes: Buffer): { contents: string; author: string }[] {
  const { qpdf } = JSON.parse(askProgram('qpdf', ['--json=2', '{}'], bytes, [0, 3])) as {
    qpdf: [unknown, Record<string, { value?: Record<string, string> }>];
  };
  const text = (value = '') => value.replace(/^u:/, '');
  return Object.values(qpdf[1])
    .map(({ value }) => value ?? {})
    .filter((value) => value['/Subtype'] === '/Text')
    .map((value) => ({ contents: text(value['/Contents']), author: text(value['/T']) }));
}

const widthOf = (bytes: Buffer): number => Number.parseFloat(pdfinfo(bytes)['Page size'] ?? '');

const COMMENT = (id: number, words: string): string =>
  `<w:comment w:id="${id}" w:author="Ann Author" w:date="2024-01-02T10:00:00Z" w:initials="A"><w:p><w:r><w:t>${words}</w:t></w:r></w:p></w:comment>`;
const COMMENTED = (id: number, words: string): string =>
  `<w:p><w:commentRangeStart w:id="${id}"/><w:r><w:t>${words}</w:t></w:r><w:commentRangeEnd w:id="${id}"/><w:r><w:commentReference w:id="${id}"/></w:r></w:p>`;

const word = (remarks: readonly string[]): Promise<Buffer> =>
  docx(
    remarks.map((_, id) => COMMENTED(id, `Words ${id}`)).join(''),
    [{ id: 'rId9', type: 'comments', target: 'comments.xml' }],
    {
      'word/comments.xml': `<?xml version="1.0"?><w:comments xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${remarks.map((words, id) => COMMENT(id, words)).join('')}</w:comments>`,
    },
  );

const annotation = (place = ''): string =>
  `<office:annotation office:name="a1" ${place}><dc:creator>Ann Author</dc:creator><dc:date>2024-01-02T10:00:00</dc:date><text:p>A remark</text:p></office:annotation>`;
const SOURCES = {
  fodt: flatOdf('text', { body: `<text:p>Words ${annotation()}here</text:p>` }),
  fods: flatOdf('spreadsheet', {
    body: `<table:table table:name="S"><table:table-row><table:table-cell office:value-type="string">${annotation()}<text:p>Words here</text:p></table:table-cell></table:table-row></table:table>`,
  }),
  fodp: flatOdf('presentation', {
    body: `<draw:page draw:name="one">${annotation('svg:x="1cm" svg:y="1cm"')}<draw:frame svg:width="10cm" svg:height="3cm" svg:x="2cm" svg:y="2cm"><draw:text-box><text:p>Words here</text:p></draw:text-box></draw:frame></draw:page>`,
  }),
} as const;
/** Texts of all kinds go one way, and each conversion of a commented one costs a start of LibreOffice. */
const FORMATS = [
  ['fodt', 'docx'],
  ['fods', 'xlsx'],
  ['fodp', 'pptx'],
] as const;

async function assertEachWay(file: GivenFile, shown: RegExp, remark: RegExp, count: number): Promise<void> {
  const [none, notes, margin] = [
    await convert(file, 'none'),
    await convert(file, 'annotations'),
    await convert(file, 'margin'),
  ];
  for (const bytes of [none, notes, margin]) {
    assert.match(pdftotext(bytes), shown);
    qpdfCheck(bytes, { tolerant: true });
  }
  assert.doesNotMatch(pdftotext(none), remark);
  assert.doesNotMatch(pdftotext(notes), remark);
  assert.match(pdftotext(margin), remark);
  assert.deepEqual(
    [none, notes, margin].map((bytes) => notesOf(bytes).length),
    [0, count, 0],
  );
  for (const { contents } of notesOf(notes)) assert.match(contents, remark);
  assert.equal(widthOf(none), widthOf(notes));
  assert.ok(widthOf(margin) > widthOf(none) + 100);
}

describe('comments of office documents', {
  skip: withoutOffice || missing('pdftotext', 'pdfinfo', 'qpdf'),
}, () => {
  const office = officeForTests();
  const written = new Map<string, Buffer>();
  before(async () => {
    for (const [kind, format] of FORMATS)
      written.set(
        format,
        Buffer.from(bytesOf(await office.convert(given(`x.${kind}`, SOURCES[kind]), kind, format))),
      );
  });

  for (const [, format] of FORMATS)
    test(`${format}: left out, as annotations, in the margin`, async () => {
      const bytes = written.get(format) ?? Buffer.alloc(0);
      await assertEachWay({ name: `x.${format}`, bytes }, /Words here/, /A remark/, 1);
    });

  test('annotations are the default, with their author, and their windows have a place', async () => {
    const bytes = await convert({ name: 'x.docx', bytes: await word(['A remark']) });
    const [note] = notesOf(bytes);
    assert.deepEqual([note?.contents, note?.author.startsWith('Ann Author')], ['A remark', true]);
    assert.equal(askProgram('pdftotext', ['{}', '-'], bytes, [0]).includes('Words 0'), true);
    assert.equal(/Popup/.test(askProgram('qpdf', ['--qdf', '{}', '-'], bytes, [0, 3])), true);
    for (const popup of popupsOf(bytes)) assert.equal(popup['/Rect']?.length, 4);
  });

  test('a margin holds more comments than fit beside the page, in any script', async () => {
    const remarks = Array.from(
      { length: 90 },
      (_, index) => `Remark ${index}: ${'long words '.repeat(20)}end${index}.`,
    );
    remarks[3] = 'Замечание на полях';
    remarks[4] = 'ملاحظة';
    const bytes = await convert({ name: 'x.docx', bytes: await word(remarks) }, 'margin');
    const text = pdftotext(bytes).replace(/\s+/g, ' ');
    for (const [index, remark] of remarks.entries())
      if (index !== 4) assert.ok(text.includes(index === 3 ? remark : `Remark ${index}:`), remark);
    for (const index of [0, 50, 89]) assert.ok(text.includes(`end${index}.`), `${index}`);
    assert.deepEqual(notesOf(bytes), []);
    qpdfCheck(bytes);
  });

  test('what no font can draw stays an annotation', async () => {
    const bytes = await convert(
      { name: 'x.docx', bytes: await word(['Plain', 'Odd \u{10FFFD} sign']) },
      'margin',
    );
    assert.match(pdftotext(bytes), /Plain/);
    assert.deepEqual(
      notesOf(bytes).map(({ contents }) => contents),
      ['Odd \u{10FFFD} sign'],
    );
  });

  test('documents without comments are not widened, and other words are refused', async () => {
    const plain = { name: 'x.odt', bytes: written.get('odt') ?? Buffer.alloc(0) };
    const bare = flatOdf('text', { body: '<text:p>Words here</text:p>' });
    const [none, margin] = [
      await convert({ name: 'x.fodt', bytes: Buffer.from(bare) }, 'none'),
      await convert({ name: 'x.fodt', bytes: Buffer.from(bare) }, 'margin'),
    ];
    assert.equal(widthOf(none), widthOf(margin));
    const ran = await runHere('convert/file/pdf', {
      files: { fileInput: plain },
      params: { comments: 'all' },
    });
    assert.equal(failed(ran).reason, 'invalid_parameter');
  });

  test('a commented document by others', { skip: noCorpus() }, async () => {
    const found = corpusFiles('office/doc').find(({ name }) => name === 'tika__testComment.doc');
    assert.ok(found);
    const bytes = readFileSync(found.path);
    await assertEachWay({ name: 'testComment.doc', bytes }, /\w/, /comment/i, 1);
  });
});

function popupsOf(bytes: Buffer): Record<string, unknown[]>[] {
  const { qpdf } = JSON.parse(askProgram('qpdf', ['--json=2', '{}'], bytes, [0, 3])) as {
    qpdf: [unknown, Record<string, { value?: Record<string, unknown[]> }>];
  };
  return Object.values(qpdf[1])
    .map(({ value }) => value ?? {})
    .filter((value) => String(value['/Subtype']) === '/Popup');
}
