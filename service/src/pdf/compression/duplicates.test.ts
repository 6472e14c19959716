import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withDocument } from '../../../testing/documents/widened-pages.ts';
import { onePage, streamOf } from '../../../testing/documents/written-pdf.ts';
import { Ref } from '../objects.ts';
import { reachableRefs } from '../reachable.ts';
import { mergeDuplicates } from './duplicates.ts';

const FORM = '/Type /XObject /Subtype /Form /BBox [0 0 9 9]';
/** The numbers of the objects that the page's two forms are, after merging. */
function formsAfter(first: string, second: string): (number | undefined)[] {
  const bytes = onePage({
    page: '/Resources << /XObject << /A 5 0 R /B 6 0 R >> >>',
    content: '/A Do /B Do',
    more: [first, second],
  });
  return withDocument(bytes, (doc) => {
    mergeDuplicates(doc, reachableRefs(doc));
    const page = doc.dict(doc.pages()[0]);
    const forms = doc.dict(doc.dict(page?.get('Resources'))?.get('XObject'));
    return ['A', 'B'].map((name) => {
      const held = forms?.get(name);
      return held instanceof Ref ? held.number : undefined;
    });
  });
}

test('forms that say the same become one, whatever the order of their entries', () => {
  const [a, b] = formsAfter(
    streamOf('0 g', FORM),
    streamOf('0 g', '/BBox [0 0 9 9] /Subtype /Form /Type /XObject'),
  );
  assert.equal(a, b);
});

test('forms that differ in data or in an entry stay two', () => {
  assert.notEqual(...(formsAfter(streamOf('0 g', FORM), streamOf('1 g', FORM)) as [number, number]));
  assert.notEqual(
    ...(formsAfter(streamOf('0 g', FORM), streamOf('0 g', `${FORM} /Matrix [2 0 0 2 0 0]`)) as [
      number,
      number,
    ]),
  );
});
