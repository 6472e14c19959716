// The six filters are alike: they pass the file on, or nothing. Cases as data.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { failed, made, runHere } from '../../../testing/calls/run-here.ts';
import { fixture } from '../../../testing/documents/collection.ts';
import { onePage, streamOf } from '../../../testing/documents/written-pdf.ts';

const TEXT = readFileSync(fixture('text-two-pages.pdf'));
const IMAGES = readFileSync(fixture('images-in-forms.pdf'));
const page = (entries: string) => onePage({ page: entries });
const EMPTY = page('');
const rotated = (degrees: number) => page(`/Rotate ${degrees}`);
const A4 = page('/MediaBox [0 0 595 842]');

const INLINE = onePage({ content: 'q 10 0 0 10 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \u00ff EI Q' });
const IMAGE = streamOf(
  'x',
  '/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray',
);
const UNUSED_IMAGE = onePage({ page: '/Resources << /XObject << /I 5 0 R >> >>', more: [IMAGE] });
const DRAWS = '/Resources << /XObject << /I 6 0 R >> >> /BBox [0 0 9 9]';
const IN_PATTERN = onePage({
  page: '/Resources << /Pattern << /P 5 0 R >> >>',
  content: '/Pattern cs /P scn 0 0 99 99 re f',
  more: [
    streamOf('9 0 0 9 0 0 cm /I Do', `/PatternType 1 /PaintType 1 /TilingType 1 /XStep 9 /YStep 9 ${DRAWS}`),
    IMAGE,
  ],
});
const IN_STAMP = onePage({
  page: '/Annots [<< /Type /Annot /Subtype /Stamp /Rect [9 9 99 99] /AP << /N 5 0 R >> >>]',
  more: [streamOf('9 0 0 9 0 0 cm /I Do', `/Type /XObject /Subtype /Form ${DRAWS}`), IMAGE],
});
const WITHOUT_TRAILER = INLINE.subarray(0, INLINE.lastIndexOf('xref\n0'));

type Case = [bytes: Buffer, params: Record<string, string>, passes: boolean];
const CASES: Record<string, Case[]> = {
  'filter-file-size': [
    [TEXT, { comparator: 'Greater' }, true],
    [TEXT, { comparator: 'greater', fileSize: String(TEXT.length - 1) }, true],
    [TEXT, { comparator: 'Equal', fileSize: String(TEXT.length) }, true],
    [TEXT, { comparator: 'LESS', fileSize: String(TEXT.length) }, false],
    [TEXT, { comparator: 'Less', fileSize: '9007199254740991' }, true],
  ],
  'filter-page-count': [
    [TEXT, { comparator: 'Equal', pageCount: '2' }, true],
    [TEXT, { comparator: 'Greater', pageCount: '2' }, false],
    [TEXT, { comparator: 'Greater' }, true],
    [TEXT, { comparator: 'Less', pageCount: '1000000' }, true],
  ],
  'filter-page-rotation': [
    [rotated(90), { comparator: 'Equal', rotation: '90' }, true],
    [rotated(-90), { comparator: 'Equal', rotation: '270' }, true],
    [rotated(450), { comparator: 'Greater' }, true],
    [rotated(360), { comparator: 'Equal' }, true],
    [rotated(0), { comparator: 'Less', rotation: '360' }, true],
    [rotated(0), { comparator: 'Less' }, false],
  ],
  'filter-page-size': [
    [A4, { comparator: 'Equal' }, true],
    [A4, { comparator: 'equal', standardPageSize: 'a4' }, true],
    [EMPTY, { comparator: 'Equal' }, false],
    [EMPTY, { comparator: 'Equal', standardPageSize: 'letter' }, true],
    [EMPTY, { comparator: 'Less' }, true],
    [EMPTY, { comparator: 'Greater', standardPageSize: 'A6' }, true],
    // 0.5 % of 612 x 792 lies between these two.
    [page('/MediaBox [0 0 612 795.9]'), { comparator: 'Equal', standardPageSize: 'LETTER' }, true],
    [page('/MediaBox [0 0 612 796.1]'), { comparator: 'Greater', standardPageSize: 'LETTER' }, true],
    [
      page('/MediaBox [0 0 612 792] /CropBox [0 0 9 9]'),
      { comparator: 'Equal', standardPageSize: 'LETTER' },
      true,
    ],
  ],
  'filter-contains-image': [
    [IMAGES, {}, true],
    [INLINE, {}, true],
    [INLINE, { pageNumbers: '1' }, true],
    [INLINE, { pageNumbers: '2n' }, false],
    [IN_PATTERN, {}, true],
    [IN_STAMP, {}, true],
    [WITHOUT_TRAILER, {}, true],
    [UNUSED_IMAGE, {}, false],
    [EMPTY, {}, false],
  ],
};
for (const [name, cases] of Object.entries(CASES)) {
  for (const [bytes, params, passes] of cases) {
    test(`${name} ${JSON.stringify(params)} ${passes ? 'passes the file on' : 'gives nothing'}`, async () => {
      const ran = await runHere(`filter/${name}`, {
        files: { fileInput: { name: 'My file.pdf', bytes } },
        params,
      });
      if (!passes) {
        assert.equal(ran.state, 'nothing');
        return;
      }
      assert.ok(made(ran).equals(bytes), 'byte-identical');
      assert.equal(ran.state === 'made' && ran.result.name, 'My file.pdf');
      assert.equal(ran.state === 'made' && ran.result.mediaType, 'application/pdf');
    });
  }
}

const REFUSED: [name: string, params: Record<string, string | string[]>, reason: string, says: RegExp][] = [
  ['filter-file-size', {}, 'invalid_parameter', /comparator/],
  ['filter-file-size', { comparator: 'Bigger' }, 'invalid_parameter', /comparator.*Greater, Equal, Less/],
  ['filter-file-size', { comparator: 'Less', fileSize: '-1' }, 'invalid_parameter', /fileSize/],
  ['filter-file-size', { comparator: 'Less', fileSize: '9007199254740992' }, 'invalid_parameter', /fileSize/],
  ['filter-file-size', { comparator: 'Less', fileSize: '1.5' }, 'invalid_parameter', /fileSize/],
  ['filter-file-size', { comparator: ['Less', 'Less'] }, 'invalid_parameter', /comparator/],
  ['filter-page-count', { pageCount: '2' }, 'invalid_parameter', /comparator/],
  ['filter-page-count', { comparator: 'Less', pageCount: '1000001' }, 'invalid_parameter', /pageCount/],
  ['filter-page-rotation', { comparator: 'Less', rotation: '361' }, 'invalid_parameter', /rotation/],
  ['filter-page-rotation', { comparator: 'Less', rotation: '-90' }, 'invalid_parameter', /rotation/],
  [
    'filter-page-size',
    { comparator: 'Less', standardPageSize: 'A7' },
    'invalid_parameter',
    /standardPageSize.*A4/,
  ],
  ['filter-page-size', { comparator: 'same' }, 'invalid_parameter', /comparator/],
  ['filter-contains-image', { pageNumbers: '0' }, 'invalid_page_selection', /pageNumbers/],
  ['filter-contains-image', { pageNumbers: '3' }, 'page_out_of_range', /3.*2/],
  ['filter-contains-text', {}, 'invalid_parameter', /text/],
  ['filter-contains-text', { text: '' }, 'invalid_parameter', /text/],
  ['filter-contains-text', { text: 'x'.repeat(10_001) }, 'invalid_parameter', /text/],
  ['filter-contains-text', { text: 'x', pageNumbers: '5-3' }, 'invalid_page_selection', /pageNumbers/],
  ['filter-contains-text', { text: 'x', pageNumbers: '1-3' }, 'page_out_of_range', /3.*2/],
];
for (const [name, params, reason, says] of REFUSED) {
  test(`${name} refuses ${JSON.stringify(params).slice(0, 60)}`, async () => {
    const problem = failed(
      await runHere(`filter/${name}`, { files: { fileInput: { name: 'a.pdf', bytes: TEXT } }, params }),
    );
    assert.equal(problem.reason, reason);
    assert.match(problem.detail, says);
  });
}

for (const name of [...Object.keys(CASES), 'filter-contains-text']) {
  test(`${name} refuses what is no PDF`, async () => {
    const params = { comparator: 'Greater', text: 'x' };
    const ran = await runHere(`filter/${name}`, {
      files: { fileInput: { name: 'a.pdf', bytes: Buffer.from('x') } },
      params,
    });
    assert.equal(failed(ran).reason, 'invalid_pdf');
  });
}
