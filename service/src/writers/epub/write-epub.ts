// A document as EPUB 3, readable by readers of EPUB 2 too.
import type { Figure, LaidOutDocument, Page } from '../../layout/model.ts';
import { escapeMarkup } from '../markup.ts';
import { PackageWriter } from '../package.ts';
import { type Chapter, type Chapters, type ContentsEntry, splitIntoChapters } from './chapters.ts';
import { BOOK_STYLE, type XhtmlContext, xhtmlBlock, xhtmlRuns } from './xhtml.ts';

export interface EpubOptions {
  /** Where the document has no title. */
  name: string;
  detectChapters: boolean;
  /** Such as urn:uuid:..., the same for the same document. */
  identifier: string;
  /** When the document was last changed: ISO 8601, UTC, whole seconds. */
  modified: string;
  /** The first page as JPEG. */
  cover: Uint8Array;
  /** What becomes of an image on its way into the book. */
  image?(bytes: Uint8Array, format: 'png' | 'jpeg'): Promise<Uint8Array>;
}

const XHTML = 'http://www.w3.org/1999/xhtml';
const OPS = 'http://www.idpf.org/2007/ops';
const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';

interface BookImage {
  file: string;
  format: 'png' | 'jpeg';
  figure: Figure;
}

export async function writeEpub(
  path: string,
  document: LaidOutDocument,
  options: EpubOptions,
): Promise<{ path: string }> {
  const title = document.title ?? options.name;
  const language =
    document.language && /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/.test(document.language)
      ? document.language
      : 'en';
  const found = splitIntoChapters(document, title, options.detectChapters);
  const files = filesOf(found);
  const book = new PackageWriter(path);
  // "The first file in the OCF ZIP Container MUST be the mimetype file", stored as it is.
  book.add('mimetype', 'application/epub+zip', { compress: false });
  book.add('META-INF/container.xml', CONTAINER);
  book.add('OEBPS/style.css', BOOK_STYLE);
  await book.addPacked('OEBPS/images/cover.jpg', options.cover);
  book.add(
    'OEBPS/cover.xhtml',
    pageXml(title, language, '<div class="cover"><img src="images/cover.jpg" alt="Cover"/></div>\n'),
  );
  const images = await addImages(book, document, options);
  const pathOf = new Map(images.map(({ figure, file }) => [figure, file]));
  for (const [index, chapter] of found.chapters.entries()) {
    const content = chapterXhtml(chapter, index, found, files, document, (figure) => pathOf.get(figure));
    book.add(`OEBPS/${fileOf(index)}`, pageXml(chapter.title, language, content));
  }
  const linked = (entry: ContentsEntry): string => files.hrefOf(entry.target);
  book.add('OEBPS/nav.xhtml', navXml(title, language, found.contents, document.pages, files, linked));
  book.add('OEBPS/toc.ncx', ncxXml(title, options.identifier, found.contents, linked));
  book.add(
    'OEBPS/content.opf',
    opfXml(document, { ...options, title, language }, found.chapters.length, images),
  );
  return book.finish();
}

const fileOf = (chapter: number): string => `chapter-${chapter + 1}.xhtml`;

interface BookFiles {
  chapterOfPage: ReadonlyMap<number, number>;
  hrefOf(target: ContentsEntry['target']): string;
}

function filesOf({ chapters, headings }: Chapters): BookFiles {
  const chapterOfPage = new Map<number, number>();
  const chapterOfHeading = new Map<number, number>();
  chapters.forEach(({ items }, index) => {
    for (const item of items) {
      if ('page' in item) chapterOfPage.set(item.page, index);
      else if (item.block.kind === 'heading') chapterOfHeading.set(headings.get(item.block) ?? 0, index);
    }
  });
  return {
    chapterOfPage,
    hrefOf(target) {
      if ('page' in target) return `${fileOf(chapterOfPage.get(target.page) ?? 0)}#page-${target.page}`;
      return `${fileOf(chapterOfHeading.get(target.heading) ?? 0)}#heading-${target.heading}`;
    },
  };
}

function chapterXhtml(
  { items }: Chapter,
  index: number,
  { headings }: Chapters,
  { chapterOfPage }: BookFiles,
  { notes }: LaidOutDocument,
  pathOf: (figure: Figure) => string | undefined,
): string {
  const context: XhtmlContext = {
    hrefOfPage(page) {
      const chapter = chapterOfPage.get(page);
      if (chapter === undefined) return undefined;
      return `${chapter === index ? '' : fileOf(chapter)}#page-${page}`;
    },
    headingId(heading) {
      const number = headings.get(heading);
      return number === undefined ? undefined : `heading-${number}`;
    },
    pathOf,
    notes: new Set(),
  };
  const content = items.map((item) =>
    'page' in item ? pageMark(item.page) : xhtmlBlock(item.block, context),
  );
  const written = [...context.notes].map((note) => {
    const text = xhtmlRuns(notes[note]?.runs ?? [], context);
    return `<aside epub:type="footnote" role="doc-footnote" id="note-${note + 1}"><p><a href="#call-${note + 1}">${note + 1}</a> ${text}</p></aside>\n`;
  });
  return `${content.join('')}${written.join('')}`;
}

const pageMark = (page: number): string =>
  `<div id="page-${page}" epub:type="pagebreak" role="doc-pagebreak" aria-label="${page}"></div>\n`;

async function addImages(
  book: PackageWriter,
  { pages }: LaidOutDocument,
  { image }: EpubOptions,
): Promise<BookImage[]> {
  const added: BookImage[] = [];
  for (const figure of pages.flatMap(figuresOf)) {
    const { format } = figure.image;
    const bytes = await figure.image.bytes();
    if (bytes.length === 0) continue;
    const file = `images/image-${added.length + 1}.${format === 'jpeg' ? 'jpg' : 'png'}`;
    await book.addPacked(`OEBPS/${file}`, image ? await image(bytes, format) : bytes);
    added.push({ file, format, figure });
  }
  return added;
}

function figuresOf({ blocks }: Pick<Page, 'blocks'>): Figure[] {
  return blocks.flatMap((block): Figure[] => {
    if (block.kind === 'figure') return [block];
    return block.kind === 'list' ? block.items.flatMap(figuresOf) : [];
  });
}

const CONTAINER =
  `${XML}<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>` +
  '<rootfile full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/></rootfiles></container>\n';

const pageXml = (title: string, language: string, content: string): string =>
  `${XML}<!DOCTYPE html>\n<html xmlns="${XHTML}" xmlns:epub="${OPS}" lang="${language}" xml:lang="${language}">\n<head>\n` +
  `<title>${escapeMarkup(title)}</title>\n<link rel="stylesheet" type="text/css" href="style.css"/>\n</head>\n<body>\n${content === '' ? '<p></p>\n' : content}</body>\n</html>\n`;

function navXml(
  title: string,
  language: string,
  contents: readonly ContentsEntry[],
  pages: readonly Page[],
  files: BookFiles,
  linked: (entry: ContentsEntry) => string,
): string {
  const list = (entries: readonly ContentsEntry[]): string =>
    entries.length === 0
      ? ''
      : `<ol>\n${entries.map((entry) => `<li><a href="${linked(entry)}">${escapeMarkup(entry.title)}</a>${list(entry.children)}</li>\n`).join('')}</ol>\n`;
  const numbers = pages.map(
    ({ number }) => `<li><a href="${files.hrefOf({ page: number })}">${number}</a></li>\n`,
  );
  return pageXml(
    title,
    language,
    `<nav epub:type="toc" role="doc-toc" id="toc">\n<h1>${escapeMarkup(title)}</h1>\n${list(contents)}</nav>\n` +
      `<nav epub:type="page-list" role="doc-pagelist" hidden="hidden">\n<ol>\n${numbers.join('')}</ol>\n</nav>\n`,
  );
}

function ncxXml(
  title: string,
  identifier: string,
  contents: readonly ContentsEntry[],
  linked: (entry: ContentsEntry) => string,
): string {
  let order = 0;
  const points = (entries: readonly ContentsEntry[]): string =>
    entries
      .map((entry) => {
        order += 1;
        return (
          `<navPoint id="point-${order}"><navLabel><text>${escapeMarkup(entry.title)}</text></navLabel>` +
          `<content src="${linked(entry)}"/>${points(entry.children)}</navPoint>\n`
        );
      })
      .join('');
  return (
    `${XML}<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1"><head><meta name="dtb:uid" content="${escapeMarkup(identifier)}"/></head>` +
    `<docTitle><text>${escapeMarkup(title)}</text></docTitle><navMap>\n${points(contents)}</navMap></ncx>\n`
  );
}

function opfXml(
  { author }: LaidOutDocument,
  { title, language, identifier, modified }: EpubOptions & { title: string; language: string },
  chapters: number,
  images: readonly BookImage[],
): string {
  const item = (id: string, href: string, type: string, properties = ''): string =>
    `<item id="${id}" href="${href}" media-type="${type}"${properties === '' ? '' : ` properties="${properties}"`}/>\n`;
  const xhtml = 'application/xhtml+xml';
  const numbers = Array.from({ length: chapters }, (_, index) => index);
  return (
    `${XML}<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="${language}">\n` +
    '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">\n' +
    `<dc:identifier id="id">${escapeMarkup(identifier)}</dc:identifier>\n<dc:title>${escapeMarkup(title)}</dc:title>\n<dc:language>${language}</dc:language>\n` +
    `${author ? `<dc:creator>${escapeMarkup(author)}</dc:creator>\n` : ''}<meta property="dcterms:modified">${modified}</meta>\n<meta name="cover" content="cover-image"/>\n</metadata>\n<manifest>\n` +
    item('nav', 'nav.xhtml', xhtml, 'nav') +
    item('ncx', 'toc.ncx', 'application/x-dtbncx+xml') +
    item('style', 'style.css', 'text/css') +
    item('cover-image', 'images/cover.jpg', 'image/jpeg', 'cover-image') +
    item('cover', 'cover.xhtml', xhtml) +
    numbers.map((index) => item(`chapter-${index + 1}`, fileOf(index), xhtml)).join('') +
    images.map(({ file, format }, index) => item(`image-${index + 1}`, file, `image/${format}`)).join('') +
    '</manifest>\n<spine toc="ncx">\n<itemref idref="cover"/>\n' +
    numbers.map((index) => `<itemref idref="chapter-${index + 1}"/>\n`).join('') +
    '</spine>\n</package>\n'
  );
}
