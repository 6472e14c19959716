// Much data: a long document and a large file. What the page holds of them is bounded.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { Page } from 'puppeteer-core';
import { addFiles, addStep, runChain } from './browser.ts';
import { service, task } from './task.ts';

const fixture = (name: string): string => new URL(`../../fixtures/${name}`, import.meta.url).pathname;
const LARGE_BYTES = 120_000_000;
const folder = mkdtempSync(join(tmpdir(), 'bindery-web-large-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** 500 pages of two sizes and many fonts. */
function longDocument(): string {
  const path = join(folder, 'long.pdf');
  const pages = ['everything.pdf', 'reading.pdf', 'tables.pdf'].map(fixture);
  const counts = pages.map((each) => Number(execFileSync('qpdf', ['--show-npages', each])));
  const once = counts.reduce((a, b) => a + b);
  const ranges = pages.flatMap((each) => [each, '1-z']);
  const again = Array.from({ length: Math.ceil(500 / once) }, () => ranges).flat();
  const whole = join(folder, 'whole.pdf');
  execFileSync('qpdf', ['--empty', '--pages', ...again, '--', whole]);
  execFileSync('qpdf', [whole, '--pages', '.', '1-500', '--', path]);
  return path;
}

/** In the page, before it begins: workers are counted, and what PDFium has taken in each is noted. */
function noteWorkers(): void {
  const workers: { bytes: number }[] = [];
  Object.assign(window, { workers, claimedBytes: 0 });
  const Real = window.Worker;
  window.Worker = class extends Real {
    constructor(address: string | URL, options?: WorkerOptions) {
      super(address, options);
      const noted = { bytes: 0 };
      workers.push(noted);
      this.addEventListener('message', ({ data }) => {
        noted.bytes = data.memoryBytes;
        const claimed = (window as unknown as { claimedBytes: number }).claimedBytes;
        if (claimed > 0 && workers.length === 1) data.memoryBytes = claimed;
      });
    }
  };
}

/** Held of a document: pages in the grid, those with pixels, and PDFium's memory in every worker there was. */
const held = (page: Page): Promise<{ tiles: number; drawn: number; pixelBytes: number; workers: number[] }> =>
  page.evaluate(() => {
    const drawn = [...document.querySelectorAll('canvas')].filter(({ width }) => width > 0);
    return {
      tiles: document.querySelectorAll('.page-grid .thumb').length,
      drawn: drawn.filter((canvas) => canvas.hasAttribute('data-drawn')).length,
      pixelBytes: drawn.reduce((sum, { width, height }) => sum + width * height * 4, 0),
      workers: (window as unknown as { workers: { bytes: number }[] }).workers.map(({ bytes }) => bytes),
    };
  });

/** Through the whole grid, and until what is seen at the end is drawn. */
async function scrollThrough(page: Page, isDown: boolean): Promise<void> {
  await page.evaluate(async (down) => {
    const grid = document.querySelector('.page-grid') as HTMLElement;
    const most = grid.scrollHeight - grid.clientHeight;
    for (let part = 0; part <= 1; part += 1 / 16) {
      grid.scrollTop = most * (down ? part : 1 - part);
      await new Promise((next) => requestAnimationFrame(next));
    }
  }, isDown);
  await page.waitForFunction(
    (wanted) => document.querySelector(`.thumb[data-at="${wanted}"] canvas[data-drawn]`),
    {},
    isDown ? 499 : 1,
  );
}

task('500 pages: thumbnails come as they are scrolled to, and what is held does not grow', async (page) => {
  await page.evaluateOnNewDocument(noteWorkers);
  await page.goto(`${service.url}/?again#key=${service.key}`);
  await page.setViewport({ width: 1400, height: 900, deviceScaleFactor: 2 });
  await addFiles(page, longDocument());
  await page.waitForSelector('.file canvas[data-drawn]');
  await addStep(page, 'delete pages', 'general/remove-pages');
  for (const isDown of [true, false]) {
    await scrollThrough(page, isDown);
    const now = await held(page);
    assert.ok(now.tiles <= 60 && now.drawn <= 61, JSON.stringify(now));
    assert.ok(now.pixelBytes < 12_000_000, JSON.stringify(now));
    assert.ok(now.workers.length === 1 && (now.workers[0] ?? 0) < 100_000_000, JSON.stringify(now));
  }
  // By keyboard from one end to the other, where the pages in between were never there.
  await page.focus('.thumb[data-at="0"]');
  await page.keyboard.press('End');
  await page.keyboard.press('Space');
  assert.equal(await page.$eval('[name=pageNumbers]', (input) => (input as HTMLInputElement).value), '500');
  // A viewer that has taken too much makes room for another, which goes on where it was.
  await page.evaluate(() => Object.assign(window, { claimedBytes: 300_000_000 }));
  await scrollThrough(page, true);
  assert.equal((await held(page)).workers.length, 2);
});

/** A document with 120 MB of noise in a stream that an update adds. */
function largeDocument(): string {
  const path = join(folder, 'large.pdf');
  const original = readFileSync(fixture('reading.pdf'));
  const end = original.toString('latin1').slice(-200);
  const [trailer] = /<<[^>]*\/Root[^>]*(?=>>)/.exec(end) ?? [];
  const [previous] = /(?<=startxref\s+)\d+/.exec(end) ?? [];
  const number = Number(/\/Size (\d+)/.exec(trailer ?? '')?.[1]);
  const noise = randomBytes(1_000_000);
  writeFileSync(path, original);
  appendFileSync(path, `\n${number} 0 obj\n<< /Length ${LARGE_BYTES} >>\nstream\n`);
  for (let written = 0; written < LARGE_BYTES; written += noise.length) {
    noise.writeUInt32LE(written);
    appendFileSync(path, noise);
  }
  const at = original.length + 1;
  const body = '\nendstream\nendobj\n';
  const entry = `xref\n${number} 1\n${String(at).padStart(10, '0')} 00000 n \n`;
  const tail = `trailer\n${trailer?.replace(/\/Size \d+/, `/Size ${number + 1}`)} /Prev ${previous}>>\n`;
  appendFileSync(path, `${body}${entry}${tail}startxref\n${statSync(path).size + body.length}\n%%EOF\n`);
  return path;
}

task('a file of 120 MB goes up in chunks, and the page counts its bytes', async (page) => {
  const path = largeDocument();
  const parts: string[] = [];
  page.on('request', (request) => {
    if (/\/uploads\b/.test(request.url())) parts.push(request.method());
  });
  await addFiles(page, path);
  await addStep(page, 'page count', 'analysis/page-count');
  await page.evaluate(() => {
    const counted: number[] = [];
    Object.assign(window, { counted });
    new MutationObserver(() => {
      const bar = document.querySelector<HTMLProgressElement>('.run-bar progress');
      if (bar && bar.max > 1) counted.push(bar.value);
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
  });
  assert.equal(await runChain(page), 'result');
  const counted = await page.evaluate(() => (window as unknown as { counted: number[] }).counted);
  const { size } = statSync(path);
  assert.ok(size > LARGE_BYTES);
  assert.ok(counted.length > 2 && Math.max(...counted) === size, `counted ${counted.length} times`);
  assert.ok(parts.length > size / 20_000_000, `${parts.length} requests`);
  assert.equal(parts.at(-1), 'DELETE');
  const facts = await page.waitForSelector('.facts-list');
  assert.match((await facts?.evaluate((words) => words.textContent)) ?? '', /Page count\s*\d/);
});
