// The pages of one document, done here and by workers that have nothing to do. Where nobody helps, or a helper gives
// up, all is done here: what comes out is the same, and so is what goes wrong.
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Content } from '../contract/files.ts';
import type { PageWork } from '../operations/define.ts';
import type { AskedPages, Helpers } from './asked-help.ts';
import type { PageRange } from './job.ts';
import { TELL_NOBODY, type Tell } from './progress-teller.ts';

/** Less work than this is done sooner than it is handed over. */
const LEAST_MS = 30;
/** Between looks for helpers. */
const PAUSE_MS = 15;
/** What whoever helps needs to open the document and to read its first page; meanwhile pages are done here. */
const HEAD_START_MS = 8;
/** How long a page takes is known from this many on. */
const FIRST_PAGES = 2;

export async function spreadPages(
  work: PageWork,
  helpers: Helpers | undefined,
  tell: Tell = TELL_NOBODY,
): Promise<Content[]> {
  if (helpers) return new Spread(work, helpers, tell).run();
  const made: Content[] = [];
  for await (const content of work.pages(0, () => work.count)) tell(made.push(content), work.count);
  return made;
}

class Spread {
  private readonly work: PageWork;
  private readonly helpers: Helpers;
  private readonly tell: Tell;
  private readonly made: Content[];
  /** Stretches that are left to be done here; the last is the one in hand, and others take from its end. */
  private readonly left: PageRange[];
  private readonly asked = new Set<AskedPages & { range: PageRange; settled: Promise<void> }>();
  private donePages = 0;
  /** By whomever. */
  private madePages = 0;
  private doneMs = 0;
  private isLooking = false;
  private lookedAt = 0;

  constructor(work: PageWork, helpers: Helpers, tell: Tell) {
    this.work = work;
    this.helpers = helpers;
    this.tell = tell;
    this.made = new Array<Content>(work.count);
    this.left = [{ from: 0, to: work.count }];
  }

  async run(): Promise<Content[]> {
    try {
      for (;;) {
        for (let stretch = this.left.at(-1); stretch; stretch = this.left.at(-1)) await this.do(stretch);
        if (this.asked.size === 0) return this.made;
        await this.takeOver();
      }
    } finally {
      // A page failed: what others still do is of no use.
      for (const { enough } of this.asked) enough();
    }
  }

  private async do(stretch: PageRange): Promise<void> {
    let began = performance.now();
    for await (const content of this.work.pages(stretch.from, () => stretch.to)) {
      // The end may have been handed over while this page was in hand.
      if (stretch.from >= stretch.to) break;
      this.made[stretch.from] = content;
      stretch.from += 1;
      this.donePages += 1;
      this.noteMade(1);
      const now = performance.now();
      this.doneMs += now - began;
      began = now;
      if (this.isWorthHelp(stretch) && !this.isLooking && now - this.lookedAt > PAUSE_MS) void this.look();
      if (this.isLooking || this.asked.size > 0) await setImmediate();
    }
    this.left.splice(this.left.indexOf(stretch), 1);
  }

  private noteMade(pages: number): void {
    this.madePages += pages;
    this.tell(this.madePages, this.work.count);
  }

  private isWorthHelp({ from, to }: PageRange): boolean {
    return (
      this.donePages >= FIRST_PAGES &&
      ((to - from) * this.doneMs) / this.donePages > LEAST_MS &&
      to - from > 1
    );
  }

  /** Everybody who is idle gets an equal share of what is left of the stretch in hand, so that all end together. */
  private async look(): Promise<void> {
    this.isLooking = true;
    const idle = await this.helpers.idle();
    this.isLooking = false;
    this.lookedAt = performance.now();
    const stretch = this.left.at(-1);
    if (!stretch) return;
    const doneMeanwhile = (HEAD_START_MS * this.donePages) / this.doneMs;
    // The page in hand stays here.
    const share = Math.floor((stretch.to - stretch.from - 1 - doneMeanwhile) / (idle + 1));
    for (let helper = 0; helper < idle && share > 0; helper += 1) {
      this.handOver({ from: stretch.to - share, to: stretch.to });
      stretch.to -= share;
    }
  }

  private handOver(range: PageRange): void {
    const asked = this.helpers.ask(range);
    const entry = { ...asked, range, settled: asked.pages.then((pages) => this.take(range, pages)) };
    entry.settled = entry.settled
      .catch(() => void this.left.unshift(range))
      .finally(() => this.asked.delete(entry));
    this.asked.add(entry);
  }

  private take({ from, to }: PageRange, pages: readonly Content[]): void {
    for (const [at, content] of pages.entries()) this.made[from + at] = content;
    this.noteMade(pages.length);
    // First in the list: the last is in hand.
    if (from + pages.length < to) this.left.unshift({ from: from + pages.length, to });
  }

  /** All is done here. Others who are not done soon stop, and what they leave is shared anew. */
  private async takeOver(): Promise<void> {
    const soon = new AbortController();
    const settled = [...this.asked].map((each) => each.settled);
    const late = setTimeout(LEAST_MS, undefined, { signal: soon.signal }).catch(() => {});
    await Promise.race([late, ...settled]);
    soon.abort();
    if (this.left.length > 0) return;
    for (const { enough } of this.asked) enough();
    await Promise.race(settled);
  }
}
