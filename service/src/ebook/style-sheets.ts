// Style of a book: each set of sheets that chapters name becomes rules for one class, its fonts and images found
// in the book and nowhere else.
import { boundSelectors, styleRules } from '../markup/style-rules.ts';
import { type BookResource, resolveAddress } from './book.ts';
import { decodeText } from './text-decoding.ts';

/** A sheet by its address, or its words. */
export type SheetSource = { path: string } & ({ href: string } | { text: string });

const MAX_SHEET_CHARACTERS = 2_000_000;
const MAX_IMPORTS = 5;
const MAX_NESTING = 4;
/** What would take things out of the flow of pages, or hide what follows. */
const REFUSED = /(?:^|[;{\s])(?:position\s*:\s*(?:fixed|sticky)|behavior\s*:[^;}]*|-moz-binding\s*:[^;}]*)/gi;

export class SheetReader {
  private readonly read: (path: string) => Promise<BookResource | undefined>;
  private readonly folder: string;
  private readonly classes = new Map<string, string>();
  private readonly vertical = new Map<string, ReadonlySet<string>>();
  private readonly fonts = new Set<string>();
  private readonly rules: string[] = [];

  constructor(read: (path: string) => Promise<BookResource | undefined>, folder: string) {
    this.read = read;
    this.folder = folder;
  }

  async classFor(sheets: readonly SheetSource[]): Promise<string> {
    if (sheets.length === 0) return 'book-plain';
    const key = JSON.stringify(sheets);
    const known = this.classes.get(key);
    if (known) return known;
    const name = `book-style-${this.classes.size}`;
    this.classes.set(key, name);
    const rules: string[] = [];
    for (const sheet of sheets)
      rules.push(
        'text' in sheet
          ? await this.bound(sheet.text, sheet.path, 0)
          : await this.loaded(sheet.path, sheet.href, 0),
      );
    this.rules.push(`@scope (.${name}) {\n${rules.join('\n')}\n}`);
    this.vertical.set(name, verticalSelectors(rules.join('\n')));
    return name;
  }

  /** Whether lines of what is styled so run down the page, for a chapter whose outermost elements have these classes. */
  isVertical(name: string, classes: readonly string[]): boolean {
    const selectors = this.vertical.get(name);
    return [':scope', ...classes.flatMap((each) => [`.${each}`, `:scope.${each}`])].some((selector) =>
      selectors?.has(selector),
    );
  }

  /** Nothing in it can end the element that holds it. */
  text(): string {
    return [...this.fonts, ...this.rules].join('\n').replace(/<\/?(?=style|!--)/gi, '');
  }

  private async loaded(from: string, href: string, depth: number): Promise<string> {
    const to = resolveAddress(from, href);
    const file = to && depth <= MAX_IMPORTS ? await this.read(to.path) : undefined;
    return file && to ? this.bound(decodeText(file.bytes), to.path, depth) : '';
  }

  private async bound(text: string, path: string, depth: number): Promise<string> {
    const kept: string[] = [];
    const url = (given: string) => this.address(path, given);
    for (const { prelude, block } of styleRules(text.slice(0, MAX_SHEET_CHARACTERS))) {
      if (block === undefined) {
        const [, quoted, plain] =
          /^@import\s+(?:url\(\s*)?(?:["']([^"']*)["']|([^\s"')]+))/i.exec(prelude) ?? [];
        if (quoted ?? plain) kept.push(await this.loaded(path, quoted ?? plain ?? '', depth + 1));
      } else if (/^@font-face\b/i.test(prelude)) this.fonts.add(`@font-face{${boundUrls(block, url)}}`);
      else kept.push(ruleText(prelude, block, url, 0));
    }
    return kept.join('\n');
  }

  private address(path: string, given: string): string | undefined {
    if (/^data:(?:image|font|application\/(?:x-)?font)/i.test(given)) return given;
    const to = resolveAddress(path, given);
    return to && to.path !== ''
      ? `${this.folder}${to.path.split('/').map(encodeURIComponent).join('/')}`
      : undefined;
  }
}

export const VERTICAL = /writing-mode\s*:\s*(?:vertical-rl|tb-rl)/i;

function verticalSelectors(rules: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { prelude, block = '' } of styleRules(rules))
    if (VERTICAL.test(block)) for (const selector of prelude.split(',')) found.add(selector.trim());
  return found;
}

function ruleText(
  prelude: string,
  block: string,
  url: (given: string) => string | undefined,
  depth: number,
): string {
  if (prelude === '' || depth > MAX_NESTING) return '';
  if (/^@(?:media|supports|layer)\b/i.test(prelude)) {
    // Kindle's own conditions are not known to the browser, which then leaves them out.
    const inner = [...styleRules(block)].map((rule) =>
      rule.block === undefined ? '' : ruleText(rule.prelude, rule.block, url, depth + 1),
    );
    return `${prelude}{${inner.join('\n')}}`;
  }
  // Page sizes, key frames and name spaces are for the page as a whole.
  if (prelude.startsWith('@')) return '';
  // Ids of the page stand behind the number of their chapter.
  const selectors = boundSelectors(prelude).replace(/#([\w-]+)/g, '[id$="-$1"]');
  return `${selectors}{${boundUrls(block.replace(REFUSED, ' '), url)}}`;
}

/** Addresses in declarations, where they lead into the book; all others lead nowhere. */
export const boundUrls = (text: string, address: (given: string) => string | undefined): string =>
  text.replace(
    /url\(\s*(?:"([^"]*)"|'([^']*)'|([^)"']*))\s*\)|image-set\s*\([^)]*\)/gi,
    (_, double, single, plain) => {
      const to = address((double ?? single ?? plain ?? '').trim());
      return to === undefined ? 'none' : `url("${to.replace(/["\\\n]/g, encodeURIComponent)}")`;
    },
  );
