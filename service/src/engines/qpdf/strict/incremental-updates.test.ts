// What was appended to a file is seen by our own reader as the library sees it: no object more, none less.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { onePage, streamOf } from '../../../../testing/documents/written-pdf.ts';
import { CASES, PERMS, plain } from '../../../../testing/signatures/appended-changes.ts';
import { revised, revisedPacked } from '../../../../testing/signatures/written-revisions.ts';
import { InputFile } from '../../../contract/files.ts';
import { type PdfObject, Stream } from '../../../pdf/objects.ts';
import { reachableRefs } from '../../../pdf/reachable.ts';
import { equalValues } from '../../../pdf/security/equal-values.ts';
import { begin, ERRORS_BIT, qpdfLibrary, readFromMemory } from '../library.ts';
import { LibraryStore } from '../library-store.ts';
import { createQpdf } from '../qpdf.ts';
import { QpdfDocument } from '../qpdf-document.ts';
import { readStrictly } from './parser.ts';
import { MemorySource } from './source.ts';

const noFiles = () => {
  throw new Error('no file is needed');
};
const { engine, closeAll } = createQpdf({ passwords: [], newFile: noFiles });
after(closeAll);

function byLibrary(bytes: Uint8Array): QpdfDocument {
  const lib = qpdfLibrary();
  const pointer = begin(lib);
  assert.equal(readFromMemory(lib, pointer, bytes, Buffer.alloc(1)) & ERRORS_BIT, 0);
  const options = { newFile: noFiles, sourceBytes: bytes.length };
  return new QpdfDocument(lib, new LibraryStore(lib, pointer, bytes), options);
}

const dictOf = (object: PdfObject): PdfObject => (object instanceof Stream ? object.dict : object);

/** Every object that either of them reaches, and the pages. */
function assertSeenAlike(bytes: Buffer, what: string): void {
  const ours = engine.open(new InputFile('a.pdf', { bytes }));
  const theirs = byLibrary(bytes);
  try {
    assert.deepEqual(ours.pages(), theirs.pages(), what);
    const refs = [...reachableRefs(ours), ...reachableRefs(theirs)];
    assert.deepEqual(
      new Set(reachableRefs(ours).map(({ key }) => key)),
      new Set(reachableRefs(theirs).map(({ key }) => key)),
      what,
    );
    for (const ref of refs) {
      const [one, other] = [ours.get(ref), theirs.get(ref)];
      assert.equal(one instanceof Stream, other instanceof Stream, `${what}, ${ref.key}`);
      assert.ok(equalValues(dictOf(one), dictOf(other)), `${what}, ${ref.key}`);
      if (one instanceof Stream)
        assert.ok(
          Buffer.from(ours.rawStreamData(ref)).equals(theirs.rawStreamData(ref)),
          `${what}, ${ref.key}`,
        );
    }
  } finally {
    theirs.close();
  }
}

test('objects of appended revisions, by themselves and in streams', (t) => {
  let read = 0;
  for (const { what, objects } of CASES) {
    const written = objects.map(([number, text]): [number, string] => [number, text.replace(PERMS, '')]);
    for (const append of [revised, revisedPacked]) {
      const once = append(plain, ...written);
      assertSeenAlike(once, what);
      // A third revision takes some of it back.
      const twice = revisedPacked(once, [4, streamOf('1 g')], [9, '<< /Type /Annot /Subtype /Text >>']);
      assertSeenAlike(twice, `${what}, and again`);
      for (const bytes of [once, twice]) if (readStrictly(new MemorySource(bytes))) read += 1;
    }
  }
  t.diagnostic(`${read} were read by ourselves`);
  assert.ok(read > 20, `${read} were read by ourselves`);
});

/** A revision whose table frees an object, or gives its number to another generation. */
function freed(bytes: Buffer, row: string, body = ''): Buffer {
  const [, previous] = /startxref\s+(\d+)/.exec(bytes.toString('latin1')) ?? [];
  const at = bytes.length + body.length;
  const rest = `xref\n5 1\n${row} \ntrailer\n<< /Size 6 /Root 1 0 R /Prev ${previous} >>\nstartxref\n${at}\n%%EOF\n`;
  return Buffer.concat([bytes, Buffer.from(body + rest, 'latin1')]);
}

test('objects that a revision frees or gives to another generation', () => {
  const bytes = onePage({ more: ['<< /Type /Annot /Subtype /Text >>'], page: '/Annots [5 0 R]' });
  assertSeenAlike(freed(bytes, '0000000000 00001 f'), 'freed');
  const place = String(bytes.length).padStart(10, '0');
  assertSeenAlike(freed(bytes, `${place} 00001 n`, '5 1 obj\n(other)\nendobj\n'), 'another generation');
  // Back to an object that lies hidden in the bytes before.
  const hidden = onePage({ more: ['(5 0 obj\n(new)\nendobj\n)'], page: '/Annots 5 0 R' });
  const at = hidden.indexOf('5 0 obj\n(new)');
  assert.ok(at > 0);
  assertSeenAlike(freed(hidden, `${String(at).padStart(10, '0')} 00000 n`), 'hidden');
});
