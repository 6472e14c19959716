// Names that every object of JavaScript inherits, used as names of a document: none of them is a word we know.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runHere } from '../../testing/calls/run-here.ts';
import { pdfOf, streamOf } from '../../testing/documents/written-pdf.ts';

const CALLS: [path: string, params: Record<string, string>][] = [
  ['misc/flatten', {}],
  ['misc/compress-pdf', { optimizeLevel: '5' }],
  ['misc/repair', {}],
  ['misc/unlock-pdf-forms', {}],
  ['misc/extract-images', {}],
  ['misc/replace-invert-pdf', { replaceAndInvertOption: 'FULL_INVERSION' }],
  ['general/crop', { x: '10', y: '10', width: '100', height: '100' }],
  ['general/multi-page-layout', { pagesPerSheet: '2' }],
  ['security/get-info-on-pdf', {}],
  ['security/sanitize-pdf', {}],
  ['security/verify-pdf', {}],
  ['security/auto-redact', { listOfText: 'words' }],
  ['convert/pdf/text', {}],
  ['convert/pdf/text-editor', {}],
  ['convert/pdf/markdown', {}],
  ['convert/pdf/pdfa', {}],
  ['analysis/font-info', {}],
  ['analysis/annotation-info', {}],
  ['form/fields', {}],
];

/** The word wherever a document may name something of a closed list. */
function documentWith(word: string): Buffer {
  const annotation = (more: string) => `<< /Type /Annot /Rect [9 9 60 60] /Contents (words) ${more} >>`;
  const font = (more: string) => `<< /Type /Font ${more} /FirstChar 97 /LastChar 98 /Widths [500 500] >>`;
  return pdfOf([
    `<< /Type /Catalog /Pages 2 0 R /PageMode /${word} /AcroForm << /Fields [12 0 R] /DA (/${word} 9 Tf 0 ${word}) >>
      /OutputIntents [<< /S /${word} >>] /Lang (${word}) >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Trans << /S /${word} >>
      /Annots [5 0 R 6 0 R 7 0 R 12 0 R] /Resources << /Font << /F 8 0 R /G 9 0 R /H 15 0 R >>
      /XObject << /I 10 0 R /J 14 0 R >> /ColorSpace << /C [/${word} 1] /S [/Separation /${word} /DeviceRGB 11 0 R] >>
      /ExtGState << /E << /BM /${word} /SMask /${word} /RI /${word} >> >> /Properties << /P << /Type /${word} >> >> >> >>`,
    streamOf(
      `/E gs /C cs 1 scn /S cs 0.5 scn 1 1 9 9 re f /${word} cs 1 ${word} /${word} BMC EMC /Span /P BDC EMC
      BT /F 9 Tf 20 20 Td (ab words) Tj /G 9 Tf (ab) Tj /H 9 Tf <0041> Tj ET q 9 0 0 9 50 50 cm /I Do /J Do Q
      BI /W 1 /H 1 /BPC 8 /CS /${word} /F /${word} ID x EI`,
    ),
    annotation(`/Subtype /${word}`),
    annotation(`/Subtype /Line /L [9 9 60 60] /LE [/${word} /${word}] /BS << /S /${word} >>`),
    annotation(`/Subtype /Text /Name /${word} /StateModel /${word} /State /${word}`),
    font(`/Subtype /TrueType /BaseFont /${word} /Encoding /${word}`),
    font(
      `/Subtype /Type1 /BaseFont /Helvetica /Encoding << /BaseEncoding /${word} /Differences [97 /${word} /${word}] >>`,
    ),
    streamOf(
      'x',
      `/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /${word} /Filter /${word}`,
    ),
    streamOf(`{ ${word} }`, '/FunctionType 4 /Domain [0 1] /Range [0 1 0 1 0 1]'),
    annotation(
      `/Subtype /Widget /FT /${word} /T (${word}) /V /${word} /DA (/${word} 0 Tf 1 ${word}) /MK << /CA (${word}) >>`,
    ),
    `<< /Registry (Adobe) /Ordering (${word}) /Supplement 0 >>`,
    streamOf(
      'x',
      '/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray',
    ),
    `<< /Type /Font /Subtype /Type0 /BaseFont /${word} /Encoding /${word} /DescendantFonts [<< /Type /Font
      /Subtype /CIDFontType2 /BaseFont /${word} /CIDSystemInfo 13 0 R /CIDToGIDMap /${word} >>] >>`,
  ]);
}

for (const word of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
  test(`a document whose names are ${word} breaks nothing`, async () => {
    const broken: string[] = [];
    for (const [path, params] of CALLS) {
      const ran = await runHere(path, {
        files: { fileInput: [{ name: 'a.pdf', bytes: documentWith(word) }] },
        params,
      });
      if (ran.state === 'failed' && ran.problem.reason === 'internal')
        broken.push(`${path}: ${ran.cause?.slice(0, 200)}`);
      if (ran.state === 'failed' && ran.problem.reason === 'invalid_parameter')
        broken.push(`${path}: ${ran.problem.detail}`);
    }
    assert.deepEqual(broken, []);
  });
}
