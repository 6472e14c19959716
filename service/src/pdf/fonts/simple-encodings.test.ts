import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onePage } from '../../../testing/documents/written-pdf.ts';
import { fileInMemory } from '../../contract/files.ts';
import { createQpdf } from '../../engines/qpdf/qpdf.ts';
import type { PdfDocument } from '../document.ts';
import { Dict, Ref } from '../objects.ts';
import { charactersOf, charactersOfName, charactersOfParts, isLatinGlyphName } from './glyph-names.ts';
import {
  characterOfNumber,
  STANDARD_NAMES,
  simpleCharacters,
  simpleCodes,
  simpleEncoding,
} from './simple-encodings.ts';

function withFont(entries: string, use: (doc: PdfDocument, font: Dict) => void): void {
  const { engine, closeAll } = createQpdf({ passwords: [], newFile: () => assert.fail() });
  try {
    const doc = engine.open(fileInMemory('a.pdf', onePage({ more: [`<< /Type /Font ${entries} >>`] })));
    use(doc, doc.dict(new Ref(5, 0)) ?? new Dict());
  } finally {
    closeAll();
  }
}

/** Rows of ISO 32000-1, annex D.2: character, and its codes in octal. */
for (const [encoding, rows] of [
  ['StandardEncoding', { quoteright: 0o47, fi: 0o256, emdash: 0o320, germandbls: 0o373 }],
  ['WinAnsiEncoding', { quotesingle: 0o47, Euro: 0o200, emdash: 0o227, ydieresis: 0o377, bullet: 0o225 }],
  ['MacRomanEncoding', { Adieresis: 0o200, emdash: 0o321, fi: 0o336, currency: 0o333, caron: 0o377 }],
] as const)
  test(`names of ${encoding}`, () => {
    withFont(`/Encoding /${encoding}`, (doc, font) => {
      const { nameOf, base } = simpleEncoding(doc, font);
      assert.equal(base, encoding);
      for (const [name, code] of Object.entries(rows)) assert.equal(nameOf(code), name);
    });
  });

test('unused codes of WinAnsiEncoding are bullets', () => {
  withFont('/Encoding /WinAnsiEncoding', (doc, font) => {
    const { nameOf } = simpleEncoding(doc, font);
    assert.deepEqual([0x81, 0x7f, 0x1f, 0xa0, 0xad].map(nameOf), [
      'bullet',
      'bullet',
      undefined,
      'space',
      'hyphen',
    ]);
  });
});

test('Differences change codes one after the other, .notdef too', () => {
  const encoding =
    '<< /BaseEncoding /WinAnsiEncoding /Differences [65 /afii10017 /.notdef /uni0416 200 /A.sc] >>';
  withFont(`/Encoding ${encoding}`, (doc, font) => {
    const { differences, nameOf } = simpleEncoding(doc, font);
    assert.deepEqual([...differences.keys()], [65, 66, 67, 200]);
    assert.deepEqual([67, 68].map(nameOf), ['uni0416', 'D']);
    const characters = simpleCharacters(doc, font);
    assert.deepEqual(
      [65, 66, 67, 68, 200].map((code) => characters[code]),
      ['А', undefined, 'Ж', 'D', undefined],
    );
    assert.equal(simpleCodes(doc, font, 'unknown')?.get('Ж'), 67);
  });
});

test('a font without an encoding has the one of its program', () => {
  withFont('', (doc, font) => {
    assert.equal(simpleCodes(doc, font, 'unknown'), undefined);
    assert.equal(simpleCodes(doc, font, 'standard')?.get('’'), 0o47);
    assert.equal(simpleEncoding(doc, font).isThere, false);
  });
  assert.equal(STANDARD_NAMES[0o101], 'A');
});

test('names of glyphs mean characters', () => {
  assert.deepEqual(
    ['A', 'afii10017', 'dalethatafpatah', 'uni00410042', 'u1F600', 'uni004', 'nosuchname', 'u110000'].map(
      charactersOfName,
    ),
    ['A', 'А', '\u05d3\u05b2', 'AB', '\u{1f600}', undefined, undefined, undefined],
  );
  assert.deepEqual(['a.sc', 'uni0041.alt', '.notdef'].map(charactersOf), ['a', 'A', undefined]);
  assert.deepEqual(['f_f_i', 'f', 'f_nosuchname'].map(charactersOfParts), ['ffi', 'f', undefined]);
  assert.deepEqual(
    ['65', 'a65', 'g66', 'g1', undefined].map((name) => characterOfNumber(name, 65)),
    ['A', 'A', undefined, undefined, undefined],
  );
});

test('names that tell only a Latin letter, or a number', () => {
  assert.deepEqual(['eacute', 'nbspace', 'uni0416', 'alpha', 'Smith'].map(isLatinGlyphName), [
    true,
    true,
    true,
    false,
    false,
  ]);
});
