// A whole document in two colours.

import { cmykToRgb, type Rgb } from '../content/colour-spaces.ts';
import type { PdfDocument } from '../document.ts';
import { mediaBox } from '../geometry/boxes.ts';
import { Dict, type Ref } from '../objects.ts';
import { formatNumber } from '../syntax/object-syntax.ts';
import { type ColourUse, recolourAnnotations, recolourForms, recolourPages } from './recolouring.ts';
import { areaColour, repaint, type TwoColours } from './two-colours.ts';

export function repaintDocument(doc: PdfDocument, colours: TwoColours): void {
  const recolour = {
    content: (content: Uint8Array, resources: Dict, kind: 'page' | 'form' | 'glyph') =>
      repaint(doc, content, resources, colours, kind === 'glyph'),
    colour: (values: readonly number[], of: ColourUse): number[] => {
      // A marker darkens what lies below: white lets it be read.
      if (of === 'marker') return [1, 1, 1];
      return of === 'line' ? [...colours.text] : [...areaColour(colours, rgbOfValues(values))];
    },
  };
  recolourPages(doc, recolour, (page) => paper(doc, page, colours.background));
  recolourForms(doc, recolour);
  recolourAnnotations(doc, recolour);
}

/** The page's whole sheet in the background's colour. */
function paper(doc: PdfDocument, page: Ref, background: Rgb): string {
  const { left, bottom, right, top } = mediaBox(doc, doc.dict(page) ?? new Dict());
  const area = [left, bottom, right - left, top - bottom].map(formatNumber).join(' ');
  return `q ${background.map(formatNumber).join(' ')} rg ${area} re f Q\n`;
}

function rgbOfValues(values: readonly number[]): Rgb {
  if (values.length === 4) return cmykToRgb(values);
  const [r = 0, g = r, b = r] = values;
  return [r, g, b];
}
