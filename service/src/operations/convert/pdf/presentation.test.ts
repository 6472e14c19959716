import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { made, madeName, runHere } from '../../../../testing/calls/run-here.ts';
import { fixture } from '../../../../testing/documents/collection.ts';
import { noOffice, noPython, printed, pythonSays } from '../../../../testing/oracles/office-documents.ts';
import { missing, pdfinfo, pdftotext } from '../../../../testing/oracles/programs.ts';
import { chartPage, writtenPage } from '../../../../testing/oracles/reading.ts';
import { comparePlaces } from '../../../../testing/oracles/word-places.ts';

const EVERYTHING = fixture('everything.pdf');
const presentation = (params: Record<string, string> = {}) =>
  runHere('convert/pdf/presentation', { files: { fileInput: EVERYTHING }, params });

test('every page becomes a slide of its size', { skip: noPython('pptx') }, async () => {
  const ran = await presentation();
  assert.equal(madeName(ran), 'everything.pptx');
  const script = `p = pptx.Presentation(path)
# The second picture is the mark in the check box.
print(len(p.slides), p.slide_width // 12700, sum(s.has_table for x in p.slides for s in x.shapes), sum(s.shape_type == 13 for x in p.slides for s in x.shapes))`;
  assert.equal(pythonSays('pptx', script, made(ran), 'pptx'), '4 595 1 2');
});

for (const [format, head] of [
  ['ppt', 'd0cf11e0'],
  ['odp', '504b0304'],
] as const) {
  test(`${format} is made from it`, { skip: noOffice() }, async () => {
    const ran = await presentation({ outputFormat: format });
    assert.equal(madeName(ran), `everything.${format}`);
    assert.equal(made(ran).subarray(0, 4).toString('hex'), head);
    const pdf = printed(made(ran), format);
    assert.equal(pdfinfo(pdf).Pages, '4');
    assert.match(pdftotext(pdf), /Example of everything/);
  });
}

const ofPage = (name: string, bytes: Uint8Array) =>
  runHere('convert/pdf/presentation', { files: { fileInput: { name, bytes } } });

test('words stand where they stood', {
  skip: noOffice() || missing('pdftotext'),
}, async (context) => {
  for (const [name, least] of [
    ['reading.pdf', 0.8],
    ['everything.pdf', 0.8],
    ['text-two-pages.pdf', 0.8],
  ] as const) {
    const original = readFileSync(fixture(name));
    const ran = await runHere('convert/pdf/presentation', { files: { fileInput: fixture(name) } });
    const pdf = printed(made(ran), 'pptx');
    let [words, found, inPlace] = [0, 0, 0];
    for (let page = 1; page <= Number(pdfinfo(original).Pages); page += 1) {
      const places = comparePlaces(original, pdf, page);
      words += places.words;
      found += places.found;
      inPlace += places.inPlace;
    }
    context.diagnostic(`${name}: ${words} words, ${found} there, ${inPlace} in place`);
    assert.ok(found >= words * 0.99, name);
    assert.ok(inPlace >= words * least, name);
  }
});

/** What lies on the first slide: kind, colour and text of each shape. */
const SHAPES = `from pptx.enum.shapes import MSO_SHAPE_TYPE as T
for s in pptx.Presentation(path).slides[0].shapes:
    kind = 'line' if s.shape_type == T.LINE else 'picture' if s.shape_type == T.PICTURE else 'text' if s.shape_type == T.TEXT_BOX else 'area'
    text = s.text_frame.text if s.has_text_frame else ''
    color = s.text_frame.paragraphs[0].runs[0].font.color.rgb if kind == 'text' else s.fill.fore_color.rgb if kind == 'area' else ''
    print(kind, color, text)`;

test('areas and lines lie behind the text, whose colour is seen on them', {
  skip: noPython('pptx'),
}, async () => {
  const page = writtenPage(
    '0.1 0.2 0.4 rg 50 600 400 100 re f 1 g BT /F 20 Tf 70 640 Td (White on blue) Tj ET ' +
      'BT /F 20 Tf 70 400 Td (White on paper) Tj ET 1 0 0 RG 2 w 50 500 m 450 500 l S',
  );
  const said = pythonSays('pptx', SHAPES, made(await ofPage('colours.pdf', page)), 'pptx').split('\n');
  assert.deepEqual(
    said.map((line) => line.trim()),
    ['area 1A3366', 'line', 'text FFFFFF White on blue', 'text 000000 White on paper'],
  );
});

test('what is no rectangle is an image behind the text, and a chart an image with its words', {
  skip: noPython('pptx'),
}, async () => {
  const round = '0.8 g 100 600 m 300 600 l 340 600 340 680 300 680 c 100 680 l 60 680 60 600 100 600 c f';
  const page = writtenPage(`${round} 0 g BT /F 20 Tf 110 630 Td (In a round box) Tj ET`);
  const said = pythonSays('pptx', SHAPES, made(await ofPage('round.pdf', page)), 'pptx').split('\n');
  assert.deepEqual(
    said.map((line) => line.trim()),
    ['picture', 'text 000000 In a round box'],
  );
  const script = `s = [s for s in pptx.Presentation(path).slides[0].shapes if s.shape_type == 13]
print(len(s), s[0]._element.nvPicPr.cNvPr.get('descr'))`;
  assert.equal(
    pythonSays('pptx', script, made(await ofPage('chart.pdf', chartPage())), 'pptx'),
    '1 100 50 0 Northland Southland Eastland Westland',
  );
});
