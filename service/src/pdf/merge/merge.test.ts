import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pdfOf, streamOf } from '../../../testing/documents/written-pdf.ts';
import { fileInMemory } from '../../contract/files.ts';
import { createQpdf } from '../../engines/qpdf/qpdf.ts';
import type { PdfDocument } from '../document.ts';
import type { Dict, PdfValue } from '../objects.ts';
import { readNameTree } from '../structure/name-tree.ts';
import { readNumberTree } from '../structure/number-tree.ts';
import { formatValue } from '../syntax/object-syntax.ts';
import { mergeDocuments } from './merge.ts';
import { renameFontsIn } from './merge-form-resources.ts';

/** One page (object 3), its content (4) and further objects from 5 on. */
const onePage = (catalog: string, page: string, more: string[]): Buffer =>
  pdfOf([
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 100 100] >>',
    `<< /Type /Page /Parent 2 0 R /Contents 4 0 R ${page} >>`,
    streamOf(''),
    ...more,
  ]);

/** Merges documents and hands the result, saved and opened anew, to `look`. */
function merged(documents: readonly Buffer[], look: (doc: PdfDocument) => void): void {
  const qpdf = createQpdf({ passwords: [], newFile: () => '' });
  const open = (bytes: Uint8Array) => qpdf.engine.open(fileInMemory('x', bytes));
  const [first, ...rest] = documents.map((bytes) => ({ doc: open(bytes), title: 'x' }));
  assert.ok(first);
  mergeDocuments(first, rest, { outlineByFile: false });
  const content = first.doc.save();
  assert.ok('bytes' in content);
  look(open(content.bytes));
  qpdf.closeAll();
}

const at = (doc: PdfDocument, value: PdfValue | undefined, ...path: (string | number)[]): PdfValue => {
  let current: PdfValue | undefined = value;
  for (const key of path) {
    current = typeof key === 'number' ? doc.array(current)?.[key] : doc.dict(current)?.get(key);
  }
  return doc.resolve(current) as PdfValue;
};
const shown = (doc: PdfDocument, value: PdfValue | undefined, ...path: (string | number)[]): string =>
  formatValue(at(doc, value, ...path));

const TABLE = onePage(
  '/StructTreeRoot 5 0 R',
  '/StructParents 7 /Annots [10 0 R] /Resources << /XObject << /X 11 0 R >> >>',
  [
    '<< /Type /StructTreeRoot /K 6 0 R /ParentTree << /Nums [7 [6 0 R] 8 8 0 R 9 [7 0 R]] >> /ClassMap << /C << /O /Layout >> >> /IDTree << /Names [(h) 8 0 R] >> >>',
    '<< /S /Table /P 5 0 R /K [7 0 R 8 0 R] >>',
    '<< /S /TD /P 6 0 R /C [/C] /A << /O /Table /Headers [(h)] >> >>',
    '<< /S /TH /P 6 0 R /ID (h) /K << /Type /OBJR /Obj 10 0 R >> >>',
    'null',
    '<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /StructParent 8 >>',
    streamOf('', '/Type /XObject /Subtype /Form /BBox [0 0 1 1] /StructParents 9'),
  ],
);

test('structure keys are renumbered wherever they stand, ids and their uses together', () => {
  merged([TABLE, TABLE], (doc) => {
    const root = doc.catalog.get('StructTreeRoot');
    assert.deepEqual(
      readNumberTree(doc, at(doc, root, 'ParentTree')).map(({ key }) => key),
      [7, 8, 9, 10, 11, 12],
    );
    const page = doc.pages()[1];
    const keys = [
      at(doc, page, 'StructParents'),
      at(doc, page, 'Annots', 0, 'StructParent'),
      at(doc, page, 'Resources', 'XObject', 'X', 'StructParents'),
    ];
    const parents = new Map(
      readNumberTree(doc, at(doc, root, 'ParentTree')).map(({ key, value }) => [key, value]),
    );
    assert.equal(shown(doc, parents.get(keys[0] as number), 0, 'S'), '/Table');
    assert.equal(shown(doc, parents.get(keys[1] as number), 'S'), '/TH');
    assert.equal(shown(doc, parents.get(keys[2] as number), 0, 'S'), '/TD');
    assert.ok((at(doc, root, 'ParentTreeNextKey') as number) > 12);
    assert.deepEqual(
      readNameTree(doc, at(doc, root, 'IDTree')).map(({ key }) => key),
      ['h', 'h_2'],
    );
    const [cell, header] = [at(doc, root, 'K', 1, 'K', 0), at(doc, root, 'K', 1, 'K', 1)];
    assert.equal(Buffer.from(doc.text(at(doc, cell, 'A', 'Headers', 0)) ?? '').toString(), 'h_2');
    assert.equal(doc.text((header as Dict).get('ID')), 'h_2');
    // Equal classes are one class.
    assert.equal(shown(doc, cell, 'C'), '[/C]');
  });
});

test('a class that means another thing in the second document gets a new name', () => {
  const other = Buffer.from(
    TABLE.toString('latin1').replace('/C << /O /Layout >>', '/C << /O /LISTxx >>'),
    'latin1',
  );
  merged([TABLE, other], (doc) => {
    const root = doc.catalog.get('StructTreeRoot');
    assert.equal(shown(doc, root, 'K', 1, 'K', 0, 'C'), '[/C_2]');
    assert.equal(shown(doc, root, 'ClassMap', 'C_2', 'O'), '/LISTxx');
  });
});

test('keys left on pages of an untagged first document are not taken for keys of the second', () => {
  merged([onePage('', '/StructParents 3', []), TABLE], (doc) => {
    const root = doc.catalog.get('StructTreeRoot');
    assert.deepEqual(
      readNumberTree(doc, at(doc, root, 'ParentTree')).map(({ key }) => key),
      [4, 5, 6],
    );
    assert.equal(shown(doc, doc.catalog.get('MarkInfo')), '<</Marked true>>');
  });
});

const layers = (config: string): Buffer =>
  onePage(`/OCProperties << /OCGs [5 0 R 6 0 R] /D << ${config} >> >>`, '', [
    '<< /Type /OCG /Name (one) >>',
    '<< /Type /OCG /Name (two) >>',
  ]);
for (const [first, second, list, hidden] of [
  ['/OFF [5 0 R]', '/BaseState /OFF /ON [6 0 R]', 'OFF', 2],
  ['/BaseState /OFF /ON [5 0 R]', '/OFF [5 0 R]', 'ON', 2],
  ['', '/BaseState /OFF', 'OFF', 2],
] as const) {
  test(`layers stay shown or hidden: ${first || 'all on'} with ${second}`, () => {
    merged([layers(first), layers(second)], (doc) => {
      const properties = doc.catalog.get('OCProperties');
      assert.equal((at(doc, properties, 'OCGs') as PdfValue[]).length, 4);
      assert.equal((at(doc, properties, 'D', list) as PdfValue[]).length, hidden);
    });
  });
}

test('pages told by number, in links, names and outlines, are the pages of their own document', () => {
  const numbered = onePage(
    '/Outlines 5 0 R /Names << /Dests << /Names [(n) [0 /Fit]] >> >>',
    '/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /Dest [0 /Fit] >> 7 0 R]',
    [
      '<< /First 6 0 R /Last 6 0 R >>',
      '<< /Title (t) /Parent 5 0 R /Dest [0 /Fit] >>',
      '<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /JavaScript /JS (1) /Next [<< /S /GoTo /D [0 /Fit] >>] >> >>',
    ],
  );
  merged([onePage('', '', []), numbered], (doc) => {
    const page = doc.pages()[1];
    const own = `${page?.key} R`;
    const held = [
      at(doc, page, 'Annots', 0, 'Dest'),
      at(doc, page, 'Annots', 1, 'A', 'Next', 0, 'D'),
      at(doc, doc.catalog.get('Outlines'), 'First', 'Dest'),
      readNameTree(doc, at(doc, doc.catalog.get('Names'), 'Dests'))[0]?.value ?? null,
    ];
    for (const dest of held) assert.equal(shown(doc, dest), `[${own} /Fit]`);
  });
});

test('attributes a page inherits come with it, output intents stay only where all agree', () => {
  const intent = (id: string) =>
    onePage(`/OutputIntents [<< /S /GTS_PDFA1 /OutputConditionIdentifier (${id}) >>]`, '', []);
  merged([intent('a'), intent('a')], (doc) => {
    assert.ok(doc.catalog.has('OutputIntents'));
    for (const index of [0, 1]) assert.equal(shown(doc, doc.page(index).get('MediaBox')), '[0 0 100 100]');
  });
  merged([intent('a'), intent('b')], (doc) => assert.equal(doc.catalog.has('OutputIntents'), false));
});

for (const [given, wanted] of [
  ['/Helv 12 Tf 0 g', '/Helv_2 12 Tf 0 g'],
  ['0 g /Helv  0 Tf', '0 g /Helv_2  0 Tf'],
  ['/Hel#76 -1.5 Tf', '/Helv_2 -1.5 Tf'],
  ['/Helvetica 12 Tf', '/Helvetica 12 Tf'],
  ['/Helv gs', '/Helv gs'],
] as const) {
  test(`a default appearance ${given} follows its font's new name`, () => {
    assert.equal(renameFontsIn(given, new Map([['Helv', 'Helv_2']])), wanted);
  });
}
