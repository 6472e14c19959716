// Tasks that take an engine of the machine or two windows; and that the page fits every window.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { Page } from 'puppeteer-core';
import { isInstalled } from '../../service/src/engines/installed.ts';
import { addFiles, addStep, runChain } from './browser.ts';
import { come, task } from './task.ts';

const fixture = (name: string): string => new URL(`../../fixtures/${name}`, import.meta.url).pathname;
const outputOf = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
const missing = (program: string): string | false =>
  isInstalled(program) ? false : `not installed: ${program}`;

const folder = mkdtempSync(join(tmpdir(), 'bindery-web-files-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const uploadTo = async (page: Page, selector: string, path: string): Promise<void> => {
  const picker = await page.waitForSelector(selector);
  await (picker as unknown as { uploadFile(path: string): Promise<void> }).uploadFile(path);
};

task('a document is signed with a certificate', async (page, visited) => {
  await addFiles(page, fixture('reading.pdf'));
  await addStep(page, 'sign', 'security/cert-sign');
  await page.select('[name=certType]', 'PKCS12');
  await uploadTo(page, '[data-field=p12File] input', fixture('keys/signer.p12'));
  await page.type('[name=password]', 'key-word');
  assert.equal(await runChain(page), 'result');
  await page.click('.result .primary');
  const told = outputOf('pdfsig', '-nocert', await visited.saved());
  assert.match(told, /Signature is Valid/);
  assert.match(told, /Total document signed/);
});

task(
  'a scan is read, and the page tells how far that is until it is done',
  async (page, visited) => {
    const scan = join(folder, 'scan.pdf');
    execFileSync('qpdf', ['--empty', '--pages', ...Array(6).fill(fixture('scan.pdf')), '--', scan]);
    await addFiles(page, scan);
    await addStep(page, 'ocr', 'misc/ocr-pdf');
    await page.evaluate(() => {
      const told: string[] = [];
      Object.assign(window, { told });
      new MutationObserver(() => {
        const words = document.querySelector('.run-bar.running [role=status]')?.textContent ?? '';
        const bar = document.querySelector<HTMLProgressElement>('.run-bar progress');
        const line = `${words} ${bar?.hasAttribute('value') ? bar.value : ''}`;
        if (words !== '' && told.at(-1) !== line) told.push(line);
      }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    });
    assert.equal(await runChain(page), 'result');
    await page.click('.result .primary');
    assert.match(outputOf('pdftotext', await visited.saved(), '-'), /[A-Za-z]{4,}/);
    const told = await page.evaluate(() => (window as unknown as { told: string[] }).told);
    const counts = told.flatMap((line) => /^Step 1 of 1: (\d) of 6 done/.exec(line)?.[1] ?? []).map(Number);
    assert.ok(counts.length > 0, `told was: ${told.join(' | ')}`);
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => a - b),
    );
    assert.equal(await page.$('.run-bar.running'), null);
  },
  missing('tesseract'),
);

task(
  'a Word document becomes a PDF, and that PDF a Word document again',
  async (page, visited) => {
    await addFiles(page, fixture('letter.docx'));
    await addStep(page, 'word docx', 'convert/file/pdf');
    await addStep(page, 'word', 'convert/pdf/word');
    assert.equal(await runChain(page), 'result');
    await page.click('.result .primary');
    const saved = await visited.saved();
    assert.match(saved, /\.docx$/);
    const words = (path: string): string[] =>
      outputOf('unzip', '-p', path, 'word/document.xml')
        .replaceAll(/<\/w:p>/g, ' ')
        .replaceAll(/<[^>]*>/g, '')
        .match(/[A-Za-z]{5,}/g) ?? [];
    const kept = new Set(words(saved));
    const lost = words(fixture('letter.docx')).filter((word) => !kept.has(word));
    assert.ok(kept.size > 0);
    assert.deepEqual(lost, []);
  },
  missing('soffice'),
);

task('two windows work side by side, and know nothing of each other', async (page, visited) => {
  const other = await come();
  await addFiles(page, fixture('everything.pdf'));
  await addFiles(other.page, fixture('text-two-pages.pdf'));
  await addStep(page, 'rotate', 'general/rotate-pdf');
  await addStep(other.page, 'rotate', 'general/rotate-pdf');
  assert.deepEqual(await Promise.all([runChain(page), runChain(other.page)]), ['result', 'result']);
  const pages: string[] = [];
  for (const each of [visited, other]) {
    assert.equal((await each.page.$$('.result')).length, 1);
    await each.page.click('.result .primary');
    pages.push(outputOf('qpdf', '--show-npages', await each.saved()).trim());
  }
  assert.deepEqual(pages, ['4', '2']);
  assert.deepEqual(other.complaints, []);
});

task('the pages of a later step are those that the steps before make', async (page, visited) => {
  await addFiles(page, fixture('reading.pdf'));
  await page.waitForSelector('.file canvas[data-drawn]');
  await addStep(page, 'delete pages', 'general/remove-pages');
  await page.type('[name=pageNumbers]', '1');
  await addStep(page, 'rotate', 'general/rotate-pdf');
  assert.equal((await page.$$('[data-op="general/rotate-pdf"] .thumb')).length, 0);
  const offer = '[data-op="general/rotate-pdf"] .preview-offer button:not([disabled])';
  await page.waitForSelector(offer);
  await page.click(offer);
  const count = Number(outputOf('qpdf', '--show-npages', fixture('reading.pdf')));
  const isShown = (pages: number) =>
    page.waitForFunction(
      (wanted) => document.querySelectorAll('[data-op="general/rotate-pdf"] .thumb').length === wanted,
      {},
      pages,
    );
  await isShown(count - 1);
  // What was made is kept, and said to be old once a step before it has changed.
  await page.type('[name=pageNumbers]', ',2');
  await page.waitForSelector(offer);
  assert.match(await page.$eval('.preview-offer .hint', (hint) => hint.textContent ?? ''), /old/);
  await page.click(offer);
  await isShown(count - 2);
  assert.equal(await runChain(page), 'result');
  await page.click('.result .primary');
  assert.equal(outputOf('qpdf', '--show-npages', await visited.saved()).trim(), String(count - 2));
});

task('files, and pages in the grid, are ordered by dragging them with the mouse', async (page) => {
  await addFiles(page, fixture('everything.pdf'), fixture('reading.pdf'));
  await page.waitForSelector('.file canvas[data-drawn]');
  const drag = async (from: string, to: string): Promise<void> => {
    const middle = async (selector: string): Promise<[number, number]> => {
      const place = await page.waitForSelector(selector);
      await place?.scrollIntoView();
      const box = await place?.boundingBox();
      assert.ok(box);
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    await page.mouse.move(...(await middle(from)));
    await page.mouse.down();
    const [x, y] = await middle(to);
    await page.mouse.move(x, y, { steps: 6 });
    // Whoever drags comes to rest over the place: entering it alone does not take the drop.
    await page.mouse.move(x + 2, y);
    await page.mouse.up();
  };
  await drag('.file:nth-child(2) .handle', '.file:nth-child(1) .file-name');
  await page.waitForFunction(() => document.querySelector('.file .file-name')?.textContent === 'reading.pdf');
  await drag('.file:nth-child(2) .handle', '.file:nth-child(1) .file-name');
  await page.waitForFunction(
    () => document.querySelector('.file .file-name')?.textContent === 'everything.pdf',
  );
  await addStep(page, 'reorder', 'general/rearrange-pages');
  await drag('.order-grid .thumb:nth-child(1)', '.order-grid .thumb:nth-child(3)');
  await page.waitForFunction(() =>
    /^2,(?:3,1|1,3),4$/.test(
      [...document.querySelectorAll('.order-grid .number')].map((each) => each.textContent).join(),
    ),
  );
});

task('no view is wider than its window, and pages in a grid do not overlap', async (page) => {
  const long = join(folder, `${'a-name-of-no-end_'.repeat(9)}.pdf`);
  copyFileSync(fixture('everything.pdf'), long);
  await page.setViewport({ width: 1400, height: 900 });
  await addFiles(page, long);
  await page.waitForSelector('.file canvas[data-drawn]');
  for (const [words, path] of [
    ['black out', 'security/redact'],
    ['rotate', 'general/rotate-pdf'],
    ['reorder', 'general/rearrange-pages'],
    ['stamp', 'misc/add-stamp'],
    ['contents', 'general/edit-table-of-contents'],
    ['fill form', 'form/fill'],
  ] as const) {
    await addStep(page, words, path);
    for (const width of [1400, 820, 390, 320]) {
      await page.setViewport({ width, height: 800 });
      await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth, { timeout: 5000 });
    }
    const overlaps = await page.$$eval('.thumb', (thumbs) =>
      thumbs.some((thumb) => thumb.scrollHeight > thumb.clientHeight + 2),
    );
    assert.equal(overlaps, false, path);
    await page.setViewport({ width: 1400, height: 900 });
    await page.click('.step > .mover-buttons [aria-label^="Remove"]');
  }
});
