// A real Chromium on the page of a real service.
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'puppeteer-core';
import { launchCommand } from '../../service/src/engines/browser/program.ts';

const CHROMIUM = (await launchCommand())?.path;
export const skip = CHROMIUM ? false : 'not installed: Chromium';
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const WAIT_MS = 60_000;

export async function startBrowser(): Promise<Browser> {
  const { launch } = await import('puppeteer-core');
  return launch({
    executablePath: CHROMIUM as string,
    headless: 'shell' as never,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
}

export interface Visit {
  page: Page;
  context: BrowserContext;
  /** What the console complained of, and what could not be loaded. */
  complaints: string[];
  /** The newest file that was saved, once it is whole. */
  saved(): Promise<string>;
  leave(): Promise<void>;
}

/** A window of its own, as of somebody else; `path` such as `/#key=...`. */
export async function visit(browser: Browser, address: string): Promise<Visit> {
  const context = await browser.createBrowserContext();
  const folder = await mkdtemp(join(tmpdir(), 'bindery-web-'));
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  const complaints: string[] = [];
  page.on('console', (message) => {
    // Refusals are answered in the page; the browser notes their status all the same.
    const isStatus = /Failed to load resource: the server responded/.test(message.text());
    if (['error', 'warn'].includes(message.type()) && !isStatus) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  const session = await page.createCDPSession();
  await session.send('Browser.setDownloadBehavior', {
    behavior: 'allow',
    downloadPath: folder,
    browserContextId: context.id as string,
  });
  await page.setViewport({ width: 1400, height: 900 });
  await page.goto(address);
  await page.waitForSelector('.drop-zone, .explorer');
  return {
    page,
    context,
    complaints,
    async saved() {
      for (let tries = 0; tries < 400; tries++) {
        const [name] = (await readdir(folder)).filter((each) => !each.endsWith('.crdownload'));
        if (name) return join(folder, name);
        await new Promise((next) => setTimeout(next, 25));
      }
      throw new Error('nothing was saved');
    },
    async leave() {
      await context.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function addFiles(page: Page, ...paths: string[]): Promise<void> {
  const picker = await page.$('.files input[type=file]');
  await (picker as unknown as { uploadFile(...files: string[]): Promise<void> }).uploadFile(...paths);
  await page.waitForFunction((count) => document.querySelectorAll('.file').length >= count, {}, paths.length);
}

/** By the search box, as a person does. */
export async function addStep(page: Page, words: string, path: string): Promise<void> {
  await page.type('#search-box', words);
  await page.waitForSelector('#found-list li');
  await page.evaluate((wanted) => {
    const found = [...document.querySelectorAll('#found-list li')];
    const item = found.find((each) => each.querySelector('.found-path')?.textContent === wanted);
    if (!item) throw new Error(`${wanted} is not among the ${found.length} that were found`);
    (item as HTMLElement).click();
  }, path);
  await page.waitForSelector(`[data-op="${path}"] .form`);
}

/** Runs the chain and waits for what comes of it. */
export async function runChain(page: Page): Promise<'result' | 'failure' | 'nothing'> {
  const before = await page.$$eval('.result', (all) => all.length);
  await page.waitForSelector('.run-bar .primary:not([disabled])');
  await page.click('.run-bar .primary');
  const outcome = await page.waitForFunction(
    (count) =>
      document.querySelectorAll('.result').length > count
        ? 'result'
        : document.querySelector('.failure')
          ? 'failure'
          : document.querySelector('.notice')
            ? 'nothing'
            : undefined,
    {},
    before,
  );
  return (await outcome.jsonValue()) as 'result' | 'failure' | 'nothing';
}

/** What axe finds wrong with the page as it is shown. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const axe = (
      window as unknown as {
        axe: {
          run(
            place: Document,
            options: object,
          ): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
        };
      }
    ).axe;
    const { violations } = await axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  });
}
