import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { fixture } from '../../../testing/documents/collection.ts';
import { onePage, pdfOf, streamOf } from '../../../testing/documents/written-pdf.ts';
import { missing, pdfinfo, pdftotext, qpdfCheck } from '../../../testing/oracles/programs.ts';
import type { Content } from '../../contract/files.ts';
import { InputFile } from '../../contract/files.ts';
import { Problem } from '../../contract/problems.ts';
import { Dict, Name, PdfString, type PdfValue, Ref, Stream } from '../../pdf/objects.ts';
import { createQpdf } from './qpdf.ts';
import type { QpdfDocument } from './qpdf-document.ts';

const dir = mkdtempSync(join(tmpdir(), 'bindery-qpdf-'));
after(() => rmSync(dir, { recursive: true, force: true }));
const { engine } = createQpdf({
  passwords: [],
  newFile: (extension) => join(dir, `${randomUUID()}.${extension}`),
});
const skip = missing('qpdf', 'pdfinfo', 'pdftotext');

/** The same must hold for what is kept in memory and for what the library keeps: a word after the end is left to it. */
const WAYS: Record<string, (bytes: Uint8Array) => Uint8Array> = {
  'kept in memory': (bytes) => bytes,
  'kept by the library': (bytes) => Buffer.concat([bytes, Buffer.from('%')]),
};
for (const [way, given] of Object.entries(WAYS))
  describe(way, () => {
    const open = (bytes: Uint8Array) => engine.open(new InputFile('a.pdf', { bytes: given(bytes) }));
    const bytesOf = (content: Content) =>
      Buffer.from('bytes' in content ? content.bytes : readFileSync(content.path));
    const saved = (doc: QpdfDocument) => bytesOf(doc.save());

    /** What a value is after it was written and read again. */
    function roundTrip(value: PdfValue): PdfValue {
      const doc = open(onePage());
      doc.edit(doc.catalogRef).set('Trial', [value]);
      const [back] = open(saved(doc)).array(open(saved(doc)).catalog.get('Trial')) ?? [];
      return back ?? null;
    }

    const bytes = (...values: number[]) => new PdfString(Buffer.from(values));
    const deep = (depth: number): PdfValue => (depth === 0 ? 7 : [deep(depth - 1)]);

    const VALUES: Record<string, PdfValue> = {
      null: null,
      'true and false': [true, false],
      integers: [0, 1, -1, 2147483647, -2147483648, 9007199254740991],
      reals: [0.5, -0.25, 3.5, 0.000001, 123456.789],
      'an empty string': new PdfString(Buffer.alloc(0)),
      'every byte': new PdfString(Buffer.from(Array.from({ length: 256 }, (_, i) => i))),
      'bytes that are no UTF-8': bytes(0x80, 0xff, 0xfd, 0xc3),
      'a Latin-1 word': new PdfString(Buffer.from('J\u00fcrgen', 'latin1')),
      'UTF-8': new PdfString(Buffer.from('\u65e5\u672c \u{1f600}')),
      'brackets and backslashes': new PdfString(Buffer.from('a(b)c)\\d(\r\n')),
      'strings that look like JSON marks': ['u:x', 'b:00', '/Name', '1 0 R', 'n:/x'].map(
        (text) => new PdfString(Buffer.from(text)),
      ),
      'plain names': [new Name('A'), new Name('Page')],
      'names with blanks and delimiters': [new Name('a b'), new Name('()<>[]{}/%')],
      'names with a hash': [new Name('a#b'), new Name('#')],
      'names of high bytes': [new Name('\u00e9\u00ff'), new Name(Buffer.from('\u00fc').toString('latin1'))],
      'names with control characters': new Name('\u0001\u007f\t\n'),
      'the empty name': [new Name(''), Dict.of({ K: new Name('') }), [[new Name('')]]],
      'odd keys': Dict.of({ 'a b': 1, 'x#y': 2, '\u00e9': 3, '/': 4, '': 5 }),
      'empty containers': [[], new Dict()],
      'deep nesting': deep(400),
      'a reference': new Ref(1),
    };
    for (const [what, value] of Object.entries(VALUES)) {
      test(`survives writing: ${what}`, () => assert.deepEqual(plain(roundTrip(value)), plain(value)));
    }

    /** Bytes as text, so that buffers of different kinds compare. */
    function plain(value: PdfValue): unknown {
      if (value instanceof PdfString) return { bytes: Buffer.from(value.bytes).toString('hex') };
      if (value instanceof Name) return { name: value.value };
      if (value instanceof Ref) return 'reference';
      if (Array.isArray(value)) return value.map(plain);
      return value instanceof Dict
        ? Object.fromEntries([...value].map(([key, inner]) => [key, plain(inner)]))
        : value;
    }

    test('nesting deeper than any reader goes is a problem, not a crash', () => {
      const doc = open(onePage());
      doc.edit(doc.catalogRef).set('Trial', deep(600));
      assert.throws(() => doc.save(), Problem);
    });

    test('a document can be changed and saved again and again', { skip }, () => {
      const doc = open(readFileSync(fixture('text-two-pages.pdf')));
      for (let round = 1; round <= 20; round += 1) {
        doc.edit(doc.catalogRef).set('Round', round);
        doc.addStream(Dict.of({ Round: round }), Buffer.from('x'.repeat(round)));
        const result = saved(doc);
        assert.equal(open(result).number(open(result).catalog.get('Round')), round);
        qpdfCheck(result);
      }
    });

    test('saving renews the modification date once for all saves, unless told not to', { skip }, () => {
      const given = onePage({
        more: ['<< /Title (t) /ModDate (D:20200101000000Z) >>'],
        trailer: '/Info 5 0 R',
      });
      const doc = open(given);
      assert.match(pdfinfo(bytesOf(doc.save({ keepModificationDate: true }))).ModDate ?? '', /^2020-01-01/);
      const first = pdfinfo(saved(doc));
      assert.ok(Date.now() - Date.parse(`${first.ModDate?.slice(0, 19)}Z`) < 60_000, first.ModDate);
      assert.equal(first.Title, 't');
      assert.equal(pdfinfo(saved(doc)).ModDate, first.ModDate);
      assert.notEqual(pdfinfo(saved(open(onePage()))).ModDate, undefined, 'an info dictionary is made');
    });

    for (const id of ['[null null]', '[1 2]', '[]', '7', '[<00>]', '[<00> 99 0 R]', '<< >>']) {
      test(`an ID of ${id} is replaced`, { skip }, () => {
        const doc = open(onePage({ trailer: `/ID ${id}` }));
        qpdfCheck(saved(doc));
        const encryption = {
          keyLength: 256 as const,
          userPassword: 'u',
          ownerPassword: 'o',
          allow: {
            assembly: true,
            extract: true,
            accessibility: true,
            fillForms: true,
            modify: true,
            annotate: true,
            print: true,
            printFaithful: true,
          },
        };
        qpdfCheck(bytesOf(doc.save({ encryption })), { password: 'u' });
      });
    }

    test('stream data is decoded where it can be, and comes as it is where not', () => {
      const doc = open(
        onePage({
          catalog: '/A 5 0 R /B 6 0 R /C 7 0 R',
          more: [
            streamOf(deflateSync('hello').toString('latin1'), '/Filter /FlateDecode'),
            streamOf('no zlib data', '/Filter /FlateDecode'),
            streamOf('data', '/Filter /Unknown'),
          ],
        }),
      );
      const ref = (key: string) => doc.catalog.get(key) as Ref;
      assert.deepEqual(text(doc.streamData(ref('A'))), ['hello', true]);
      assert.equal(doc.streamData(ref('B')).decoded, false);
      assert.deepEqual(text(doc.streamData(ref('C'))), ['data', false]);
      assert.equal(Buffer.from(doc.rawStreamData(ref('C'))).toString(), 'data');
      assert.equal(Buffer.from(doc.rawStreamData(ref('B'))).toString(), 'no zlib data');
      function text({ bytes: data, decoded }: { bytes: Uint8Array; decoded: boolean }): [string, boolean] {
        return [Buffer.from(data).toString(), decoded];
      }
    });

    test('replaced stream data takes the filter given', { skip }, () => {
      const doc = open(onePage({ content: 'old' }));
      const contents = doc.page(0).get('Contents') as Ref;
      doc.replaceStreamData(contents, deflateSync('q Q'), new Name('FlateDecode'));
      const again = open(saved(doc));
      assert.equal(
        Buffer.from(again.streamData(again.page(0).get('Contents') as Ref).bytes).toString(),
        'q Q',
      );
      again.replaceStreamData(again.page(0).get('Contents') as Ref, Buffer.from('0 g'));
      const last = open(saved(again));
      assert.equal(Buffer.from(last.streamData(last.page(0).get('Contents') as Ref).bytes).toString(), '0 g');
    });

    test('a copied object brings all it reaches, once, and stops at pages', () => {
      const source = open(
        onePage({
          catalog: '/Thing 5 0 R',
          more: [
            '<< /Self 5 0 R /Page 3 0 R /Stream 6 0 R /Twice [6 0 R 6 0 R] >>',
            streamOf('shared', '/Back 5 0 R'),
          ],
        }),
      );
      const target = open(onePage());
      const copy = target.copyFrom(source, source.catalog.get('Thing') as Ref);
      assert.equal(target.copyFrom(source, source.catalog.get('Thing') as Ref).key, copy.key);
      target.edit(target.catalogRef).set('Copy', copy);
      const again = open(saved(target));
      const thing = again.dict(again.catalog.get('Copy')) ?? new Dict();
      assert.equal((thing.get('Self') as Ref).key, (again.catalog.get('Copy') as Ref).key);
      assert.equal(again.resolve(thing.get('Page')), null);
      const [first, second] = again.array(thing.get('Twice')) ?? [];
      assert.equal((first as Ref).key, (second as Ref).key);
      assert.equal(Buffer.from(again.streamData(first as Ref).bytes).toString(), 'shared');
    });

    test('copies outlive their source', () => {
      const target = engine.create();
      const pages = Array.from({ length: 20 }, (_, i) => {
        const source = open(onePage({ content: `${'x'.repeat(100_000)}${i}` }));
        const copy = target.copyFrom(source, source.pages()[0] as Ref);
        engine.close(source);
        return copy;
      });
      // Memory of closed documents is used again before the copies are written.
      for (let i = 0; i < 20; i += 1) {
        globalThis.gc?.();
        Buffer.alloc(200_000, 'y');
      }
      target.setPages(pages);
      const again = open(saved(target));
      for (const [i] of pages.entries()) {
        const contents = again.streamData(again.page(i).get('Contents') as Ref).bytes;
        assert.equal(Buffer.from(contents).toString(), `${'x'.repeat(100_000)}${i}`);
      }
    });

    test('pages can be set in another order, and keep what they inherited', { skip }, () => {
      const doc = open(
        pdfOf([
          '<< /Type /Catalog /Pages 2 0 R >>',
          '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /MediaBox [0 0 50 60] /Rotate 90 >>',
          '<< /Type /Page /Parent 2 0 R >>',
          '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 70 80] >>',
        ]),
      );
      doc.setPages([...doc.pages()].reverse());
      const result = saved(doc);
      qpdfCheck(result);
      const info = pdfinfo(result, '-l', '2');
      assert.match(info['Page    1 size'] ?? '', /^70 x 80/);
      assert.match(info['Page    2 size'] ?? '', /^50 x 60/);
      assert.equal(info['Page    2 rot'], '90');
    });

    test('many objects are added and written', { skip }, () => {
      const doc = open(onePage());
      const refs = Array.from({ length: 20_000 }, (_, i) => doc.add(Dict.of({ Number: i })));
      doc.edit(doc.catalogRef).set('Many', refs);
      const result = saved(doc);
      qpdfCheck(result);
      const again = open(result);
      const many = again.array(again.catalog.get('Many')) ?? [];
      assert.equal(many.length, 20_000);
      assert.equal(again.number(again.dict(many[19_999])?.get('Number')), 19_999);
      assert.ok(again.allRefs().length > 20_000);
    });

    test('everything in a real document survives being handed over', { skip }, () => {
      const given = readFileSync(fixture('text-two-pages.pdf'));
      const doc = open(given);
      for (const ref of doc.allRefs()) {
        const object = doc.get(ref);
        if (object instanceof Dict || object instanceof Stream) doc.edit(ref);
      }
      const result = saved(doc);
      qpdfCheck(result);
      assert.equal(pdftotext(result), pdftotext(given));
    });

    test('references in circles end, and those to nothing are null', () => {
      const doc = open(onePage({ catalog: '/Loop 1 0 R /None 999 0 R' }));
      assert.equal(doc.resolve(doc.catalog.get('Loop')), doc.catalog);
      assert.equal(doc.resolve(doc.catalog.get('None')), null);
      assert.equal(doc.get(new Ref(2 ** 31 - 1)), null);
      assert.equal(doc.get(new Ref(0)), null);
      assert.ok(doc.allRefs().length > 0);
    });
  });
