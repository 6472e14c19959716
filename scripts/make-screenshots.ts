// The two screenshots of the README, taken from the real page of a real service: `npx node scripts/make-screenshots.ts`.
import { join, resolve } from 'node:path';
import { startService } from '../test/service.ts';
import { addFiles, addStep, runChain, startBrowser, visit } from '../test/web/browser.ts';
import { buildWeb } from './build-web.ts';

const ROOT = resolve(import.meta.dirname, '..');
const fixture = (name: string): string => join(ROOT, 'fixtures', name);
const image = (name: string): `${string}.png` => `${join(ROOT, 'docs/images', name)}.png`;

await buildWeb();
const service = await startService();
const browser = await startBrowser();
try {
  const { page, leave } = await visit(browser, `${service.url}/#key=${service.key}`);
  await page.setViewport({ width: 1360, height: 860 });
  await page.select('[aria-label="Theme"]', 'light');
  await addFiles(page, fixture('reading.pdf'), fixture('tables.pdf'), fixture('text-two-pages.pdf'));
  await page.waitForSelector('.file:last-child canvas[data-drawn]');
  await addStep(page, 'join', 'general/merge-pdfs');
  await addStep(page, 'page numbers', 'misc/add-page-numbers');
  await runChain(page);
  await page.waitForSelector('.before-after canvas[data-drawn]');
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: image('workbench') });
  await leave();

  const dark = await visit(browser, `${service.url}/#key=${service.key}`);
  await dark.page.setViewport({ width: 1360, height: 860 });
  await dark.page.select('[aria-label="Theme"]', 'dark');
  await addFiles(dark.page, fixture('reading.pdf'));
  await dark.page.waitForSelector('.file canvas[data-drawn]');
  await addStep(dark.page, 'black out', 'security/redact');
  await dark.page.waitForSelector('.board canvas[data-drawn]');
  const box = await (await dark.page.$('.board'))?.boundingBox();
  if (!box) throw new Error('no page to draw on');
  for (const [top, wide] of [
    [0.16, 0.5],
    [0.3, 0.7],
  ] as const) {
    await dark.page.mouse.move(box.x + box.width * 0.12, box.y + box.height * top);
    await dark.page.mouse.down();
    await dark.page.mouse.move(box.x + box.width * wide, box.y + box.height * (top + 0.04), { steps: 4 });
    await dark.page.mouse.up();
  }
  await dark.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await runChain(dark.page);
  await dark.page.waitForSelector('.before-after figure + figure canvas[data-drawn]');
  await dark.page.evaluate(() => scrollTo(0, 0));
  await dark.page.screenshot({ path: image('workbench-dark') });
  await dark.leave();
} finally {
  await browser.close();
  await service.remove();
}
