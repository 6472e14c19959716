// The standards a document may declare, and what each is called.

export type StandardId = keyof typeof NAMES;
export type PdfaPart = 1 | 2 | 3 | 4;
export type Part = PdfaPart | 'ua1' | 'ua2';
export type Level = 'a' | 'b' | 'u' | 'e' | 'f' | '';

export interface Standard {
  id: StandardId;
  /** PDF/A-2b */
  name: string;
  part: Part;
  level: Level;
  /** ISO 19005-2:2011 */
  specification: string;
}

const NAMES = {
  '1a': 'PDF/A-1a',
  '1b': 'PDF/A-1b',
  '2a': 'PDF/A-2a',
  '2b': 'PDF/A-2b',
  '2u': 'PDF/A-2u',
  '3a': 'PDF/A-3a',
  '3b': 'PDF/A-3b',
  '3u': 'PDF/A-3u',
  '4': 'PDF/A-4',
  '4e': 'PDF/A-4e',
  '4f': 'PDF/A-4f',
  ua1: 'PDF/UA-1',
  ua2: 'PDF/UA-2',
} as const;

export const SPECIFICATIONS: Readonly<Record<Part, string>> = {
  1: 'ISO 19005-1:2005',
  2: 'ISO 19005-2:2011',
  3: 'ISO 19005-3:2012',
  4: 'ISO 19005-4:2020',
  ua1: 'ISO 14289-1:2014',
  ua2: 'ISO 14289-2:2024',
};

export const STANDARD_IDS = Object.keys(NAMES) as StandardId[];

export const isStandardId = (text: string): text is StandardId => Object.hasOwn(NAMES, text);

export function standardOf(id: StandardId): Standard {
  const isUa = id === 'ua1' || id === 'ua2';
  const part = isUa ? id : (Number(id[0]) as PdfaPart);
  const level = isUa ? '' : (id.slice(1) as Level);
  return { id, name: NAMES[id], part, level, specification: SPECIFICATIONS[part] };
}
