import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onePage } from '../../../../testing/documents/written-pdf.ts';
import {
  assertEmbedded,
  differingPart,
  toArchive,
  validArchive,
} from '../../../../testing/oracles/pdfa-likeness.ts';
import { missing, pdftotext } from '../../../../testing/oracles/programs.ts';

const skip = missing('gs', 'pdftoppm', 'pdffonts', 'pdftotext');

const page = (base: string, extra: string, text: string): Buffer =>
  onePage({
    content: `BT /F 60 Tf 60 600 Td (${text}) Tj ET`,
    page: '/Resources << /Font << /F 5 0 R >> >>',
    more: [`<< /Type /Font /Subtype /Type1 /BaseFont /${base} ${extra} >>`],
  });

const IGNORED = [
  '/Encoding /WinAnsiEncoding',
  '/Encoding /MacRomanEncoding',
  '/Encoding /StandardEncoding',
  '/Encoding << /Type /Encoding /BaseEncoding /WinAnsiEncoding >>',
];

test('fonts of signs show their signs, whatever encoding of letters is named', { skip }, async (t) => {
  for (const [base, text, reads] of [
    ['ZapfDingbats', '34 8ln', '✓✔✘●■'],
    ['Symbol', 'abS 4D', 'αβΣ4Δ'],
  ] as const)
    await t.test(base, async () => {
      const source = page(base, '', text);
      const plain = await validArchive(await toArchive(source), '2b');
      // Poppler draws the signs where no encoding is named; another font has them a little larger or smaller.
      assert.ok(differingPart(source, plain) < 0.01);
      for (const encoding of IGNORED) {
        const bytes = await validArchive(await toArchive(page(base, encoding, text)), '2b');
        assertEmbedded(bytes);
        assert.equal(differingPart(plain, bytes), 0, encoding);
        assert.equal(pdftotext(bytes).replace(/\s/g, ''), reads, encoding);
      }
      const letters = await validArchive(await toArchive(page('Helvetica', '', text)), '2b');
      assert.ok(differingPart(plain, letters) > 0.003);
    });
});

test('names of signs in an encoding count', { skip }, async () => {
  const encoding = '/Encoding << /BaseEncoding /WinAnsiEncoding /Differences [65 /a22 /a105 /a89] >>';
  const bytes = await validArchive(await toArchive(page('ZapfDingbats', encoding, 'ABC3')), '2b');
  assert.equal(pdftotext(bytes).replace(/\s/g, ''), '✖✐❨✓');
});
