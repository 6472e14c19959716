import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onePage } from '../../../testing/documents/written-pdf.ts';
import { InputFile } from '../../contract/files.ts';
import { createQpdf } from '../../engines/qpdf/qpdf.ts';
import { readSignatures } from './signature-fields.ts';

const signed = (name: string, range: string): string =>
  `<< /FT /Sig /T (${name}) /V << /Type /Sig /Filter /X /Name (${name}) ${range} /Contents <00> >> >>`;

test('signatures come in the order of the form, as readers list them', () => {
  const bytes = onePage({
    catalog: '/AcroForm << /SigFlags 3 /Fields [5 0 R 6 0 R 7 0 R 8 0 R] >>',
    more: [
      signed('third', '/ByteRange [0 10 20 900]'),
      signed('unreadable', ''),
      signed('first', '/ByteRange [0 10 20 100]'),
      signed('second', '/ByteRange [0 500 600 30]'),
    ],
  });
  const qpdf = createQpdf({ passwords: [], newFile: () => '' });
  try {
    const doc = qpdf.engine.open(new InputFile('a.pdf', { bytes }));
    assert.deepEqual(
      readSignatures(doc).map(({ name }) => name),
      ['third', 'unreadable', 'first', 'second'],
    );
  } finally {
    qpdf.closeAll();
  }
});
