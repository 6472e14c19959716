// Composite fonts that we embed (Type 0, ISO 32000-1, 9.7): the font, and the one CIDFont below it.
import type { PdfDocument } from '../document.ts';
import { Dict, name, PdfString, type PdfValue, type Ref } from '../objects.ts';

export interface Type0Font {
  baseFont: string;
  descriptor: Ref;
  /** Which glyph of a TrueType program each CID means; without it the program is CFF, which knows CIDs itself. */
  cidToGidMap?: Ref | undefined;
  /** A CMap of its own. Without it codes have two bytes and are CIDs. */
  encoding?: Ref;
  defaultWidth: number;
  widths?: PdfValue[];
  toUnicode: Uint8Array;
}

export function type0Font(doc: PdfDocument, font: Type0Font): Dict {
  const baseFont = name(font.baseFont);
  const descendant = Dict.of({
    Type: name('Font'),
    Subtype: name(font.cidToGidMap ? 'CIDFontType2' : 'CIDFontType0'),
    BaseFont: baseFont,
    CIDSystemInfo: identityCollection(),
    FontDescriptor: font.descriptor,
    DW: font.defaultWidth,
    W: font.widths,
    CIDToGIDMap: font.cidToGidMap,
  });
  return Dict.of({
    Type: name('Font'),
    Subtype: name('Type0'),
    BaseFont: baseFont,
    Encoding: font.encoding ?? name('Identity-H'),
    DescendantFonts: [doc.add(descendant)],
    ToUnicode: doc.addStream(new Dict(), font.toUnicode),
  });
}

/** CIDs that mean nothing but themselves. */
export function identityCollection(): Dict {
  const ascii = (text: string): PdfString => new PdfString(Buffer.from(text, 'latin1'));
  return Dict.of({ Registry: ascii('Adobe'), Ordering: ascii('Identity'), Supplement: 0 });
}
