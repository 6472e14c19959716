import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { failed, made, madeName, runHere } from '../../../../testing/calls/run-here.ts';
import { corpusFiles, fixture, noCorpus } from '../../../../testing/documents/collection.ts';
import { zipOf } from '../../../../testing/oracles/archives.ts';
import { callsOf, noBrowser } from '../../../../testing/oracles/printing.ts';
import { askProgram, missing, pdfinfo, pdftotext, qpdfCheck } from '../../../../testing/oracles/programs.ts';
import { drawnPage } from '../../../../testing/oracles/rasters.ts';

const skip = await noBrowser('pdfinfo', 'pdftotext', 'qpdf');
const run = callsOf('convert/html/pdf', 'page.html');

const RED = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path fill="red" d="M0 0h9v9H0"/></svg>')}`;

/** Width and height in points, to the nearest. */
const sizeOf = (pdf: Buffer): number[] =>
  (pdfinfo(pdf)['Page size'] ?? '')
    .match(/[\d.]+/g)
    ?.slice(0, 2)
    .map((text) => Math.round(Number(text))) ?? [];

const near = (actual: readonly number[], wanted: readonly number[], by = 2): void =>
  assert.ok(
    actual.length === wanted.length && actual.every((value, at) => Math.abs(value - (wanted[at] ?? 0)) <= by),
    `${actual} is not near ${wanted}`,
  );

test('a page is printed on A4, with its text, its title and its links', { skip }, async () => {
  const ran = await runHere('convert/html/pdf', { files: { fileInput: fixture('invoice.html') } });
  const pdf = made(ran);
  qpdfCheck(pdf);
  assert.equal(madeName(ran), 'invoice.pdf');
  assert.equal(pdfinfo(pdf).Title, 'Invoice 2026-117');
  assert.match(pdftotext(pdf), /Marbled endpapers[\s\S]*884\.00/);
  assert.match(askProgram('pdfinfo', ['-url', '{}'], pdf), /https:\/\/example\.org\/terms/);
  near(sizeOf(pdf), [595, 842]);
});

test('paper, orientation and @page decide the size', { skip }, async () => {
  const css = '<style>@page { size: 300pt 200pt }</style><p>x';
  const cases: [string, Record<string, string>, [number, number]][] = [
    ['<p>x', { paperSize: 'a5' }, [420, 595]],
    ['<p>x', { paperSize: 'TABLOID' }, [792, 1224]],
    ['<p>x', { paperSize: 'LETTER', landscape: 'true' }, [792, 612]],
    [css, {}, [300, 200]],
    [css, { preferCssPageSize: 'false' }, [595, 842]],
  ];
  for (const [html, params, size] of cases) near(sizeOf(made(await run(html, params))), size);
});

test('pages have the exact size of the paper, whatever the browser rounds it to', { skip }, async () => {
  const two = '<body style="background:#eee"><p>one</p><p style="break-before:page">two';
  const a5 = '<style>@page { size: A5 landscape }</style>';
  const mixed = `<style>@page { size: 105mm 148mm } @page wide { size: a5 landscape } .w { page: wide }</style>`;
  const cases: [string, Record<string, string>, string[]][] = [
    [two, {}, ['595.2756 841.8898', '595.2756 841.8898']],
    [two, { landscape: 'true' }, ['841.8898 595.2756', '841.8898 595.2756']],
    [a5 + two, {}, ['595.2756 419.5276', '595.2756 419.5276']],
    [`${mixed}<p>one</p><p class="w">two`, {}, ['297.6378 419.5276', '595.2756 419.5276']],
    [two, { paperSize: 'A0', tagged: 'false' }, ['2383.937 3370.3937', '2383.937 3370.3937']],
    ['<style>@page { size: 300pt 200pt }</style><p>x', {}, ['300 200']],
    ['<style>@page { size: 90mm 50mm }</style><p>x', {}, ['255.1181 141.7323']],
  ];
  for (const [html, params, sizes] of cases) {
    const pdf = made(await run(html, params));
    qpdfCheck(pdf);
    const boxes = askProgram('qpdf', ['--qdf', '--object-streams=disable', '{}', '-'], pdf).matchAll(
      /\/MediaBox \[\s*0\s+0\s+([\d.]+)\s+([\d.]+)\s*\]/g,
    );
    assert.deepEqual(
      [...boxes].map(([, width, height]) => `${width} ${height}`),
      sizes,
    );
  }
});

/** Where a word stands: left, top, right and bottom. */
function placeOf(pdf: Buffer, word: string): number[] {
  const found = new RegExp(
    `<word xMin="([\\d.]+)" yMin="([\\d.]+)" xMax="([\\d.]+)" yMax="([\\d.]+)">${word}<`,
  ).exec(askProgram('pdftotext', ['-bbox', '{}', '-'], pdf));
  assert.ok(found, `no ${word}`);
  return found.slice(1).map(Number);
}

test('margins and zoom place the content', { skip }, async () => {
  const html = '<body style="margin:0;font:20px Liberation Sans">corner</body>';
  const width = ([left = 0, , right = 0]: number[]) => right - left;
  const plain = placeOf(made(await run(html)), 'corner');
  near(plain.slice(0, 1), [28]);
  near(
    placeOf(made(await run(html, { marginTop: '100', marginLeft: '200' })), 'corner').slice(0, 2),
    [200, 100],
    5,
  );
  for (const zoom of [0.1, 0.5, 2, 3, 4, 10]) {
    const zoomed = placeOf(made(await run(html, { zoom: String(zoom) })), 'corner');
    near([width(zoomed) / width(plain)], [zoom], 0.05 * zoom);
    near(zoomed.slice(0, 1), [28], 1);
  }
  const refused = failed(await run(html, { marginLeft: '400', marginRight: '400' }));
  assert.equal(refused.reason, 'invalid_parameter');
  assert.match(refused.detail, /marginLeft/);
});

test('what is wider than the page is shrunk until it fits, whatever the paper and the zoom', {
  skip,
}, async () => {
  const cell = '<td style="padding:8px 60px">cell</td>'.repeat(15);
  const table = `<table style="white-space:nowrap"><tr>${cell}<td>last</td></tr></table>`;
  const cases: [string, Record<string, string>, number][] = [
    ['', {}, 595.28 - 28],
    ['', { zoom: '3' }, 595.28 - 28],
    ['', { landscape: 'true', marginRight: '100' }, 841.89 - 100],
    ['<style>@page { size: A5 landscape; margin: 2cm }</style>', {}, 595.28 - 56.7],
    ['<style>@media print { @page { size: 4in 6in; margin: 0 1in 0 0 } }</style>', {}, 288 - 72],
  ];
  for (const [style, params, edge] of cases) {
    const [, , right = 0] = placeOf(made(await run(style + table, params)), 'last');
    assert.ok(
      right > edge * 0.9 && right <= edge,
      `${right} of ${edge} with ${style || JSON.stringify(params)}`,
    );
  }
  // What the page itself hides does not count, beyond what the browser does on its own.
  const hidden = '<body style="margin:0;overflow-x:hidden">corner<div style="width:9000px">wide';
  const [left = 0, , right = 0] = placeOf(made(await run(hidden)), 'corner');
  assert.ok(right - left > 18, `${right - left}`);
});

test('images that cannot be had stay blank', { skip: skip || missing('pdftoppm') }, async () => {
  const away = 'http://192.0.2.1/a.png';
  const html =
    `<img src="${away}" alt="words"><img src="missing.png" width="90" height="40"><img src="file:///etc/a.png" alt="f">` +
    `<input type="image" src="${away}"><svg width="60" height="60"><image href="${away}" width="50" height="50"/></svg>` +
    `<iframe style="border:0" srcdoc="<img src=${away}>"></iframe>`;
  const { data } = await drawnPage(made(await run(html)));
  assert.ok(data.every((value) => value > 250));
  const shown = await drawnPage(
    made(await run(`<svg width="60" height="60"><image href="${RED}" width="50" height="50"/></svg>`)),
  );
  assert.ok(shown.data.some((value) => value < 50));
});

test('header and footer are on every page, with what their classes ask for', { skip }, async () => {
  const html = '<title>Report</title><p>one</p><p style="break-before:page">two';
  const pdf = made(
    await run(html, {
      headerHtml: '<span class="title"></span> from <span class="url"></span>',
      footerHtml: 'Page <span class="pageNumber"></span> of <span class="totalPages"></span>',
    }),
  );
  assert.equal(pdfinfo(pdf).Pages, '2');
  const text = pdftotext(pdf, '-layout');
  for (const words of ['Report from page.html', 'Page 1 of 2', 'Page 2 of 2'])
    assert.ok(text.includes(words), text);
});

test('page ranges keep what they name', { skip }, async () => {
  const html = ['one', 'two', 'three', 'four']
    .map((word) => `<p style="break-after:page">${word}</p>`)
    .join('');
  assert.match(pdftotext(made(await run(html, { pageRanges: '2-3' }))), /^two\s+three\s+$/);
  assert.match(pdftotext(made(await run(html, { pageRanges: ' 1, 4-' }))), /^one\s+four\s+$/);
  assert.equal(failed(await run(html, { pageRanges: '9' })).reason, 'page_out_of_range');
  for (const bad of ['0', 'x', '1,,2', '-', '1-2-3', '4-3', '1, 3 - 2']) {
    const refused = failed(await run(html, { pageRanges: bad }));
    assert.equal(refused.reason, 'invalid_parameter');
    assert.match(refused.detail, /pageRanges/);
  }
});

test('media, background and tags are as asked', { skip: skip || missing('pdftoppm') }, async () => {
  const media =
    '<style>@media screen{.p{display:none}}@media print{.s{display:none}}</style><b class="s">screen</b><b class="p">paper</b>';
  assert.match(pdftotext(made(await run(media))), /^paper/);
  assert.match(pdftotext(made(await run(media, { mediaType: 'screen' }))), /^screen/);
  assert.equal(pdfinfo(made(await run(media, { tagged: 'false' }))).Tagged, 'no');
  const red = '<body style="background:#f00">';
  const isRed = (pdf: Buffer) =>
    askProgram('qpdf', ['--qdf', '--object-streams=disable', '{}', '-'], pdf).includes('1 0 0 rg');
  assert.equal(isRed(made(await run(red))), true);
  assert.equal(isRed(made(await run(red, { printBackground: 'false' }))), false);
});

test('scripts run, and can be waited for', { skip }, async () => {
  const html = '<body><script>setTimeout(() => { document.body.innerHTML = "<p id=d>late" }, 100)</script>';
  assert.match(pdftotext(made(await run(html, { waitForSelector: '#d' }))), /late/);
  assert.match(pdftotext(made(await run(html, { waitMs: '400' }))), /late/);
  const refused = failed(await run(html, { waitForSelector: '[[' }));
  assert.deepEqual([refused.reason, /waitForSelector/.test(refused.detail)], ['invalid_parameter', true]);
});

test('a ZIP is printed with its style sheets, images and fonts', {
  skip: skip || missing('pdfimages'),
}, async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFUlEQVR42mM4IScnd0KOAUj8+vULACBSBftgCTDeAAAAAElFTkSuQmCC',
    'base64',
  );
  const bytes = await zipOf({
    'site/index.html': '<link rel="stylesheet" href="css/a.css"><p>text</p><img src="./pic%20one.png">',
    'site/css/a.css': '@import "b.css";',
    'site/css/b.css': 'p::after { content: " styled" }',
    'site/pic one.png': png,
    'site/deeper/index.html': 'wrong',
    '__MACOSX/site/._index.html': 'wrong',
  });
  const ran = await run(bytes, {}, 'site.zip');
  assert.equal(madeName(ran), 'site.pdf');
  const pdf = made(ran);
  assert.match(pdftotext(pdf), /text styled/);
  assert.match(askProgram('pdfimages', ['-list', '{}'], pdf), /image\s+2\s+2/);
});

test('which page of a ZIP is printed', { skip }, async () => {
  const cases: [Record<string, string>, RegExp][] = [
    [{ 'z/index.html': 'deep', 'index.htm': 'shallow' }, /shallow/],
    [{ 'b.html': 'second', 'a.html': 'first' }, /first/],
    [{ 'b.html': 'plain', 'x/y/INDEX.HTML': 'index' }, /index/],
  ];
  for (const [entries, words] of cases)
    assert.match(pdftotext(made(await run(await zipOf(entries), {}, 'a.zip'))), words);
  const none = failed(await run(await zipOf({ 'a.txt': 'x' }), {}, 'a.zip'));
  assert.equal(none.reason, 'unsupported_file_type');
});

test('what is no page is refused', { skip }, async () => {
  for (const [bytes, name] of [
    ['%PDF-1.7', 'a.html'],
    ['a\0b', 'a.html'],
    ['plain', 'a.txt'],
    ['PK\x03\x04 broken', 'a.zip'],
  ] as const)
    assert.equal(failed(await run(bytes, {}, name)).reason, 'unsupported_file_type', name);
});

test('pages of the collection are printed', { skip: skip || noCorpus() }, async (t) => {
  for (const { name, path } of corpusFiles('html')) {
    await t.test(name, async () => {
      const pdf = made(await run(readFileSync(path), {}, name));
      qpdfCheck(pdf);
      assert.match(pdftotext(pdf), /\w{4}/);
      if (name.includes('wide-table')) assert.match(pdftotext(pdf), /Column 12/);
    });
  }
});
