// The colours of a graphics state with the spaces they are in, read once each.
import type { PdfDocument } from '../document.ts';
import type { PdfValue } from '../objects.ts';
import { type ColourSpace, readSpace } from './colour-spaces.ts';
import type { Colour } from './graphics-state.ts';

export class ColourReading {
  private readonly doc: PdfDocument;
  private readonly known = new Map<PdfValue | undefined, ColourSpace | undefined>();

  constructor(doc: PdfDocument) {
    this.doc = doc;
  }

  /** The space is undefined where the file names one that makes no sense. */
  of({ space, components }: Colour): { space: ColourSpace | undefined; values: readonly number[] } {
    if (!this.known.has(space)) this.known.set(space, readSpace(this.doc, space));
    const read = this.known.get(space);
    return { space: read, values: components ?? read?.initial ?? [] };
  }
}
