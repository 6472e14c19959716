// A book as one page for the browser: its chapters one after another, links between them inside the page, style bound
// to the chapters that asked for it, then a list of contents.
import { escapeHtml } from '../markup/escape-html.ts';
import { type Book, type Chapter, type ContentsEntry, idIn, resolveAddress } from './book.ts';
import { chapterOf, type ReadChapter } from './chapter-markup.ts';
import { SheetReader, VERTICAL } from './style-sheets.ts';

export interface BookPage {
  html: string;
  contents: PlacedEntry[];
}

export interface PlacedEntry {
  title: string;
  /** Id in the page, which is the name of the destination in the PDF. */
  id: string;
  children: PlacedEntry[];
}

/** Where the list of contents begins. */
export const CONTENTS_ID = 'book-contents';
/** Files of the book are found under this. */
export const RESOURCE_FOLDER = 'book/';

const STYLE = `
body { font: 11pt/1.45 "Liberation Serif", "Noto Serif", serif; margin: 0; overflow-wrap: break-word; }
.book-chapter { break-before: page; }
.book-chapter img, .book-chapter svg { max-width: 100%; max-height: 95vh; object-fit: contain; }
.book-chapter pre { white-space: pre-wrap; }
.book-cover { text-align: center; break-after: page; }
.book-cover img { max-width: 100%; max-height: 95vh; }
.book-contents { break-before: page; font-size: 10pt; }
.book-contents ol { list-style: none; padding: 0 0 0 1.4em; margin: 0; }
.book-contents > ol { padding: 0; }
.book-contents a { color: inherit; text-decoration: none; display: flex; gap: 1em; justify-content: space-between; }`;

export interface AssembleOptions {
  /** Heading of the list of contents. */
  contentsTitle: string;
  /** Numbers to stand in the list, by id. */
  pageNumbers?: ReadonlyMap<string, number> | undefined;
}

export async function assemble(book: Book, options: AssembleOptions): Promise<BookPage> {
  const numbers = new Map(book.chapters.map(({ path }, index) => [path, index]));
  const sheets = new SheetReader((path) => book.resource(path), RESOURCE_FOLDER);
  const ids = new Map<string, number>();
  const chapters = book.chapters.map((chapter, number) => chapterOf(chapter, number, ids));
  const address = addresses(book.chapters, numbers, ids);
  const sections: string[] = [];
  let vertical = 0;
  for (const [number, chapter] of chapters.entries()) {
    const style = await sheets.classFor(chapter.sheets);
    const size = book.fixedPage
      ? ` style="width:${book.fixedPage.width}px;height:${book.fixedPage.height}px;overflow:hidden;position:relative"`
      : '';
    const from = book.chapters[number]?.path ?? '';
    const body = chapter.write(
      (href) => address(from, href),
      (source) => resourceAddress(from, source),
    );
    if (isVertical(chapter, style, sheets)) vertical += body.length;
    const { class: classes, ...around } = chapter.frame;
    const frame = Object.entries(around).map(([key, value]) =>
      value === '' ? '' : ` ${key}="${escapeHtml(value)}"`,
    );
    const named = escapeHtml(`book-chapter ${style} ${classes}`.trim());
    sections.push(`<section id="c${number}" class="${named}"${frame.join('')}${size}>${body}</section>`);
  }
  const all = sections.reduce((sum, { length }) => sum + length, 0);
  const lines = book.fixedPage ? '' : linesOf(vertical * 2 > all);
  const contents = place(
    book.contents.length > 0
      ? book.contents
      : headings(
          chapters.map(({ headings }) => headings),
          book,
        ),
    (target) => (target.startsWith('#') ? target : address('', target)),
  );
  const cover = book.cover
    ? `<div class="book-cover"><img src="${escapeHtml(resourceAddress('', `/${book.cover}`) ?? '')}" alt=""></div>`
    : '';
  const lang = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(book.language) ? ` lang="${book.language}"` : '';
  const html = [
    `<!doctype html><html${lang}><head><meta charset="utf-8"><title>${escapeHtml(book.title)}</title>`,
    `<style>${STYLE}${cover === '' ? '.book-chapter:first-of-type{break-before:auto}' : ''}</style>`,
    `<style>${sheets.text()}</style><style>${lines}</style></head><body>`,
    cover,
    sections.join('\n'),
    contentsList(contents, options),
    '</body></html>',
  ].join('\n');
  return { html, contents };
}

function isVertical({ frame, body }: ReadChapter, style: string, sheets: SheetReader): boolean {
  const classes = `${frame.class} ${body.class}`.split(/\s+/).filter(Boolean);
  return VERTICAL.test(body.style) || sheets.isVertical(style, classes);
}

/** Pages break between lines: all chapters have theirs as most of the book has, across or down the page. */
const linesOf = (areVertical: boolean): string =>
  areVertical
    ? 'html{writing-mode:vertical-rl}.book-chapter,.book-chapter>div{writing-mode:inherit!important}'
    : '.book-chapter,.book-chapter>div{writing-mode:horizontal-tb!important}';

/** Addresses between chapters become addresses inside the page; those that lead nowhere are dropped. */
function addresses(
  chapters: readonly Chapter[],
  numbers: ReadonlyMap<string, number>,
  ids: ReadonlyMap<string, number>,
) {
  return (from: string, href: string): string | undefined => {
    if (/^(?:https?:|mailto:)/i.test(href.trim())) return href.trim();
    const to = resolveAddress(from, href);
    if (!to) return undefined;
    // An id in whichever chapter has it.
    const number =
      to.path === '*'
        ? chapters.findIndex((_, index) => ids.has(idIn(index, to.fragment)))
        : numbers.get(to.path);
    if (number === undefined || number < 0) return undefined;
    const id = idIn(number, to.fragment);
    return `#${to.fragment !== '' && ids.has(id) ? id : `c${number}`}`;
  };
}

function resourceAddress(from: string, source: string): string | undefined {
  if (/^data:image\//i.test(source)) return source;
  const to = resolveAddress(from, source);
  return to && to.path !== ''
    ? `${RESOURCE_FOLDER}${to.path.split('/').map(encodeURIComponent).join('/')}`
    : undefined;
}

function place(
  entries: readonly ContentsEntry[],
  address: (target: string) => string | undefined,
): PlacedEntry[] {
  return entries.flatMap(({ title, target, children }) => {
    const id = address(target)?.replace(/^#/, '');
    const below = place(children, address);
    return id === undefined || title === '' ? below : [{ title, id, children: below }];
  });
}

/** Of a book without contents: what its headings say, or the number of the chapter. */
function headings(found: readonly { id: string; text: string }[][], book: Book): ContentsEntry[] {
  if (book.chapters.length > 1)
    return found.flatMap((list, number) =>
      list[0] ? [{ title: list[0].text, target: `#c${number}`, children: [] }] : [],
    );
  return (found[0] ?? []).map(({ id, text }) => ({ title: text, target: `#${id}`, children: [] }));
}

function contentsList(
  contents: readonly PlacedEntry[],
  { contentsTitle, pageNumbers }: AssembleOptions,
): string {
  if (contents.length === 0) return '';
  const list = (entries: readonly PlacedEntry[]): string =>
    entries.length === 0
      ? ''
      : `<ol>${entries
          .map(({ title, id, children }) => {
            const number = pageNumbers?.get(id);
            const shown = number === undefined ? '' : `<span>${number}</span>`;
            return `<li><a href="#${escapeHtml(id)}"><span>${escapeHtml(title)}</span>${shown}</a>${list(children)}</li>`;
          })
          .join('')}</ol>`;
  const heading = `<h2 id="${CONTENTS_ID}"><a href="#${CONTENTS_ID}">${escapeHtml(contentsTitle)}</a></h2>`;
  return `<nav class="book-contents">${heading}${list(contents)}</nav>`;
}
