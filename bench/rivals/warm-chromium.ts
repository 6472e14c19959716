// A Chromium kept running and driven call by call, as services around a browser do it: a context of its own for each
// call, the page from a file, printed as soon as it is loaded, without tags.
import { pathToFileURL } from 'node:url';
import { launch } from 'puppeteer-core';
import type { RivalService } from '../scenario.ts';

export const HEADLESS_SHELL = '/usr/lib/chromium/chromium-headless-shell';

export const warmChromium = (path: string): RivalService => ({
  name: 'Chromium kept warm',
  async start() {
    const browser = await launch({
      executablePath: HEADLESS_SHELL,
      // As root there is no other way.
      args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
    });
    return {
      pid: browser.process()?.pid ?? 0,
      async call() {
        const context = await browser.createBrowserContext().catch(() => undefined);
        if (!context) return false;
        try {
          const page = await context.newPage();
          await page.goto(pathToFileURL(path).href, { waitUntil: 'load' });
          const pdf = await page.pdf({ format: 'a4', printBackground: true, tagged: false, outline: false });
          return pdf.length > 0;
        } catch {
          return false;
        } finally {
          await context.close();
        }
      },
      stop: () => browser.close(),
    };
  },
});
