import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { failed, made, madeName, runHere } from '../../../../testing/calls/run-here.ts';
import { fixture, noCorpus } from '../../../../testing/documents/collection.ts';
import { askProgram, missing } from '../../../../testing/oracles/programs.ts';
import { similarity, wordsOf, writtenPage } from '../../../../testing/oracles/reading.ts';

const corpus = (path: string): URL => new URL(`../../../../../../shared/corpus/${path}`, import.meta.url);

const text = (fileInput: string | { name: string; bytes: Uint8Array }, params: Record<string, string> = {}) =>
  runHere('convert/pdf/text', { files: { fileInput }, params });

test('text comes in reading order, pages parted by form feeds', async () => {
  const ran = await text(fixture('reading.pdf'));
  const pages = made(ran).toString('utf8').split('\f');
  assert.equal(madeName(ran), 'reading.txt');
  assert.equal(ran.state === 'made' && ran.result.mediaType, 'text/plain; charset=utf-8');
  assert.equal(pages.length, 3);
  const [, second = '', third = ''] = pages;
  const places = ['3. Columns', 'The left column', 'Meanwhile.', 'finished.', 'After the columns'].map(
    (words) => second.indexOf(words),
  );
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  );
  assert.ok(!places.includes(-1));
  assert.match(third, /שלום עולם means hello world/);
});

test('every word poppler finds is there', { skip: missing('pdftotext') }, async () => {
  for (const name of [
    'reading.pdf',
    'text-two-pages.pdf',
    'everything.pdf',
    'form-fields.pdf',
    'annotated-pages.pdf',
  ]) {
    const path = fixture(name);
    const theirs = wordsOf(askProgram('pdftotext', ['{}', '-'], readFileSync(path)));
    const ours = new Set(wordsOf(made(await text(path)).toString('utf8')));
    const lost = theirs.filter((word) => !ours.has(word));
    assert.ok(lost.length <= theirs.length * 0.02, `${name}: ${lost.slice(0, 20).join(' ')}`);
  }
});

test('a document without text gives empty pages', async () => {
  const ran = await text({ name: 'blank.pdf', bytes: writtenPage('0 0 50 50 re f') });
  assert.equal(made(ran).toString('utf8'), '');
});

test('recognised text counts once: under an image it is read, under the same words it is not', async () => {
  const hidden = 'BT 3 Tr /F 12 Tf 20 40 Td (recognised) Tj ET';
  const image = 'q 300 0 0 100 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q ';
  const scan = made(await text({ name: 'scan.pdf', bytes: writtenPage(`${image}${hidden}`) }));
  assert.equal(scan.toString('utf8').trim(), 'recognised');
  const bare = made(await text({ name: 'bare.pdf', bytes: writtenPage(hidden) }));
  assert.equal(bare.toString('utf8').trim(), 'recognised', 'the picture was taken away');
  const beside = `BT /F 12 Tf 20 70 Td (seen) Tj ET ${hidden}`;
  const seen = made(await text({ name: 'seen.pdf', bytes: writtenPage(beside) }));
  assert.equal(seen.toString('utf8').trim(), 'seen');
  const both = made(
    await text({ name: 'both.pdf', bytes: writtenPage(`BT /F 12 Tf 20 40 Td (recognised) Tj ET ${hidden}`) }),
  );
  assert.equal(both.toString('utf8').trim(), 'recognised');
});

test('letters drawn twice to look bold are read once', async () => {
  const bold = 'BT /F 12 Tf 20 40 Td (fat) Tj ET BT /F 12 Tf 20.4 40 Td (fat) Tj ET';
  assert.equal(
    made(await text({ name: 'bold.pdf', bytes: writtenPage(bold) }))
      .toString('utf8')
      .trim(),
    'fat',
  );
});

test('rich text keeps headings, lists and letters of every script', async () => {
  const ran = await text(fixture('reading.pdf'), { outputFormat: 'rtf' });
  const rtf = made(ran).toString('latin1');
  assert.equal(madeName(ran), 'reading.rtf');
  assert.equal(ran.state === 'made' && ran.result.mediaType, 'application/octet-stream');
  assert.match(rtf, /^\{\\rtf1/);
  assert.match(rtf, /\\outlinelevel0[^\n]*A Field Guide to Reading/);
  assert.equal(rtf.match(/\\page\n/g)?.length, 2);
  assert.match(rtf, /\\row/);
  // The braces of a document that can be read are as many as are closed.
  const bare = rtf.replace(/\\[\\{}]/g, '');
  assert.equal(bare.split('{').length, bare.split('}').length);
});

test('only txt and rtf are formats', async () => {
  const problem = failed(await text(fixture('reading.pdf'), { outputFormat: 'doc' }));
  assert.equal(problem.reason, 'invalid_parameter');
  assert.match(problem.detail, /outputFormat/);
});

test('words come in the order others accepted, over the collection', {
  skip: noCorpus(),
}, async (context) => {
  const rows = readFileSync(corpus('text/TRUTH.tsv'), 'utf8').trim().split('\n').slice(1);
  let sum = 0;
  for (const row of rows) {
    const [pdf = '', truth = ''] = row
      .split('\t')
      .map((path) => corpus(path.replace(/^shared\//, '')).pathname);
    const ours = made(await text(pdf)).toString('utf8');
    const measured = similarity(wordsOf(ours), wordsOf(readFileSync(truth, 'utf8').replace(/^\ufeff/, '')));
    context.diagnostic(`${measured.toFixed(4)} ${pdf.split('/').at(-1)}`);
    sum += measured;
  }
  const mean = sum / rows.length;
  context.diagnostic(`${mean.toFixed(4)} on average`);
  assert.ok(mean >= 0.95, `${mean}`);
});
