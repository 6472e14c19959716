import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withDocument } from '../../../testing/documents/widened-pages.ts';
import { onePage } from '../../../testing/documents/written-pdf.ts';
import { Dict, name, type PdfValue } from '../objects.ts';
import { PageFonts } from './editor-fonts.ts';
import { elementColour } from './element-colours.ts';
import { rawDict } from './raw-values.ts';

test('values are shown as JSON: names with their slash, texts, references followed', () => {
  const bytes = onePage({
    more: ['<< /N /Name /T (text) /L [1 true null] /R 6 0 R /Parent 3 0 R >>', '<< /In 1 >>'],
  });
  withDocument(bytes, (doc) => {
    const dict = doc.dict(doc.pages()[0]);
    assert.ok(dict);
    const shown = rawDict(doc, dict);
    assert.equal(shown.Type, '/Page');
    assert.equal(shown.Parent, '2 0 R', 'upwards links are named, not followed');
  });
});

test('a chain of references is followed a little way, and no key reaches the object itself', () => {
  const chain = Array.from({ length: 20 }, (_, index) => `<< /Deeper ${index + 6} 0 R >>`);
  withDocument(
    onePage({ page: '/Own 5 0 R /__proto__ << /polluted true >>', more: [...chain, '<< >>'] }),
    (doc) => {
      const shown = rawDict(doc, doc.dict(doc.pages()[0]));
      const depth = JSON.stringify(shown.Own).match(/Deeper/g)?.length ?? 0;
      assert.ok(depth >= 1 && depth < 10, `${depth}`);
      assert.equal(({} as Record<string, unknown>).polluted, undefined);
    },
  );
});

test('colours say their space by its family, and its first colour where content set none', () => {
  withDocument(onePage(), (doc) => {
    const shown = (space: PdfValue, components?: number[]) =>
      elementColour(doc, { space, components } as Parameters<typeof elementColour>[1]);
    assert.deepEqual(shown(name('DeviceRGB'), [1, 0, 0]), { colorSpace: 'DeviceRGB', components: [1, 0, 0] });
    assert.deepEqual(shown(name('DeviceCMYK')), { colorSpace: 'DeviceCMYK', components: [0, 0, 0, 1] });
    assert.deepEqual(shown([name('Lab'), Dict.of({})]), { colorSpace: 'Lab', components: [0, 0, 0] });
    assert.deepEqual(shown(name('constructor')), { colorSpace: 'constructor', components: [1] });
  });
});

test('two fonts of one name get two ids, one font keeps its own', () => {
  const fonts = new PageFonts();
  const [one, other] = [new Dict(), new Dict()];
  assert.equal(fonts.idOf('F1', one), 'F1');
  assert.equal(fonts.idOf('F1', other), 'F1', 'fonts that are no objects are told by their name alone');
  withDocument(onePage({ more: ['<< >>', '<< >>'] }), (doc) => {
    const refs = [doc.add(new Dict()), doc.add(new Dict())];
    assert.deepEqual(
      refs.map((ref) => fonts.idOf('F1', ref)),
      ['F1_2', 'F1_3'],
    );
    assert.equal(fonts.idOf('F1', refs[0]), 'F1_2');
  });
});
