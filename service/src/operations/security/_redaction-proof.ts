// Whether a result is clean: read again by PDFium, by our own reading of the content and, where it is installed, by
// poppler; and every string, every stream of text and every drawing outside the pages looked through.
import type { InputFile } from '../../contract/files.ts';
import type { PageWords, Word } from '../../engines/poppler/poppler.ts';
import type { PdfDocument } from '../../pdf/document.ts';
import { heightOf, mediaBox, widthOf } from '../../pdf/geometry/boxes.ts';
import { uprightMatrix } from '../../pdf/geometry/displayed-page.ts';
import { boxThrough, inverse } from '../../pdf/geometry/matrix.ts';
import { rotationOf } from '../../pdf/geometry/page-rotation.ts';
import { Dict, type Ref } from '../../pdf/objects.ts';
import { ContentWork } from '../../pdf/redaction/content-work.ts';
import { countUnder, findHits } from '../../pdf/redaction/hits.ts';
import { type OutsidePlace, secretsBeside, secretsOutsidePages } from '../../pdf/redaction/outside-pages.ts';
import { PageLists } from '../../pdf/redaction/page-ends.ts';
import { type Quad, quadContains, quadOf } from '../../pdf/redaction/quads.ts';
import { findSeen, seenUnder } from '../../pdf/redaction/seen-text.ts';
import type { Terms } from '../../pdf/redaction/terms.ts';
import type { PageBoxes, RedactionEngines, RedactionRequest } from './_redaction-pass.ts';

/** Places of terms, by who found them. */
export interface Findings {
  pdfium: number;
  content: number;
  /** Null where the program is not installed. */
  poppler: number | null;
  /** Strings, streams of text, appearances, patterns and the like. */
  outsidePages: number;
}

export interface Proof {
  terms: Findings;
  /** Characters under boxes and on pages that went as a whole. */
  underBoxes: { pdfium: number; content: number; poppler: number | null };
  /** Whether poppler, though installed, could not read all pages. */
  isUnread: boolean;
  /** Pages that are not clean, by index. */
  pages: Set<number>;
  /** What is left outside the pages. */
  where: OutsidePlace[];
  /** What is seen on the pages, where that was asked for. */
  ocr?: { terms: number; underBoxes: number; unread: number[] };
  /** Where poppler or text recognition still reads a term, in the pages' own coordinates. */
  places: Map<number, Quad[]>;
}

export const isClean = ({ terms, underBoxes, ocr, isUnread }: Proof): boolean =>
  !isUnread &&
  (!ocr || ocr.terms + ocr.underBoxes + ocr.unread.length === 0) &&
  terms.pdfium + terms.content + (terms.poppler ?? 0) + terms.outsidePages === 0 &&
  underBoxes.pdfium + underBoxes.content + (underBoxes.poppler ?? 0) === 0;

interface ProofOrder {
  request: RedactionRequest;
  boxes: PageBoxes;
  /** The file as the other readers get it, where they could not agree on the pages of this one. */
  seen?: InputFile;
  progress?: (done: number, of: number) => void;
}

export async function prove(
  engine: RedactionEngines,
  file: InputFile,
  { request, boxes, seen: shown = file, progress = () => {} }: ProofOrder,
): Promise<Proof> {
  const proof: Proof = {
    terms: { pdfium: 0, content: 0, poppler: null, outsidePages: 0 },
    underBoxes: { pdfium: 0, content: 0, poppler: null },
    isUnread: false,
    pages: new Set(),
    where: [],
    places: new Map(),
  };
  const doc = engine.qpdf.open(file);
  using looked = engine.pdfium.open(shown);
  const work = new ContentWork(doc);
  const lists = new PageLists(work, { terms: request.terms, wholePages: new Map() });
  for (const [index, ref] of doc.pages().entries()) {
    progress(index, doc.pageCount);
    const isWhole = request.wholePages.has(index);
    const quads = isWhole
      ? [quadOf(mediaBox(doc, doc.dict(ref) ?? new Dict()))]
      : (boxes.get(index) ?? []).map(({ quad }) => quad);
    if (!request.terms && quads.length === 0) continue;
    const { listed, overEnds } = lists.of(index);
    const seen = looked.pageChars(index);
    const counts = [countUnder(listed.glyphs, quads), seenUnder(seen, quads), 0, 0];
    proof.underBoxes.content += counts[0] ?? 0;
    proof.underBoxes.pdfium += counts[1] ?? 0;
    if (request.terms) {
      const { terms } = request;
      counts[2] = findHits(listed, terms).length + overEnds.length + secretsBeside(listed, terms);
      counts[3] = findSeen(seen, terms).length;
      proof.terms.content += counts[2];
      proof.terms.pdfium += counts[3];
    }
    if (counts.some((count) => count > 0)) proof.pages.add(index);
  }
  if (request.terms) {
    proof.where = secretsOutsidePages(work, request.terms);
    proof.terms.outsidePages = proof.where.length;
  }
  const words = await engine.poppler.words(shown.content);
  // Installed, it must have read every page: what nobody has seen is not clean.
  proof.isUnread = words === 'gave-up' || (words !== 'missing' && words.length < doc.pageCount);
  if (typeof words !== 'string') lookThroughWords(doc, words, { request, boxes, proof });
  engine.qpdf.close(doc);
  return proof;
}

function lookThroughWords(
  doc: PdfDocument,
  pages: readonly PageWords[],
  { request, boxes, proof }: { request: RedactionRequest; boxes: PageBoxes; proof: Proof },
): void {
  const { terms } = request;
  if (terms) proof.terms.poppler = 0;
  proof.underBoxes.poppler = 0;
  const refs = doc.pages();
  pages.forEach((page, index) => {
    const ref = refs[index];
    if (!ref) return;
    const toPage = quadsOn(doc, ref);
    const found = terms ? placesOf(page, terms, toPage) : [];
    const quads = (boxes.get(index) ?? []).map(({ quad }) => quad);
    const isUnder = (word: Word): boolean => {
      const middle = toPage(middleOf(word));
      return middle !== undefined && quads.some((quad) => quadContains(quad, middle));
    };
    const isWhole = request.wholePages.has(index);
    const under = isWhole ? page.words.length : quads.length > 0 ? page.words.filter(isUnder).length : 0;
    proof.underBoxes.poppler = (proof.underBoxes.poppler ?? 0) + under;
    if (terms) proof.terms.poppler = (proof.terms.poppler ?? 0) + found.length;
    if (found.length + under === 0) return;
    proof.pages.add(index);
    proof.places.set(index, found.flat());
  });
}

type Area = Pick<Word, 'left' | 'right' | 'top' | 'bottom'>;

/** Most of a word's length and the middle of its height: a word that stands beside a box reaches out of it. */
function middleOf({ left, right, top, bottom }: Word): Area {
  const [width, height] = [right - left, bottom - top];
  return {
    left: left + 0.1 * width,
    right: right - 0.1 * width,
    top: top + 0.3 * height,
    bottom: bottom - 0.3 * height,
  };
}

/**
 * From what poppler tells to the page's own coordinates. Its words are those of the page as displayed; the height it
 * states is that of the page before it is turned.
 */
function quadsOn(doc: PdfDocument, ref: Ref): (area: Area) => Quad | undefined {
  const page = doc.dict(ref) ?? new Dict();
  const [box, turn] = [mediaBox(doc, page), rotationOf(doc, page)];
  const height = turn % 180 === 0 ? heightOf(box) : widthOf(box);
  const back = inverse(uprightMatrix(box, turn));
  return ({ left, right, top, bottom }) =>
    back && quadOf(boxThrough(back, { left, right, bottom: height - bottom, top: height - top }));
}

/** For each place of a term the boxes of its words. */
function placesOf({ words }: PageWords, terms: Terms, toPage: (area: Area) => Quad | undefined): Quad[][] {
  let text = '';
  const wordAt: number[] = [];
  words.forEach((word, index) => {
    const gap = gapBefore(words[index - 1], word);
    text += gap + word.text;
    for (let unit = 0; unit < gap.length + word.text.length; unit += 1) wordAt.push(index);
  });
  return terms.find(text).map(({ start, end }) =>
    [...new Set(wordAt.slice(start, end))].flatMap((index) => {
      const word = words[index];
      const quad = word && toPage(word);
      return quad ? [quad] : [];
    }),
  );
}

/** Poppler parts words at every blank, also at one that takes no room. */
function gapBefore(before: Word | undefined, word: Word): '' | ' ' | '\n' {
  if (!before) return '';
  if (word.top >= before.bottom || word.bottom <= before.top) return '\n';
  const isTouching = Math.abs(word.left - before.right) < TOUCHING * (word.bottom - word.top);
  return isTouching ? '' : ' ';
}

/** A share of the height. */
const TOUCHING = 0.05;
