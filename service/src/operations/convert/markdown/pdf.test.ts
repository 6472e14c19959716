import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { failed, made, madeName } from '../../../../testing/calls/run-here.ts';
import { corpusFiles, noCorpus } from '../../../../testing/documents/collection.ts';
import { zipOf } from '../../../../testing/oracles/archives.ts';
import { callsOf, noBrowser } from '../../../../testing/oracles/printing.ts';
import { askProgram, missing, pdfinfo, pdftotext, qpdfCheck } from '../../../../testing/oracles/programs.ts';

const skip = await noBrowser('pdfinfo', 'pdftotext', 'qpdf');
const run = callsOf('convert/markdown/pdf', 'notes.md');

const TEXT = `# A title

Some *words*, ~~gone~~, a [link](https://example.org/) and [a place](#second-heading).

| left | right |
|:-----|------:|
| one  | 2     |

- [x] done
- [ ] open

\`\`\`js
const answer = 42; // why
\`\`\`

## Second heading

Grüße, 漢字.
`;

test('what details hold is shown, nobody opens anything on paper', { skip }, async () => {
  const pdf = made(await run('<details><summary>More</summary>\n\nhidden **words**\n\n</details>\n'));
  assert.match(pdftotext(pdf), /More\s+hidden words/);
});

test('text, tables, lists, code and links are printed, headings become the outline', { skip }, async () => {
  const ran = await run(TEXT);
  const pdf = made(ran);
  qpdfCheck(pdf);
  assert.equal(madeName(ran), 'notes.pdf');
  assert.equal(pdfinfo(pdf).Title, 'A title');
  const text = pdftotext(pdf, '-layout');
  for (const words of ['A title', 'one', 'done', 'const answer = 42; // why', 'Grüße'])
    assert.ok(text.includes(words), words);
  const outlines = askProgram('qpdf', ['--json', '--json-key=outlines', '{}'], pdf);
  for (const title of ['A title', 'Second heading'])
    assert.ok(outlines.includes(`"title": "${title}"`), title);
  assert.match(askProgram('pdfinfo', ['-url', '{}'], pdf), /https:\/\/example\.org\//);
  const drawn = askProgram('qpdf', ['--qdf', '--object-streams=disable', '{}', '-'], pdf);
  // Code is coloured: the comment is grey, the keyword red.
  for (const colour of ['.4157 .451 .4902 rg', '.702 .149 .1176 rg'])
    assert.ok(drawn.includes(colour), colour);
  assert.match(drawn, /\/Dest \/second-heading|\/Dest \(second-heading\)/);
  assert.match(drawn, /\/S \/Table\b/);
});

test('HTML in the text formats, and does nothing else', { skip }, async () => {
  const text =
    'a<sub>1</sub> <b onclick="x()">bold</b>\n\n<script>document.body.append("ran")</script>\n\n<style>p{display:none}</style>\n\n<iframe src="file:///etc/passwd"></iframe>\n\n<img src=x onerror="document.body.append(\'ran\')">\n\n[js](javascript:alert(1)) end';
  const pdf = made(await run(text));
  assert.doesNotMatch(pdftotext(pdf), /ran|root:/);
  assert.match(pdftotext(pdf), /bold[\s\S]*end/);
  assert.doesNotMatch(pdf.toString('latin1'), /javascript:/);
});

test('images and links that lead nowhere are not shown as they are written', { skip }, async () => {
  const text = 'start ![b](file:///etc/passwd) ![c](http://192.0.2.1/c.png) [js](javascript:alert(1)) end';
  const pdf = made(await run(text));
  assert.match(pdftotext(pdf), /^start\s+js end\s*$/);
  assert.doesNotMatch(pdf.toString('latin1'), /javascript:|file:/);
});

test('front matter is not part of the text', { skip }, async () => {
  assert.doesNotMatch(pdftotext(made(await run('---\ntitle: Hidden\ntags:\n  - x\n---\nShown\n'))), /Hidden/);
  assert.match(pdftotext(made(await run('---\nShown\n---\n\ntext\n'))), /Shown/);
});

test('a ZIP brings its images', { skip: skip || missing('pdfimages') }, async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFUlEQVR42mM4IScnd0KOAUj8+vULACBSBftgCTDeAAAAAElFTkSuQmCC',
    'base64',
  );
  const zip = await zipOf({
    'a.md': 'wrong',
    'docs/index.md': '![a picture](<img/pic one.png>)\n\n<img src="img/pic one.png">',
    'docs/img/pic one.png': png,
  });
  const pdf = made(await run(zip, {}, 'docs.zip'));
  assert.match(askProgram('pdfimages', ['-list', '{}'], pdf), /image\s+2\s+2/);
  const none = failed(await run(`PK\x05\x06${'\0'.repeat(18)}`, {}, 'none.zip'));
  assert.equal(none.reason, 'unsupported_file_type');
});

test('print fields are honoured', { skip }, async () => {
  const pdf = made(
    await run('# One', { paperSize: 'A6', footerHtml: 'Page <span class="pageNumber"></span>' }),
  );
  assert.match(pdfinfo(pdf)['Page size'] ?? '', /^29\d\.?\d* x 4[12]\d/);
  assert.match(pdftotext(pdf), /Page 1/);
});

test('texts of the collection are printed', { skip: skip || noCorpus() }, async (t) => {
  for (const { name, path } of corpusFiles('markdown')) {
    await t.test(name, async () => {
      const text = readFileSync(path, 'utf8');
      const pdf = made(await run(text, {}, name));
      qpdfCheck(pdf);
      const heading = /^#+\s+([\w ]+)$/m.exec(text)?.[1]?.trim() ?? '';
      assert.ok(pdftotext(pdf).includes(heading), heading);
    });
  }
});
