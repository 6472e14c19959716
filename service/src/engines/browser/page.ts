// One page from its address to a PDF: loaded, come to rest, printed.

import type { Tab } from './chromium.ts';
import { CommandRefused, type Connection, type Params } from './connection.ts';
import {
  contentWidth,
  enlargement,
  type Measures,
  NARROWING,
  PIXELS_PER_POINT,
  preparation,
  SHRUNK_BY_BROWSER,
  styling,
  wishes,
} from './preparing.ts';
import { ExpressionFailed, PageCrashed, PageSilent, PageUnreachable, SelectorMissing } from './refusals.ts';
import { runningTitle } from './running-titles.ts';
import type { Settled } from './settled.ts';

const POINTS_PER_INCH = 72;
/** The most the browser scales; beyond, the page itself is enlarged. */
const MOST_SCALE = 2;
const LEAST_SCALE = 0.1;
const WINDOW_HEIGHT = 1000;
const WORLD = 'bindery';
const SELECTOR_PAUSE_MS = 50;

interface Frame {
  id: string;
  unreachableUrl?: string;
}

export class Page {
  private readonly connection: Connection;
  private readonly tab: Tab;
  private readonly crash = Promise.withResolvers<never>();
  private readonly stopListening: () => void;
  /** Something came from the address. */
  isThere = false;
  /** In points, as far as the style sheet is understood. */
  paper = { width: 0, height: 0 };
  /** Of the content: as asked for, or less where it would not fit. */
  private scale = 1;
  private readonly load = Promise.withResolvers<true>();
  /** A world beside that of the page's scripts, asked for as soon as there is a page: it is there when it is wanted. */
  private world: Promise<Params> | undefined;

  constructor(connection: Connection, tab: Tab) {
    this.connection = connection;
    this.tab = tab;
    this.crash.promise.catch(() => {});
    // With the browser all its pages are gone.
    connection.ended.catch(this.crash.reject);
    this.stopListening = connection.listen(({ method, params, sessionId }) => {
      if (sessionId !== tab.sessionId) return;
      if (method === 'Page.frameNavigated') this.arrived(params.frame as Frame);
      // A page that tries to go elsewhere before it is complete, and may not, never says that it is loaded.
      else if (method === 'Page.frameStoppedLoading' && params.frameId === tab.frameId && this.isThere)
        this.load.resolve(true);
      else if (method === 'Inspector.targetCrashed') this.crash.reject(new PageCrashed('the page crashed'));
      // A script waits for an answer that nobody gives.
      else if (method === 'Page.javascriptDialogOpening')
        connection.tell('Page.handleJavaScriptDialog', { accept: false }, tab.sessionId);
    });
  }

  close(): void {
    this.stopListening();
  }

  open(url: string, { scripts, media }: { scripts: boolean; media: string }): void {
    this.send('Emulation.setEmulatedMedia', { media });
    if (!scripts) this.send('Emulation.setScriptExecutionDisabled', { value: true });
    this.send('Page.navigate', { url });
  }

  /** Resolves when the page and all that belongs to it is loaded; false when that has not happened in time. */
  loaded(limitMs: number): Promise<boolean> {
    return this.within(limitMs, Promise.race([this.load.promise, this.crash.promise]), false);
  }

  /** Waits for what the caller waits for, and for fonts; makes the page ready to be printed. */
  async settle(options: Settled, title: string | undefined, limitMs: number): Promise<void> {
    if (options.waitForSelector !== undefined) await this.waitFor(options.waitForSelector, limitMs);
    if (options.waitMs > 0)
      await Promise.race([new Promise((next) => setTimeout(next, options.waitMs)), this.crash.promise]);
    const measures = (await this.evaluate(
      preparation(wishes(options, title), limitMs / 3),
      limitMs,
    )) as Measures;
    const { width, height } = measures;
    this.paper = { width: width / PIXELS_PER_POINT, height: height / PIXELS_PER_POINT };
    this.scale = await this.fittingScale(options.zoom, measures, limitMs);
    if (this.scale > MOST_SCALE) await this.evaluate(enlargement(this.scale / MOST_SCALE), limitMs);
  }

  /** What is wider than the page is shrunk until it fits: nothing is lost at the edge. */
  private async fittingScale(
    zoom: number,
    { printable, content }: Measures,
    limitMs: number,
  ): Promise<number> {
    const room = printable / zoom;
    if (printable === 0 || content <= room * SHRUNK_BY_BROWSER) return zoom;
    // The window may be what is wide; so it becomes as wide as the page.
    const size = { width: Math.ceil(room), height: WINDOW_HEIGHT, deviceScaleFactor: 0, mobile: false };
    await this.answered('Emulation.setDeviceMetricsOverride', size, limitMs);
    let needed = Number(await this.evaluate(contentWidth(), limitMs));
    for (const { beyond, sheet } of NARROWING) {
      if (needed <= room * beyond) break;
      await this.evaluate(styling(sheet), limitMs);
      needed = Number(await this.evaluate(contentWidth(), limitMs));
    }
    await this.answered('Emulation.clearDeviceMetricsOverride', {}, limitMs);
    if (needed <= room * SHRUNK_BY_BROWSER) return zoom;
    return Math.min(zoom, Math.max((zoom * room) / needed, LEAST_SCALE));
  }

  /** The PDF, piece by piece. */
  async *print(options: Settled, address: string | undefined, limitMs: number): AsyncGenerator<Buffer> {
    const { stream } = await this.answered(
      'Page.printToPDF',
      printParameters(options, this.scale, address),
      limitMs,
    );
    for (let ended = false; !ended; ) {
      const piece = await this.answered('IO.read', { handle: stream, size: 1 << 20 }, limitMs);
      const data = String(piece.data ?? '');
      yield Buffer.from(data, piece.base64Encoded ? 'base64' : 'latin1');
      ended = piece.eof === true;
    }
    this.connection.tell('IO.close', { handle: stream }, this.tab.sessionId);
  }

  private arrived({ id, unreachableUrl }: Frame): void {
    if (id !== this.tab.frameId) return;
    this.isThere = true;
    this.world = this.newWorld();
    // What is there now is the browser's own page about it.
    if (unreachableUrl !== undefined) this.crash.reject(new PageUnreachable(unreachableUrl));
  }

  private async waitFor(selector: string, limitMs: number): Promise<void> {
    const giveUpAt = performance.now() + limitMs;
    while (!(await this.evaluate(`document.querySelector(${JSON.stringify(selector)}) !== null`, limitMs))) {
      if (performance.now() > giveUpAt) throw new SelectorMissing(selector);
      await new Promise((next) => setTimeout(next, SELECTOR_PAUSE_MS));
    }
  }

  /** In a world beside that of the page's scripts, which cannot tamper with it. */
  private async evaluate(expression: string, limitMs: number): Promise<unknown> {
    for (let tries = 0; ; tries += 1) {
      try {
        this.world ??= this.newWorld();
        const { executionContextId } = await this.within(limitMs, this.world);
        const asked = { expression, contextId: executionContextId, awaitPromise: true, returnByValue: true };
        const { result, exceptionDetails } = await this.answered('Runtime.evaluate', asked, limitMs);
        if (exceptionDetails) throw new ExpressionFailed(JSON.stringify(exceptionDetails).slice(0, 500));
        return (result as { value?: unknown }).value;
      } catch (error) {
        // The page went on to another one meanwhile.
        if (!(error instanceof CommandRefused) || tries >= 5) throw error;
        this.world = undefined;
      }
    }
  }

  private newWorld(): Promise<Params> {
    const world = { frameId: this.tab.frameId, worldName: WORLD };
    const made = Promise.race([this.tab.send('Page.createIsolatedWorld', world), this.crash.promise]);
    // Told by whoever wants it.
    made.catch(() => {});
    return made;
  }

  /** Its failure shows by what comes after. */
  private send(method: string, params: Params): void {
    this.connection.tell(method, params, this.tab.sessionId);
  }

  private answered(method: string, params: Params, limitMs: number): Promise<Params> {
    return this.within(limitMs, Promise.race([this.tab.send(method, params), this.crash.promise]));
  }

  /** Without `otherwise` it is an error not to be done in time. */
  private async within<T>(limitMs: number, work: Promise<T>, otherwise?: T): Promise<T> {
    const late = Promise.withResolvers<T>();
    const timer = setTimeout(() => {
      if (otherwise === undefined) late.reject(new PageSilent('the page does not answer'));
      else late.resolve(otherwise);
    }, limitMs);
    try {
      return await Promise.race([work, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }
}

function printParameters(options: Settled, scale: number, address: string | undefined): Params {
  const { paper, margins, headerHtml, footerHtml, tagged, pageRanges } = options;
  return {
    paperWidth: paper.width / POINTS_PER_INCH,
    paperHeight: paper.height / POINTS_PER_INCH,
    landscape: options.landscape,
    marginTop: margins.top / POINTS_PER_INCH,
    marginRight: margins.right / POINTS_PER_INCH,
    marginBottom: margins.bottom / POINTS_PER_INCH,
    marginLeft: margins.left / POINTS_PER_INCH,
    printBackground: options.background,
    preferCSSPageSize: options.preferCssPageSize,
    scale: Math.min(scale, MOST_SCALE),
    displayHeaderFooter: headerHtml !== undefined || footerHtml !== undefined,
    headerTemplate: runningTitle(headerHtml, margins, address),
    footerTemplate: runningTitle(footerHtml, margins, address),
    ...(pageRanges === undefined ? {} : { pageRanges }),
    generateTaggedPDF: tagged,
    generateDocumentOutline: tagged,
    transferMode: 'ReturnAsStream',
  };
}
