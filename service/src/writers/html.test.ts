import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'parse5';
import {
  document,
  everything,
  heading,
  line,
  page,
  paragraph,
  run,
  table,
} from '../../testing/documents/layout-models.ts';
import type { LaidOutDocument } from '../layout/model.ts';
import { writeHtml } from './html.ts';

const html = (model: LaidOutDocument): string =>
  [...writeHtml(model, { name: 'name', pathOf: () => 'a picture.png' })].join('');

const sound = (text: string): string[] => {
  const errors: string[] = [];
  parse(text, { onParseError: ({ code }) => errors.push(code) });
  return errors;
};

test('all that a document has is sound HTML, and nothing is fetched from elsewhere', () => {
  const text = html(everything());
  assert.deepEqual(sound(text), []);
  assert.match(text, /<html lang="en-GB">/);
  assert.match(text, /<img src="a%20picture.png" alt="A grey &lt;square&gt;"/);
  assert.doesNotMatch(text, /<link|<script|@import|url\(|src="(?!a%20picture.png)/);
});

test('text has families that fit those of the document, sizes and colours relative to its running text', () => {
  const serif = { font: 'Nimbus Roman No9 L', size: 10 };
  const text = html(
    document([
      page(1, [
        {
          ...heading('Large', 1, 50),
          runs: [run('Large', { look: { font: 'Helvetica', size: 20, bold: true } })],
        },
        paragraph([run('Running text, of which there is more than of anything else.', { look: serif })], 100),
        paragraph([run('Small print', { look: { ...serif, size: 8 } })], 120),
        paragraph([run('Red', { look: { ...serif, color: '#cc0000' } })], 140),
        paragraph(
          [
            run('One ', { look: serif }),
            run('larger', { look: { ...serif, size: 15 } }),
            run(' word', { look: serif }),
          ],
          160,
        ),
        paragraph([run('Pale', { look: { ...serif, color: '#fefefe' } })], 180),
      ]),
    ]),
  );
  assert.match(text, /body\{font-family:"Times New Roman",Times,serif\}/);
  const rules = new Map([...text.matchAll(/^\.(look-\d+)\{(.*)\}$/gm)].map(([, name, rule]) => [name, rule]));
  const looks = (words: string): string | undefined =>
    rules.get(new RegExp(`class="(look-\\d+)">${words}`).exec(text)?.[1] ?? '');
  assert.equal(looks('Large'), 'font-family:Arial,Helvetica,sans-serif;font-size:2em');
  assert.equal(looks('Running'), undefined);
  assert.equal(looks('Small'), 'font-size:0.8em');
  assert.equal(looks('Red'), 'color:#cc0000');
  assert.equal(looks('larger'), 'font-size:1.5em');
  assert.match(text, /<p>Pale<\/p>/s);
});

test('rows with gaps keep their ends, tables their colours and lines', () => {
  const rows = ['Preface xi', 'Chapter one 12'].map((text, i) => ({
    ...line(text, 100 + i * 12),
    stops: [{ at: text.lastIndexOf(' ') + 1, x: 400 }],
  }));
  const contents = { ...paragraph('Preface xi Chapter one 12', 100), lines: rows };
  const text = html(document([page(1, [contents, table(200), { ...table(300), ruled: false }])]));
  assert.match(text, /<p>Preface&emsp;xi<br>\nChapter one&emsp;12<\/p>/s);
  assert.match(text, /<table class="ruled">/);
  assert.match(text, /<table>/);
  const grey = /\.(look-\d+)\{background:#eeeeee\}/.exec(text)?.[1];
  assert.ok(grey && text.includes(`<th colspan="2" class="${grey}">Head of both</th>`));
});

test('a document that reads to the left says so', () => {
  const model = document([page(1, [paragraph('שלום', 100, { direction: 'rtl', align: 'right' })])]);
  assert.match(html(model), /<html lang="en-GB" dir="rtl">.*<p dir="rtl">שלום<\/p>/s);
});
