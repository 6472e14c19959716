import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  document,
  everything,
  figure,
  heading,
  line,
  list,
  page,
  paragraph,
  run,
  table,
} from '../../testing/documents/layout-models.ts';
import { partFaults, schemaFaults } from '../../testing/oracles/office-schemas.ts';
import type { LaidOutDocument } from '../layout/model.ts';
import { writeDocx } from './docx/write-docx.ts';
import { writePptx } from './pptx/write-pptx.ts';

const folder = mkdtempSync(join(tmpdir(), 'bindery-schema-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Columns, turned writing, captions, right-to-left text, pages that no office program has paper for. */
function oddities(): LaidOutDocument {
  const caption = paragraph('Caption', 90);
  const column = (x: number) =>
    Array.from({ length: 6 }, (_, i) => {
      const box = { x, y: 200 + 12 * i, width: 180, height: 10 };
      const text = paragraph('words that go on and on', box.y);
      const lines = [0, 1, 2].flatMap(() => text.lines.map((each) => ({ ...each, box })));
      return { ...text, box, lines };
    });
  const aside = paragraph('turned', 400);
  const huge = paragraph([run('huge', { look: { size: 900 } })], 100);
  return document([
    page(1, [
      { ...table(100), caption },
      { ...figure(300), caption },
    ]),
    page(2, [heading('Title', 2, 72), ...column(72), ...column(320), paragraph('end', 700)]),
    page(3, [
      { ...aside, lines: aside.lines.map((each) => ({ ...each, turn: 90 })) },
      figure(72),
      table(100),
    ]),
    page(
      4,
      [
        paragraph('\u05e9\u05dc\u05d5\u05dd', 100, { direction: 'rtl', align: 'right' }),
        list(false, ['•', '•'], 150, list(true, ['1.', '2.'], 170)),
      ],
      { headersAndFooters: { header: [line('Title', 30)], footer: [line('4', 800)] } },
    ),
    page(5, [huge, { ...table(3000), box: { x: 72, y: 3000, width: 2000, height: 2000 } }], {
      width: 5000,
      height: 7000,
    }),
    page(6, []),
    page(7, [paragraph([run('white', { look: { color: '#ffffff' } })], 100), paragraph('grey', 300)], {
      width: 3000,
      height: 5000,
      background: {
        images: [],
        areas: [{ box: { x: 60, y: 90, width: 500, height: 30 }, color: '#102030' }],
        lines: [{ axis: 'vertical', at: 50, from: 20, to: 700, thickness: 0.5, color: '#ff0000' }],
      },
    }),
  ]);
}

for (const [name, model] of [
  ['something of every kind', everything()],
  ['oddities', oddities()],
  ['nothing', document([])],
] as const) {
  for (const mode of ['flow', 'exact'] as const)
    test(`${name} (${mode}) is written as the schema of Word documents wants it`, async () => {
      const { path } = await writeDocx(join(folder, `${name}.docx`), model, { mode });
      assert.deepEqual(await schemaFaults(readFileSync(path)), []);
    });
  test(`${name} is written as the schema of presentations wants it`, async () => {
    const { path } = await writePptx(join(folder, `${name}.pptx`), model);
    assert.deepEqual(await schemaFaults(readFileSync(path)), []);
  });
}

test('elements out of order, twice or unknown, numbers out of bounds and cells without an end are found', () => {
  for (const [xml, fault] of [
    ['<w:pPr><w:jc w:val="left"/><w:ind w:left="20"/></w:pPr>', 'w:ind behind jc in w:pPr'],
    ['<w:rPr><w:b/><w:b/></w:rPr>', 'w:b twice in w:rPr'],
    ['<w:tcPr><w:jc w:val="left"/></w:tcPr>', 'w:jc in w:tcPr'],
    ['<w:spacing w:line="40000"/>', 'w:line="40000" of w:spacing'],
    ['<w:tc><w:p/><w:tbl></w:tbl></w:tc>', 'a cell that does not end with a paragraph'],
    ['<a:rPr sz="50"/>', 'sz="50" of a:rPr'],
  ] as const)
    assert.deepEqual(partFaults(xml), [fault]);
  assert.deepEqual(partFaults('<w:tc><w:tcPr><w:tcW w:w="20"/></w:tcPr><w:p/></w:tc>'), []);
});
