// A service and a browser for the tests of one file, and a window for each test.
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { buildWeb } from '../../scripts/build-web.ts';
import { type RunningService, startService } from '../service.ts';
import { skip, startBrowser, type Visit, visit } from './browser.ts';

export let service: RunningService;
export let browser: Browser;
let open: Visit[] = [];
before(async () => {
  if (skip) return;
  await buildWeb();
  [service, browser] = await Promise.all([startService(), startBrowser()]);
});
after(async () => {
  await browser?.close();
  await service?.remove();
});
afterEach(async () => {
  for (const each of open) await each.leave();
  open = [];
});

/** Somebody comes to an address; the window is closed after the test. */
export async function come(address = `${service.url}/#key=${service.key}`): Promise<Visit> {
  const seen = await visit(browser, address);
  open.push(seen);
  return seen;
}

/** A person with the key comes to the page, does something, and nothing is complained of. */
export function task(
  name: string,
  act: (page: Page, visit: Visit) => Promise<void>,
  reason: string | false = false,
): void {
  test(name, { skip: skip || reason }, async () => {
    const seen = await come();
    await act(seen.page, seen);
    assert.deepEqual(seen.complaints, []);
  });
}
