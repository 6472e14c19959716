import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { document, everything, page, paragraph } from '../../../testing/documents/layout-models.ts';
import { noOffice, noPython, printed, pythonSays } from '../../../testing/oracles/office-documents.ts';
import { missing, pdfinfo, pdftotext } from '../../../testing/oracles/programs.ts';
import { writePptx } from './write-pptx.ts';

const folder = mkdtempSync(join(tmpdir(), 'bindery-pptx-'));
after(() => rmSync(folder, { recursive: true, force: true }));

async function pptx(model = everything()): Promise<Buffer> {
  return readFileSync((await writePptx(join(folder, `${Math.random()}.pptx`), model)).path);
}

test('python-pptx sees a slide a page, with text boxes, an image and a table', {
  skip: noPython('pptx'),
}, async () => {
  const said = pythonSays(
    'pptx',
    `p = pptx.Presentation(path)
print(p.slide_width, p.slide_height, len(p.slides))
s = p.slides[0]
print(sum(x.has_text_frame for x in s.shapes), sum(x.has_table for x in s.shapes), sum(x.shape_type == 13 for x in s.shapes))
t = [x for x in s.shapes if x.has_table][0].table
print(t.cell(0, 0).text, t.cell(0, 0).span_width, t.cell(1, 0).span_height, t.cell(2, 1).text)
x = [x for x in s.shapes if x.has_text_frame and x.text_frame.text == 'First chapter'][0]
print(round(x.left / 12700), x.text_frame.paragraphs[0].runs[0].font.bold)`,
    await pptx(),
    'pptx',
  ).split('\n');
  assert.equal(said[0], `${595 * 12700} ${842 * 12700} 2`);
  assert.match(said[1] ?? '', /^\d+ 1 1$/);
  assert.equal(said[2], 'Head of both 2 2 two');
  assert.equal(said[3], '72 True');
});

test('LibreOffice shows each slide with its own words', {
  skip: noOffice() || missing('pdftotext'),
}, async () => {
  const pdf = printed(await pptx(), 'pptx');
  assert.equal(pdfinfo(pdf).Pages, '2');
  const first = pdftotext(pdf, '-f', '1', '-l', '1');
  for (const words of ['First chapter', 'Head of both', 'Running title', 'A note'])
    assert.ok(first.includes(words), words);
  assert.match(pdftotext(pdf, '-f', '2', '-l', '2'), /Second chapter/);
});

test('a page larger than the others is made smaller to fit its slide', {
  skip: noPython('pptx'),
}, async () => {
  const large = page(3, [paragraph('large', 1600)], { width: 1190, height: 1684 });
  const bytes = await pptx(document([page(1, [paragraph('a', 72)]), page(2, [paragraph('b', 72)]), large]));
  const script =
    'p = pptx.Presentation(path)\nprint(p.slide_height // 12700, p.slides[2].shapes[0].top // 12700)';
  const [height = 0, top = 0] = pythonSays('pptx', script, bytes, 'pptx').split(' ').map(Number);
  assert.equal(height, 842);
  assert.ok(top > 700 && top < 842, String(top));
});
