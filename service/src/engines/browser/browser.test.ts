import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { browsersOf, killAll, renderersOf, until } from '../../../../test/processes.ts';
import { askProgram, missing, pdfinfo, pdftotext, qpdfCheck } from '../../../testing/oracles/programs.ts';
import { createLog } from '../../contract/log.ts';
import { Problem } from '../../contract/problems.ts';
import { createEgress } from '../../jobs/egress.ts';
import { closeBrowser, createBrowser, isWarm, probe } from './browser.ts';
import type { LocalPage, PrintOptions } from './print.ts';

const { missing: noBrowser } = await probe();
const skip = noBrowser ?? missing('pdftotext', 'pdfinfo', 'qpdf');
const dir = mkdtempSync(join(tmpdir(), 'bindery-browser-test-'));
const browser = createBrowser({ newFile: (kind) => join(dir, `out.${kind}`), log: createLog('silent') });
after(() => {
  closeBrowser();
  rmSync(dir, { recursive: true, force: true });
});

async function print(
  html: string,
  options: PrintOptions = {},
  more: Partial<LocalPage> = {},
): Promise<Buffer> {
  const content = await browser.print({ html, scripts: true, ...more }, options);
  return 'bytes' in content ? Buffer.from(content.bytes) : readFileSync(content.path);
}

const refusedWith = (reason: string, words: RegExp) => (error: unknown) =>
  error instanceof Problem && error.reason === reason && words.test(error.detail);

test('a page becomes a sound, tagged PDF with its title, its language and an outline', { skip }, async () => {
  const html = '<!doctype html><html lang="de"><title>Titel</title><h1>Eins</h1><h2>Zwei</h2><p>Text';
  const pdf = await print(html);
  qpdfCheck(pdf);
  const info = pdfinfo(pdf);
  assert.equal(info.Title, 'Titel');
  assert.equal(info.Tagged, 'yes');
  assert.match(info['Page size'] ?? '', /A4/);
  const outlines = askProgram('qpdf', ['--json', '--json-key=outlines', '{}'], pdf);
  for (const title of ['Eins', 'Zwei']) assert.ok(outlines.includes(`"title": "${title}"`), title);
  assert.match(askProgram('qpdf', ['--qdf', '--object-streams=disable', '{}', '-'], pdf), /\/Lang \(de\)/);
  assert.equal(pdfinfo(await print(html, { tagged: false })).Tagged, 'no');
});

test('links lead where they led: inside the page, beside it, and out', { skip }, async () => {
  const html =
    '<a href="#there">in</a> <a href="other.html?a=(1)">beside</a> <a href="../up.html">above</a> <a href="https://example.org/x">out</a><p id="there">there';
  const pdf = await print(html, {}, { path: 'pages/index.html' });
  qpdfCheck(pdf);
  assert.ok(!pdf.includes('document.invalid'));
  const links = askProgram('pdfinfo', ['-url', '{}'], pdf);
  for (const address of ['other.html?a=(1)', '../up.html', 'https://example.org/x'])
    assert.ok(links.includes(` ${address}\n`), `${address} in ${links}`);
});

test('a page without a title has the name of its file', { skip }, async () => {
  assert.equal(pdfinfo(await print('<p>x', {}, { path: 'a/report.html' })).Title, 'report');
});

test('resources come from the page and its folder, whatever the names', { skip }, async () => {
  const asked: string[] = [];
  const resource = async (path: string) => {
    asked.push(path);
    return path.endsWith('.css') ? { bytes: Buffer.from('p::after { content: " styled" }') } : undefined;
  };
  const html =
    '<link rel="stylesheet" href="st%C3%BCle%20sheet.css"><link rel="stylesheet" href="/top.css"><p>text';
  const pdf = await print(html, {}, { path: 'sub folder/index.html', resource });
  assert.match(pdftotext(pdf), /text styled/);
  assert.deepEqual(asked.toSorted(), ['sub folder/stüle sheet.css', 'top.css']);
});

test('bytes that do not tell their encoding are read as UTF-8 where they are, else as they say', {
  skip,
}, async () => {
  const cases: [Uint8Array, RegExp][] = [
    [Buffer.from('<p>Grüße 漢'), /Grüße\s+漢/],
    [Buffer.from('<meta charset="iso-8859-1"><p>Gr\u00fc\u00dfe', 'latin1'), /Grüße/],
    [Buffer.from('<p>Gr\u00fc\u00dfe', 'latin1'), /Grüße/],
    [Buffer.from('\ufeff<p>Grüße', 'utf16le'), /Grüße/],
  ];
  for (const [html, words] of cases)
    assert.match(pdftotext(Buffer.from(await printBytes(html))), words, Buffer.from(html).toString('latin1'));
});

async function printBytes(html: Uint8Array): Promise<Uint8Array> {
  const content = await browser.print({ html, scripts: false });
  assert.ok('bytes' in content);
  return content.bytes;
}

test('nothing is left of a page for the next one', { skip }, async () => {
  const write =
    "localStorage.a = 'kept'; document.cookie = 'b=kept'; window.name = 'kept'; caches?.open('kept')";
  const read = "document.body.append([localStorage.a, document.cookie, window.name].join() || 'nothing')";
  await print(`<script>${write}</script>`);
  assert.match(pdftotext(await print(`<body><script>${read}</script>`)), /^,,\s/);
});

test('a script without end is ended, and the next page is printed', { skip }, async () => {
  await assert.rejects(
    print('<script>for (;;);</script>', { patienceMs: 700 }),
    refusedWith('deadline_exceeded', /script/),
  );
  assert.match(pdftotext(await print('<p>next')), /next/);
});

test('a script without end that begins later is ended, too', { skip }, async () => {
  const later = '<script>addEventListener("load", () => setTimeout(() => { for (;;); }, 20))</script>';
  await assert.rejects(
    print(later, { patienceMs: 700, waitMs: 200 }),
    refusedWith('deadline_exceeded', /script/),
  );
});

test('a page on the network with a script without end is given up when its time is over', {
  skip,
}, async (t) => {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html').end('<p>x</p><script>for (;;);</script>');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  t.after(() => server.close());
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const egress = createEgress({ allowHosts: [host] });
  const web = createBrowser({ newFile: () => join(dir, 'web.pdf'), log: createLog('silent'), egress });
  await print('<p>warm');
  const patienceMs = 6000;
  const startedAt = performance.now();
  await assert.rejects(
    web.printAddress(`http://${host}/`, { patienceMs }),
    refusedWith('url_fetch_failed', /rest/),
  );
  assert.ok(performance.now() - startedAt < 1.95 * patienceMs, 'waited for a second time');
});

/** A page on the network, of which these parts never come. */
async function printLate(t: TestContext, html: string, options: PrintOptions): Promise<Buffer> {
  const server = createServer((request, response) => {
    if (request.url === '/') response.setHeader('Content-Type', 'text/html').end(html);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const egress = createEgress({ allowHosts: [host] });
  const web = createBrowser({ newFile: () => join(dir, 'late.pdf'), log: createLog('silent'), egress });
  await print('<p>warm');
  const content = await web.printAddress(`http://${host}/`, options);
  return 'bytes' in content ? Buffer.from(content.bytes) : readFileSync(content.path);
}

const LATE: Record<string, string> = {
  'a picture': '<img src="/late.png">',
  'a script before the words': '<script src="/late.js"></script>',
  'a font that is asked for later':
    '<script>addEventListener("load",()=>setTimeout(()=>{const f=new FontFace("f","url(/late.woff)");document.fonts.add(f);f.load()},50))</script>',
};
for (const [what, html] of Object.entries(LATE)) {
  test(`a page on the network is printed without ${what} that never comes`, { skip }, async (t) => {
    const patienceMs = 6000;
    const startedAt = performance.now();
    const pdf = await printLate(t, `<h1>before</h1>${html}<p>words`, { patienceMs });
    assert.ok(performance.now() - startedAt < 2.5 * patienceMs, 'waited for too long');
    assert.match(pdftotext(pdf), /before[\s\S]*words/);
  });
}

test('dialogs do not hold a page up', { skip }, async () => {
  const html =
    '<body><script>alert(1); document.body.append(String(confirm("?")), String(prompt("?")))</script>';
  assert.match(pdftotext(await print(html, { patienceMs: 10_000 })), /falsenull/);
});

test('a page whose process dies is refused, and the next one is printed', { skip }, async () => {
  await print('<p>warm');
  const printing = print('<p>page', { waitMs: 3000 });
  const refused = assert.rejects(printing, refusedWith('memory_exceeded', /page/));
  await pause(500);
  killAll(renderersOf(process.pid));
  await refused;
  assert.match(pdftotext(await print('<p>next')), /next/);
});

for (const [noticed, wait] of [
  ['noticed', () => until('it is gone', () => !isWarm())],
  ['not noticed yet', () => Promise.resolve()],
] as const)
  test(`a browser that died while it was idle, ${noticed}, is replaced by another`, { skip }, async () => {
    await print('<p>warm');
    const died = browsersOf(process.pid);
    assert.equal(died.length, 1);
    // Until the page for the next job stands open, the tidying after the last one would notice.
    await pause(300);
    killAll(died);
    await wait();
    assert.match(pdftotext(await print('<p>next')), /next/);
    const standing = browsersOf(process.pid);
    assert.equal(standing.length, 1);
    assert.notDeepEqual(standing, died);
  });

test('what is waited for must come', { skip }, async () => {
  const later =
    '<body><script>setTimeout(() => { document.body.innerHTML = "<p id=done>done" }, 150)</script>';
  assert.match(pdftotext(await print(later, { waitForSelector: '#done' })), /done/);
  await assert.rejects(
    print('<p>x', { waitForSelector: '#never', patienceMs: 300 }),
    refusedWith('invalid_parameter', /waitForSelector/),
  );
  await assert.rejects(
    print('<p>x', { waitForSelector: '##' }),
    refusedWith('invalid_parameter', /waitForSelector.*CSS/),
  );
});

test('pages asked for at once are printed one after another', { skip }, async () => {
  const pdfs = await Promise.all(['one', 'two', 'three'].map((word) => print(`<p>${word}`)));
  assert.deepEqual(
    pdfs.map((pdf) => pdftotext(pdf).trim()),
    ['one', 'two', 'three'],
  );
});

test('a large result is a file', { skip }, async () => {
  const noise = Array.from({ length: 60_000 }, (_, i) => ((i * 7919) % 65_521).toString(36)).join(' ');
  const content = await browser.print({ html: `<p>${noise}`, scripts: false });
  assert.ok('path' in content);
  qpdfCheck(readFileSync(content.path));
  rmSync(content.path);
});
