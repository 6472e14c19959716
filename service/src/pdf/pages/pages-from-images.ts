// Images as pages of their own.

import type { PdfDocument } from '../document.ts';
import { type Matrix, matrixText, product } from '../geometry/matrix.ts';
import { type ImageXObject, uprightMatrix, uprightSize } from '../images/image-xobjects.ts';
import { Dict, name, type Ref } from '../objects.ts';
import { fitInto } from './page-fitting.ts';
import { PAPER_SIZES, type PaperSize } from './paper.ts';

export interface ImageLayout {
  /** Stretched to the paper; paper as large as the image, a point for each pixel; or fitted and centred. */
  fit: 'fillPage' | 'fitDocumentToImage' | 'maintainAspectRatio';
  /** Paper lies on its side under images that are wider than high. */
  autoRotate: boolean;
}

type Shape = Pick<ImageXObject, 'width' | 'height' | 'orientation'>;

/** A page that shows the image upright. `image` is its object. */
export function addImagePage(doc: PdfDocument, image: Ref, picture: Shape, layout: ImageLayout): Ref {
  const size = uprightSize(picture);
  const paper = paperFor(size, layout);
  const place = product(uprightMatrix(picture.orientation, 1, 1), placeOn(paper, size, layout.fit));
  return doc.add(
    Dict.of({
      Type: name('Page'),
      MediaBox: [0, 0, paper.width, paper.height],
      Resources: Dict.of({ XObject: Dict.of({ Picture: image }) }),
      Contents: doc.addStream(new Dict(), Buffer.from(`q ${matrixText(place)} cm /Picture Do Q\n`, 'latin1')),
    }),
  );
}

function paperFor(size: PaperSize, { fit, autoRotate }: ImageLayout): PaperSize {
  if (fit === 'fitDocumentToImage') return size;
  const { width, height } = PAPER_SIZES.A4;
  return autoRotate && size.width > size.height ? { width: height, height: width } : { width, height };
}

/** Puts the unit square onto the paper. */
function placeOn(paper: PaperSize, size: PaperSize, fit: ImageLayout['fit']): Matrix {
  const all = { left: 0, bottom: 0, right: paper.width, top: paper.height };
  if (fit !== 'maintainAspectRatio') return [paper.width, 0, 0, paper.height, 0, 0];
  return product([size.width, 0, 0, size.height, 0, 0], fitInto(all, size));
}
