// One pass over a document: terms are found, everything under boxes is taken out, boxes are drawn.
import type { Content, InputFile } from '../../contract/files.ts';
import type { Engines } from '../../engines/engines.ts';
import type { PdfiumDocument } from '../../engines/pdfium/pdfium.ts';
import type { QpdfDocument } from '../../engines/qpdf/qpdf-document.ts';
import { removeAnnotations } from '../../pdf/annotations/annotation-removal.ts';
import { addImageXObject } from '../../pdf/images/image-xobjects.ts';
import type { Ref } from '../../pdf/objects.ts';
import { jpegImage, showImage } from '../../pdf/pages/page-raster.ts';
import { isUnder } from '../../pdf/redaction/annotations.ts';
import { drawBoxes, type PaintedBox } from '../../pdf/redaction/box-drawing.ts';
import { ContentWork } from '../../pdf/redaction/content-work.ts';
import type { Listed } from '../../pdf/redaction/glyph-list.ts';
import { dropHiddenCopies } from '../../pdf/redaction/hidden-copies.ts';
import {
  boxesOf,
  findHits,
  glyphsUnder,
  type Hit,
  mayHideTerm,
  mergeHits,
} from '../../pdf/redaction/hits.ts';
import { overwriteImage, type PixelTools } from '../../pdf/redaction/image-overwriting.ts';
import { cleanOutsidePages, forbidden, secretsBeside } from '../../pdf/redaction/outside-pages.ts';
import { blankPage } from '../../pdf/redaction/page-blanking.ts';
import { PageLists } from '../../pdf/redaction/page-ends.ts';
import { padQuad, type Quad } from '../../pdf/redaction/quads.ts';
import { dropUnusedOriginals } from '../../pdf/redaction/resource-cleaning.ts';
import { findSeen, glyphsFor } from '../../pdf/redaction/seen-text.ts';
import type { Terms } from '../../pdf/redaction/terms.ts';
import { pruneStructure } from '../../pdf/structure/structure-losses.ts';
import { MAX_PAGE_PIXELS } from '../../procedures/image-pages.ts';

export type RedactionEngines = Pick<
  Engines,
  'qpdf' | 'pdfium' | 'sharp' | 'poppler' | 'archive' | 'tesseract'
>;

/** Boxes of each page, by its index, in the page's own coordinates. */
export type PageBoxes = ReadonlyMap<number, readonly PaintedBox[]>;

export interface RedactionRequest {
  /** Colours of pages that go as a whole, by index. */
  wholePages: ReadonlyMap<number, string>;
  terms: Terms | undefined;
  /** Of boxes on terms. */
  colour: string;
  padding: number;
}

export interface Attempt {
  /** Boxes that are there whatever terms are found. */
  boxes: PageBoxes;
  /** How much of a character a box must cover to take it. */
  least: number;
  /** By how much boxes on terms are wider. */
  widen: number;
  /** Pages that become pictures in the end. */
  pictures: ReadonlySet<number>;
}

export interface Passed {
  content: Content;
  boxes: PageBoxes;
  /** Boxes that this pass has added. */
  added: number;
  strings: number;
  pictures: ReadonlySet<number>;
  touched: Record<string, number>;
  /** Pages with letters that nobody can tell, among which a term may stand, by index. */
  unread: number[];
}

export async function redactPass(
  engine: RedactionEngines,
  file: InputFile,
  request: RedactionRequest,
  attempt: Attempt,
  progress: (done: number, of: number) => void = () => {},
): Promise<Passed> {
  const doc = engine.qpdf.open(file);
  const { terms, wholePages } = request;
  // Written anew first, so that both engines see the same pages.
  using looked = terms
    ? engine.pdfium.open({ name: file.name, content: doc.save({ keepModificationDate: true }) })
    : undefined;
  const work = new ContentWork(doc);
  const boxes = new Map<number, PaintedBox[]>();
  const lost = new Map<string, ReadonlySet<number>>();
  const blanked = new Set<string>();
  const unread: number[] = [];
  let added = 0;
  let beside = 0;
  const lists = new PageLists(work, request);
  for (const [index, ref] of doc.pages().entries()) {
    progress(index, doc.pageCount);
    const colour = wholePages.get(index);
    if (colour !== undefined) {
      blankPage(doc, ref, colour);
      blanked.add(ref.key);
      continue;
    }
    if (terms && mayHideTerm(lists.of(index).listed, terms)) unread.push(index);
    const cut = cutPage(work, ref, index, { looked, request, attempt, lists });
    if (!cut) continue;
    lost.set(ref.key, cut.lost);
    boxes.set(index, cut.boxes);
    beside += cut.beside;
    added += cut.boxes.length - (attempt.boxes.get(index)?.length ?? 0);
  }
  const pictures = new Set(attempt.pictures);
  const tools = pixelTools(engine);
  for (const image of work.images)
    if (!(await overwriteImage(doc, image, tools))) work.stubborn.set(image.page, 'an image');
  const pages = doc.pages();
  for (const [index, list] of boxes) drawBoxes(doc, pages[index] as Ref, list);
  const gone = removeUnder(doc, blanked, boxes);
  pruneStructure(doc, {
    isLost: (page, mcid) => blanked.has(page) || (lost.get(page)?.has(mcid) ?? false),
    isGone: (key) => gone.has(key),
    form: (key) => work.cutForms.get(key),
  });
  dropUnusedOriginals(doc, work.replaced);
  dropHiddenCopies(doc, doc.allRefs());
  const outside = terms ? cleanOutsidePages(work, terms, request.colour) : { boxes: 0, strings: 0 };
  pages.forEach((ref, index) => {
    if (work.stubborn.has(ref.key)) pictures.add(index);
  });
  let content = doc.save();
  if (pictures.size > 0) {
    await showAsPictures(engine, doc, content, file.name, pictures);
    content = doc.save();
  }
  engine.qpdf.close(doc);
  return {
    content,
    boxes,
    added: added + outside.boxes,
    strings: outside.strings + beside,
    pictures,
    unread,
    touched: {
      ...work.touched,
      annotations: gone.size,
      strings: outside.strings + beside,
      pictures: pictures.size,
    },
  };
}

interface PageCut {
  boxes: PaintedBox[];
  lost: ReadonlySet<number>;
  /** Texts and names in the content that went. */
  beside: number;
}

function cutPage(
  work: ContentWork,
  ref: Ref,
  index: number,
  task: {
    looked: PdfiumDocument | undefined;
    request: RedactionRequest;
    attempt: Attempt;
    lists: PageLists;
  },
): PageCut | undefined {
  const { request, attempt, looked, lists } = task;
  const { terms } = request;
  const given = attempt.boxes.get(index) ?? [];
  if (!terms && given.length === 0) return undefined;
  const { listed, overEnds } = lists.of(index);
  const { hits, unknown } = terms
    ? hitsOf(listed, terms, { looked, index, overEnds })
    : { hits: [], unknown: [] };
  const beside = terms ? secretsBeside(listed, terms) : 0;
  if (hits.length + unknown.length + given.length + beside === 0) return undefined;
  const padding = request.padding + attempt.widen;
  const found = hits.flatMap((hit) => boxesOf(hit, listed.glyphs, padding));
  const guessed = unknown.map((quad) => padQuad(quad, padding + 0.5));
  const { colour } = request;
  const boxes: PaintedBox[] = [
    ...given,
    ...found.map(({ drawn, cut }) => ({ quad: drawn, cut, colour })),
    ...guessed.map((quad) => ({ quad, colour })),
  ];
  const covering = [...given.map(({ quad }) => quad), ...found.map(({ exact }) => exact), ...guessed];
  const taken = glyphsUnder(listed.glyphs, covering, attempt.least);
  for (const hit of hits) for (const glyph of hit.glyphs) taken.add(glyph);
  const spans = new Set(hits.flatMap((hit) => [...hit.spans]));
  const lost = work.cutPage(ref, {
    isGone: (glyph) => taken.has(glyph),
    isSpanGone: (span) => spans.has(span),
    ...(terms ? forbidden(terms) : {}),
    quads: boxes.map(({ quad, cut }) => cut ?? quad),
  });
  work.touched.texts += taken.size;
  return { boxes, lost, beside };
}

function hitsOf(
  listed: Listed,
  terms: Terms,
  {
    looked,
    index,
    overEnds,
  }: { looked: PdfiumDocument | undefined; index: number; overEnds: readonly Hit[] },
): { hits: Hit[]; unknown: Quad[] } {
  const own = [...findHits(listed, terms), ...overEnds];
  const known = new Set(own.map(({ term }) => term));
  const unknown: Quad[] = [];
  const seen = looked && index < looked.pageCount ? looked.pageChars(index) : undefined;
  for (const { characters, term } of seen ? findSeen(seen, terms) : []) {
    const ours = glyphsFor(seen as NonNullable<typeof seen>, characters, listed.glyphs);
    // Places that the renderer alone knows may be wrong: they count where we have not found the term ourselves.
    if (!known.has(term)) unknown.push(...ours.unknown);
    if (ours.glyphs.size > 0) own.push({ glyphs: ours.glyphs, spans: new Set(), term });
  }
  return { hits: mergeHits(own), unknown };
}

function removeUnder(
  doc: QpdfDocument,
  blanked: ReadonlySet<string>,
  boxes: ReadonlyMap<number, readonly PaintedBox[]>,
): ReadonlySet<string> {
  const byPage = new Map(
    doc.pages().flatMap((ref, index) => {
      const list = boxes.get(index);
      return list ? [[ref.key, list.map(({ quad }) => quad)] as const] : [];
    }),
  );
  if (blanked.size + byPage.size === 0) return new Set();
  return removeAnnotations(
    doc,
    (annotation, page) => blanked.has(page.key) || isUnder(doc, annotation, byPage.get(page.key) ?? []),
  );
}

function pixelTools({ qpdf, pdfium, sharp }: RedactionEngines): PixelTools {
  return {
    render(prepare, width, height) {
      const sheet = qpdf.create();
      prepare(sheet);
      using drawn = pdfium.open({ name: 'image.pdf', content: sheet.save({ keepModificationDate: true }) });
      qpdf.close(sheet);
      const picture = drawn.render(0, { dpi: 72, maxPixels: MAX_PAGE_PIXELS, forms: false });
      return picture.width === width && picture.height === height ? picture.rgba : undefined;
    },
    jpeg: (rgb, width, height) => sharp.encode({ width, height, channels: 3, data: rgb }, 'jpeg'),
  };
}

/** Operations, security/redact: "pages become images (200 dpi)"; here only those that could not be proven otherwise. */
const PICTURE_DPI = 200;

async function showAsPictures(
  engine: RedactionEngines,
  doc: QpdfDocument,
  content: Content,
  name: string,
  pages: ReadonlySet<number>,
): Promise<void> {
  using looked = engine.pdfium.open({ name, content });
  const keys = new Set<string>();
  for (const [index, ref] of doc.pages().entries()) {
    if (!pages.has(index)) continue;
    const picture = looked.render(index, {
      dpi: PICTURE_DPI,
      maxPixels: MAX_PAGE_PIXELS,
      annotations: true,
    });
    const image = addImageXObject(doc, jpegImage(picture, await engine.sharp.encode(picture, 'jpeg')));
    keys.add(ref.key);
    removeAnnotations(
      doc,
      (annotation, page) => page.key === ref.key && doc.name(annotation.get('Subtype')) !== 'Link',
    );
    showImage(doc, ref, image);
  }
  pruneStructure(doc, {
    isLost: (page) => keys.has(page),
    isGone: () => false,
    form: () => undefined,
  });
}
