// Descriptors of fonts that we embed, and the names of their subsets.
import { Dict, name, type Ref } from '../objects.ts';

/** What a font of the machine says of itself, in its own units. */
export interface FaceMeasures {
  postScriptName: string;
  class: 'sans' | 'serif' | 'mono';
  unitsPerEm: number;
  ascent: number;
  descent: number;
  capHeight: number;
  italicAngle: number;
  box: readonly [number, number, number, number];
}

/** Flags of a descriptor (ISO 32000-1, table 123). */
export const FLAG = {
  fixedPitch: 1,
  serif: 1 << 1,
  symbolic: 1 << 2,
  script: 1 << 3,
  nonsymbolic: 1 << 5,
  italic: 1 << 6,
  forceBold: 1 << 18,
} as const;

/** Our codes are no standard encoding: the font is symbolic. */
export function fontDescriptor(font: FaceMeasures, fontName: string, file: Record<string, Ref>): Dict {
  const per1000 = (value: number): number => Math.round((value * 1000) / font.unitsPerEm);
  return Dict.of({
    Type: name('FontDescriptor'),
    FontName: name(fontName),
    Flags:
      FLAG.symbolic |
      (font.class === 'mono' ? FLAG.fixedPitch : 0) |
      (font.class === 'serif' ? FLAG.serif : 0) |
      (font.italicAngle !== 0 ? FLAG.italic : 0),
    FontBBox: font.box.map(per1000),
    ItalicAngle: Math.round(font.italicAngle),
    Ascent: per1000(font.ascent),
    Descent: -per1000(font.descent),
    CapHeight: per1000(font.capHeight),
    StemV: 80,
    ...file,
  });
}

/** Six letters before the name tell one subset from another (9.6.4); what is alike in `units` gets the same. */
export function subsetName({ postScriptName }: FaceMeasures, units: Iterable<number>): string {
  let hash = 2166136261;
  for (const unit of units) hash = Math.imul(hash ^ unit, 16777619) >>> 0;
  let tag = '';
  for (let letter = 0; letter < 6; letter += 1) {
    tag += String.fromCharCode(65 + (hash % 26));
    hash = Math.floor(hash / 26);
  }
  return `${tag}+${postScriptName.replace(/[^!-~]|[[\](){}<>/%#]/g, '')}`;
}

const SUBSET_TAG = /^[A-Z]{6}\+/;

export const isSubsetName = (baseFont: string): boolean => SUBSET_TAG.test(baseFont);

export const withoutSubsetTag = (baseFont: string): string => baseFont.replace(SUBSET_TAG, '');
