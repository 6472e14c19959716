// The door to Chromium: documents of the job and pages on the network become PDF. One browser for each worker
// process, started on first use and kept; one page at a time.
import { open } from 'node:fs/promises';
import type { Egress } from '../../contract/egress.ts';
import type { Content } from '../../contract/files.ts';
import { LIMITS } from '../../contract/limits.ts';
import type { Log } from '../../contract/log.ts';
import { Problem } from '../../contract/problems.ts';
import { Chromium, type Tab } from './chromium.ts';
import { BrowserEnded } from './connection.ts';
import { withExactPaper } from './exact-paper.ts';
import { addressOf, hasOrigin, localServer, pathOf, withoutOrigin } from './local-pages.ts';
import { Page } from './page.ts';
import { type Browser, type LocalPage, PRINT_DEFAULTS } from './print.ts';
import { MISSING } from './program.ts';
import { isOrderly, PageSilent, refusal } from './refusals.ts';
import { type Server, type Serving, serve } from './serving.ts';
import type { Settled } from './settled.ts';
import { webPage } from './web-pages.ts';

export { probe } from './program.ts';

interface JobContext {
  newFile(extension: string): string;
  log: Log;
  egress?: Egress | undefined;
}

/** Scripts of a page on the network often begin to load when it is there. */
const WEB_QUIET_MS = 500;
const WEB_QUIET_LIMIT_MS = 8000;
const LOCAL_QUIET_MS = 30;
/** Of the time a page on the network has: a script without end must be found out before it is over. */
const MOST_TO_LOAD = 0.85;
const LEAST_TO_SETTLE = 0.1;
/** Large documents take their time, and say nothing meanwhile. */
const PRINT_LIMIT_MS = 200_000;
const MAY_RUN = /<script|\son[a-z]+\s*=|javascript:|<iframe|<object|<embed/i;

let running: Chromium | undefined;
let starting: Promise<Chromium | undefined> | undefined;
let turn: Promise<unknown> = Promise.resolve();
let leaving: Promise<void> = Promise.resolve();

export function createBrowser(job: JobContext): Browser {
  return {
    print: (page, options) => inTurn(() => printLocal(job, page, { ...PRINT_DEFAULTS, ...options })),
    printAddress: (url, options) => inTurn(() => printWeb(job, url, { ...PRINT_DEFAULTS, ...options })),
  };
}

/** Whether this process holds a browser that the next job need not wait for. */
export const isWarm = (): boolean => running?.isAlive === true;

/** For tests and tools: a browser ends by itself with its process. */
export function closeBrowser(): void {
  running?.kill();
  running = undefined;
}

/** The next waits until nothing is left of the page before; the answer does not. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = turn.then(work);
  turn = done.catch(() => {}).then(() => leaving);
  return done;
}

interface Visit {
  chromium: Chromium;
  page: Page;
  serving: Serving;
}

async function printLocal(job: JobContext, local: LocalPage, options: Settled): Promise<Content> {
  const { scripts, html } = local;
  const name = pathOf(local).split('/').at(-1) ?? '';
  return visit(
    job,
    () => localServer(local),
    async ({ page, serving }) => {
      const limitMs = options.patienceMs;
      page.open(addressOf(local), { scripts, media: options.media });
      if (!(await page.loaded(limitMs))) throw new PageSilent('not loaded in time');
      if (scripts && MAY_RUN.test(typeof html === 'string' ? html : Buffer.from(html).toString('latin1')))
        await soon(serving.quiet(LOCAL_QUIET_MS), limitMs);
      await page.settle(options, local.title ?? name.replace(/\.[^.]*$/, ''), limitMs);
      return save(job, page.print(options, name, PRINT_LIMIT_MS), (pdf) => {
        if (hasOrigin(pdf)) withoutOrigin(pdf, local);
        return withExactPaper(pdf, [page.paper, options.paper]);
      });
    },
  ).catch((error) => {
    throw refusal(error, 'document');
  });
}

async function printWeb(job: JobContext, url: string, options: Settled): Promise<Content> {
  const { egress } = job;
  if (!egress) throw new Problem('url_fetch_failed', 'There is no way out for this job.');
  const address = new URL(url).href;
  let failure: Promise<never> | undefined;
  const server = ({ userAgent }: Chromium): Server => {
    const web = webPage(egress, address, userAgent);
    failure = web.failure;
    return web.server;
  };
  return visit(job, server, ({ page, serving }) => {
    const work = async (): Promise<Content> => {
      const endsAt = performance.now() + options.patienceMs;
      const left = () => Math.max(endsAt - performance.now(), options.patienceMs * LEAST_TO_SETTLE);
      page.open(address, { scripts: true, media: options.media });
      // What is late is left out, unless it is the page itself.
      const isLoaded = await page.loaded(options.patienceMs * MOST_TO_LOAD);
      if (!isLoaded && !page.isThere && !(await page.loaded(left())) && !page.isThere)
        throw new Problem('url_fetch_failed', 'The address did not answer in time.');
      if (!isLoaded) {
        serving.refuseWaiting();
        await page.loaded(left() / 3);
      } else await soon(serving.quiet(WEB_QUIET_MS), Math.min(WEB_QUIET_LIMIT_MS, left() / 2));
      await page.settle(options, undefined, left());
      return save(job, page.print(options, undefined, PRINT_LIMIT_MS), (pdf) =>
        withExactPaper(pdf, [page.paper, options.paper]),
      );
    };
    return failure ? Promise.race([work(), failure]) : work();
  }).catch((error) => {
    throw refusal(error, 'address');
  });
}

/**
 * Where a browser ended under a page, the page is opened once more in another: it may have been idle and gone before
 * that was noticed, or killed by the machine. A page that ends two has itself to blame.
 */
async function visit<T>(
  job: JobContext,
  server: (chromium: Chromium) => Server,
  use: (visit: Visit) => Promise<T>,
): Promise<T> {
  try {
    return await visitOnce(job, server, use);
  } catch (error) {
    if (!(error instanceof BrowserEnded)) throw error;
    await leaving;
    return visitOnce(job, server, use);
  }
}

/** Opens a page, and leaves nothing of it behind; a browser that is not as it should be goes with it. */
async function visitOnce<T>(
  { log }: JobContext,
  server: (chromium: Chromium) => Server,
  use: (visit: Visit) => Promise<T>,
): Promise<T> {
  const chromium = await current();
  chromium.hold(true);
  let tab: Tab | undefined;
  let page: Page | undefined;
  let serving: Serving | undefined;
  try {
    tab = await chromium.takeTab();
    page = new Page(chromium.connection, tab);
    serving = serve(chromium.connection, tab.frameId, server(chromium));
    return await use({ chromium, page, serving });
  } catch (error) {
    if (!isOrderly(error)) {
      log.warn('the browser is replaced', { engine: 'browser', error });
      chromium.kill();
    }
    throw error;
  } finally {
    page?.close();
    // What the page may still ask for finds nobody: its job is over.
    serving?.stop();
    leaving = leave(chromium, tab);
  }
}

async function leave(chromium: Chromium, tab: Tab | undefined): Promise<void> {
  if (tab && chromium.isAlive) await chromium.closeTab(tab).catch(() => chromium.kill());
  chromium.hold(false);
  if (chromium.hasServed) chromium.kill();
  // The next job finds a page open.
  if (chromium.isAlive) chromium.prepareTab();
  else void startAgain();
}

async function current(): Promise<Chromium> {
  if (running?.isAlive) return running;
  starting ??= Chromium.start().finally(() => {
    starting = undefined;
  });
  const started = await starting;
  if (!started) throw new Problem('missing_dependency', MISSING);
  running = started;
  return started;
}

/** In the place of one that is gone; should it not start, the next job learns why. */
async function startAgain(): Promise<void> {
  const chromium = await current().catch(() => undefined);
  chromium?.hold(false);
  chromium?.prepareTab();
}

function soon(work: Promise<void>, limitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, limitMs);
    void work.finally(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Small results travel in memory, large ones as files. */
async function save(
  { newFile }: JobContext,
  pieces: AsyncGenerator<Buffer>,
  tidy: (pdf: Buffer) => Buffer,
): Promise<Content> {
  const chunks: Buffer[] = [];
  for await (const piece of pieces) chunks.push(piece);
  const pdf = tidy(Buffer.concat(chunks));
  if (pdf.length <= LIMITS.messageBytes) return { bytes: pdf };
  const path = newFile('pdf');
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(pdf);
  } finally {
    await file.close();
  }
  return { path };
}
