// What a font dictionary and its descriptor say (ISO 32000-1, 9.8).
import type { PdfDocument } from '../document.ts';
import type { Dict } from '../objects.ts';
import { nameText } from '../text-strings.ts';
import { FLAG } from './font-descriptor.ts';
import { descriptorOf, fontFileOf } from './font-file.ts';

export interface FontReport {
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

export function fontReport(doc: PdfDocument, font: Dict): FontReport {
  const descriptor = descriptorOf(doc, font);
  const name = doc.name(font.get('BaseFont')) ?? doc.name(descriptor?.get('FontName'));
  const subtype = doc.name(font.get('Subtype'));
  return {
    // The glyphs of a Type 3 font are drawings of the document's own.
    IsEmbedded: subtype === 'Type3' || fontFileOf(doc, descriptor) !== undefined,
    ...(name === undefined ? {} : { Name: nameText(name) }),
    ...(subtype === undefined ? {} : { Subtype: nameText(subtype) }),
    ...(descriptor ? descriptorReport(doc, descriptor, name ?? '') : {}),
  };
}

function descriptorReport(doc: PdfDocument, descriptor: Dict, name: string): Partial<FontReport> {
  const flags = doc.number(descriptor.get('Flags')) ?? 0;
  const has = (flag: keyof typeof FLAG): boolean => (flags & FLAG[flag]) !== 0;
  const angle = doc.number(descriptor.get('ItalicAngle'));
  const weight = doc.number(descriptor.get('FontWeight'));
  const family = doc.text(descriptor.get('FontFamily'));
  return {
    ...(angle === undefined ? {} : { ItalicAngle: angle }),
    IsItalic: has('italic') || /italic|oblique/i.test(name),
    IsBold: has('forceBold') || (weight ?? 0) >= 700 || /bold|black|heavy/i.test(name),
    IsFixedPitch: has('fixedPitch'),
    IsSerif: has('serif'),
    IsSymbolic: has('symbolic'),
    IsScript: has('script'),
    IsNonsymbolic: has('nonsymbolic'),
    ...(family === undefined ? {} : { FontFamily: family }),
    ...(weight === undefined ? {} : { FontWeight: weight }),
  };
}
