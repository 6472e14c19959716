// What text stands on comes along: bars, boxes, grids; and a page of much is not gone through again and again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { made, runHere } from '../../../../testing/calls/run-here.ts';
import { corpus, noCorpus } from '../../../../testing/documents/collection.ts';
import { pdfOf, streamOf } from '../../../../testing/documents/written-pdf.ts';
import { zipEntries } from '../../../../testing/oracles/archives.ts';
import { noOffice, printed } from '../../../../testing/oracles/office-documents.ts';
import { schemaFaults } from '../../../../testing/oracles/office-schemas.ts';
import { drawnPage } from '../../../../testing/oracles/page-images.ts';
import { missing } from '../../../../testing/oracles/programs.ts';
import { drawPagesOnce } from '../../../layout/figures/page-rasters.ts';

const pageOf = (content: string): Uint8Array =>
  pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F0 5 0 R >> >> /Contents 4 0 R >>',
    streamOf(content),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]);

/** In points from the top left corner. */
function colourAt(pdf: Buffer, x: number, y: number): string {
  const { width, rgb } = drawnPage(pdf);
  return Buffer.from(rgb.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)).toString('hex');
}

const SENTENCE = 'of words that fill the page from its left side to its right as running text does';
const prose = (top: number): string =>
  [0, 1, 2].map((i) => `BT /F0 10 Tf 60 ${top - i * 12} Td (Line ${i} ${SENTENCE}) Tj ET`).join('\n');
const text = (y: number, words: string, colour = 1): string =>
  `${colour} g BT /F0 12 Tf 66 ${y} Td (${words}) Tj ET 0 g`;

const ROUND =
  '0.5 0 0 rg 70 500 m 60 500 60 500 60 510 c 60 520 l 60 530 60 530 70 530 c 530 530 l 540 530 540 530 540 520 c 540 510 l 540 500 540 500 530 500 c f';

const BARS = [
  '0.1 0.2 0.3 rg 60 700 480 24 re f',
  text(707, 'White on a dark bar'),
  prose(670),
  '0.9 g 60 590 480 24 re f',
  text(597, 'Black on a pale box', 0),
  prose(570),
  ROUND,
  text(511, 'White on a rounded bar'),
  prose(470),
  text(400, 'White on nothing'),
  prose(370),
].join('\n');

async function documentXml(pdf: Uint8Array): Promise<{ docx: Buffer; xml: string }> {
  const docx = made(
    await runHere('convert/pdf/word', { files: { fileInput: { name: 'a.pdf', bytes: pdf } } }),
  );
  const part = (await zipEntries(docx)).find(({ name }) => name === 'word/document.xml');
  return { docx, xml: part?.bytes.toString('utf8') ?? '' };
}

const paragraphWith = (xml: string, words: string): string =>
  xml.match(/<w:p>.*?<\/w:p>/gs)?.find((each) => each.includes(words)) ?? '';

test('white text keeps its colour and its ground, or is dark', async () => {
  const { docx, xml } = await documentXml(pageOf(BARS));
  assert.match(
    paragraphWith(xml, 'White on a dark bar'),
    /<w:shd [^>]*w:fill="1A334D"\/>.*<w:color w:val="FFFFFF"\/>/s,
  );
  assert.match(paragraphWith(xml, 'Black on a pale box'), /<w:shd [^>]*w:fill="E6E6E6"\/>/);
  assert.match(
    paragraphWith(xml, 'rounded bar'),
    /<w:shd [^>]*w:fill="800000"\/>.*<w:color w:val="FFFFFF"\/>/s,
  );
  assert.doesNotMatch(paragraphWith(xml, 'White on nothing'), /FFFFFF|w:shd/);
  assert.deepEqual(await schemaFaults(docx), []);
});

test('printed back, bar and lines stand where they stood', {
  skip: noOffice() || missing('pdftoppm'),
}, async () => {
  const grid = '0 0 1 RG 2 w 100 100 m 100 250 l S 100 250 m 500 250 l S 300 100 m 300 250 l S';
  const { docx } = await documentXml(pageOf(`${BARS}\n${grid}`));
  const pdf = printed(docx, 'docx');
  assert.equal(colourAt(pdf, 500, 842 - 712), '1a334d');
  assert.equal(colourAt(pdf, 300, 842 - 150), '0000ff');
  assert.equal(colourAt(pdf, 350, 842 - 150), 'ffffff');
});

test('a cover in one colour keeps its white title', { skip: noCorpus() }, async () => {
  const path = corpus('pdf').find((each) => each.endsWith('RA_CI.pdf'));
  const ran = await runHere('convert/pdf/word', { files: { fileInput: path ?? '' } });
  const part = (await zipEntries(made(ran))).find(({ name }) => name === 'word/document.xml');
  const title = paragraphWith(part?.bytes.toString('utf8') ?? '', 'Building a Continuous');
  assert.match(title, /<w:shd [^>]*w:fill="28B8EA"\/>.*<w:color w:val="FFFFFF"\/>/s);
});

test('a page of many images is drawn a few times, and what is cut out of it is what was asked for', () => {
  let times = 0;
  const drawn = drawPagesOnce(
    {
      jpeg: () => undefined,
      renderArea(_, { x, y, width, height }, scale) {
        times += 1;
        const [columns, rows] = [Math.round(width * scale), Math.round(height * scale)];
        const rgba = new Uint8Array(columns * rows * 4).fill(255);
        for (let row = 0; row < rows; row += 1)
          for (let column = 0; column < columns; column += 1) {
            const at = (row * columns + column) * 4;
            rgba[at] = Math.floor(x + (column + 0.5) / scale);
            rgba[at + 1] = Math.floor(y + (row + 0.5) / scale);
          }
        return { width: columns, height: rows, rgba };
      },
    },
    () => ({ x: 0, y: 0, width: 200, height: 200 }),
  );
  for (let i = 0; i < 100; i += 1) {
    const { width, height, rgba } = drawn.renderArea(0, { x: i, y: 2 * i, width: 20, height: 10 }, 2);
    assert.deepEqual([width, height], [40, 20]);
    if (2 * i < 200) assert.deepEqual([...rgba.subarray(0, 3)], [i, 2 * i, 255]);
  }
  assert.ok(times < 10, `${times} times`);
});
