// A book printed: bookmarks from its contents, links between its parts, and the list of contents where it is asked for.
import { type Content, InputFile } from '../../../contract/files.ts';
import type { BookPage, PlacedEntry } from '../../../ebook/assemble.ts';
import type { Book } from '../../../ebook/book.ts';
import type { Browser, PageResource, PrintOptions } from '../../../engines/browser/print.ts';
import type { Engines } from '../../../engines/engines.ts';
import type { QpdfDocument } from '../../../engines/qpdf/qpdf-document.ts';
import { editInfo } from '../../../pdf/metadata/metadata.ts';
import { name } from '../../../pdf/objects.ts';
import { removePages } from '../../../pdf/pages/page-arrangement.ts';
import {
  destinationArray,
  type NamedDestinations,
  pageIndexes,
  pageIndexOf,
  readNamedDestinations,
  resolveDestination,
} from '../../../pdf/structure/destinations.ts';
import { type OutlineNode, writeOutline } from '../../../pdf/structure/outlines.ts';
import { textString } from '../../../pdf/text-strings.ts';

export interface PrintedBook {
  listContents: boolean;
  numberPages: boolean;
  /** Stands between the book and the browser. */
  serve(bytes: Uint8Array, mediaType: string | undefined): Promise<PageResource>;
}

const POINTS_PER_PIXEL = 0.75;
const MARGINS = { top: 50, right: 50, bottom: 50, left: 50 };
const NO_MARGINS = { top: 0, right: 0, bottom: 0, left: 0 };
const PAGE_NUMBER = '<div style="text-align:center;font-size:9pt"><span class="pageNumber"></span></div>';
/** Whole books take their time. */
const PATIENCE_MS = 120_000;

export async function printBook(
  engine: Pick<Engines, 'browser' | 'qpdf'>,
  book: Book,
  { listContents, numberPages, serve }: PrintedBook,
): Promise<Content> {
  const { assemble, CONTENTS_ID, RESOURCE_FOLDER } = await import('../../../ebook/assemble.ts');
  const resource = async (path: string): Promise<PageResource | undefined> => {
    const found = path.startsWith(RESOURCE_FOLDER)
      ? await book.resource(path.slice(RESOURCE_FOLDER.length))
      : undefined;
    return found && serve(found.bytes, found.mediaType);
  };
  const print = (page: BookPage) => open(engine, page, book, { resource, numberPages });
  const contentsTitle = 'Contents';
  let page = await assemble(book, { contentsTitle });
  let doc = await print(page);
  let places = new Places(doc);
  const first = places.pageOf(CONTENTS_ID);
  if (listContents && first !== undefined) {
    // The list stands at the end: numbers in it move nothing before it.
    const pageNumbers = new Map(
      [...everyEntry(page.contents)].flatMap(({ id }) => {
        const index = places.pageOf(id);
        return index === undefined ? [] : [[id, index + 1] as const];
      }),
    );
    engine.qpdf.close(doc);
    page = await assemble(book, { contentsTitle, pageNumbers });
    doc = await print(page);
    places = new Places(doc);
  }
  const outline = places.outline(page.contents);
  if (outline.length > 0) writeOutline(doc, outline);
  if (!listContents && first !== undefined && first > 0)
    removePages(
      doc,
      Array.from({ length: doc.pageCount - first }, (_, index) => first + index + 1),
    );
  if (book.author) editInfo(doc).set('Author', textString(book.author));
  return doc.save();
}

interface Setting {
  resource(path: string): Promise<PageResource | undefined>;
  numberPages: boolean;
}

async function open(
  { browser, qpdf }: { browser: Browser; qpdf: Engines['qpdf'] },
  { html }: BookPage,
  { title, fixedPage }: Book,
  { resource, numberPages }: Setting,
): Promise<QpdfDocument> {
  const options: PrintOptions = {
    preferCssPageSize: false,
    margins: fixedPage ? NO_MARGINS : MARGINS,
    ...(fixedPage
      ? { paper: { width: fixedPage.width * POINTS_PER_PIXEL, height: fixedPage.height * POINTS_PER_PIXEL } }
      : {}),
    ...(numberPages ? { footerHtml: PAGE_NUMBER } : {}),
    patienceMs: PATIENCE_MS,
  };
  const content = await browser.print({ html, title, scripts: false, resource }, options);
  return qpdf.open(new InputFile('book.pdf', content));
}

/** Where the ids of the page came to stand: the browser names a destination after each id that a link leads to. */
class Places {
  private readonly doc: QpdfDocument;
  private readonly named: NamedDestinations;
  private readonly indexes: ReadonlyMap<string, number>;

  constructor(doc: QpdfDocument) {
    this.doc = doc;
    this.named = readNamedDestinations(doc);
    this.indexes = pageIndexes(doc);
  }

  pageOf(id: string): number | undefined {
    const to = this.destination(id);
    return to && pageIndexOf(to, this.indexes);
  }

  outline(entries: readonly PlacedEntry[]): OutlineNode[] {
    return entries.flatMap(({ title, id, children }) => {
      const to = this.destination(id);
      const below = this.outline(children);
      return to ? [{ title, dest: destinationArray(to), open: false, children: below }] : below;
    });
  }

  private destination(id: string) {
    return (
      resolveDestination(this.doc, this.named, name(id)) ??
      resolveDestination(this.doc, this.named, textString(id))
    );
  }
}

function* everyEntry(entries: readonly PlacedEntry[]): Generator<PlacedEntry> {
  for (const entry of entries) {
    yield entry;
    yield* everyEntry(entry.children);
  }
}
