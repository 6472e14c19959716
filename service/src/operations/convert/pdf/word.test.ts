import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { made, madeName, runHere } from '../../../../testing/calls/run-here.ts';
import { corpus, fixture, noCorpus } from '../../../../testing/documents/collection.ts';
import { zipEntries } from '../../../../testing/oracles/archives.ts';
import { noOffice, noPython, printed, pythonSays } from '../../../../testing/oracles/office-documents.ts';
import { missing, pdfinfo, pdftotext } from '../../../../testing/oracles/programs.ts';

const word = (file: string, params: Record<string, string> = {}) =>
  runHere('convert/pdf/word', { files: { fileInput: file }, params });
const EVERYTHING = fixture('everything.pdf');

test('a document of text, a table and an image becomes a Word file', { skip: noPython('docx') }, async () => {
  const ran = await word(EVERYTHING);
  assert.equal(madeName(ran), 'everything.docx');
  const script = `d = docx.Document(path)
print([p.text for p in d.paragraphs if p.style.name.startswith('Heading')][0], len(d.tables))`;
  assert.equal(pythonSays('docx', script, made(ran), 'docx'), 'Example of everything 1');
  const entries = await zipEntries(made(ran));
  assert.ok(entries.some(({ name }) => name.startsWith('word/media/')));
  const xml = entries.find(({ name }) => name === 'word/document.xml')?.bytes.toString('utf8');
  assert.doesNotMatch(xml ?? '', /txbx|framePr/);
});

for (const [format, head] of [
  ['doc', 'd0cf11e0'],
  ['odt', '504b0304'],
] as const) {
  test(`${format} is made from it`, { skip: noOffice() }, async () => {
    const ran = await word(EVERYTHING, { outputFormat: format });
    assert.equal(madeName(ran), `everything.${format}`);
    assert.equal(made(ran).subarray(0, 4).toString('hex'), head);
    assert.match(pdftotext(printed(made(ran), format)), /Example of everything/);
  });
}

const wordsOn = (pdf: Buffer, page: number): string[] =>
  pdftotext(pdf, '-f', String(page), '-l', String(page))
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** How many words of the first list are in the second, each as often as it is there. */
function shared(ours: readonly string[], theirs: readonly string[]): number {
  const left = new Map<string, number>();
  for (const each of theirs) left.set(each, (left.get(each) ?? 0) + 1);
  return ours.filter((each) => {
    const times = left.get(each) ?? 0;
    left.set(each, times - 1);
    return times > 0;
  }).length;
}

test('printed back, words stand on the page they stood on', {
  skip: noCorpus() || noOffice() || missing('pdftotext'),
}, async () => {
  const wanted = ['us-038', 'pdfbox__testPDFPackage', 'pdfminer-six__f1040nr'];
  const files = corpus('pdf', 'tables', 'text')
    .filter((path) => wanted.some((name) => path.includes(name)))
    .slice(0, 3);
  let [total, right] = [0, 0];
  for (const path of files) {
    const before = readFileSync(path);
    const after = printed(made(await word(path)), 'docx');
    assert.equal(pdfinfo(after).Pages, pdfinfo(before).Pages, path);
    for (let page = 1; page <= Number(pdfinfo(before).Pages); page += 1) {
      const words = wordsOn(before, page);
      total += words.length;
      right += shared(words, wordsOn(after, page));
    }
  }
  assert.ok(total > 1000, `${files.length} documents with ${total} words`);
  assert.ok(right / total >= 0.95, `${right} of ${total}`);
});
