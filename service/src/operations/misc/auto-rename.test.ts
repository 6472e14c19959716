import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { failed, made, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { corpus, fixture, noCorpus } from '../../../testing/documents/collection.ts';
import { onePage, pdfOf, streamOf } from '../../../testing/documents/written-pdf.ts';

const run = (bytes: Uint8Array, params: Record<string, string> = {}) =>
  runHere('misc/auto-rename', { files: { fileInput: { name: 'scan.pdf', bytes } }, params });
const named = async (bytes: Uint8Array, params: Record<string, string> = {}) => {
  const ran = await run(bytes, params);
  assert.ok(made(ran).equals(Buffer.from(bytes)), 'only the name changes');
  return madeName(ran);
};

const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>';
/** Lines from the top, each with its size. */
const written = (...lines: [size: number, text: string][]) =>
  drawn(
    lines
      .map(
        ([size, text], i) =>
          `BT /F ${size} Tf 1 0 0 1 20 ${760 - i * 30} Tm (${text.replace(/[\\()]/g, '\\$&')}) Tj ET`,
      )
      .join('\n'),
  );
const drawn = (content: string) =>
  onePage({ page: '/Resources << /Font << /F 5 0 R >> >>', content, more: [FONT] });

const CASES: [what: string, bytes: Uint8Array, params: Record<string, string>, name: string][] = [
  ['the largest text', written([10, 'small'], [24, 'The Title'], [12, 'body']), {}, 'The Title.pdf'],
  ['of equals the earlier', written([10, 'small'], [20, 'First'], [20, 'Second']), {}, 'First.pdf'],
  [
    'text of one size: the first readable line',
    written([10, '***'], [10, 'One'], [10, 'Two']),
    {},
    'One.pdf',
  ],
  [
    'size by matrix, not by the text state',
    drawn('BT /F 1 Tf 30 0 0 30 20 700 Tm (Large) Tj ET BT /F 14 Tf 20 600 Td (Small) Tj ET'),
    {},
    'Large.pdf',
  ],
  [
    'size by the matrix around it',
    drawn('q 3 0 0 3 0 0 cm BT /F 8 Tf 9 200 Td (Large) Tj ET Q BT /F 14 Tf 20 90 Td (Small) Tj ET'),
    {},
    'Large.pdf',
  ],
  [
    'a run within a line',
    drawn('BT /F 10 Tf 20 700 Td (before ) Tj /F 20 Tf (Inside It) Tj /F 10 Tf ( after) Tj ET'),
    {},
    'Inside It.pdf',
  ],
  ['forbidden characters', written([20, 'A/B\\C?D%E*F:G|H"I<J>K']), {}, 'ABCDEFGHIJK.pdf'],
  ['no text', onePage(), {}, 'scan.pdf'],
  ['nothing readable', written([20, '?? ** //']), {}, 'scan.pdf'],
  ['a title of 254 characters', written([2, 'x'.repeat(254)], [1, 'y']), {}, `${'x'.repeat(254)}.pdf`],
  ['a title too long', written([1, 'The first line'], [2, 'x'.repeat(255)]), {}, 'scan.pdf'],
  [
    'a title too long, with the first line as fallback',
    written([1, 'The first: line'], [2, 'x'.repeat(255)]),
    { useFirstTextAsFallback: 'true' },
    'The first line.pdf',
  ],
  [
    'a fallback that is cut',
    written([2, 'y'.repeat(300)]),
    { useFirstTextAsFallback: 'yes' },
    `${'y'.repeat(200)}.pdf`,
  ],
];
for (const [what, bytes, params, name] of CASES) {
  test(`the name is right: ${what}`, async () => assert.equal(await named(bytes, params), name));
}

test('what stands after the first 200 lines does not count; a title may stand on the second page', async () => {
  const lines = (count: number, size: number, word: string) =>
    Array.from({ length: count }, (_, i) => `BT /F ${size} Tf 9 ${780 - i * 7} Td (${word}${i}) Tj ET`).join(
      '\n',
    );
  const pages = (...contents: string[]) =>
    pdfOf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Count ${contents.length} /Kids [${contents.map((_, i) => `${4 + i * 2} 0 R`).join(' ')}] /MediaBox [0 0 600 800] /Resources << /Font << /F 3 0 R >> >> >>`,
      FONT,
      ...contents.flatMap((content, i) => [
        `<< /Type /Page /Parent 2 0 R /Contents ${5 + i * 2} 0 R >>`,
        streamOf(content),
      ]),
    ]);
  const half = lines(100, 5, 'body');
  assert.equal(await named(pages(half, half, lines(1, 50, 'late'))), 'body0.pdf');
  assert.equal(await named(pages(half, lines(1, 50, 'early'))), 'early0.pdf');
});

test('what had to be repaired is named by its first page', async () => {
  const said = (text: string) => streamOf(`BT /F 20 Tf 9 700 Td (${text}) Tj ET`);
  const whole = pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 2 /Kids [6 0 R 4 0 R] /MediaBox [0 0 600 800] /Resources << /Font << /F 3 0 R >> >> >>',
    FONT,
    '<< /Type /Page /Parent 2 0 R /Contents 5 0 R >>',
    said('Second'),
    '<< /Type /Page /Parent 2 0 R /Contents 7 0 R >>',
    said('First'),
  ]).toString('latin1');
  for (const broken of [whole.replaceAll('endobj', ''), whole.slice(0, whole.lastIndexOf('xref\n0'))])
    assert.equal(await named(Buffer.from(broken, 'latin1')), 'First.pdf');
});

test('the flag takes only true or false', async () => {
  const problem = failed(await run(onePage(), { useFirstTextAsFallback: 'perhaps' }));
  assert.equal(problem.reason, 'invalid_parameter');
  assert.match(problem.detail, /useFirstTextAsFallback/);
});

test('documents of a collection are named without a fault', { skip: noCorpus() }, async () => {
  assert.equal(await named(readFileSync(fixture('form-fields.pdf'))), 'scan.pdf');
  for (const path of corpus('pdf/text', 'pdf/cjk', 'pdf/rtl', 'pdf/malformed')) {
    const name = await named(readFileSync(path), { useFirstTextAsFallback: 'true' });
    assert.match(name ?? '', /^[^/\\?%*:|"<>\p{Cc}]{1,254}\.pdf$/u, path);
  }
});
