// Tasks that people come with, done in a real browser on a real service; results are judged by other programs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'puppeteer-core';
import { parse } from 'yaml';
import { startService } from '../service.ts';
import { accessibilityFaults, addFiles, addStep, runChain, skip, type Visit } from './browser.ts';
import { come, service, task } from './task.ts';

const fixture = (name: string): string => new URL(`../../fixtures/${name}`, import.meta.url).pathname;
const textOf = (path: string): string => execFileSync('pdftotext', [path, '-'], { encoding: 'utf8' });
const pagesOf = (path: string): number =>
  Number(execFileSync('qpdf', ['--show-npages', path], { encoding: 'utf8' }));

async function savedResult(page: Page, visited: Visit): Promise<string> {
  await page.click('.result .primary');
  return visited.saved();
}

const ready = (page: Page): Promise<unknown> => page.waitForSelector('.file canvas[data-drawn]');
const setField = async (page: Page, name: string, value: string): Promise<void> => {
  await page.click(`[data-field="${name}"] [name="${name}"]`, { count: 3 });
  await page.type(`[data-field="${name}"] [name="${name}"]`, value);
};

task('the key is taken out of the address, and stays in this tab alone', async (page, { context }) => {
  assert.equal(await page.evaluate(() => location.href), `${service.url}/`);
  assert.deepEqual(
    await page.evaluate(() => [sessionStorage.length, localStorage.getItem('bindery-key'), document.cookie]),
    [1, null, ''],
  );
  const other = await context.newPage();
  await other.goto(`${service.url}/`);
  await other.waitForSelector('.key-dialog[open]');
  assert.deepEqual(await accessibilityFaults(other), []);
  await other.type('#key-entered', service.key);
  await other.click('.key-dialog .tick input');
  await other.click('.key-dialog .primary');
  await other.waitForSelector('.key-dialog', { hidden: true });
  await other.reload();
  await other.waitForSelector('.drop-zone');
  assert.equal(await other.evaluate(() => localStorage.getItem('bindery-key')), service.key);
  // A third window needs no key any more; forgotten there, it is gone for those that come later, not for those at work.
  const third = await context.newPage();
  await third.goto(`${service.url}/`);
  await third.waitForSelector('.pick:not([disabled])');
  await third.click('.header [aria-label="API key"]');
  await third.click('.key-dialog .link');
  await third.waitForFunction(() => localStorage.getItem('bindery-key') === null);
  await addFiles(other, fixture('everything.pdf'));
  await addStep(other, 'page count', 'analysis/page-count');
  assert.equal(await runChain(other), 'result');
  assert.equal(await page.evaluate(() => sessionStorage.getItem('bindery-key')), service.key);
});

task('three files are ordered and merged', async (page, visited) => {
  await addFiles(page, fixture('everything.pdf'), fixture('reading.pdf'), fixture('text-two-pages.pdf'));
  await page.click('[aria-label="Move text-two-pages.pdf up"]');
  await page.click('[aria-label="Move text-two-pages.pdf up"]');
  await addStep(page, 'join', 'general/merge-pdfs');
  assert.equal(await runChain(page), 'result');
  const saved = await savedResult(page, visited);
  const inputs = ['text-two-pages.pdf', 'everything.pdf', 'reading.pdf'].map(fixture);
  assert.equal(
    pagesOf(saved),
    inputs.map(pagesOf).reduce((a, b) => a + b),
  );
  const words = (path: string): string => textOf(path).trim().slice(0, 60);
  assert.ok(textOf(saved).startsWith(words(inputs[0] ?? '')));
  await page.click('[aria-label="Undo"]');
  await page.click('[aria-label="Undo"]');
  assert.match((await page.$eval('.file-name', (name) => name.textContent)) ?? '', /everything/);
});

/** Where a word stands on the first page, in points from the top left. */
function placeOfWord(path: string): { word: string; xMin: number; yMin: number; xMax: number; yMax: number } {
  const boxes = execFileSync('pdftotext', ['-bbox', '-l', '1', path, '-'], { encoding: 'utf8' });
  for (const found of boxes.matchAll(
    /<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">([A-Za-z]{6,})<\/word>/g,
  )) {
    const [, xMin, yMin, xMax, yMax, word = ''] = found;
    if (textOf(path).split(word).length === 2)
      return { word, xMin: Number(xMin), yMin: Number(yMin), xMax: Number(xMax), yMax: Number(yMax) };
  }
  throw new Error('no word that stands there once');
}

task('a word is redacted by drawing over it, and is gone', async (page, visited) => {
  const path = fixture('everything.pdf');
  const place = placeOfWord(path);
  await addFiles(page, path);
  await ready(page);
  await addStep(page, 'black out', 'security/redact');
  const board = await page.waitForSelector('.board');
  await page.waitForSelector('.board canvas[data-drawn]');
  await board?.scrollIntoView();
  const box = await board?.boundingBox();
  assert.ok(box);
  const width = await page.evaluate(
    () => (document.querySelector('.board canvas') as HTMLElement).offsetWidth,
  );
  const [points] =
    execFileSync('pdfinfo', [path], { encoding: 'utf8' }).match(/(?<=Page size:\s+)[\d.]+/) ?? [];
  const scale = width / Number(points);
  await page.mouse.move(box.x + (place.xMin - 1) * scale, box.y + (place.yMin - 1) * scale);
  await page.mouse.down();
  await page.mouse.move(box.x + (place.xMax + 1) * scale, box.y + (place.yMax + 1) * scale, { steps: 4 });
  await page.mouse.up();
  await page.waitForSelector('.rectangle.redact');
  assert.deepEqual(await accessibilityFaults(page), []);
  assert.equal(await runChain(page), 'result');
  const saved = await savedResult(page, visited);
  assert.doesNotMatch(textOf(saved), new RegExp(place.word));
  await page.waitForSelector('.before-after figure + figure canvas[data-drawn]');
});

task('a form is filled on the page', async (page, visited) => {
  await addFiles(page, fixture('everything.pdf'));
  await ready(page);
  await addStep(page, 'fill form', 'form/fill');
  const field = await page.waitForSelector('.over-page input[type=text]');
  await field?.click({ count: 3 });
  await field?.type('Grace Hopper');
  assert.deepEqual(await accessibilityFaults(page), []);
  assert.equal(await runChain(page), 'result');
  const json = execFileSync('qpdf', ['--json', '--json-key=acroform', await savedResult(page, visited)], {
    encoding: 'utf8',
  });
  assert.match(json, /Grace Hopper/);
});

task('a page is dropped and another moved in the grid, by keyboard, and undone', async (page, visited) => {
  await addFiles(page, fixture('everything.pdf'));
  await ready(page);
  await addStep(page, 'reorder', 'general/rearrange-pages');
  await page.waitForSelector('.order-grid .thumb');
  await page.focus('.order-grid .thumb');
  await page.keyboard.down('Alt');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.up('Alt');
  const isOrder = (wanted: string) =>
    page.waitForFunction(
      (pages) =>
        [...document.querySelectorAll('.order-grid .number')].map((each) => each.textContent).join() ===
        pages,
      {},
      wanted,
    );
  await isOrder('2,1,3,4');
  await page.evaluate(() => (document.querySelectorAll('.order-grid .thumb')[3] as HTMLElement).focus());
  await page.keyboard.press('Delete');
  await isOrder('2,1,3');
  await page.click('[aria-label="Undo"]');
  await isOrder('2,1,3,4');
  await page.click('[aria-label="Redo"]');
  assert.deepEqual(await accessibilityFaults(page), []);
  assert.equal(await runChain(page), 'result');
  assert.equal(pagesOf(await savedResult(page, visited)), 3);
});

task('pages are chosen by keyboard among thumbnails', async (page) => {
  await addFiles(page, fixture('everything.pdf'));
  await ready(page);
  await addStep(page, 'delete pages', 'general/remove-pages');
  await page.waitForSelector('.page-grid .thumb');
  await page.focus('.page-grid .thumb');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await page.keyboard.down('Shift');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.up('Shift');
  assert.equal(await page.$eval('[name=pageNumbers]', (input) => (input as HTMLInputElement).value), '2,3');
});

task('a scan is made smaller, and the page says by how much', async (page) => {
  await addFiles(page, fixture('scan.pdf'));
  await addStep(page, 'smaller', 'misc/compress-pdf');
  assert.equal(await runChain(page), 'result');
  assert.match((await page.$eval('.change', (words) => words.textContent)) ?? '', /\d+ % smaller|same size/);
});

task('a chain is saved as YAML, loaded by another tab, and run', async (page, visited) => {
  await addFiles(page, fixture('everything.pdf'));
  await addStep(page, 'rotate', 'general/rotate-pdf');
  await setField(page, 'angle', '180');
  await addStep(page, 'page numbers', 'misc/add-page-numbers');
  await page.evaluate(() => ([...document.querySelectorAll('.saved button')][0] as HTMLElement).click());
  const saved = await visited.saved();
  assert.deepEqual(parse(readFileSync(saved, 'utf8')), {
    steps: [{ op: 'general/rotate-pdf', params: { angle: 180 } }, { op: 'misc/add-page-numbers' }],
  });
  const other = await come();
  await addFiles(other.page, fixture('everything.pdf'));
  const picker = await other.page.$('.saved input[type=file]');
  await (picker as unknown as { uploadFile(path: string): Promise<void> }).uploadFile(saved);
  await other.page.waitForFunction(() => document.querySelectorAll('.step').length === 2);
  assert.equal(await runChain(other.page), 'result');
  assert.deepEqual(other.complaints, []);
});

task('a locked document asks for its password, and says when it is wrong', async (page, visited) => {
  await addFiles(page, fixture('everything-locked.pdf'));
  await page.waitForSelector('.password input');
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.type('.password input', 'not this');
  await page.click('.password button');
  await page.waitForSelector('.password .fault');
  await page.click('.password input', { count: 3 });
  await page.type('.password input', 'open-sesame');
  await page.click('.password button');
  await ready(page);
  await addStep(page, 'decrypt', 'security/remove-password');
  assert.equal(await runChain(page), 'result');
  assert.equal(pagesOf(await savedResult(page, visited)), 4);
});

task('what the service says of a field stands at that field', async (page) => {
  await addFiles(page, fixture('everything.pdf'));
  await addStep(page, 'rotate', 'general/rotate-pdf');
  await setField(page, 'angle', '45');
  assert.equal(await runChain(page), 'failure');
  assert.match(
    (await page.$eval('[data-field=angle] .fault', (words) => words.textContent)) ?? '',
    /^angle must be/,
  );
  assert.deepEqual(await accessibilityFaults(page), []);
});

task('a report is shown as facts', async (page) => {
  await addFiles(page, fixture('everything.pdf'));
  await addStep(page, 'page count', 'analysis/page-count');
  assert.equal(await runChain(page), 'result');
  const facts = await page.waitForSelector('.facts-list');
  assert.match((await facts?.evaluate((words) => words.textContent)) ?? '', /Page count\s*4/);
});

test('a key that nobody knows is refused, and asked for again', { skip }, async () => {
  const seen = await come(`${service.url}/#key=bdy_nobody-knows-this-key`);
  await seen.page.waitForSelector('.key-dialog .fault');
  assert.match(
    (await seen.page.$eval('.key-dialog .fault', (words) => words.textContent)) ?? '',
    /does not know/,
  );
});

test('operations outside the scope of a key are shown with the reason', { skip }, async () => {
  const key = await service.newKey({ scopes: 'general' });
  const seen = await come(`${service.url}/#key=${key}`);
  await seen.page.waitForFunction(() => document.querySelector('.pick[disabled]'));
  await seen.page.type('#search-box', 'compress');
  const told = await seen.page.waitForSelector('#found-list li[aria-disabled=true] .found-refusal');
  assert.match((await told?.evaluate((words) => words.textContent)) ?? '', /may not call the group “misc”/);
  assert.deepEqual(seen.complaints, []);
});

test('operations that cannot be called here are shown with the reason, on a phone too', {
  skip,
}, async () => {
  const bare = await startService({ env: { BINDERY_DISABLED_OPERATIONS: 'misc/compress-pdf' } });
  try {
    const seen = await come(`${bare.url}/#key=${bare.key}`);
    const { page } = seen;
    await page.waitForFunction(() => document.querySelector('.pick[disabled]'));
    await page.setViewport({ width: 390, height: 844 });
    await page.type('#search-box', 'compress');
    const told = await page.waitForSelector('#found-list li[aria-disabled=true] .found-refusal', {
      visible: true,
    });
    assert.match(
      (await told?.evaluate((words) => words.textContent)) ?? '',
      /misc\/compress-pdf is turned off/,
    );
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.deepEqual(seen.complaints, []);
  } finally {
    await bare.remove();
  }
});

task('a run is cancelled', async (page) => {
  await addFiles(page, fixture('scan.pdf'));
  await addStep(page, 'ocr', 'misc/ocr-pdf');
  await page.waitForSelector('.run-bar .primary:not([disabled])');
  await page.click('.run-bar .primary');
  await page.waitForSelector('.run-bar.running button');
  await page.click('.run-bar.running button');
  await page.waitForSelector('.run-bar .primary');
  assert.equal(await page.$('.result, .failure'), null);
});

task('a result is used as input, and the service that went away is told of', async (page, { complaints }) => {
  await addFiles(page, fixture('everything.pdf'));
  await addStep(page, 'rotate', 'general/rotate-pdf');
  assert.equal(await runChain(page), 'result');
  await page.evaluate(() =>
    ([...document.querySelectorAll('.result .actions button')][1] as HTMLElement).click(),
  );
  await page.waitForFunction(() => document.querySelectorAll('.file').length === 2);
  await page.setOfflineMode(true);
  assert.equal(await runChain(page), 'failure');
  assert.equal(await page.$eval('.failure code', (code) => code.textContent), 'network_error');
  // The browser notes that it is offline.
  complaints.length = 0;
});

for (const theme of ['light', 'dark'] as const)
  task(
    `nothing is wrong for assistive technology in the ${theme} theme, in English and German, wide and narrow`,
    async (page) => {
      const views = async (): Promise<string[]> => {
        const faults = await accessibilityFaults(page);
        await page.setViewport({ width: 390, height: 844 });
        faults.push(...(await accessibilityFaults(page)));
        await page.setViewport({ width: 1400, height: 900 });
        return faults;
      };
      await page.select('[aria-label="Theme"]', theme);
      assert.deepEqual(await views(), []);
      await addFiles(page, fixture('everything.pdf'));
      await ready(page);
      await addStep(page, 'stamp', 'misc/add-stamp');
      await addStep(page, 'contents', 'general/edit-table-of-contents');
      await addStep(page, 'ocr', 'misc/ocr-pdf');
      await page.evaluate(() =>
        document.querySelectorAll('details').forEach((each) => {
          each.open = true;
        }),
      );
      await page.type('#search-box', 'pdf');
      await page.select('[aria-label="Language"]', 'de');
      assert.deepEqual(await views(), []);
      assert.equal(await page.evaluate(() => document.documentElement.lang), 'de');
      await page.goto(`${service.url}/docs`);
      await page.waitForSelector('.call');
      assert.deepEqual(await views(), []);
    },
  );

test('a call is tried in the explorer', { skip }, async () => {
  const seen = await come(`${service.url}/docs#key=${service.key}`);
  const { page } = seen;
  await page.waitForSelector('.call');
  await page.goto(`${service.url}/docs#analysisPageCount`);
  const picker = await page.waitForSelector('#try-fileInput');
  await (picker as unknown as { uploadFile(path: string): Promise<void> }).uploadFile(
    fixture('everything.pdf'),
  );
  await page.click('.call form .primary');
  const answer = await page.waitForSelector('.call [role=status] pre + pre');
  assert.match((await answer?.evaluate((words) => words.textContent)) ?? '', /"pageCount":\s*4/);
  assert.deepEqual(seen.complaints, []);
});
