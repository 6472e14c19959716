import assert from 'node:assert/strict';
import { test } from 'node:test';
import MarkdownIt from 'markdown-it';
import { failed, made, madeName, runHere } from '../../../../testing/calls/run-here.ts';
import { fixture } from '../../../../testing/documents/collection.ts';
import { chartPage, unzip, writtenPage } from '../../../../testing/oracles/reading.ts';

const markdown = (
  fileInput: string | { name: string; bytes: Uint8Array },
  params: Record<string, string> = {},
) => runHere('convert/pdf/markdown', { files: { fileInput }, params });

const read = async (...call: Parameters<typeof markdown>): Promise<string> =>
  made(await markdown(...call)).toString('utf8');

/** What another program makes of it: its elements, in order. */
const elements = (text: string): string[] =>
  new MarkdownIt()
    .parse(text, {})
    .filter(({ nesting, type }) => nesting === 1 || type === 'fence')
    .map(({ tag, type }) => (type === 'fence' ? 'fence' : tag));

const count = (all: readonly string[], tag: string): number => all.filter((one) => one === tag).length;

test('headings, nested lists, a table and code are what a markdown reader finds', async () => {
  const ran = await markdown(fixture('reading.pdf'));
  assert.equal(madeName(ran), 'reading.md');
  const text = made(ran).toString('utf8');
  const found = elements(text);
  assert.deepEqual(
    ['h1', 'h2', 'h3', 'ul', 'ol', 'li', 'table', 'tr', 'fence'].map((tag) => `${tag} ${count(found, tag)}`),
    ['h1 1', 'h2 4', 'h3 1', 'ul 2', 'ol 1', 'li 8', 'table 1', 'tr 4', 'fence 1'],
  );
  assert.match(text, /\n- tools\n {2}- hammer\n {2}- pliers\n- the rest\.\n/);
  assert.match(text, /\n```\nfor \(const page of pages\) \{\n {2}const words = read\(page\);\n/);
  assert.match(
    text,
    /\[the usual place\]\(https:\/\/example\.org\/reading\), with \*\*bold\*\* and \*italic\* words/,
  );
  assert.match(text, /used by anyone\.\[\^1\]\n\n\[\^1\]: Notes stand at the foot of a page\./);
});

test('columns are read one after the other, broken lines joined, running titles left out', async () => {
  const text = await read(fixture('reading.pdf'));
  assert.match(text, /is read to its end before anything of the right column is looked at\./);
  assert.ok(text.indexOf('put together again') < text.indexOf('Meanwhile'));
  assert.doesNotMatch(text, /draft edition/);
});

test('a tagged document reads the same', async () => {
  assert.equal(await read(fixture('reading-tagged.pdf')), await read(fixture('reading.pdf')));
});

test('only the pages asked for are read, each announced', async () => {
  const text = await read(fixture('reading.pdf'), { pageNumbers: '3,2', pageBreaks: 'true' });
  assert.deepEqual(text.match(/<!-- page \d -->/g), ['<!-- page 2 -->', '<!-- page 3 -->']);
  assert.doesNotMatch(text, /draft edition/, 'what repeats is known by pages that were not asked for');
  assert.match(text, /^<!-- page 2 -->\n\n# 3\. Columns\n/);
});

test('what would be markup is text', async () => {
  const content =
    'BT /F 12 Tf 20 700 Td (# no heading) Tj ET BT /F 12 Tf 20 650 Td (a * b_c * [d] <e>) Tj ET';
  const text = await read({ name: 'signs.pdf', bytes: writtenPage(content) });
  const html = new MarkdownIt().render(text);
  assert.equal(html, '<p># no heading</p>\n<p>a * b_c * [d] &lt;e&gt;</p>\n');
});

test('with images there is a ZIP of the text and its images', async () => {
  const ran = await markdown(fixture('images-in-forms.pdf'), { includeImages: 'true' });
  assert.equal(madeName(ran), 'images-in-forms_markdown.zip');
  const files = await unzip(made(ran));
  const [text, ...images] = Object.keys(files);
  assert.equal(text, 'images-in-forms.md');
  assert.ok(images.length > 0 && images.every((name) => /^images\/page\d+_\d+\.(png|jpg)$/.test(name)));
  const named = [...(files[text]?.toString('utf8') ?? '').matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(
    ([, path]) => path,
  );
  assert.deepEqual(named.sort(), images.sort());
});

test('what is written on a chart is set apart where the chart is not shown', async () => {
  const text = await read({ name: 'chart.pdf', bytes: chartPage() });
  assert.match(text, /^> 100 · 50 · 0 · Northland · Southland · Eastland · Westland\n\nFigure 1: Tonnes/m);
  const ran = await markdown({ name: 'chart.pdf', bytes: chartPage() }, { includeImages: 'true' });
  const files = await unzip(made(ran));
  assert.match(
    files['chart.md']?.toString('utf8') ?? '',
    /^!\[100 50 0 Northland [^\]]*\]\(images\/page1_1.png\)$/m,
  );
});

test('a document without text is empty', async () => {
  assert.equal(await read({ name: 'blank.pdf', bytes: writtenPage('') }), '');
});

test('fields are checked', async () => {
  for (const [field, value, reason] of [
    ['pageNumbers', '9', 'page_out_of_range'],
    ['pageNumbers', 'x', 'invalid_page_selection'],
    ['pageBreaks', 'perhaps', 'invalid_parameter'],
    ['includeImages', 'perhaps', 'invalid_parameter'],
  ] as const) {
    const problem = failed(await markdown(fixture('reading.pdf'), { [field]: value }));
    assert.equal(problem.reason, reason);
  }
});
