// What is seen on the pages of a result: words that are only pixels or lines, which no reader of text finds.
import type { InputFile } from '../../contract/files.ts';
import type { Log } from '../../contract/log.ts';
import { invalidParameter } from '../../contract/problems.ts';
import type { Engines } from '../../engines/engines.ts';
import type { PdfDocument } from '../../pdf/document.ts';
import { displayedPage } from '../../pdf/geometry/displayed-page.ts';
import { boxThrough, inverse } from '../../pdf/geometry/matrix.ts';
import type { Ref } from '../../pdf/objects.ts';
import { areSpaced, linesOf, type RecognisedWord } from '../../pdf/ocr/recognised.ts';
import { centreOf, contains, type Quad, quadOf } from '../../pdf/redaction/quads.ts';
import type { Terms } from '../../pdf/redaction/terms.ts';
import { PageReader, type ReadPage } from '../../procedures/page-ocr.ts';
import type { PageBoxes, RedactionRequest } from './_redaction-pass.ts';
import type { Proof } from './_redaction-proof.ts';

export interface OcrContext {
  engine: Pick<Engines, 'qpdf' | 'pdfium' | 'tesseract'>;
  newFile(extension: string): string;
  log: Log;
}

/** Dark corners and edges of boxes may be taken for letters: words under a box count where they are surely words. */
const SURE = 60;
const WORD = /\p{L}{3}|\d{3}/u;

/** The languages of the words, which must be installed. */
export function checkLanguages({ tesseract }: OcrContext['engine'], languages: readonly string[]): void {
  const installed = tesseract.languages;
  const unknown = languages.find((language) => !installed.includes(language));
  // Where there are none at all, the program itself is missing, and says so.
  if (unknown === undefined || installed.length === 0) return;
  throw invalidParameter(`languages: ${unknown} is not installed; installed are ${installed.join(', ')}.`);
}

/** Reads pages as a person would and adds what is seen to the proof; `clean` are those that need no second look. */
export async function proveByOcr(
  context: OcrContext,
  file: InputFile,
  task: {
    request: RedactionRequest;
    boxes: PageBoxes;
    languages: readonly string[];
    proof: Proof;
    clean: Set<number>;
  },
): Promise<void> {
  const { request, boxes, languages, proof, clean } = task;
  const { engine } = context;
  const doc = engine.qpdf.open(file);
  using view = engine.pdfium.open(file);
  proof.ocr = { terms: 0, underBoxes: 0, unread: [] };
  const concerned = [...doc.pages().keys()].filter(
    (index) => !clean.has(index) && (request.terms || boxes.has(index) || request.wholePages.has(index)),
  );
  const reader = new PageReader(doc, view, { languages, clean: false }, context);
  for (const [index, reading] of await reader.readAll(concerned)) {
    if (reading === 'failed') proof.ocr.unread.push(index);
    const seen = typeof reading === 'object' ? wordsOf(doc, doc.pages()[index] as Ref, reading) : [];
    const found = request.terms ? placesOf(seen, request.terms) : [];
    const quads = (boxes.get(index) ?? []).map(({ quad }) => quad);
    const under = seen.filter(
      ({ word, quad }) => isWord(word) && quads.some((box) => isIn(quad, box)),
    ).length;
    proof.ocr.terms += found.length;
    proof.ocr.underBoxes += under;
    if (found.length + under > 0) {
      proof.pages.add(index);
      proof.places.set(index, [...(proof.places.get(index) ?? []), ...found.flat()]);
    } else if (reading !== 'failed') clean.add(index);
  }
  engine.qpdf.close(doc);
}

interface SeenWord {
  word: RecognisedWord;
  line: number;
  /** In the page's own coordinates. */
  quad: Quad;
}

function wordsOf(doc: PdfDocument, ref: Ref, { page, matrix }: ReadPage): SeenWord[] {
  const back = inverse(displayedPage(doc, ref).matrix);
  if (!back) return [];
  return linesOf(page).flatMap(({ words }, line) =>
    words.map((word) => {
      const { left, right, top, bottom } = word.box;
      const box = { left, right, top: page.height - top, bottom: page.height - bottom };
      return { word, line, quad: quadOf(boxThrough(back, boxThrough(matrix, box))) };
    }),
  );
}

/** For each place of a term the boxes of its words. */
function placesOf(seen: readonly SeenWord[], terms: Terms): Quad[][] {
  let text = '';
  const wordAt: number[] = [];
  seen.forEach(({ word, line }, index) => {
    const before = seen[index - 1];
    if (before) text += before.line !== line ? '\n' : areSpaced(before.word.text, word.text) ? ' ' : '';
    text += word.text;
    while (wordAt.length < text.length) wordAt.push(index);
  });
  return terms.find(text).map(({ start, end }) =>
    [...new Set(wordAt.slice(start, end))].flatMap((index) => {
      const quad = seen[index]?.quad;
      return quad ? [quad] : [];
    }),
  );
}

const isWord = ({ text, confidence }: RecognisedWord): boolean => confidence >= SURE && WORD.test(text);
const isIn = (quad: Quad, box: Quad): boolean => contains(box, centreOf(quad));
