// A document whose pages are odd in every way that geometry must bear.
import { pdfOf, streamOf } from './written-pdf.ts';

/** Page 1: plain letter. 2: turned, box away from the origin. 3: crop box inside, turned over. 4: tiny, other unit. */
export const ODD_SIZES: readonly [number, number][] = [
  [612, 792],
  [500, 300],
  [200, 300],
  [36, 24],
  [5000, 7000],
];

const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>';

/**
 * Each page says `page N` at its lower left, black, and leaves its graphics state open and moved; page 3 is made of
 * several streams that split operators, page 5 inherits its size.
 */
export const ODD_PAGES = pdfOf([
  '<< /Type /Catalog /Pages 2 0 R >>',
  `<< /Type /Pages /Kids [3 0 R 4 0 R 5 0 R 6 0 R 7 0 R] /Count 5 /MediaBox [0 0 5000 7000]
      /Resources << /Font << /F1 8 0 R >> >> >>`,
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 9 0 R >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [1000 -200 1300 300] /Rotate 90 /Contents 10 0 R >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 600] /CropBox [100 50 300 350] /Rotate 180 /Contents [11 0 R 12 0 R 13 0 R] >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [-10 -10 26 14] /UserUnit 4 /Contents 14 0 R >>',
  '<< /Type /Page /Parent 2 0 R /Rotate -360 /Contents 15 0 R >>',
  FONT,
  streamOf('q q 2 0 0 2 0 0 cm BT /F1 10 Tf 10 10 Td (page 1) Tj ET'),
  // Upright when displayed: the page is turned by 90 degrees clockwise.
  streamOf('q BT /F1 20 Tf 0 1 -1 0 1280 -180 Tm (page 2) Tj ET Q Q Q 0 0 0 0 0 0 cm'),
  streamOf('q BT /F1 20'),
  streamOf('Tf -1 0 0 -1 280 330 Tm (page 3)'),
  streamOf('Tj ET 3 0 0 3 9 9 cm'),
  streamOf('BT /F1 6 Tf -8 -8 Td (page 4) Tj ET'),
  streamOf('BT /F1 400 Tf 100 100 Td (page 5) Tj ET q'),
]);

/** Everything refers to everything, and nothing is of the type it should be. */
export const KNOT = pdfOf([
  `<< /Type /Catalog /Pages 2 0 R /Outlines 5 0 R /StructTreeRoot 6 0 R /AcroForm << /Fields [3 0 R 7 0 R 7 0 R] /DA 5 >>
      /Threads [8 0 R] /Names << /Dests 9 0 R /Pages 9 0 R >> /PageLabels 9 0 R /Dests [1] /OpenAction 10 0 R >>`,
  '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /MediaBox [0 0 100 100] >>',
  `<< /Type /Page /Parent 2 0 R /Annots [3 0 R 7 0 R 7 0 R 1 0 R null 99 0 R << /Subtype /Link /Rect (x) /Dest 10 0 R >>]
      /B [8 0 R 3 0 R] /Resources 3 0 R /Contents 3 0 R /Group 3 0 R /Rotate 90 /StructParents 0 /UserUnit -3 >>`,
  `<< /Type /Page /Parent 2 0 R /Annots 4 0 R /AA 10 0 R /Contents [11 0 R 11 0 R 3 0 R null] /CropBox [500 500 600 600]
      /Resources << /XObject << /A 11 0 R /B 12 0 R >> /Font 4 0 R /ExtGState << /G 6 0 R >> >> >>`,
  '<< /First 5 0 R /Last 5 0 R /Next 5 0 R /Title (x) /A 10 0 R /SE 6 0 R >>',
  '<< /K [6 0 R 3 0 R 0 << /Type /MCR /Pg 4 0 R /MCID (x) /Stm 6 0 R >> [6 0 R]] /ParentTree 6 0 R /Kids [6 0 R] /IDTree 6 0 R /Ref [6 0 R] >>',
  '<< /Subtype /Widget /Parent 7 0 R /Kids [7 0 R 3 0 R] /T 5 /A 10 0 R /AP << /N 7 0 R /D 11 0 R >> /Rect [1 1 5 (x)] /InkList 7 0 R /BS 7 0 R /MK 5 >>',
  '<< /F 8 0 R /N 8 0 R /V 8 0 R /P 3 0 R /R 8 0 R >>',
  '<< /Kids [9 0 R] /Names [(a) 9 0 R (b)] /Nums [0 9 0 R 1 -5] /Limits [1 2] >>',
  '<< /S /GoTo /D [4 0 R] /Next [10 0 R 10 0 R << /S /GoTo /D (a) /Next 10 0 R >> [3 0 R /XYZ]] >>',
  streamOf(
    '/A Do /B Do q /G gs BT /F 9 Tf (x) Tj /Span /P BDC',
    '/Subtype /Form /BBox [0 0 99 99] /Resources 11 0 R /Matrix 11 0 R',
  ),
  streamOf('/A Do', '/Subtype /Image /Width -1 /Height (x) /SMask 12 0 R'),
]);
