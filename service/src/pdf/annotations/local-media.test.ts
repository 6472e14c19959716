import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onePagePdf } from '../../../testing/documents/small-pdf.ts';
import { fileInMemory } from '../../contract/files.ts';
import { createQpdf } from '../../engines/qpdf/qpdf.ts';
import { removeLocalMedia } from './local-media.ts';

const screen = (data: string, subtype = 'Screen'): string =>
  `<< /Type /Annot /Subtype /${subtype} /Rect [0 0 9 9]
    /A << /S /Rendition /OP 0 /R << /S /MR /C << /S /MCD /D ${data} >> >> >> >>`;
const specification = (path: string): string => `<< /Type /Filespec /FS /URL /F (${path}) >>`;

/** How many annotations the page has left, and what was told. */
function left(...annotations: string[]): { told: boolean; count: number } {
  const refs = annotations.map((_, index) => `${index + 6} 0 R`).join(' ');
  const bytes = onePagePdf('', { page: `/Annots [${refs}]`, further: annotations });
  const qpdf = createQpdf({ passwords: [], newFile: () => '' });
  const doc = qpdf.engine.open(fileInMemory('x', bytes));
  const told = removeLocalMedia(doc);
  const count = doc.pages().flatMap((page) => doc.array(doc.dict(page)?.get('Annots')) ?? []).length;
  qpdf.closeAll();
  return { told, count };
}

for (const [what, annotation, isGone] of [
  ['a path in a file specification', screen(specification('file:///tmp/office/ring.wav')), true],
  ['a path in other letters', screen(specification('FILE:///C|/ring.wav')), true],
  ['a path as a string', screen('(file:///tmp/ring.wav)'), true],
  ['an address of the network', screen(specification('https://example.org/ring.wav')), false],
  ['a file beside the document', screen(specification('ring.wav')), false],
  ['a link with such a rendition', screen(specification('file:///tmp/ring.wav'), 'Link'), false],
  ['a screen without an action', '<< /Type /Annot /Subtype /Screen /Rect [0 0 9 9] >>', false],
] as const)
  test(`media of the local machine: ${what} ${isGone ? 'goes' : 'stays'}`, () => {
    const other = '<< /Type /Annot /Subtype /Square /Rect [0 0 9 9] >>';
    assert.deepEqual(left(annotation, other), { told: isGone, count: isGone ? 1 : 2 });
  });
