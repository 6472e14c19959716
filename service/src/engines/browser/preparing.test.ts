import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { askProgram, missing, pdfinfo, pdftotext } from '../../../testing/oracles/programs.ts';
import { createLog } from '../../contract/log.ts';
import { closeBrowser, createBrowser, probe } from './browser.ts';
import type { PrintOptions } from './print.ts';

const skip = (await probe()).missing ?? missing('pdftotext');
const dir = mkdtempSync(join(tmpdir(), 'bindery-preparing-'));
const browser = createBrowser({ newFile: (kind) => join(dir, `out.${kind}`), log: createLog('silent') });
after(() => {
  closeBrowser();
  rmSync(dir, { recursive: true, force: true });
});

async function rowsOf(html: string, options: PrintOptions = {}): Promise<number> {
  const content = await browser.print({ html: `<!doctype html>${html}`, scripts: false }, options);
  assert.ok('bytes' in content);
  return pdftotext(Buffer.from(content.bytes)).match(/row \d+/g)?.length ?? 0;
}

const ROWS = Array.from({ length: 150 }, (_, index) => `<p>row ${index}</p>`).join('');
const SCROLLING: Record<string, string> = {
  'the body': `<html style="height:100%"><body style="height:100%;overflow:hidden;margin:0"><div style="height:100%;overflow-y:auto">${ROWS}</div>`,
  'a column beside another': `<body style="display:flex;height:100vh;overflow:hidden"><nav style="width:100px">nav</nav><main style="flex:1;overflow-y:auto">${ROWS}</main>`,
  'what is left under a bar': `<body style="height:100vh;display:flex;flex-direction:column"><header>head</header><main style="flex:1 1 0;min-height:0;overflow:auto">${ROWS}</main>`,
  'a fixed frame': `<div style="position:fixed;inset:50px 0 0 0;overflow-y:scroll">${ROWS}</div>`,
  'a cell of a grid': `<body style="margin:0"><div style="display:grid;grid-template:auto 1fr / 100px 1fr;height:100vh"><b>a</b><b>b</b><b>c</b><div style="overflow:auto">${ROWS}</div></div>`,
};
for (const [what, html] of Object.entries(SCROLLING)) {
  test(`a page that scrolls within ${what} is printed to its end`, { skip }, async () => {
    assert.equal(await rowsOf(html), 150);
  });
}

test('a box that scrolls stays as high as its author wants it', { skip }, async () => {
  assert.ok((await rowsOf(`<div style="height:200px;overflow:auto">${ROWS}</div>`)) < 10);
});

test('a page that is printed as on the screen stays as there', { skip }, async () => {
  const frame = `<div style="position:fixed;inset:0;overflow:auto">${ROWS}</div>`;
  assert.ok((await rowsOf(frame, { media: 'screen' })) < 150);
});

test('lines that run down the page go on on the next', { skip }, async () => {
  const rows = Array.from({ length: 150 }, (_, index) => `<p>row ${index}</p>`).join('');
  for (const element of ['html', 'body']) {
    const content = await browser.print({
      html: `<!doctype html><style>${element}{writing-mode:vertical-rl}</style>${rows}`,
      scripts: false,
    });
    assert.ok('bytes' in content);
    const pdf = Buffer.from(content.bytes);
    assert.ok(Number(pdfinfo(pdf).Pages) > 3, element);
    assert.equal(pdftotext(pdf, '-raw').match(/row/g)?.length, 150, element);
  }
});

test('words and lines of code that are much too wide are broken, and do not shrink the page', {
  skip,
}, async () => {
  const lettersOf = async (html: string) => {
    const content = await browser.print({ html: `<!doctype html><p>after</p>${html}`, scripts: false });
    assert.ok('bytes' in content);
    const boxes = askProgram('pdftotext', ['-bbox', '{}', '-'], Buffer.from(content.bytes));
    const [, top, bottom] = /yMin="([\d.]+)"[^>]*yMax="([\d.]+)">after</.exec(boxes) ?? [];
    return { height: Number(bottom) - Number(top) };
  };
  const plain = await lettersOf('');
  for (const html of [
    `<p>${'x'.repeat(600)}`,
    `<pre>${'x'.repeat(600)}</pre>`,
    `<pre>${'x '.repeat(400)}</pre>`,
  ])
    assert.ok((await lettersOf(html)).height > 0.9 * plain.height, html.slice(0, 10));
  // A table is as wide as its columns: it is shrunk, its words whole.
  const cells = Array.from({ length: 40 }, (_, index) => `<td>wordword${index}</td>`).join('');
  assert.ok((await lettersOf(`<table><tr>${cells}</table>`)).height < 0.6 * plain.height);
});
