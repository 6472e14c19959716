// What goes wrong with a page, and what its caller hears of it.
import { invalidParameter, Problem } from '../../contract/problems.ts';
import { CommandRefused } from './connection.ts';

/** Nothing was heard of the page for as long as it may be silent. */
export class PageSilent extends Error {}
/** The process of the page is gone. */
export class PageCrashed extends Error {}
/** The page led to where nothing is. */
export class PageUnreachable extends Error {}
/** Nothing in the page is what the caller waits for. */
export class SelectorMissing extends Error {}
/** An expression of ours failed in the page. */
export class ExpressionFailed extends Error {}

/** Operations 3: waiting in vain is "422 url_fetch_failed, html: 400 naming it". */
export type Source = 'document' | 'address';

/** The page or the caller's wishes are to blame, while the browser is sound. */
export const isOrderly = (error: unknown): boolean =>
  error instanceof Problem ||
  error instanceof SelectorMissing ||
  error instanceof PageUnreachable ||
  badWish(error) !== undefined;

export function refusal(error: unknown, source: Source): unknown {
  if (error instanceof SelectorMissing)
    return new Problem(
      source === 'address' ? 'url_fetch_failed' : 'invalid_parameter',
      'waitForSelector: nothing in the page matches it, however long one waits.',
      { cause: error },
    );
  if (error instanceof PageSilent) return silence(error, source);
  if (error instanceof PageCrashed)
    return new Problem('memory_exceeded', 'The page needs more than the browser has to give.', {
      cause: error,
    });
  if (error instanceof PageUnreachable)
    return new Problem('url_fetch_failed', 'The page could not be loaded.', { cause: error });
  return badWish(error) ?? error;
}

function silence(cause: unknown, source: Source): Problem {
  if (source === 'address')
    return new Problem('url_fetch_failed', 'The page did not come to rest in time.', { cause });
  return new Problem(
    'deadline_exceeded',
    'The page did not come to rest: a script in it may run without end.',
    {
      hint: 'Send a page whose scripts come to an end.',
      cause,
    },
  );
}

/** What the browser says where wishes do not fit the page; the field that brought them is named. */
function badWish(error: unknown): Problem | undefined {
  const refused = (detail: string) => invalidParameter(detail, { cause: error });
  if (error instanceof ExpressionFailed && /SyntaxError/.test(error.message))
    return refused('waitForSelector must be a valid CSS selector.');
  if (!(error instanceof CommandRefused)) return undefined;
  if (/page range/i.test(error.message))
    return new Problem('page_out_of_range', 'pageRanges names no page that the document has.', {
      cause: error,
    });
  if (/content area is empty|invalid print parameters|margin/i.test(error.message))
    return refused('marginTop, marginRight, marginBottom and marginLeft leave no room on the page.');
  // Pages themselves can be printed, whatever they hold.
  return /printing failed/i.test(error.message)
    ? refused('headerHtml and footerHtml must be HTML that needs nothing beside itself.')
    : undefined;
}
