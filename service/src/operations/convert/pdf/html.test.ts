import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DefaultTreeAdapterMap, parse } from 'parse5';
import sharp from 'sharp';
import { made, madeName, runHere } from '../../../../testing/calls/run-here.ts';
import { fixture } from '../../../../testing/documents/collection.ts';
import { chartPage, unzip } from '../../../../testing/oracles/reading.ts';

type Node = DefaultTreeAdapterMap['node'];

function names(node: Node, found: string[] = []): string[] {
  if ('tagName' in node) found.push(node.tagName);
  if ('childNodes' in node) for (const child of node.childNodes) names(child, found);
  return found;
}

const html = (name: string) => runHere('convert/pdf/html', { files: { fileInput: fixture(name) } });

test('a ZIP with one page of HTML, its elements those of the document', async () => {
  const ran = await html('reading.pdf');
  assert.equal(madeName(ran), 'readingToHtml.zip');
  const files = await unzip(made(ran));
  assert.deepEqual(Object.keys(files), ['reading.html']);
  const errors: string[] = [];
  const text = files['reading.html']?.toString('utf8') ?? '';
  const found = names(parse(text, { onParseError: ({ code }) => errors.push(code) }));
  assert.deepEqual(errors, []);
  assert.deepEqual(
    ['h1', 'h2', 'h3', 'li', 'table', 'th', 'pre', 'a', 'section', 'script'].map(
      (tag) => `${tag} ${found.filter((name) => name === tag).length}`,
    ),
    ['h1 1', 'h2 4', 'h3 1', 'li 9', 'table 1', 'th 3', 'pre 1', 'a 3', 'section 4', 'script 0'],
  );
  assert.match(text, /<title>A Field Guide to Reading<\/title>/);
});

test('images lie beside the page and are shown by it', async () => {
  const files = await unzip(made(await html('images-in-forms.pdf')));
  const [page, ...images] = Object.keys(files);
  const shown = [...(files[page ?? '']?.toString('utf8') ?? '').matchAll(/<img src="([^"]+)"/g)].map(
    ([, src]) => src,
  );
  assert.ok(shown.length > 0);
  assert.deepEqual(shown.sort(), images.sort());
});

test('a chart is an image with its labels as words for it and its caption, not stray paragraphs', async () => {
  const chart = { name: 'chart.pdf', bytes: chartPage() };
  const files = await unzip(made(await runHere('convert/pdf/html', { files: { fileInput: chart } })));
  const text = files['chart.html']?.toString('utf8') ?? '';
  const figure = /<figure>\n<img src="page1_1.png" alt="([^"]*)"[^>]*>\n<figcaption>([^<]*)/.exec(text);
  assert.equal(figure?.[1], '100 50 0 Northland Southland Eastland Westland');
  assert.equal(figure?.[2], 'Figure 1: Tonnes of apples by region.');
  assert.equal(text.match(/<p>/g)?.length, 2);
  assert.doesNotMatch(text, /<p>[^<]*Northland/);
  const { data, info } = await sharp(files['page1_1.png'])
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const blue = data.filter((value, i) => i % 3 === 2 && value === 204 && data[i - 2] === 51).length;
  // Bars of 60, 110, 35 and 140 points, each 45 wide.
  const share = (345 * 45) / ((info.width * info.height) / (180 / 72) ** 2);
  assert.ok(Math.abs(blue / (info.width * info.height) - share) < 0.02);
});

test('every word of a chart is in its plain text', async () => {
  const chart = { name: 'chart.pdf', bytes: chartPage() };
  const text = made(await runHere('convert/pdf/text', { files: { fileInput: chart } })).toString('utf8');
  for (const word of ['Northland', 'Westland', '100', 'Figure 1']) assert.ok(text.includes(word), word);
});
