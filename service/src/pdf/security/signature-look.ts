// What a signature shows: a frame with an image and lines of text, in a box of any size.
import type { Size } from '../../contract/raster.ts';
import type { Drawable } from '../content/drawable.ts';
import type { PdfDocument } from '../document.ts';
import { type Box, boxArray, boxOf, heightOf, widthOf } from '../geometry/boxes.ts';
import { displayedPage, turnMatrix } from '../geometry/displayed-page.ts';
import { boxThrough, IDENTITY, inverse, matrixText } from '../geometry/matrix.ts';
import { Dict, name, type PdfValue, type Ref } from '../objects.ts';
import { formatNumber } from '../syntax/object-syntax.ts';
import { drawText } from '../text/drawn-text.ts';
import type { LaidOutText } from '../text/drawn-text-shapes.ts';
import { EmbeddedFonts } from '../text/font-embedding.ts';

export interface SignatureLook {
  text: LaidOutText | undefined;
  /** Of the same document. */
  image: Drawable | undefined;
}

const BOX_MARGIN = 4;
/** How much of the width an image takes at most where there is text beside it. */
const IMAGE_SHARE = 0.4;

/** How large an image is drawn, and the room for text beside it. */
export function partsOfBox(
  box: Size,
  image: Size | undefined,
  hasText: boolean,
): { image: Size | undefined; text: Size } {
  const room = inner(box);
  if (!image) return { image: undefined, text: room };
  const width = hasText ? room.width * IMAGE_SHARE : room.width;
  const scale = Math.min(width / image.width, room.height / image.height);
  const drawn = { width: image.width * scale, height: image.height * scale };
  const left = Math.max(1, room.width - drawn.width - BOX_MARGIN);
  return { image: drawn, text: { width: left, height: room.height } };
}

const inner = ({ width, height }: Size): Size => ({
  width: Math.max(1, width - 2 * BOX_MARGIN),
  height: Math.max(1, height - 2 * BOX_MARGIN),
});

/** Rect of a box that stands on the page as displayed. */
export function rectOn(doc: PdfDocument, page: Ref, box: Box): PdfValue[] {
  return boxArray(boxThrough(inverse(displayedPage(doc, page).matrix) ?? IDENTITY, box));
}

/** How large a widget shows on the page as displayed. */
export function sizeShown(doc: PdfDocument, page: Ref, rect: PdfValue | undefined): Size {
  const box = boxOf(doc, doc.resolve(rect)) ?? { left: 0, bottom: 0, right: 0, top: 0 };
  const shown = boxThrough(displayedPage(doc, page).matrix, box);
  return { width: widthOf(shown), height: heightOf(shown) };
}

/** The appearance of a signature, upright for the reader of a turned page (operations 1.5). */
export function addAppearance(doc: PdfDocument, page: Ref, size: Size, look: SignatureLook): Ref {
  const fonts = new EmbeddedFonts(doc);
  const text = look.text && drawText(look.text, fonts);
  const drawn = partsOfBox(size, look.image, look.text !== undefined).image;
  const { width, height } = size;
  const operators = [
    `q 1 g 0.4 G 0.5 w 0.25 0.25 ${formatNumber(width - 0.5)} ${formatNumber(height - 0.5)} re B Q`,
  ];
  if (look.image && drawn) {
    const x = text ? BOX_MARGIN : (width - drawn.width) / 2;
    const scale = drawn.width / look.image.width;
    operators.push(`q ${matrixText([scale, 0, 0, scale, x, (height - drawn.height) / 2])} cm /Picture Do Q`);
  }
  if (text && look.text) {
    const x = drawn ? drawn.width + 2 * BOX_MARGIN : BOX_MARGIN;
    const y = (height - look.text.height) / 2;
    operators.push(`q 0 g ${matrixText([1, 0, 0, 1, x, y])} cm\n${text.operators}\nQ`);
  }
  const form = doc.addStream(
    Dict.of({
      Type: name('XObject'),
      Subtype: name('Form'),
      BBox: [0, 0, width, height],
      Matrix: [...(inverse(turnMatrix(displayedPage(doc, page).turn)) ?? IDENTITY)],
      Resources: Dict.of({
        Font: text?.fonts,
        XObject: look.image && Dict.of({ Picture: look.image.form }),
      }),
    }),
    Buffer.from(`${operators.join('\n')}\n`, 'latin1'),
  );
  fonts.finish();
  return form;
}
