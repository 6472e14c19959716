import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onePage, streamOf } from '../../../testing/documents/written-pdf.ts';
import { fileInMemory } from '../../contract/files.ts';
import { createQpdf } from '../../engines/qpdf/qpdf.ts';
import type { PdfDocument } from '../document.ts';
import { Name, Ref } from '../objects.ts';
import { writeCidCmap, writeToUnicode } from './cmap-writer.ts';
import { codeMapOf, codesIn, collectionOf, readEmbeddedCmap } from './cmaps.ts';
import { cmapDecoder } from './predefined-cmaps.ts';
import { parseToUnicode } from './to-unicode.ts';

/** A document whose objects from 5 on are these. */
function withDocument(more: string[], use: (doc: PdfDocument) => void): void {
  const { engine, closeAll } = createQpdf({ passwords: [], newFile: () => assert.fail() });
  try {
    use(engine.open(fileInMemory('a.pdf', onePage({ more }))));
  } finally {
    closeAll();
  }
}

const CMAP = `/WMode 1 def /Own-Base usecmap
2 begincodespacerange <00> <80> <8140> <9ffc> endcodespacerange
1 begincidchar <20> 1 endcidchar
2 begincidrange <30> <39> 100 <8140> <817e> 633 endcidrange`;
const codes = (doc: PdfDocument, encoding: Ref | Name, bytes: number[]): [string, number | undefined][] =>
  [...codesIn(codeMapOf(doc, encoding), Uint8Array.from(bytes))].map((each) => [
    Buffer.from(each.bytes).toString('hex'),
    each.cid,
  ]);

test('an embedded CMap: codes of one byte and of two, and their CIDs', () => {
  withDocument([streamOf(CMAP, '/Type /CMap /WMode 0')], (doc) => {
    const ref = new Ref(5, 0);
    assert.deepEqual(codes(doc, ref, [0x20, 0x31, 0x81, 0x41, 0x40]), [
      ['20', 1],
      ['31', 101],
      ['8141', 634],
      ['40', undefined],
    ]);
    const cmap = readEmbeddedCmap(doc, ref);
    assert.deepEqual([cmap?.dictMode, cmap?.mode, cmap?.uses, cmap?.maxCid], [0, 1, 'Own-Base', 695]);
  });
});

test('a CMap that uses another one falls back on it', () => {
  const base =
    '1 begincodespacerange <0000> <ffff> endcodespacerange 1 begincidrange <0000> <ffff> 0 endcidrange';
  const own = '1 begincidchar <0041> 7 endcidchar';
  withDocument([streamOf(base), streamOf(own, '/UseCMap 5 0 R')], (doc) => {
    assert.deepEqual(codes(doc, new Ref(6, 0), [0, 0x41, 0, 0x42]), [
      ['0041', 7],
      ['0042', 0x42],
    ]);
  });
});

test('CMaps that every reader has: code lengths, direction, collection', () => {
  withDocument([], (doc) => {
    const read = (name: string, ...bytes: number[]) => codes(doc, new Name(name), bytes);
    assert.deepEqual(read('Identity-H', 1, 2), [['0102', 0x102]]);
    assert.deepEqual(read('90ms-RKSJ-H', 0x41, 0x88, 0x9f, 0xb1), [
      ['41', undefined],
      ['889f', undefined],
      ['b1', undefined],
    ]);
    assert.deepEqual(read('GBK-EUC-H', 0x41, 0xb0, 0xa1).length, 2);
    assert.equal(codeMapOf(doc, new Name('UniJIS-UTF16-V')).vertical, true);
    assert.equal(collectionOf(doc, new Name('Identity-V')), 'identity');
    assert.deepEqual(collectionOf(doc, new Name('V')), {
      registry: 'Adobe',
      ordering: 'Japan1',
      supplement: 6,
    });
    assert.equal(collectionOf(doc, new Name('Own-H')), undefined);
  });
});

for (const [name, bytes, text] of [
  ['90ms-RKSJ-H', [0x93, 0xfa], '日'],
  ['H', [0x46, 0x7c], '日'],
  ['EUC-H', [0xc6, 0xfc], '日'],
  ['GBK-EUC-H', [0xc8, 0xd5], '日'],
  ['ETen-B5-H', [0xa4, 0xe9], '日'],
  ['KSC-EUC-H', [0xec, 0xed], '日'],
  ['UniCNS-UTF16-H', [0x65, 0xe5], '日'],
  ['90ms-RKSJ-H', [0x81], undefined],
] as const)
  test(`codes of ${name} are read as characters: ${text ?? 'none'}`, () =>
    assert.equal(cmapDecoder(name)?.(Uint8Array.from(bytes)), text));

test('codes of other CMaps tell no characters', () => {
  assert.equal(cmapDecoder('Identity-H'), undefined);
  assert.equal(cmapDecoder('CNS-EUC-H'), undefined);
});

test('CMaps that we write are read as they were meant', () => {
  const many = Array.from({ length: 250 }, (_, index) => ({
    code: 0x8100 + index,
    length: 2,
    cid: index + 5,
  }));
  const written = writeCidCmap([{ code: 0x20, length: 1, cid: 3 }, ...many], {
    name: 'Made',
    isVertical: true,
  });
  withDocument([streamOf(written.toString('latin1'), '/WMode 1')], (doc) => {
    const ref = new Ref(5, 0);
    assert.deepEqual(codes(doc, ref, [0x20, 0x81, 0xf9]), [
      ['20', 3],
      ['81f9', 254],
    ]);
    assert.equal(readEmbeddedCmap(doc, ref)?.mode, 1);
  });
  const texts = [
    { code: 1, length: 1, text: 'ffi' },
    { code: 2, length: 1, text: '' },
    { code: 0x1234, length: 2, text: '\u{1f600}' },
  ];
  assert.deepEqual(
    [...parseToUnicode(writeToUnicode(texts)).all()],
    [
      [1, 'ffi'],
      [0x1234, '\u{1f600}'],
    ],
  );
});
