import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onePage, pdfOf, streamOf } from '../../../../testing/documents/written-pdf.ts';
import {
  differingPart,
  outcomeOf,
  toArchive,
  validArchive,
} from '../../../../testing/oracles/pdfa-likeness.ts';
import { askProgram, missing, pdftotext } from '../../../../testing/oracles/programs.ts';

const skip = missing('gs', 'pdftoppm', 'pdfimages', 'pdftotext', 'qpdf');
const HELVETICA = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>';
const SEE_THROUGH = '/ExtGState << /G << /ca 0.5 >> >>';

const toFirstPart = async (source: Uint8Array): Promise<Buffer> =>
  validArchive(await toArchive(source, { outputFormat: 'pdfa-1' }), '1b');

/** Numbers of the pages that have images. */
const imagedPages = (bytes: Uint8Array): number[] =>
  Array.from(askProgram('pdfimages', ['-list', '{}'], bytes).matchAll(/^ +(\d+) /gm), ([, page]) =>
    Number(page),
  );

test('what glyphs stand for is told where a page becomes an image', { skip }, async () => {
  const marked = (properties: string, at: number): string =>
    `/Span ${properties} BDC BT /F 24 Tf 50 ${at} Td (xyz) Tj ET EMC`;
  const content = [
    '/P << /MCID 0 >> BDC',
    marked('<< /ActualText (written out) >>', 700),
    '/Artifact BMC',
    marked('/Named', 600),
    'EMC EMC BT /F 24 Tf 50 500 Td (as they are) Tj ET',
    '/Form Do /G gs 0 0 1 rg 200 200 200 200 re f',
  ].join('\n');
  const source = onePage({
    content,
    page: `/Resources << /Font << /F 5 0 R >> ${SEE_THROUGH} /XObject << /Form 6 0 R >> /Properties << /Named 7 0 R >> >>`,
    more: [
      HELVETICA,
      streamOf(
        `${marked('<< /ActualText (in a form) >>', 400)} /Span << /ActualText <FEFF0928093F> >> BDC BT /F 24 Tf 50 300 Td (q) Tj ET EMC`,
        '/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << /Font << /F 5 0 R >> >>',
      ),
      '<< /ActualText 8 0 R >>',
      '(by a name)',
    ],
  });
  const bytes = await toFirstPart(source);
  assert.deepEqual(imagedPages(bytes), [1]);
  assert.equal(pdftotext(bytes), pdftotext(source));
  assert.match(pdftotext(bytes), /^written out\s+xyz\s+as they are\s+in a form\s+नि\s+$/);
  // Poppler does not look up marks that are named; others do.
  const written = askProgram('qpdf', ['--qdf', '--object-streams=disable', '{}', '-'], bytes);
  assert.match(written, /^\/Span \/Told1 BDC$/m);
  assert.match(written, /\/Told1 <<\s+\/ActualText \d+ 0 R/);
  assert.ok(differingPart(source, bytes) < 0.02);
});

test('letters that are images and show through are laid over their page as letters alone', {
  skip,
}, async () => {
  const mask = streamOf(
    '\x80',
    '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8',
  );
  const image =
    '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceRGB /BitsPerComponent 8 /SMask 8 0 R';
  const page = (contents: number): string =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents ${contents} 0 R /Resources << /Font << /F 6 0 R >> ${SEE_THROUGH} >> >>`;
  const source = pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
    page(5),
    page(5),
    streamOf('/G gs 0 1 0 rg 0 0 150 300 re f BT /F 100 Tf 60 100 Td (ab) Tj ET'),
    `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 98 /Widths [1 0.5]
        /Encoding << /Type /Encoding /Differences [97 /a /b] >> /CharProcs << /a 7 0 R /b 10 0 R >> /Resources << /XObject << /I 9 0 R >> >> >>`,
    streamOf('1 0 d0 0.8 0 0 0.8 0 0 cm /I Do'),
    mask,
    streamOf('\x7f\x00\x00', image),
    streamOf('0.5 0 0 0 0.5 1 d1 0 0 0.4 0.8 re f'),
  ]);
  const bytes = await toFirstPart(source);
  assert.deepEqual(imagedPages(bytes), [1, 2]);
  assert.equal(pdftotext(bytes), pdftotext(source));
  assert.match(pdftotext(bytes), /^ab\s+ab\s+$/);
  assert.ok(differingPart(source, bytes) < 0.02);
});

const GROUP = '/Group << /S /Transparency /I true /CS /DeviceRGB >>';
const form = (content: string, resources = ''): string =>
  streamOf(
    content,
    `/Type /XObject /Subtype /Form /BBox [0 0 300 300] ${GROUP} /Resources << ${resources} >>`,
  );

/** Two pages that draw the forms 7 and 8, or one of them twice. */
function twoPages(contents: [string, string], forms: [number, number]): Buffer {
  const page = (index: 0 | 1): string =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] ${GROUP} /Contents ${5 + index} 0 R
        /Resources << /XObject << /X ${forms[index]} 0 R >> ${index === 1 ? SEE_THROUGH : ''} >> >>`;
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
    page(0),
    page(1),
    ...contents.map((content) => streamOf(content)),
    form('BT /F 20 Tf 20 200 Td (Opaque) Tj ET 1 0 0 rg 20 20 90 90 re f', '/Font << /F 9 0 R >>'),
    form('1 0 0 rg 20 20 150 150 re f 0 0 1 rg 90 90 150 150 re f'),
    HELVETICA,
  ]);
}

test('a page with groups of opaque things stays text beside one that is seen through', { skip }, async () => {
  const source = twoPages(['/X Do', '/G gs /X Do'], [7, 8]);
  const bytes = await toFirstPart(source);
  assert.deepEqual(imagedPages(bytes), [2]);
  assert.ok(
    askProgram('qpdf', ['--qdf', '--object-streams=disable', '{}', '-'], bytes).includes('(Opaque) Tj'),
  );
  assert.ok(differingPart(source, bytes) < 0.02);
});

test('a group that is seen through elsewhere stays a group', { skip }, async () => {
  const source = twoPages(['/X Do', '/G gs /X Do'], [8, 8]);
  // Without the group the red square would be seen through the blue one.
  assert.ok(differingPart(source, await toFirstPart(source)) < 0.02);
  const untouched = await toArchive(source);
  assert.equal(outcomeOf(untouched), 'valid');
});
