import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { failed, type GivenFile, made, madeName, runHere } from '../../../../testing/calls/run-here.ts';
import { corpusFiles, corpusFolder, fixture, noCorpus } from '../../../../testing/documents/collection.ts';
import { docx, odf, paragraph, pptx, xlsx, zipped } from '../../../../testing/documents/office-documents.ts';
import { withoutOffice } from '../../../../testing/oracles/office-program.ts';
import { noBrowser } from '../../../../testing/oracles/printing.ts';
import { missing, pdfinfo, pdftotext, qpdfCheck, qpdfObjects } from '../../../../testing/oracles/programs.ts';

const convert = (file: GivenFile) => runHere('convert/file/pdf', { files: { fileInput: file } });
const text = (name: string, content: string | Uint8Array) => ({
  name,
  bytes: Buffer.from(content as string),
});

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFUlEQVR42mM4IScnd0KOAUj8+vULACBSBftgCTDeAAAAAElFTkSuQmCC',
  'base64',
);

describe('documents become PDF', {
  skip: withoutOffice || (await noBrowser('pdftotext', 'qpdf', 'rsvg-convert')),
}, () => {
  const shape =
    '<p:sp><p:nvSpPr><p:cNvPr id="2" name="t"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="5000000" cy="900000"/></a:xfrm><a:prstGeom prst="rect"/></p:spPr><p:txBody><a:bodyPr/><a:p><a:r><a:t>Guten Tag</a:t></a:r></a:p></p:txBody></p:sp>';
  const CASES: readonly [name: string, bytes: Promise<Buffer> | Buffer][] = [
    ['letter.docx', docx(paragraph('Guten Tag'))],
    ['letter.odt', odf('text', { body: '<text:p>Guten Tag</text:p>' })],
    ['sheet.xlsx', xlsx('<row r="1"><c r="A1" t="inlineStr"><is><t>Guten Tag</t></is></c></row>')],
    ['slides.pptx', pptx(shape)],
    ['letter.rtf', Buffer.from('{\\rtf1 Guten Tag}')],
    ['note.txt', Buffer.from('Guten Tag\n')],
    ['cells.csv', Buffer.from('Guten Tag,2\n')],
    [
      'page.html',
      Buffer.from('<!doctype html><p>Guten Tag<script>document.body.textContent = "script ran"</script>'),
    ],
    ['page.md', Buffer.from('# Guten Tag\n')],
    [
      'drawing.svg',
      Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="40"><text y="20">Guten Tag</text></svg>',
      ),
    ],
    // The content decides, not the name.
    ['really-word.xls', docx(paragraph('Guten Tag'))],
    ['without-extension', docx(paragraph('Guten Tag'))],
    ['rich.txt', Buffer.from('{\\rtf1 Guten Tag}')],
  ];
  for (const [name, bytes] of CASES) {
    test(name, async () => {
      const ran = await convert(text(name, await bytes));
      assert.match(pdftotext(made(ran)), /Guten Tag/);
      assert.ok(!pdftotext(made(ran)).includes('rtf1'));
      assert.equal(madeName(ran), `${name.replace(/\.[^.]*$/, '')}_convertedToPDF.pdf`);
      qpdfCheck(made(ran), { tolerant: true });
    });
  }

  test('an image is fitted onto A4', async () => {
    const ran = await convert(text('picture.png', PNG));
    assert.match(pdfinfo(made(ran))['Page size'] ?? '', /A4/);
    assert.equal(madeName(ran), 'picture_convertedToPDF.pdf');
  });

  test('a PDF is returned unchanged', async () => {
    const bytes = readFileSync(fixture('text-two-pages.pdf'));
    // What it is called does not matter.
    for (const name of ['a.pdf', 'a.docx']) {
      const ran = await convert(text(name, bytes));
      assert.deepEqual(made(ran), bytes);
      assert.equal(madeName(ran), 'a_convertedToPDF.pdf');
    }
  });

  test('a PDF with a password is returned unchanged to whoever knows it', async () => {
    const bytes = readFileSync(fixture('everything-locked.pdf'));
    const open = (params: Record<string, string>) =>
      runHere('convert/file/pdf', { files: { fileInput: text('a.pdf', bytes) }, params });
    assert.equal(failed(await open({})).reason, 'password_required');
    assert.equal(failed(await open({ inputPassword: 'no' })).reason, 'wrong_password');
    assert.deepEqual(made(await open({ inputPassword: 'open-sesame' })), bytes);
  });

  test('a PDF that cannot be read is refused', async () => {
    assert.equal(failed(await convert(text('a.pdf', '%PDF-1.4\nno more'))).reason, 'invalid_pdf');
  });
});

const REFUSED: readonly [
  what: string,
  name: string,
  bytes: Promise<Uint8Array> | Uint8Array,
  says: RegExp,
][] = [
  [
    'bytes without meaning',
    'x.docx',
    Buffer.from([0, 1, 2, 3]),
    /x\.docx is not of a type .*docx.*pptx.*svg/,
  ],
  ['text of an unknown kind', 'x.conf', Buffer.from('a = 1'), /x\.conf is not of a type/],
  ['a ZIP of something else', 'x.zip', zipped({ a: 'a' }), /x\.zip is not of a type/],
  ['a ZIP that is damaged', 'x.docx', Buffer.from('PK\u0003\u0004 and no more'), /x\.docx/],
  ['bytes called text', 'x.txt', Buffer.from([0x61, 0, 0, 0]), /x\.txt is not of a type/],
];
for (const [what, name, bytes, says] of REFUSED) {
  test(`${what} is refused`, async () => {
    const problem = failed(await convert({ name, bytes: await bytes }));
    assert.equal(problem.reason, 'unsupported_file_type');
    assert.match(problem.detail, says);
  });
}

interface Probe {
  libreoffice_pages: number;
  words: string[];
}

const CORPUS = corpusFolder('office');

describe('the corpus of office documents', {
  skip: withoutOffice || noCorpus() || missing('pdftotext'),
}, () => {
  const probes = noCorpus()
    ? {}
    : (JSON.parse(readFileSync(new URL('PROBES.json', CORPUS), 'utf8')) as Record<string, Probe>);
  for (const [path, { libreoffice_pages: pages, words }] of Object.entries(probes)) {
    const name = path.replace('shared/office/', '');
    test(name, async () => {
      const pdf = made(await convert(new URL(name, CORPUS).pathname));
      const shown = pdftotext(pdf);
      for (const word of words) assert.ok(shown.includes(word), word);
      assert.ok(
        Math.abs(Number(pdfinfo(pdf).Pages) - pages) <= 1,
        `${pdfinfo(pdf).Pages} pages, not ${pages}`,
      );
    });
  }

  for (const { name, path } of corpusFiles('office/ppt'))
    test(`ppt/${name} tells nothing of the machine it was converted on`, async () => {
      const objects = JSON.stringify(qpdfObjects(made(await convert(path))));
      assert.doesNotMatch(objects, /file:\/\/|\/tmp\//);
    });

  for (const { name, path } of corpusFiles('office/special')) {
    test(`special/${name}`, async () => {
      const ran = await convert(path);
      if (!name.includes('protected')) return qpdfCheck(made(ran), { tolerant: true });
      assert.equal(failed(ran).reason, 'unsupported_file_type');
      assert.match(failed(ran).detail, /protected by a password/);
    });
  }
});
