import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { madeJson, runHere } from '../../../testing/calls/run-here.ts';
import { corpus, noCorpus } from '../../../testing/documents/collection.ts';
import { onePage, pdfOf, streamOf } from '../../../testing/documents/written-pdf.ts';
import { askProgram } from '../../../testing/oracles/programs.ts';

const fonts = async (bytes: Uint8Array) =>
  madeJson(await runHere('analysis/font-info', { files: { fileInput: { name: 'a.pdf', bytes } } })) as {
    fontCount: number;
    fonts: string[];
    baseFonts: string[];
  };

const HELVETICA = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
const FORM = '/Type /XObject /Subtype /Form /BBox [0 0 1 1]';

const cases: Record<string, { bytes: Buffer; expected: object }> = {
  'a page without fonts': { bytes: onePage(), expected: { fontCount: 0, fonts: [], baseFonts: [] } },
  'names sorted, each once': {
    bytes: onePage({
      page: '/Resources << /Font << /F2 5 0 R /F1 5 0 R /A#20b 5 0 R >> >>',
      more: [HELVETICA],
    }),
    expected: { fontCount: 3, fonts: ['A b', 'F1', 'F2'], baseFonts: ['Helvetica'] },
  },
  'inherited resources': {
    bytes: pdfOf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /MediaBox [0 0 9 9] /Resources << /Font << /F1 5 0 R >> >> >>',
      '<< /Type /Page /Parent 2 0 R >>',
      '<< /Type /Page /Parent 2 0 R /Resources << /Font << /F9 << /Subtype /Type3 >> >> >> >>',
      HELVETICA,
    ]),
    expected: { fontCount: 2, fonts: ['F1', 'F9'], baseFonts: ['Helvetica'] },
  },
  'forms within forms, in circles': {
    bytes: onePage({
      page: '/Resources << /XObject << /X 5 0 R >> >>',
      more: [
        streamOf('', `${FORM} /Resources << /XObject << /Y 6 0 R >> >>`),
        streamOf('', `${FORM} /Resources << /XObject << /X 5 0 R >> /Font << /Inner 7 0 R >> >>`),
        HELVETICA,
      ],
    }),
    expected: { fontCount: 0, fonts: [], baseFonts: ['Helvetica'] },
  },
  'resources of wrong types': {
    bytes: onePage({ page: '/Resources << /Font [1 2] /XObject (x) >>' }),
    expected: { fontCount: 0, fonts: [], baseFonts: [] },
  },
};
for (const [what, { bytes, expected }] of Object.entries(cases)) {
  test(`font-info: ${what}`, async () => assert.deepEqual(await fonts(bytes), expected));
}

test('every font pdffonts sees is listed', { skip: noCorpus() }, async () => {
  for (const path of corpus('pdf/text', 'pdf/outline', 'pdf/cjk')) {
    const bytes = readFileSync(path);
    const { baseFonts } = await fonts(bytes);
    const rows = askProgram('pdffonts', ['{}'], bytes)
      .split('\n')
      .slice(2)
      .filter((row) => /\syes|\sno/.test(row));
    for (const row of rows) {
      const name = row.slice(0, 36).trim();
      // Long names are cut off, Type 3 fonts have none.
      if (name === '[none]' || /Type 3/.test(row)) continue;
      assert.ok(
        baseFonts.some((font) => font.startsWith(name)),
        `${path}: ${name} in ${baseFonts.join(', ')}`,
      );
    }
  }
});
