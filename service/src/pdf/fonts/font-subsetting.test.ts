// Parts of documents with fonts of every kind look and read as their pages did.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fixture } from '../../../testing/documents/collection.ts';
import {
  askProgram,
  askProgramBytes,
  missing,
  pdftotext,
  qpdfCheck,
  qpdfObjects,
} from '../../../testing/oracles/programs.ts';
import { fileInMemory } from '../../contract/files.ts';
import { createQpdf } from '../../engines/qpdf/qpdf.ts';
import type { QpdfDocument } from '../../engines/qpdf/qpdf-document.ts';
import { Dict, name, PdfString, Ref } from '../objects.ts';
import { PageExtraction } from '../pages/page-extraction.ts';

const skip = missing('qpdf', 'pdftotext', 'pdftoppm');

function withDocument(path: string, use: (doc: QpdfDocument) => unknown): void {
  const bytes = readFileSync(path);
  const { engine, closeAll } = createQpdf({
    passwords: [],
    newFile: () => {
      throw new Error('small results stay in memory');
    },
  });
  try {
    use(engine.open(fileInMemory('a.pdf', bytes)));
  } finally {
    closeAll();
  }
}

function saved(doc: QpdfDocument): Buffer {
  const content = doc.save();
  assert.ok('bytes' in content);
  return Buffer.from(content.bytes);
}

/** The document as we write it with nothing changed. */
function unchanged(file: string): Buffer {
  const made: Buffer[] = [];
  withDocument(fixture(file), (doc) => made.push(saved(doc)));
  return Buffer.concat(made);
}

/** Bytes of the font programs in a file, by the name of their font without its tag. */
function programSizes(bytes: Uint8Array): Map<string, number> {
  const objects = qpdfObjects(bytes);
  const sizes = new Map<string, number>();
  for (const { value } of Object.values(objects)) {
    const descriptor = value as Record<string, string> | undefined;
    for (const key of ['/FontFile', '/FontFile2', '/FontFile3']) {
      const program = descriptor?.[key];
      const size = program && objects[`obj:${program}`]?.stream?.dict['/Length'];
      const fontName = String(descriptor?.['/FontName']).replace(/^\/(?:[A-Z]{6}\+)?/, '');
      if (size) sizes.set(fontName, (sizes.get(fontName) ?? 0) + Number(size));
    }
  }
  return sizes;
}

/** Links to other pages are gone from a part, and some are drawn with a frame. */
const picture = (bytes: Uint8Array, page: number): string => {
  const args = ['-hide-annotations', '-r', '80', '-f', String(page), '-l', String(page), '{}'];
  return createHash('sha256')
    .update(askProgramBytes('pdftoppm', args, bytes))
    .digest('hex');
};
const words = (bytes: Uint8Array, page: number): string =>
  pdftotext(bytes, '-layout', '-f', String(page), '-l', String(page));

/** How much of the font programs is left on average. Instructions for fitting glyphs to pixels stay: Liberation's are many. */
const FILES: [file: string, share: number][] = [
  ['embedded-fonts.pdf', 0.87],
  ['type1-fonts.pdf', 0.85],
  ['type1c-fonts.pdf', 0.75],
];

for (const [file, share] of FILES) {
  test(`the pages of ${file}, each with the glyphs it shows`, { skip }, () => {
    const source = unchanged(file);
    const whole = programSizes(source);
    withDocument(fixture(file), (doc) => {
      const pages = doc.pages();
      const extraction = new PageExtraction(doc);
      let [left, held] = [0, 0];
      for (const [index, page] of pages.entries()) {
        extraction.keep([page]);
        const part = saved(doc);
        qpdfCheck(part);
        assert.equal(words(part, 1), words(source, index + 1));
        assert.equal(picture(part, 1), picture(source, index + 1));
        for (const [font, size] of programSizes(part)) {
          assert.ok(size <= (whole.get(font) ?? 0), `${font} on page ${index + 1}: ${size}`);
          left += size;
          held += whole.get(font) ?? 0;
        }
      }
      assert.ok(left <= share * held, `${left} of ${held}`);
    });
  });
}

/** The kinds of font programs in a file. */
const kinds = (bytes: Uint8Array): string[] =>
  askProgram('pdffonts', ['{}'], bytes)
    .split('\n')
    .flatMap((line) => /\b(Type 1C?)\s/.exec(line)?.[1] ?? []);

test('Type 1 programs become CFF fonts where a part must be small, and are themselves again after it', {
  skip: skip || missing('pdffonts', 'mutool'),
}, () => {
  const drawnByOther = (bytes: Uint8Array, page: number): Buffer =>
    askProgramBytes('mutool', ['draw', '-q', '-r', '100', '-F', 'pnm', '-o', '-', '{}', String(page)], bytes);
  const source = unchanged('type1-fonts.pdf');
  withDocument(fixture('type1-fonts.pdf'), (doc) => {
    const extraction = new PageExtraction(doc);
    for (const [index, page] of doc.pages().entries()) {
      extraction.keep([page]);
      const cut = saved(doc);
      extraction.keep([page], { tightFonts: true });
      const part = saved(doc);
      qpdfCheck(part);
      assert.ok(part.length < 0.75 * cut.length, `${part.length} of ${cut.length}`);
      assert.deepEqual(new Set(kinds(part)), new Set(['Type 1C']));
      assert.equal(words(part, 1), words(source, index + 1));
      assert.equal(picture(part, 1), picture(source, index + 1));
      assert.ok(drawnByOther(part, 1).equals(drawnByOther(source, index + 1)));
      extraction.keep([page]);
      assert.deepEqual(programSizes(saved(doc)), programSizes(cut));
      assert.deepEqual(new Set(kinds(saved(doc))), new Set(['Type 1']));
      assert.doesNotMatch(
        askProgram('qpdf', ['--json', '--json-key=qpdf', '{}'], saved(doc)),
        /Type1C|FontFile3/,
      );
    }
  });
});

test('fonts have all their glyphs again in a part of many pages', { skip }, () => {
  const source = unchanged('embedded-fonts.pdf');
  withDocument(fixture('embedded-fonts.pdf'), (doc) => {
    const pages = doc.pages();
    const extraction = new PageExtraction(doc);
    extraction.keep(pages.slice(0, 1));
    extraction.keep(pages.slice(1));
    const part = saved(doc);
    assert.deepEqual(programSizes(part), programSizes(source));
    for (const page of [1, 2, 3]) assert.equal(picture(part, page), picture(source, page + 1));
  });
});

test('parts are told apart by the tags of their fonts', { skip }, () => {
  withDocument(fixture('embedded-fonts.pdf'), (doc) => {
    const pages = doc.pages();
    const extraction = new PageExtraction(doc);
    const names = pages.map((page) => {
      extraction.keep([page]);
      return askProgram('pdffonts', ['{}'], saved(doc)).match(/[A-Z]{6}\+LiberationSans\b/)?.[0];
    });
    assert.equal(new Set(names).size, pages.length);
    assert.ok(!names.includes(undefined));
  });
});

/** A field on the first page that may be filled in with a font of the second page. */
function addField(doc: QpdfDocument): void {
  const [first] = doc.pages();
  assert.ok(first);
  const fonts = doc.dict(doc.dict(doc.page(1).get('Resources'))?.get('Font'));
  const font = [...(fonts?.values() ?? [])].find((value) =>
    doc.name(doc.dict(value)?.get('BaseFont'))?.endsWith('+LiberationSans'),
  );
  assert.ok(font instanceof Ref);
  const field = doc.add(
    Dict.of({
      Type: name('Annot'),
      Subtype: name('Widget'),
      FT: name('Tx'),
      T: new PdfString(Buffer.from('f')),
      DA: new PdfString(Buffer.from('/Own 12 Tf 0 g')),
      Rect: [0, 0, 100, 20],
      P: first,
    }),
  );
  doc.edit(first).set('Annots', [field]);
  const resources = Dict.of({ Font: Dict.of({ Own: font, Other: font }) });
  doc.edit(doc.catalogRef).set('AcroForm', Dict.of({ Fields: [field], DR: resources }));
}

test('a font that a field is filled in with stays whole, where the field stays', { skip }, () => {
  const whole = programSizes(unchanged('embedded-fonts.pdf')).get('LiberationSans') ?? 0;
  withDocument(fixture('embedded-fonts.pdf'), (doc) => {
    addField(doc);
    const pages = doc.pages();
    const extraction = new PageExtraction(doc);
    extraction.keep(pages.slice(0, 1));
    assert.equal(programSizes(saved(doc)).get('LiberationSans'), whole);
    const resources = doc.dict(doc.dict(doc.catalog.get('AcroForm'))?.get('DR'));
    assert.deepEqual([...(doc.dict(resources?.get('Font'))?.keys() ?? [])], ['Own']);
    extraction.keep(pages.slice(1, 2));
    assert.ok((programSizes(saved(doc)).get('LiberationSans') ?? whole) < whole);
  });
});

test('content that is not understood leaves its fonts whole', { skip }, () => {
  const whole = programSizes(unchanged('type1-fonts.pdf'));
  withDocument(fixture('type1-fonts.pdf'), (doc) => {
    const [page] = doc.pages();
    assert.ok(page);
    const contents = doc.dict(page)?.get('Contents');
    const odd = doc.addStream(new Dict(), Buffer.from('what is this\n'));
    doc.edit(page).set('Contents', [...(Array.isArray(contents) ? contents : [contents ?? null]), odd]);
    new PageExtraction(doc).keep([page]);
    for (const [font, size] of programSizes(saved(doc))) assert.equal(size, whole.get(font));
  });
});
