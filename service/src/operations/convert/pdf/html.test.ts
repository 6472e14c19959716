import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DefaultTreeAdapterMap, parse } from 'parse5';
import { runHere } from '../../../jobs/run-here.ts';
import { fixture, made, madeName } from '../../judges.ts';
import { unzip } from '../../reading-judges.ts';

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

test('pictures lie beside the page and are shown by it', async () => {
  const files = await unzip(made(await html('images-in-forms.pdf')));
  const [page, ...pictures] = Object.keys(files);
  const shown = [...(files[page ?? '']?.toString('utf8') ?? '').matchAll(/<img src="([^"]+)"/g)].map(
    ([, src]) => src,
  );
  assert.ok(shown.length > 0);
  assert.deepEqual(shown.sort(), pictures.sort());
});
