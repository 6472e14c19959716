// Families that word processors know, for fonts that only typesetting systems have.

const SERIF = 'Times New Roman';
const SANS = 'Arial';
const MONO = 'Courier New';

/** Names as documents give them, and the family that looks most like it and is as wide. */
const KNOWN: readonly [RegExp, string][] = [
  [
    /^(?:cm(?:tt|sltt|itt|vtt)|sftt|lmmono|ectt|nimbusmon|courier|freemono|dejavu ?sans ?mono|txtt|ltxtt)/i,
    MONO,
  ],
  [/^(?:cmss|sfss|lmsans|lmss|ecss|nimbussan|helvetica|freesans|phv|txss|texgyreheros)/i, SANS],
  [
    /^(?:cm[a-z]|sf(?:rm|bx|ti|cc)|lm(?:roman|math)|ec(?:rm|bx|ti)|nimbusrom|times|freeserif|ptm|txr|rtxr|texgyretermes|mtsy|msam|msbm|eu[fsr])/i,
    SERIF,
  ],
];

export type Shape = 'roman' | 'swiss' | 'modern';

export interface Family {
  name: string;
  shape: Shape;
  /** What stands in for it where it is not installed. */
  substitute: string;
}

const SANS_WORDS =
  /sans|arial|helvet|verdana|calibri|tahoma|gothic|grotesk|univers|frutiger|futura|segoe|roboto|open|lato|noto(?!.*serif)|dejavu(?!.*serif)|myriad|trebuchet|corbel|candara|franklin|gill|optima|avenir/i;

/** Families that have stand-ins as wide as they are wherever documents are opened. */
const STEADY = new Set([
  SERIF,
  SANS,
  MONO,
  'Helvetica',
  'Times',
  'Courier',
  'Liberation Sans',
  'Liberation Serif',
  'Liberation Mono',
]);

/** Whether text comes out as wide as it was. */
export const isSteady = (font: string, monospace: boolean): boolean =>
  STEADY.has(familyOf(font, monospace).name);

export function familyOf(font: string, monospace: boolean): Family {
  const known = KNOWN.find(([name]) => name.test(font))?.[1];
  const name = known ?? (cleaned(font) || (monospace ? MONO : SERIF));
  if (monospace || name === MONO) return { name, shape: 'modern', substitute: MONO };
  return SANS_WORDS.test(name)
    ? { name, shape: 'swiss', substitute: SANS }
    : { name, shape: 'roman', substitute: SERIF };
}

/** Office programs take names of at most 31 characters. */
const cleaned = (font: string): string =>
  font
    .replace(/[^\p{L}\p{N} ._-]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 31);
