// One open document. Pages are loaded one at a time and always given back.
import { MIB } from '../../contract/limits.ts';
import type { Log } from '../../contract/log.ts';
import type {
  DrawnDocument,
  DrawnPage,
  ItemBox,
  OmittedItems,
  OutlineItem,
  TagNode,
} from '../../contract/page-items.ts';
import { Problem } from '../../contract/problems.ts';
import type { Raster, Size } from '../../contract/raster.ts';
import { PAGE_BUDGET_MS, within } from '../../contract/work-budget.ts';
import { type PageChars, readPageChars } from './chars.ts';
import { type DeclaredCosts, declaredCosts, drawingRefusal } from './declared-costs.ts';
import { type FileSurvey, surveyOnce } from './file-survey.ts';
import { type Forms, openForms } from './forms.ts';
import { hasImageObject, imageSizes } from './images.ts';
import { isPoisoned, type Library, type Pointer } from './library.ts';
import { type Opened, reopenDocument } from './open.ts';
import { countDoubtfulLetters } from './page-items/doubtful-letters.ts';
import { GlyphCache } from './page-items/glyph-cache.ts';
import { readJpeg, renderArea } from './page-items/images.ts';
import { readLinks } from './page-items/links.ts';
import type { LoadedPage } from './page-items/loaded-page.ts';
import { readInformation, readLanguage, readOutline } from './page-items/outline.ts';
import { drawWithout } from './page-items/page-without-items.ts';
import { emptyPage, readPageItems } from './page-items/read-page.ts';
import { readTags } from './page-items/tags.ts';
import { hasTextAnnotation } from './page-items/text-annotations.ts';
import type { LetterSource } from './page-items/to-unicode-repairs.ts';
import { pageObjects } from './page-objects.ts';
import {
  pixelSize,
  type RenderOptions,
  type Resolution,
  type Rows,
  renderPage,
  withinPixels,
} from './render.ts';
import { readPageText } from './text.ts';
import { dropUnseenText } from './unseen-text.ts';

/** A large file is opened anew when this much of it was read: PDFium gives back nothing in between. */
const REOPEN_AFTER_BYTES = 128 * MIB;

/** FPDFPage_Flatten: it was done. */
const FLATTENED = 1;
const NO_SIZE: Size = { width: 0, height: 0 };
const NOTHING = new Uint8Array();

/** Pages count from 0. A page that cannot be loaded has neither text nor images. */
export class PdfiumDocument implements DrawnDocument {
  readonly pageCount: number;
  private readonly library: Library;
  private readonly opened: Opened;
  private readonly name: string;
  private readonly log: Log;
  private closed = false;
  /** The page worked on last: several questions about one page read it once. */
  private current: { index: number; handle: Pointer } | undefined;
  private forms: Forms | undefined;
  private readonly glyphCache: GlyphCache;
  private readonly doubtful = new Map<number, number>();
  private readonly survey: () => FileSurvey | undefined;
  /** Asked for when a page is first drawn. */
  private costs: DeclaredCosts | undefined;
  /** The page in hand, once nothing forbids drawing it. */
  private judged: Pointer | undefined;

  constructor(library: Library, opened: Opened, name: string, log: Log) {
    this.library = library;
    this.opened = opened;
    this.name = name;
    this.log = log;
    this.glyphCache = new GlyphCache(library);
    this.survey = surveyOnce(opened.source);
    this.pageCount = library.native.FPDF_GetPageCount(opened.handle);
  }

  /** Nothing had to be repaired to open it, and it has no pages beside those that PDFium counts. */
  isSound(): boolean {
    const { native } = this.library;
    const { handle } = this.opened;
    if (!native.FPDF_DocumentHasValidCrossReferenceTable(handle)) return false;
    const survey = this.survey();
    if (!survey || survey.pages > this.pageCount) return false;
    const size = this.statedSize(this.pageCount - 1);
    return size.width > 0 && size.height > 0;
  }

  /** Unicode text; lines end with \n, a hyphen at the end of a line stays. */
  pageText(index: number): string {
    const page = this.load(index);
    return page === 0 ? '' : readPageText(this.library, page, this.letterSource(page));
  }

  /** Characters with their places, fonts, sizes and colours. */
  pageChars(index: number): PageChars {
    const page = this.load(index);
    return readPageChars(this.library, page, this.letterSource(page));
  }

  /** Asked anew for each page: the document may have been opened again. */
  private letterSource(page: Pointer): LetterSource {
    const { library, glyphCache } = this;
    return {
      document: this.opened.handle,
      glyphCache,
      objects: page === 0 ? undefined : pageObjects(library, page),
    };
  }

  /** All that is drawn on the page, in coordinates of the page as displayed: what layout reads. */
  readPage(index: number, what: 'all' | 'text' = 'all'): DrawnPage {
    const page = this.load(index);
    if (page === 0) return emptyPage(this.statedSize(index));
    const links = what === 'all' ? readLinks(this.library, this.opened.handle, page) : [];
    // Where all is asked for, annotations were looked at one by one for their links.
    const survey = what === 'text' ? this.survey : undefined;
    if (
      hasTextAnnotation(this.library, page, survey) &&
      this.library.native.FPDFPage_Flatten(page, 0) === FLATTENED
    ) {
      // The page in hand still shows what it was before.
      this.closePage();
    }
    const shown = this.load(index);
    if (shown === 0) return emptyPage(NO_SIZE);
    const loaded: LoadedPage = {
      document: this.opened.handle,
      page: shown,
      objects: dropUnseenText(this.library, shown, {
        size: () => this.pageSize(index),
        mayHide: () => this.survey()?.mayHide ?? true,
      }),
      glyphCache: this.glyphCache,
      lasting: what === 'text' ? 'briefly' : 'for good',
    };
    const read = readPageItems(this.library, loaded, links, what);
    const { document, objects } = loaded;
    const doubtful = countDoubtfulLetters(this.library, document, objects, this.glyphCache);
    if (doubtful > 0) this.doubtful.set(index, doubtful);
    return read;
  }

  /** Whether the fonts of a page tell some of its letters in two ways. */
  hasDoubtfulLetters(index: number): boolean {
    const page = this.load(index);
    if (page === 0) return false;
    const { document, glyphCache, objects } = this.letterSource(page);
    return countDoubtfulLetters(this.library, document, objects, glyphCache) > 0;
  }

  /** Of the pages read so far: letters that the fonts' maps tell otherwise than the names of their glyphs. */
  doubtfulLetters(): ReadonlyMap<number, number> {
    return this.doubtful;
  }

  /** The structure tree as far as it reaches this page. */
  tags(index: number): TagNode[] {
    return readTags(this.library, this.load(index));
  }

  outline(): OutlineItem[] {
    return readOutline(this.library, this.opened.handle);
  }

  information(key: Parameters<DrawnDocument['information']>[0]): string | undefined {
    return readInformation(this.library, this.opened.handle, key);
  }

  language(): string | undefined {
    return readLanguage(this.library, this.opened.handle);
  }

  jpeg(index: number, image: number): Uint8Array | undefined {
    const page = this.load(index);
    return page === 0 ? undefined : readJpeg(this.library, { page, document: this.opened.handle }, image);
  }

  renderArea(index: number, box: ItemBox, scale: number, omitted?: OmittedItems): Raster {
    const page = this.load(index);
    if (page === 0) throw this.unreadable(index);
    this.refuseCostly(index, page);
    const draw = (): Raster =>
      within('drawing', PAGE_BUDGET_MS, () =>
        renderArea(this.library, page, this.pageSize(index), box, scale),
      );
    return omitted ? drawWithout(this.library, page, omitted, draw) : draw();
  }

  /** Whether the page's content draws an image: directly, inline or nested in forms. */
  hasImage(index: number): boolean {
    const page = this.load(index);
    return page !== 0 && hasImageObject(this.library, page);
  }

  /** Whether nothing is drawn on the page, annotations included. */
  isEmpty(index: number): boolean {
    const page = this.load(index);
    if (page === 0) return true;
    const { native } = this.library;
    return native.FPDFPage_CountObjects(page) === 0 && native.FPDFPage_GetAnnotCount(page) === 0;
  }

  /** Operations 1.5: the page as displayed (crop box, /Rotate applied), in points. */
  pageSize(index: number): Size {
    this.expectPage(index);
    using size = this.library.borrow(8);
    if (!this.library.native.FPDF_GetPageSizeByIndexF(this.opened.handle, index, size.at))
      throw this.unreadable(index);
    const [width = 0, height = 0] = size.floats();
    return { width, height };
  }

  /** Pixels the page would have, for callers that refuse large ones instead of drawing them smaller. */
  pixelSize(index: number, resolution: Resolution): Size {
    return pixelSize(this.pageSize(index), resolution);
  }

  render(index: number, options: RenderOptions): Raster {
    return this.draw(index, options, this.drawnSize(index, options));
  }

  /** Pixels that drawing will give, its limit applied. */
  drawnSize(index: number, options: RenderOptions): Size {
    return withinPixels(this.pixelSize(index, options), options.maxPixels);
  }

  /** As `render`, in strips from the top of about so many pixels each: a large page is never held whole. */
  *renderStrips(index: number, options: RenderOptions, stripPixels: number): Generator<Raster> {
    const size = this.drawnSize(index, options);
    const rows = Math.max(1, Math.floor(stripPixels / size.width));
    for (let top = 0; top < size.height; top += rows)
      yield this.draw(index, options, size, { top, height: Math.min(rows, size.height - top) });
  }

  private draw(index: number, options: RenderOptions, size: Size, rows?: Rows): Raster {
    const page = this.load(index);
    if (page === 0) throw this.unreadable(index);
    this.refuseCostly(index, page);
    const { annotations = false, clear = false, forms = true } = options;
    if (forms) this.forms ??= openForms(this.library, this.opened.handle);
    return within('drawing', PAGE_BUDGET_MS, () =>
      renderPage(this.library, page, size, {
        annotations,
        clear,
        forms: forms ? this.forms : undefined,
        ...(rows ? { rows } : {}),
      }),
    );
  }

  /** Before anything is decoded. A file too large to be surveyed is bounded by time alone. */
  private refuseCostly(index: number, page: Pointer): void {
    if (this.judged === page) return;
    this.costs ??= declaredCosts(this.opened.source.bytes() ?? NOTHING);
    const refusal = drawingRefusal(this.name, this.costs, this.pageSize(index), () =>
      imageSizes(this.library, page),
    );
    if (refusal) throw refusal;
    this.judged = page;
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    if (!isPoisoned()) {
      this.release();
      if (this.opened.handle !== 0) this.library.native.FPDF_CloseDocument(this.opened.handle);
    }
    this.opened.source.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** 0 when PDFium cannot read the page. */
  private load(index: number): Pointer {
    this.expectPage(index);
    if (this.current?.index === index) return this.current.handle;
    if (this.opened.source.bytesRead() > REOPEN_AFTER_BYTES) this.reopen();
    const handle = within('reading', PAGE_BUDGET_MS, () =>
      this.library.native.FPDF_LoadPage(this.opened.handle, index),
    );
    if (handle === 0) this.log.warn('page cannot be loaded', { engine: 'pdfium', page: index + 1 });
    // Only now: PDFium forgets a font with the last page that uses it, and the next page mostly uses the same.
    this.closePage();
    this.current = { index, handle };
    return handle;
  }

  private reopen(): void {
    this.release();
    reopenDocument(this.library, this.opened, this.name);
  }

  /** Lets go of all that hangs on the document, inner things first. */
  private release(): void {
    this.closePage();
    this.glyphCache.forget();
    this.forms?.close();
    this.forms = undefined;
  }

  private closePage(): void {
    if (this.current && this.current.handle !== 0) this.library.native.FPDF_ClosePage(this.current.handle);
    this.current = undefined;
    this.judged = undefined;
  }

  private expectPage(index: number): void {
    if (this.closed) throw new Error('the document is closed');
    // The other engine finds more pages in some damaged documents.
    if (!Number.isInteger(index) || index < 0 || index >= this.pageCount) throw this.unreadable(index);
  }

  /** The size of a page that cannot be loaded, where the document at least tells that. */
  private statedSize(index: number): Size {
    try {
      return this.pageSize(index);
    } catch {
      return NO_SIZE;
    }
  }

  private unreadable(index: number): Problem {
    return new Problem('invalid_pdf', `Page ${index + 1} of ${this.name} cannot be read.`);
  }
}
