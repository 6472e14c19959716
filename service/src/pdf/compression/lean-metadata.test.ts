import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withDocument } from '../../../testing/documents/widened-pages.ts';
import { onePage, streamOf } from '../../../testing/documents/written-pdf.ts';
import { leanMetadata } from './lean-metadata.ts';

const packet = (inner: string) =>
  `<?xpacket begin='' id='x'?>\n<x>\n    <y>  two  words </y>\n${inner}</x>\n${' '.repeat(2000)}\n<?xpacket end='w'?>`;

function after(xml: string, withThumbnails = true): string {
  const bytes = onePage({
    catalog: '/Metadata 5 0 R',
    more: [streamOf(xml, '/Type /Metadata /Subtype /XML')],
  });
  return withDocument(bytes, (doc) => {
    leanMetadata(doc, { withThumbnails });
    const ref = doc.catalog.get('Metadata');
    return Buffer.from(doc.streamData(ref as Parameters<typeof doc.streamData>[0]).bytes).toString('latin1');
  });
}

test('blanks between elements and before the end go, words and their blanks stay', () => {
  assert.equal(
    after(packet('')),
    "<?xpacket begin='' id='x'?>\n<x>\n<y>  two  words </y>\n</x>\n<?xpacket end='w'?>",
  );
});

test('small copies of pages go only where that is asked for', () => {
  const thumbnails = '<xmp:Thumbnails>AAAA</xmp:Thumbnails>';
  assert.ok(after(packet(thumbnails)).includes('AAAA'));
  assert.ok(!after(packet(thumbnails), false).includes('AAAA'));
});

test('metadata without an end, or in wider letters, is left as it is', () => {
  const open = packet('').replace(/<\?xpacket end.*/, '');
  assert.equal(after(open), open);
  const wide = packet('\0');
  assert.equal(after(wide), wide);
});
