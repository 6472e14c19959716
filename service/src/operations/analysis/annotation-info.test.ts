import assert from 'node:assert/strict';
import { test } from 'node:test';
import { madeJson, runHere } from '../../../testing/calls/run-here.ts';
import { onePage } from '../../../testing/documents/written-pdf.ts';

const PATH = 'analysis/annotation-info';
const info = async (annots: string, more: string[] = []) =>
  madeJson(
    await runHere(PATH, { files: { fileInput: { name: 'a.pdf', bytes: onePage({ page: annots, more }) } } }),
  );

const cases: Record<string, { annots: string; more?: string[]; expected: object }> = {
  'a page without annotations': { annots: '', expected: { totalCount: 0, typeBreakdown: {} } },
  'annotations by their subtype': {
    annots: '/Annots [5 0 R << /Subtype /Link >> << /Subtype /Widget >> 5 0 R]',
    more: ['<< /Type /Annot /Subtype /Link >>'],
    expected: { totalCount: 4, typeBreakdown: { Link: 3, Widget: 1 } },
  },
  'what is no dictionary is no annotation': {
    annots: '/Annots [7 null (x) 99 0 R << >>]',
    expected: { totalCount: 1, typeBreakdown: {} },
  },
  'Annots that is no array': {
    annots: '/Annots << /Subtype /Link >>',
    expected: { totalCount: 0, typeBreakdown: {} },
  },
  'subtypes with names of object members': {
    annots: '/Annots [<< /Subtype /__proto__ >> << /Subtype /constructor >> << /Subtype /J#c3#bc >>]',
    expected: JSON.parse('{"totalCount":3,"typeBreakdown":{"__proto__":1,"constructor":1,"J\u00fc":1}}'),
  },
};
for (const [what, { annots, more, expected }] of Object.entries(cases)) {
  test(`annotation-info: ${what}`, async () => assert.deepEqual(await info(annots, more), expected));
}
