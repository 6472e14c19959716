import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { document, everything, list, page, paragraph } from '../../../testing/documents/layout-models.ts';
import { zipEntries } from '../../../testing/oracles/archives.ts';
import { noOffice, noPython, printed, pythonSays } from '../../../testing/oracles/office-documents.ts';
import { missing, pdfinfo, pdftotext } from '../../../testing/oracles/programs.ts';
import type { Paragraph } from '../../layout/model.ts';
import { levelOf } from './numbering.ts';
import { writeDocx } from './write-docx.ts';

const folder = mkdtempSync(join(tmpdir(), 'bindery-docx-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;

async function docx(model = everything(), mode: 'flow' | 'exact' = 'flow'): Promise<Buffer> {
  count += 1;
  return readFileSync((await writeDocx(join(folder, `${count}.docx`), model, { mode })).path);
}
const part = async (bytes: Buffer, name: string): Promise<string> =>
  (await zipEntries(bytes)).find((entry) => entry.name === name)?.bytes.toString('utf8') ?? '';

test('python-docx sees headings, lists, tables, images and links', { skip: noPython('docx') }, async () => {
  const bytes = await docx();
  const said = pythonSays(
    'docx',
    `d = docx.Document(path)
print([p.style.name for p in d.paragraphs if p.text.strip()])
t = d.tables[0]
print(len(t.rows), len(t.columns), t.cell(0, 0).text, t.cell(2, 0).text, t.cell(2, 1).text)
print(len(d.inline_shapes), d.core_properties.title, d.core_properties.author)
print(d.sections[0].header.paragraphs[0].text)`,
    bytes,
    'docx',
  ).split('\n');
  const styles = said[0] ?? '';
  for (const name of ['Heading 1', 'List Bullet', 'List Number', 'List Paragraph', 'Code'])
    assert.ok(styles.includes(`'${name}'`), `${name} in ${styles}`);
  assert.equal(said[1], '3 2 Head of both Deep two');
  assert.equal(said[2], '1 A title & more Ada');
  assert.equal(said[3], 'Running title');
});

test('every part is well-formed and every relation leads to a part', {
  skip: noPython('zipfile'),
}, async () => {
  const script = `import xml.etree.ElementTree as tree, posixpath
z = zipfile.ZipFile(path)
for name in z.namelist():
    if not name.endswith(('.xml', '.rels')): continue
    root = tree.fromstring(z.read(name))
    if not name.endswith('.rels'): continue
    base = posixpath.dirname(posixpath.dirname(name))
    for each in root:
        if each.get('TargetMode') != 'External':
            z.getinfo(posixpath.normpath(posixpath.join(base, each.get('Target'))))
print('sound')`;
  assert.equal(pythonSays('zipfile', script, await docx(), 'docx'), 'sound');
});

test('flow has no text boxes and no frames', async () => {
  const text = await part(await docx(), 'word/document.xml');
  assert.doesNotMatch(text, /txbx|v:textbox|framePr/);
  assert.match(text, /<w:footnoteReference w:customMarkFollows="1" w:id="2"\/>/);
  assert.match(text, /<w:bidi\/>/);
});

test('LibreOffice prints each page with its own words, numbers and note', {
  skip: noOffice() || missing('pdftotext'),
}, async () => {
  const pdf = printed(await docx(), 'docx');
  assert.equal(pdfinfo(pdf).Pages, '2');
  const first = pdftotext(pdf, '-f', '1', '-l', '1');
  for (const words of [
    'Running title',
    'First chapter',
    'Page 7',
    '3.',
    '4.',
    '(a)',
    '§ 4',
    'Head of both',
    'A note with words',
  ])
    assert.ok(first.includes(words), `${words} in ${first}`);
  const second = pdftotext(pdf, '-f', '2', '-l', '2');
  for (const words of ['Second chapter', 'Page 8', 'let a = 1 < 2;'])
    assert.ok(second.includes(words), words);
});

test('exact mode puts every block into a frame at its place', {
  skip: noOffice() || missing('pdftotext'),
}, async () => {
  const bytes = await docx(everything(), 'exact');
  assert.match(await part(bytes, 'word/document.xml'), /<w:framePr [^>]*w:hAnchor="page"/);
  const pdf = printed(bytes, 'docx');
  assert.equal(pdfinfo(pdf).Pages, '2');
  const words = pdftotext(pdf, '-bbox');
  const placed = /yMin="([\d.]+)"[^>]*>First</.exec(words);
  assert.ok(Math.abs(Number(placed?.[1]) - 72) < 8, placed?.[0]);
});

test('columns are columns, and a page that is too full is set tighter', {
  skip: noOffice() || missing('pdftotext'),
}, async () => {
  // Twenty paragraphs of three lines in each column.
  const column = (word: string, x: number) =>
    Array.from({ length: 20 }, (_, i) => {
      const y = 72 + 36 * i;
      const written = [0, 12, 24].map((below) => {
        const box = { x, y: y + below, width: 200, height: 10 };
        return { ...paragraph(`${word} ${i} many words that fill their whole column`, y + below), box };
      });
      const [first] = written as [Paragraph, ...Paragraph[]];
      return {
        ...first,
        runs: written.flatMap(({ runs }) => runs),
        lines: written.flatMap(({ lines, box }) => lines.map((line) => ({ ...line, box }))),
        box: { x, y, width: 200, height: 34 },
      };
    });
  const left = column('left', 72);
  const right = column('right', 300);
  const full = page(1, [...left, ...right], { columns: 2, body: { x: 72, y: 72, width: 428, height: 720 } });
  const bytes = await docx(document([full, page(2, [paragraph('the end', 72)])]));
  assert.match(await part(bytes, 'word/document.xml'), /<w:cols w:num="2"/);
  const pdf = printed(bytes, 'docx');
  assert.equal(pdfinfo(pdf).Pages, '2');
  assert.match(pdftotext(pdf, '-f', '2', '-l', '2'), /^\s*the end\s*$/);
});

test('markers become numbering only where Word would count the same', () => {
  const cases: [boolean, string[], string | undefined][] = [
    [true, ['1.', '2.', '3.'], 'decimal'],
    [true, ['(c)', '(d)'], 'lowerLetter'],
    [true, ['i.', 'ii.', 'iii.'], 'lowerRoman'],
    [true, ['IV)', 'V)'], 'upperRoman'],
    [true, ['1.', '3.'], undefined],
    [true, ['1.1', '1.2'], undefined],
    [false, ['•', '•'], 'bullet'],
    [false, ['•', '-'], undefined],
  ];
  for (const [ordered, markers, format] of cases)
    assert.equal(levelOf(list(ordered, markers, 72))?.format, format, markers.join(' '));
});

test('a document without pages, and one of empty pages, are documents', {
  skip: noPython('docx'),
}, async () => {
  for (const model of [document([]), document([page(1, []), page(2, [])])])
    assert.equal(
      pythonSays('docx', 'print(len(docx.Document(path).tables))', await docx(model), 'docx'),
      '0',
    );
});
