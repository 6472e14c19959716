// A string as it is shown: its glyphs with their codes, what each says, and where it stands in the line.

import type { ContentPosition } from '../content/content-visitor.ts';
import type { GraphicsState } from '../content/graphics-state.ts';
import type { PlacedGlyph } from '../content/text-state.ts';
import type { CodeText, GlyphFont } from '../fonts/glyph-fonts.ts';
import { PdfString, type PdfValue } from '../objects.ts';

export type State = GraphicsState<GlyphFont>;
export type Position = ContentPosition<State>;

/** A gap in TJ, in thousandths of the size, from which on a reader sees a blank. */
export const BLANK_FROM = 180;

export interface ShownGlyph extends CodeText {
  code: Uint8Array;
  placed: PlacedGlyph;
  /** Where it stands and where the next would, in thousandths of the size from the string's beginning. */
  start: number;
  end: number;
  /** Where its text begins in that of the string. */
  from: number;
}

export interface ShownText {
  glyphs: ShownGlyph[];
  /** With a blank for each wide gap. */
  text: string;
  /** Where the line has come to, as `start` of a glyph. */
  end: number;
}

export const codeNumberOf = (code: Uint8Array): number => code.reduce((sum, byte) => sum * 256 + byte, 0);

/** Moves the cursor on, as who shows text must. Undefined where no font is set. */
export function readShown(items: readonly PdfValue[], at: Position): ShownText | undefined {
  const { text, ctm } = at.state;
  const { font } = text;
  if (!font) return undefined;
  const glyphs: ShownGlyph[] = [];
  let said = '';
  let come = 0;
  for (const item of items) {
    if (typeof item === 'number') {
      at.cursor.adjust(item, text);
      come -= item;
      if (-item > BLANK_FROM && said !== '' && !said.endsWith(' ')) said += ' ';
      continue;
    }
    if (!(item instanceof PdfString)) continue;
    let begin = 0;
    for (const placed of at.cursor.show(item.bytes, text, ctm)) {
      const code = item.bytes.subarray(begin, begin + placed.length);
      begin += placed.length;
      const end = come - placed.adjustment;
      const read = font.read(code);
      glyphs.push({ ...read, code, placed, start: come, end, from: said.length });
      said += read.text ?? '\ufffd';
      come = end;
    }
  }
  return { glyphs, text: said, end: come };
}
