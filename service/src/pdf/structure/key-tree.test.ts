import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createQpdf } from '../../engines/qpdf/qpdf.ts';
import { Dict, PdfString, Ref } from '../objects.ts';
import { buildNameTree, readNameTree } from './name-tree.ts';
import { buildNumberTree, readNumberTree } from './number-tree.ts';

const newDocument = () => createQpdf({ passwords: [], newFile: () => '' }).engine.create();
const key = (text: string) => new PdfString(Buffer.from(text, 'latin1'));

for (const size of [0, 1, 64, 65, 5000]) {
  test(`a tree of ${size} entries is read as it was built, in byte order`, () => {
    const doc = newDocument();
    const keys = Array.from({ length: size }, (_, i) => `${(i * 7919) % 10007}\u00e9`);
    const root = buildNameTree(
      doc,
      keys.map((k, value) => ({ key: k, value })),
    );
    const read = readNameTree(doc, root);
    assert.deepEqual(
      read.map((entry) => entry.key),
      [...keys].sort((a, b) => Buffer.compare(Buffer.from(a, 'latin1'), Buffer.from(b, 'latin1'))),
    );
    for (const entry of read) assert.equal(keys[entry.value as number], entry.key);
    const numbers = buildNumberTree(
      doc,
      keys.map((_, i) => ({ key: (i * 7919) % 10007, value: i })),
    );
    assert.equal(readNumberTree(doc, numbers).length, size);
  });
}

test('limits hold the first and last key of what is below, and the root has none', () => {
  const doc = newDocument();
  const root = buildNumberTree(
    doc,
    Array.from({ length: 130 }, (_, i) => ({ key: i, value: true })),
  );
  const dict = doc.dict(root) as Dict;
  assert.equal(dict.has('Limits'), false);
  const limits = (doc.array(dict.get('Kids')) ?? []).map((kid) => doc.dict(kid)?.get('Limits'));
  assert.deepEqual(limits, [
    [0, 63],
    [64, 127],
    [128, 129],
  ]);
});

test('of equal keys the first stays', () => {
  const doc = newDocument();
  const root = buildNameTree(doc, [
    { key: 'a', value: 1 },
    { key: 'a', value: 2 },
  ]);
  assert.deepEqual(readNameTree(doc, root), [{ key: 'a', value: 1 }]);
});

test('cycles, depth and wrong types end without harm', () => {
  const doc = newDocument();
  const loop = doc.add(new Dict());
  doc.edit(loop).set('Kids', [loop, loop]);
  doc.edit(loop).set('Names', [key('a'), 1, 7, 8, key('b'), null, key('half')]);
  assert.deepEqual(readNameTree(doc, loop), [{ key: 'a', value: 1 }]);
  let deep: Dict = Dict.of({ Names: [key('x'), 1] });
  for (let i = 0; i < 300; i += 1) deep = Dict.of({ Kids: [deep] });
  assert.deepEqual(readNameTree(doc, deep), []);
  for (const wrong of [null, 5, true, [], new Ref(999999), undefined])
    assert.deepEqual(readNameTree(doc, wrong), []);
});
