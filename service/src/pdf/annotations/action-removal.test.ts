import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withDocument } from '../../../testing/documents/widened-pages.ts';
import { onePage } from '../../../testing/documents/written-pdf.ts';
import type { PdfDocument } from '../document.ts';
import { Dict, isName, type PdfValue } from '../objects.ts';
import { ActionRemoval } from './action-removal.ts';

const script = (next = '') => `<< /S /JavaScript /JS (x) ${next} >>`;
const uri = (address: string, next = '') => `<< /S /URI /URI (${address}) ${next} >>`;

/** The kinds that are left of a chain of actions, after scripts were taken out of it. */
function left(actions: string, more: string[] = []): string[] | undefined {
  return withDocument(onePage({ page: actions, more }), (doc) => {
    const page = doc.dict(doc.pages()[0]) ?? new Dict();
    new ActionRemoval(doc, (action) => isName(doc.resolve(action.get('S')), 'JavaScript')).cleanHolder(page);
    return page.has('A') ? kindsOf(doc, page.get('A')) : undefined;
  });
}

function kindsOf(doc: PdfDocument, action: PdfValue | undefined, depth = 0): string[] {
  const dict = doc.dict(action);
  if (!dict || depth > 5) return [];
  const next = dict.get('Next');
  const followers = doc.array(next) ?? (next === undefined ? [] : [next]);
  const address = doc.text(dict.get('URI'));
  return [
    address ?? doc.name(dict.get('S')) ?? '',
    ...followers.flatMap((each) => kindsOf(doc, each, depth + 1)),
  ];
}

test('an unwanted action goes, and what follows it moves up', () => {
  assert.equal(left(`/A ${script()}`), undefined);
  assert.deepEqual(left(`/A ${script(`/Next ${uri('a')}`)}`), ['a']);
  assert.deepEqual(left(`/A ${uri('a', `/Next ${script(`/Next ${uri('b')}`)}`)}`), ['a', 'b']);
  assert.deepEqual(left(`/A ${script(`/Next [${uri('a')} ${uri('b')}]`)}`), ['a', 'b']);
});

test('a chain that leads back to itself ends', () => {
  assert.deepEqual(left('/A 5 0 R', [uri('a', '/Next 6 0 R'), script('/Next 5 0 R')])?.slice(0, 1), ['a']);
});

test('events lose their unwanted actions only', () => {
  withDocument(onePage({ page: `/AA << /O ${script()} /C ${uri('a')} >>` }), (doc) => {
    const page = doc.dict(doc.pages()[0]) ?? new Dict();
    const removal = new ActionRemoval(doc, (action) => isName(action.get('S'), 'JavaScript'));
    assert.equal(removal.cleanHolder(page), true);
    assert.deepEqual([...(doc.dict(page.get('AA'))?.keys() ?? [])], ['C']);
    assert.equal(removal.cleanHolder(page), false);
  });
});
