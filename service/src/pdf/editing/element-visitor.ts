// Whoever goes through the strings of a page counts them alike: by their place among all that the page draws, images
// included, which is their zOrder for an editor.

import { type ContentInterpreter, pageInterpreter } from '../content/content-interpreter.ts';
import { INITIAL_STATE } from '../content/graphics-state.ts';
import { INITIAL_TEXT } from '../content/text-state.ts';
import type { PdfDocument } from '../document.ts';
import type { Ref } from '../objects.ts';
import type { Position, State } from './shown-text.ts';

/** Hostile content draws one form from another again and again. */
const MAX_ELEMENTS = 200_000;

export class ElementCount {
  private count = 0;

  next(at: Position): number {
    this.count += 1;
    if (this.count > MAX_ELEMENTS) at.stop();
    return this.count;
  }
}

/** Text before a font is set is shown by nobody. */
export const elementInterpreter = (doc: PdfDocument, page: Ref): ContentInterpreter<State> =>
  pageInterpreter<State>(doc, page, { ...INITIAL_STATE, text: { ...INITIAL_TEXT, font: undefined } });
