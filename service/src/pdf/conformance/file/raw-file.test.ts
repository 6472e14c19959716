import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileInMemory } from '../../../contract/files.ts';
import { createQpdf } from '../../../engines/qpdf/qpdf.ts';
import { readRawFile } from './raw-file.ts';

/** A document whose cross-references are a stream, which lists itself or not, and says how long it is. */
function withXrefStream(listsItself: boolean, addedLength: number): Buffer {
  const objects = [
    '1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n',
    '2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n',
    '3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>\nendobj\n',
  ];
  let text = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n';
  const offsets = objects.map((object) => {
    const at = text.length;
    text += object;
    return at;
  });
  const start = text.length;
  if (listsItself) offsets.push(start);
  const rows = Buffer.from([0, 0, 0, 0, ...offsets.flatMap((at) => [1, at >> 8, at & 255, 0])]);
  const dict = `/Type /XRef /Size ${offsets.length + 1} /W [1 2 1] /Root 1 0 R /Length ${rows.length + addedLength}`;
  text += `4 0 obj\n<< ${dict} >>\nstream\n${rows.toString('latin1')}\nendstream\nendobj\n`;
  return Buffer.from(`${text}startxref\n${start}\n%%EOF\n`, 'latin1');
}

test('the length of a cross-reference stream is examined, whether the stream lists itself or not', () => {
  for (const listsItself of [true, false])
    for (const [added, wrong] of [
      [0, []],
      [-3, ['object 4 0']],
      [5, ['object 4 0']],
    ] as const) {
      const { engine, closeAll } = createQpdf({ passwords: [], newFile: () => assert.fail() });
      const bytes = withXrefStream(listsItself, added);
      try {
        const doc = engine.open(fileInMemory('a.pdf', bytes));
        assert.deepEqual(readRawFile(doc, bytes).wrongLengths, wrong, `${listsItself} ${added}`);
      } finally {
        closeAll();
      }
    }
});
