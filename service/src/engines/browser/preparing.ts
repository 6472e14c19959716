// What is done in a page before it is printed. The functions are texts: they run in the page, in a world of their own.
import type { Settled } from './settled.ts';

export const PIXELS_PER_POINT = 4 / 3;
/** The browser by itself shrinks what is up to 1.5 times too wide, and loses the rest. */
export const SHRUNK_BY_BROWSER = 1.4;

export interface Wishes {
  title: string | undefined;
  /** Where no @page size in the style sheet is to win: the browser would still turn the paper as it says. */
  pageSize: string | undefined;
  /** In CSS pixels; an @page rule wins. */
  paper: { width: number; height: number; left: number; right: number };
}

/** In CSS pixels. */
export interface Measures {
  /** Of the paper. */
  width: number;
  height: number;
  /** Between the margins; 0 where the style sheet's wishes are not understood. */
  printable: number;
  content: number;
}

export function wishes(options: Settled, title: string | undefined): Wishes {
  const { margins, landscape, preferCssPageSize } = options;
  const { width, height } = landscape
    ? { width: options.paper.height, height: options.paper.width }
    : options.paper;
  return {
    title,
    pageSize: preferCssPageSize ? undefined : `${width}pt ${height}pt`,
    paper: {
      width: width * PIXELS_PER_POINT,
      height: height * PIXELS_PER_POINT,
      left: margins.left * PIXELS_PER_POINT,
      right: margins.right * PIXELS_PER_POINT,
    },
  };
}

/** Images that cannot be had "stay blank" (operations 3); the browser would show a sign for them. */
const HIDE_BROKEN = `async () => {
  const MOST = 10000;
  const hide = (element) => element.style.setProperty('visibility', 'hidden', 'important');
  // Those that do not tell whether they are there.
  const ask = (element, address) => {
    const image = new Image();
    image.src = new URL(address, element.baseURI).href;
    return image.decode().catch(() => hide(element));
  };
  const look = async (page, depth) => {
    const broken = [...page.images].filter((image) => image.complete && image.naturalWidth === 0);
    const buttons = [...page.querySelectorAll('input[type=image]')].slice(0, MOST);
    const drawn = [...page.querySelectorAll('svg image')].slice(0, MOST);
    const frames = depth < 5 ? [...page.querySelectorAll('iframe, frame')].slice(0, MOST) : [];
    await Promise.allSettled([
      ...broken.slice(0, MOST).map((image) => image.decode().catch(() => hide(image))),
      ...buttons.map(async (element) => ask(element, element.getAttribute('src') ?? '')),
      ...drawn.map(async (element) => ask(element, element.href.baseVal)),
      ...frames.map(async (frame) => frame.contentDocument && look(frame.contentDocument, depth + 1)),
    ]);
  };
  await look(document, 0);
}`;

/** The paper and the width between its margins, by the rules for all pages. */
const PAPER = `(paper, isSizeGiven) => {
  const found = { size: '', left: '', right: '' };
  const look = (rules, depth) => {
    for (const rule of rules) {
      if (rule instanceof CSSPageRule) {
        if (rule.selectorText) continue;
        found.size = rule.style.getPropertyValue('size') || found.size;
        found.left = rule.style.getPropertyValue('margin-left') || found.left;
        found.right = rule.style.getPropertyValue('margin-right') || found.right;
      } else if (rule.cssRules && depth < 20 && (!rule.media || matchMedia(rule.media.mediaText).matches))
        look(rule.cssRules, depth + 1);
    }
  };
  for (const sheet of document.styleSheets) {
    try {
      if (!sheet.disabled && (!sheet.media.mediaText || matchMedia(sheet.media.mediaText).matches))
        look(sheet.cssRules, 0);
    } catch {}
  }
  const pixels = (length) => CSSNumericValue.parse(length).to('px').value;
  const PAPERS = {
    a3: ['297mm', '420mm'], a4: ['210mm', '297mm'], a5: ['148mm', '210mm'], b4: ['250mm', '353mm'],
    b5: ['176mm', '250mm'], 'jis-b4': ['257mm', '364mm'], 'jis-b5': ['182mm', '257mm'],
    letter: ['8.5in', '11in'], legal: ['8.5in', '14in'], ledger: ['11in', '17in'],
  };
  const size = () => {
    const words = found.size.toLowerCase().split(/\\s+/).filter((word) => word && word !== 'auto');
    if (isSizeGiven || words.length === 0) return [paper.width, paper.height];
    const named = words.find((word) => PAPERS[word]);
    const turn = words.find((word) => word === 'landscape' || word === 'portrait');
    if (!named && !turn) return [pixels(words[0]), pixels(words.at(-1))];
    const sides = named ? PAPERS[named].map(pixels) : [paper.width, paper.height];
    const [short, long] = sides.toSorted((one, other) => one - other);
    if (!turn) return sides;
    return turn === 'landscape' ? [long, short] : [short, long];
  };
  try {
    const margin = (given, otherwise) => (given && given !== 'auto' ? pixels(given) : otherwise);
    const [width, height] = size();
    const printable = width - margin(found.left, paper.left) - margin(found.right, paper.right);
    return { width, height, printable: Math.max(0, printable) };
  } catch {
    return { width: paper.width, height: paper.height, printable: 0 };
  }
}`;

/** What its author hides is not missed. */
const CONTENT_WIDTH = `() => {
  const hides = (element) => element && /hidden|clip/.test(getComputedStyle(element).overflowX);
  const isVertical = (element) => element && /vertical|sideways/.test(getComputedStyle(element).writingMode);
  // Lines that run down the page follow each other across it, and go on on the next.
  if (isVertical(document.documentElement) || isVertical(document.body)) return 0;
  if (hides(document.documentElement) || hides(document.body)) return 0;
  return document.documentElement?.scrollWidth ?? 0;
}`;

/**
 * A page that fills its window and scrolls within: on paper nobody scrolls, so that what scrolls becomes as high as it
 * is. Smaller boxes stay as their author wants them.
 */
const UNROLL = `() => {
  const MOST = 20000;
  if (!matchMedia('print').matches) return;
  const scrolls = (element) =>
    element.scrollHeight > element.clientHeight + 1 &&
    element.clientHeight >= innerHeight / 2 &&
    element.clientWidth >= innerWidth / 2 &&
    element.localName !== 'textarea' &&
    /auto|scroll/.test(getComputedStyle(element).overflowY);
  const set = ({ style }, property, value) => style.setProperty(property, value, 'important');
  for (const found of [...(document.body?.querySelectorAll('*') ?? [])].slice(0, MOST).filter(scrolls)) {
    for (let element = found; element?.style; element = element.parentElement) {
      const { position } = getComputedStyle(element);
      set(element, 'height', 'auto');
      set(element, 'max-height', 'none');
      if (position === 'absolute' || position === 'fixed') {
        set(element, 'position', 'relative');
        set(element, 'inset', 'auto');
      }
      const around = element.parentElement && getComputedStyle(element.parentElement);
      if (/flex/.test(around?.display) && /column/.test(around.flexDirection)) set(element, 'flex', 'none');
    }
  }
}`;

/** Fonts and images that do not come are waited for so long and no longer. */
export const preparation = (
  wished: Wishes,
  limitMs: number,
): string => `(async ({ title, pageSize, paper }) => {
  const late = new Promise((next) => setTimeout(next, ${Math.round(limitMs)}));
  await Promise.race([document.fonts?.ready, late]);
  if (title && !document.title.trim()) document.title = title;
  await Promise.race([(${HIDE_BROKEN})(), late]);
  (${UNROLL})();
  if (pageSize) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('@page { size: ' + pageSize + ' !important }');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  }
  return { ...(${PAPER})(paper, pageSize !== undefined), content: (${CONTENT_WIDTH})() };
})(${JSON.stringify(wished)})`;

/** Where words, or lines of code, are what is so much too wide, they are broken before all of the page is shrunk. */
export const NARROWING = [
  { beyond: SHRUNK_BY_BROWSER, sheet: ':root { overflow-wrap: break-word }' },
  { beyond: 2, sheet: 'pre, pre * { white-space: pre-wrap !important; overflow-wrap: anywhere !important }' },
] as const;

export const styling = (sheet: string): string => `{
  const added = new CSSStyleSheet();
  added.replaceSync(${JSON.stringify(sheet)});
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, added];
}`;

export const contentWidth = (): string => `(${CONTENT_WIDTH})()`;

/** Not of the root: its zoom is also that of the margins. */
export const enlargement = (factor: number): string =>
  `{ const { style } = document.body ?? document.documentElement ?? {}; if (style) style.zoom = (Number(style.zoom) || 1) * ${factor}; }`;
