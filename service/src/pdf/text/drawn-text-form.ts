// Laid-out text as a form XObject: one object that any number of pages can show.
import type { PdfDocument } from '../document.ts';
import { Dict, name, type Ref } from '../objects.ts';
import { drawText } from './drawn-text.ts';
import type { LaidOutText } from './drawn-text-shapes.ts';
import type { EmbeddedFonts } from './font-embedding.ts';

export interface TextFormOptions {
  /** Operators that come first: colour, graphics state. */
  paint?: string;
  /** Resources that those name, such as ExtGState. */
  resources?: Record<string, Dict>;
  /** It will stand at an angle. */
  slanted?: boolean;
}

/** A form whose origin is the lower-left corner of the text. */
export function textForm(
  doc: PdfDocument,
  text: LaidOutText,
  fonts: EmbeddedFonts,
  { paint = '', resources = {}, slanted = false }: TextFormOptions = {},
): Ref {
  const drawn = drawText(text, fonts, { slanted });
  // Marks and swashes may reach beyond the lines' own measures; the box cuts off what lies outside.
  const margin = text.size;
  const dict = Dict.of({
    Type: name('XObject'),
    Subtype: name('Form'),
    BBox: [-margin, -margin, text.width + margin, text.height + margin].map(
      (side) => Math.round(side * 100) / 100,
    ),
    Resources: Dict.of({ ...resources, Font: drawn.fonts }),
  });
  return doc.addStream(dict, Buffer.from(`${paint}\n${drawn.operators}\n`, 'latin1'));
}
