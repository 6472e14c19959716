// What a font dictionary and its descriptor say (ISO 32000-1, 9.8).
import type { PdfDocument } from '../document.ts';
import type { Dict } from '../objects.ts';
import { nameText } from '../text-strings.ts';

export interface FontFacts {
  IsEmbedded: boolean;
  Name?: string;
  Subtype?: string;
  ItalicAngle?: number;
  IsItalic?: boolean;
  IsBold?: boolean;
  IsFixedPitch?: boolean;
  IsSerif?: boolean;
  IsSymbolic?: boolean;
  IsScript?: boolean;
  IsNonsymbolic?: boolean;
  FontFamily?: string;
  FontWeight?: number;
}

/** Bits of /Flags, counted from 1 (table 123). */
const FLAG_BITS = {
  FixedPitch: 1,
  Serif: 2,
  Symbolic: 3,
  Script: 4,
  Nonsymbolic: 6,
  Italic: 7,
  ForceBold: 19,
} as const;

export function fontFacts(doc: PdfDocument, font: Dict): FontFacts {
  const inner = doc.dict(doc.array(font.get('DescendantFonts'))?.[0]);
  const descriptor = doc.dict(font.get('FontDescriptor')) ?? doc.dict(inner?.get('FontDescriptor'));
  const name = doc.name(font.get('BaseFont')) ?? doc.name(descriptor?.get('FontName'));
  const subtype = doc.name(font.get('Subtype'));
  return {
    // The glyphs of a Type 3 font are drawings of the document's own.
    IsEmbedded:
      subtype === 'Type3' ||
      ['FontFile', 'FontFile2', 'FontFile3'].some((key) => doc.dict(descriptor?.get(key)) !== undefined),
    ...(name === undefined ? {} : { Name: nameText(name) }),
    ...(subtype === undefined ? {} : { Subtype: nameText(subtype) }),
    ...(descriptor ? descriptorFacts(doc, descriptor, name ?? '') : {}),
  };
}

function descriptorFacts(doc: PdfDocument, descriptor: Dict, name: string): Partial<FontFacts> {
  const flags = doc.number(descriptor.get('Flags')) ?? 0;
  const has = (flag: keyof typeof FLAG_BITS): boolean => (flags & (1 << (FLAG_BITS[flag] - 1))) !== 0;
  const angle = doc.number(descriptor.get('ItalicAngle'));
  const weight = doc.number(descriptor.get('FontWeight'));
  const family = doc.text(descriptor.get('FontFamily'));
  return {
    ...(angle === undefined ? {} : { ItalicAngle: angle }),
    IsItalic: has('Italic') || /italic|oblique/i.test(name),
    IsBold: has('ForceBold') || (weight ?? 0) >= 700 || /bold|black|heavy/i.test(name),
    IsFixedPitch: has('FixedPitch'),
    IsSerif: has('Serif'),
    IsSymbolic: has('Symbolic'),
    IsScript: has('Script'),
    IsNonsymbolic: has('Nonsymbolic'),
    ...(family === undefined ? {} : { FontFamily: family }),
    ...(weight === undefined ? {} : { FontWeight: weight }),
  };
}
