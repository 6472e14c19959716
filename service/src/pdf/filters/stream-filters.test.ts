import assert from 'node:assert/strict';
import { test } from 'node:test';
import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import { onePage } from '../../../testing/documents/written-pdf.ts';
import { processorMs } from '../../../testing/processor-time.ts';
import { InputFile } from '../../contract/files.ts';
import { Problem } from '../../contract/problems.ts';
import { createQpdf } from '../../engines/qpdf/qpdf.ts';
import { Dict, name, Ref } from '../objects.ts';
import { contentOf } from './content-data.ts';
import { filtersOf, isPacking, undoFilter } from './stream-filters.ts';

const qpdf = createQpdf({
  passwords: [],
  newFile: () => {
    throw new Error('small documents stay in memory');
  },
});
const doc = qpdf.engine.open(new InputFile('a.pdf', { bytes: onePage() }));
const undo = (filter: string, bytes: Uint8Array, parms: Record<string, number> = {}) =>
  undoFilter(doc, bytes, { name: filter, parms: Dict.of(parms) });

const TEXT = Buffer.from('the quick brown fox jumps over the lazy dog. '.repeat(200));

const SOUND: [filter: string, packed: Uint8Array, text: string, parms?: Record<string, number>][] = [
  ['FlateDecode', deflateSync(Buffer.from('hello')), 'hello'],
  ['ASCIIHexDecode', Buffer.from('68 65\n6C6c 6f>rubbish'), 'hello'],
  ['ASCIIHexDecode', Buffer.from('6865 6c6c 7>'), 'hellp'],
  ['ASCII85Decode', Buffer.from('87cURD]j7BEbo80~>'), 'Hello world!'],
  ['ASCII85Decode', Buffer.from('z~>'), '\0\0\0\0'],
  ['ASCII85Decode', Buffer.from('87cUR\nDZ~>'), 'Hello'],
  ['RunLengthDecode', Buffer.from([1, 0x61, 0x62, 254, 0x63, 128, 0]), 'abccc'],
  // ISO 32000-1, 7.4.4.2, example.
  ['LZWDecode', Buffer.from([0x80, 0x0b, 0x60, 0x50, 0x22, 0x0c, 0x0c, 0x85, 0x01]), '-----A---B'],
  [
    'FlateDecode',
    deflateSync(Buffer.from([2, 1, 1, 2, 1, 1])),
    '\x01\x01\x02\x02',
    { Predictor: 12, Columns: 2 },
  ],
  ['FlateDecode', deflateSync(Buffer.from([1, 1, 1])), '\x01\x02\x03', { Predictor: 2, Columns: 3 }],
];
for (const [filter, packed, text, parms] of SOUND) {
  test(`${filter} gives ${JSON.stringify(text)}`, () => {
    const { bytes, complete } = undo(filter, packed, parms);
    assert.equal(Buffer.from(bytes).toString('latin1'), text);
    assert.equal(complete, true);
  });
}

test('what qpdf packs and unpacks with predictors comes out the same here', () => {
  const rows = Buffer.from(Array.from({ length: 40 * 31 }, (_, i) => (i * i) & 0xff));
  for (const kind of [0, 1, 2, 3, 4]) {
    // Rows of arbitrary bytes are valid whatever filter they claim.
    const packed = deflateSync(
      Buffer.concat(
        Array.from({ length: 40 }, (_, r) =>
          Buffer.concat([Buffer.of(kind), rows.subarray(r * 30, r * 30 + 30)]),
        ),
      ),
    );
    const ref = doc.addStream(new Dict(), new Uint8Array());
    doc.replaceStreamData(
      ref,
      packed,
      name('FlateDecode'),
      Dict.of({ Predictor: 15, Colors: 3, Columns: 10 }),
    );
    const theirs = reread(ref);
    assert.deepEqual(
      Buffer.from(undo('FlateDecode', packed, { Predictor: 15, Colors: 3, Columns: 10 }).bytes),
      theirs,
      `kind ${kind}`,
    );
  }
  function reread(ref: Ref): Buffer {
    doc.edit(doc.catalogRef).set('Trial', ref);
    const saved = doc.save();
    const again = qpdf.engine.open(new InputFile('b.pdf', saved));
    const trial = again.catalog.get('Trial');
    assert.ok(trial instanceof Ref);
    const { bytes, decoded } = again.streamData(trial);
    assert.ok(decoded);
    return Buffer.from(bytes);
  }
});

test('damaged Flate data gives what stands before the damage', () => {
  const packed = deflateSync(TEXT, { level: 0 });
  const cut = undo('FlateDecode', packed.subarray(0, packed.length >> 1));
  assert.equal(cut.complete, false);
  assert.ok(cut.bytes.length > TEXT.length / 3);
  assert.ok(TEXT.subarray(0, cut.bytes.length).equals(cut.bytes));
  const checksum = Buffer.from(deflateSync(TEXT));
  checksum.fill(0, checksum.length - 4);
  assert.ok(TEXT.equals(undo('FlateDecode', checksum).bytes));
  const header = Buffer.from(deflateSync(TEXT));
  header.fill(0xff, 0, 2);
  assert.ok(TEXT.equals(undo('FlateDecode', header).bytes));
});

/** Some 100 KB that unpack to 576 MiB of blanks. */
function bomb(): Buffer {
  const part = deflateRawSync(Buffer.alloc(64 * 1024 * 1024, ' '), { finishFlush: constants.Z_FULL_FLUSH });
  return Buffer.concat([Buffer.of(0x78, 0x9c), ...Array<Buffer>(9).fill(part), deflateRawSync(Buffer.of())]);
}

test('data that unpacks to too much is refused soon, however it is packed', () => {
  const flate = bomb();
  const isRefused = (error: unknown) => error instanceof Problem && error.reason === 'document_too_costly';
  const start = processorMs();
  assert.throws(() => undo('FlateDecode', flate), isRefused);
  assert.ok(processorMs() - start < 10_000);
  for (const inLibrary of [false, true]) {
    const opened = qpdf.engine.open(new InputFile('b.pdf', { bytes: onePage() }));
    const ref = opened.addStream(new Dict(), new Uint8Array());
    if (inLibrary) {
      opened.replaceStreamData(ref, deflateSync(flate), [name('FlateDecode'), name('FlateDecode')]);
      // What is no stream is left to the library, and all else from then on.
      opened.streamData(opened.catalogRef);
    } else opened.replaceStreamData(ref, flate, name('FlateDecode'));
    const { bytes, decoded } = opened.streamData(ref);
    assert.deepEqual([bytes.length, decoded], [0, false]);
    assert.throws(() => contentOf(opened, ref), isRefused);
  }
});

test('no bytes whatever make a filter throw or run away', () => {
  let seed = 7;
  const random = () => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return seed >> 8;
  };
  for (let round = 0; round < 400; round += 1) {
    const bytes = Buffer.from(Array.from({ length: random() % 300 }, random));
    for (const filter of ['FlateDecode', 'LZWDecode', 'RunLengthDecode', 'ASCII85Decode', 'ASCIIHexDecode']) {
      const { bytes: made } = undo(filter, bytes, {
        Predictor: random() % 17,
        Columns: random() % 50,
        Colors: random() % 5,
      });
      assert.ok(made.length < 100_000);
    }
  }
});

test('filters are read with their parameters, in long and short spelling', () => {
  const parms = Dict.of({ Predictor: 12 });
  const dict = Dict.of({ Filter: [name('A85'), name('FlateDecode')], DecodeParms: [null, parms] });
  assert.deepEqual(filtersOf(doc, dict), [
    { name: 'ASCII85Decode', parms: undefined },
    { name: 'FlateDecode', parms },
  ]);
  assert.deepEqual(filtersOf(doc, new Dict()), []);
  assert.deepEqual(filtersOf(doc, Dict.of({ Filter: name('DCT') })), [
    { name: 'DCTDecode', parms: undefined },
  ]);
  assert.equal(filtersOf(doc, Dict.of({ Filter: [7] })), undefined);
  assert.equal(isPacking('DCTDecode'), false);
  assert.equal(isPacking('constructor'), false);
});
