// Comments written beside the pages they are on: each page that has some gets a margin for them.
import { removeAnnotations } from '../annotations/annotation-removal.ts';
import { addForm } from '../content/drawable.ts';
import type { PdfDocument } from '../document.ts';
import { type Box, boxArray, boxOf, mediaBox } from '../geometry/boxes.ts';
import { displayedPage } from '../geometry/displayed-page.ts';
import { type Dict, isName, type Ref } from '../objects.ts';
import { formatNumber } from '../syntax/object-syntax.ts';
import { drawText } from '../text/drawn-text.ts';
import type { LaidOutText } from '../text/drawn-text-shapes.ts';
import { EmbeddedFonts } from '../text/font-embedding.ts';
import { PageOverlay, type Placed } from './page-overlay.ts';

/** Words in lines of a width; undefined where they cannot be drawn. */
export type LayOut = (words: string, options: { size: number; maxWidth: number }) => LaidOutText | undefined;

const MARGIN = 190;
const GAP = 6;
const PADDING = 5;
const BOX_WIDTH = MARGIN - 3 * GAP;
/** The usual size, and what is tried where a page has more than fits beside it. */
const SIZES = [8, 6] as const;

interface Comment {
  annotation: Dict;
  words: string;
  place: Box;
}

/** Takes the comments from the pages and writes them into margins; tells whether there were any. */
export function drawCommentsInMargin(doc: PdfDocument, layOut: LayOut): boolean {
  const fonts = new EmbeddedFonts(doc);
  const overlay = new PageOverlay(doc);
  const drawn = new Set<Dict>();
  for (const page of doc.pages()) {
    const comments = commentsOn(doc, page);
    if (comments.length === 0) continue;
    const column = columnOf(comments, mediaBox(doc, doc.edit(page)), layOut);
    for (const { annotation } of column.boxes) drawn.add(annotation);
    if (column.boxes.length > 0) drawColumn(doc, page, column, { fonts, overlay });
  }
  if (drawn.size === 0) return false;
  fonts.finish();
  removeAnnotations(doc, (annotation) => drawn.has(annotation));
  return true;
}

function commentsOn(doc: PdfDocument, page: Ref): Comment[] {
  const found: Comment[] = [];
  for (const each of doc.array(doc.dict(page)?.get('Annots')) ?? []) {
    const annotation = doc.dict(each);
    const place = annotation && boxOf(doc, doc.resolve(annotation.get('Rect')));
    if (!place || !isName(doc.resolve(annotation.get('Subtype')), 'Text')) continue;
    const [author, words] = ['T', 'Contents'].map((key) => doc.text(annotation.get(key))?.trim() ?? '');
    const lines = [author?.replace(/[\s,]+$/, ''), words].filter((line) => line);
    if (lines.length > 0) found.push({ annotation, words: lines.join('\n'), place });
  }
  return found.toSorted((a, b) => b.place.top - a.place.top || a.place.left - b.place.left);
}

interface CommentBox extends Comment {
  text: LaidOutText;
  /** In the coordinates of the page. */
  top: number;
  height: number;
}

interface Column {
  page: Box;
  boxes: CommentBox[];
  /** Where the page must end for all of them. */
  bottom: number;
}

/** Each beside what it is about where there is room, else one below another, smaller, and down as far as it takes. */
function columnOf(comments: readonly Comment[], page: Box, layOut: LayOut): Column {
  let column: Column = { page, boxes: [], bottom: page.bottom };
  for (const size of SIZES) {
    const laidOut = comments.flatMap((comment) => {
      const text = layOut(comment.words, { size, maxWidth: BOX_WIDTH - 2 * PADDING });
      return text ? [{ ...comment, text, height: text.height + 2 * PADDING }] : [];
    });
    for (const isBeside of [true, false]) {
      let top = page.top - GAP;
      const boxes = laidOut.map((comment): CommentBox => {
        const at = isBeside ? Math.min(top, comment.place.top) : top;
        top = at - comment.height - GAP;
        return { ...comment, top: at };
      });
      column = { page, boxes, bottom: Math.min(page.bottom, top) };
      if (column.bottom === page.bottom) return column;
    }
  }
  return column;
}

const numbers = (...values: number[]): string => values.map(formatNumber).join(' ');

function drawColumn(
  doc: PdfDocument,
  ref: Ref,
  { page, boxes, bottom }: Column,
  { fonts, overlay }: { fonts: EmbeddedFonts; overlay: PageOverlay },
): void {
  const dict = doc.edit(ref);
  const whole = { ...page, bottom, right: page.right + MARGIN };
  dict.set('MediaBox', boxArray(whole));
  dict.delete('CropBox');
  const shown = displayedPage(doc, ref);
  const x = page.right - page.left + 2 * GAP;
  const placed: Placed[] = [];
  for (const { text, top, height, place } of boxes) {
    const words = drawText(text, fonts);
    const y = top - height - bottom;
    const anchor = [Math.min(place.right, page.right) - page.left, place.top - bottom];
    const operators = [
      `q 0.6 G 0.5 w ${numbers(...anchor)} m ${numbers(x, y + height - PADDING)} l S`,
      `1 0.97 0.8 rg ${numbers(x, y, BOX_WIDTH, height)} re B Q`,
      `q 0 g 1 0 0 1 ${numbers(x + PADDING, y + PADDING)} cm`,
      words.operators,
      'Q',
    ];
    const size = [0, 0, whole.right - whole.left, whole.top - whole.bottom];
    placed.push({ form: addForm(doc, size, operators.join('\n'), { Font: words.fonts }) });
  }
  overlay.draw(shown, placed);
}
