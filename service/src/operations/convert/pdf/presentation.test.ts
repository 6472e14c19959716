import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runHere } from '../../../jobs/run-here.ts';
import { fixture, made, madeName, pdfinfo, pdftotext } from '../../judges.ts';
import { noOffice, noPython, printed, pythonSays } from '../../office-judges.ts';

const EVERYTHING = fixture('everything.pdf');
const presentation = (params: Record<string, string> = {}) =>
  runHere('convert/pdf/presentation', { files: { fileInput: EVERYTHING }, params });

test('every page becomes a slide of its size', { skip: noPython('pptx') }, async () => {
  const ran = await presentation();
  assert.equal(madeName(ran), 'everything.pptx');
  const script = `p = pptx.Presentation(path)
print(len(p.slides), p.slide_width // 12700, sum(s.has_table for x in p.slides for s in x.shapes), sum(s.shape_type == 13 for x in p.slides for s in x.shapes))`;
  assert.equal(pythonSays('pptx', script, made(ran), 'pptx'), '4 595 1 1');
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
