import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { withDocument } from '../../../testing/documents/widened-pages.ts';
import { onePage } from '../../../testing/documents/written-pdf.ts';
import { processorMs } from '../../../testing/processor-time.ts';
import { Dict, name } from '../objects.ts';
import { embeddedData, embeddedFileEntries } from './embedded-data.ts';
import { mediaTypeOfName } from './media-types.ts';

const FLATE = Dict.of({ Filter: name('FlateDecode') });

function dataOf(dict: Dict, bytes: Uint8Array, most: number): string | undefined {
  return withDocument(onePage(), (doc) => {
    const data = embeddedData(doc, doc.addStream(dict, bytes), most);
    return data && Buffer.from(data).toString('latin1');
  });
}

test('bytes are unpacked, and more than the bound are not', () => {
  assert.equal(dataOf(FLATE, deflateSync(Buffer.from('words')), 5), 'words');
  assert.equal(dataOf(FLATE, deflateSync(Buffer.from('words')), 4), undefined);
  assert.equal(dataOf(new Dict(), Buffer.from('words'), 4), undefined);
});

test('a bomb is not unpacked further than the bound', () => {
  const bomb = deflateSync(Buffer.alloc(200 * 1024 * 1024));
  const startedAt = processorMs();
  assert.equal(dataOf(FLATE, bomb, 1000), undefined);
  assert.ok(processorMs() - startedAt < 2000);
});

test('what can be read of damaged data is kept', () => {
  const damaged = deflateSync(Buffer.from('words '.repeat(500))).subarray(0, 20);
  assert.match(dataOf(FLATE, damaged, 10_000) ?? '', /^words/);
});

test('entries tell type, size and checksum; an unknown extension is plain bytes', () => {
  const entries = embeddedFileEntries({ name: 'A.PDF', size: 7, md5: Buffer.alloc(16, 1) }, new Date(0));
  assert.deepEqual(entries.get('Subtype'), name('application/pdf'));
  assert.equal((entries.get('Params') as Dict).get('Size'), 7);
  assert.equal(mediaTypeOfName('x.unknown'), undefined);
  assert.equal(mediaTypeOfName('constructor'), undefined);
  assert.equal(mediaTypeOfName('.pdf'), undefined);
});
