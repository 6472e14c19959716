// Colour spaces, as far as it takes to tell what a colour looks like (ISO 32000-1, 8.6).
import { lookup } from '../../contract/lookup.ts';
import type { PdfDocument } from '../document.ts';
import { Name, type PdfObject, PdfString, type PdfValue, Ref, Stream } from '../objects.ts';
import { numbers, readFunction } from './functions.ts';

export type Rgb = readonly [number, number, number];
export type Cmyk = readonly [number, number, number, number];

export interface ColourSpace {
  family: 'gray' | 'rgb' | 'cmyk' | 'lab' | 'indexed' | 'ink' | 'pattern';
  components: number;
  /** The colour before any is chosen. */
  initial: readonly number[];
  /** Bounds of each component, for images. */
  range: readonly number[];
  rgb(values: readonly number[]): Rgb;
  /** Of a pattern without colours of its own, or of a palette. */
  base?: ColourSpace;
  /** Of inks: their colour elsewhere. */
  alternate?: ColourSpace;
}

const limit = (value: number): number => (value > 0 ? Math.min(1, value) : 0);

export const cmykToRgb = ([c, m, y, k]: readonly number[]): Rgb =>
  [c, m, y].map((ink) => (1 - limit(ink ?? 0)) * (1 - limit(k ?? 0))) as unknown as Rgb;

/** How bright a colour looks, 0 to 1. */
export const brightness = ([r, g, b]: Rgb): number => 0.299 * limit(r) + 0.587 * limit(g) + 0.114 * limit(b);

/** Black takes all that the three inks have in common. */
export function rgbToCmyk([r, g, b]: Rgb): Cmyk {
  const k = 1 - Math.max(limit(r), limit(g), limit(b));
  if (k >= 1) return [0, 0, 0, 1];
  const ink = (value: number): number => (1 - limit(value) - k) / (1 - k);
  return [ink(r), ink(g), ink(b), k];
}

const UNIT = [0, 1];
export const GRAY: ColourSpace = {
  family: 'gray',
  components: 1,
  initial: [0],
  range: UNIT,
  rgb: ([v = 0]) => [limit(v), limit(v), limit(v)],
};
export const RGB: ColourSpace = {
  family: 'rgb',
  components: 3,
  initial: [0, 0, 0],
  range: [...UNIT, ...UNIT, ...UNIT],
  rgb: ([r = 0, g = 0, b = 0]) => [limit(r), limit(g), limit(b)],
};
export const CMYK: ColourSpace = {
  family: 'cmyk',
  components: 4,
  initial: [0, 0, 0, 1],
  range: [...UNIT, ...UNIT, ...UNIT, ...UNIT],
  rgb: cmykToRgb,
};
const PATTERN: ColourSpace = {
  family: 'pattern',
  components: 0,
  initial: [],
  range: [],
  rgb: () => [0.5, 0.5, 0.5],
};

const NAMED: Record<string, ColourSpace> = lookup({
  DeviceGray: GRAY,
  G: GRAY,
  CalGray: GRAY,
  DeviceRGB: RGB,
  RGB,
  CalRGB: RGB,
  DeviceCMYK: CMYK,
  CMYK,
  CalCMYK: CMYK,
  Pattern: PATTERN,
});

const MAX_DEPTH = 6;

/** A colour space of a file; `named` finds those that resources name. Undefined where it makes no sense. */
export function readSpace(
  doc: PdfDocument,
  value: PdfObject | undefined,
  named: (name: string) => PdfValue | undefined = () => undefined,
  depth = 0,
): ColourSpace | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const held = doc.resolve(value);
  if (held instanceof Name) {
    const own = named(held.value);
    return own === undefined ? NAMED[held.value] : readSpace(doc, own, undefined, depth + 1);
  }
  if (!Array.isArray(held)) return undefined;
  const family = doc.name(held[0]) ?? '';
  const inner = (part: PdfValue | undefined) => readSpace(doc, part, named, depth + 1);
  if (family === 'ICCBased') return iccBasedSpace(doc, held[1], depth);
  if (family === 'Lab') return lab(doc, held[1]);
  if (family === 'Indexed' || family === 'I') return indexedSpace(doc, held, inner(held[1]));
  if (family === 'Separation' || family === 'DeviceN') return inks(doc, family, held, inner(held[2]));
  if (family === 'Pattern') {
    const base = inner(held[1]);
    return base ? { ...PATTERN, base } : PATTERN;
  }
  return NAMED[family];
}

function iccBasedSpace(
  doc: PdfDocument,
  stream: PdfValue | undefined,
  depth: number,
): ColourSpace | undefined {
  const dict = doc.dict(stream);
  const components = doc.number(dict?.get('N'));
  const known = { 1: GRAY, 3: RGB, 4: CMYK }[components ?? 0];
  const alternate = known && readSpace(doc, dict?.get('Alternate'), undefined, depth + 1);
  return alternate?.family === 'lab' ? alternate : known;
}

function lab(doc: PdfDocument, value: PdfValue | undefined): ColourSpace {
  const dict = doc.dict(value);
  const stated = numbers(doc, dict?.get('Range'));
  const ab = stated.length >= 4 ? stated.slice(0, 4) : [-100, 100, -100, 100];
  const curve = (t: number): number => (t >= 6 / 29 ? t ** 3 : (108 / 841) * (t - 4 / 29));
  return {
    family: 'lab',
    components: 3,
    initial: [0, 0, 0],
    range: [0, 100, ...ab],
    rgb([l = 0, a = 0, b = 0]) {
      const m = (l + 16) / 116;
      // Told as sRGB sees it, whatever white the file names.
      const x = 0.9505 * curve(m + a / 500);
      const y = curve(m);
      const z = 1.089 * curve(m - b / 200);
      const gamma = (v: number): number => (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055);
      return [
        limit(gamma(3.2406 * x - 1.5372 * y - 0.4986 * z)),
        limit(gamma(-0.9689 * x + 1.8758 * y + 0.0415 * z)),
        limit(gamma(0.0557 * x - 0.204 * y + 1.057 * z)),
      ];
    },
  };
}

function indexedSpace(
  doc: PdfDocument,
  held: PdfValue[],
  base: ColourSpace | undefined,
): ColourSpace | undefined {
  const most = Math.min(255, Math.max(0, Math.floor(doc.number(held[2]) ?? 0)));
  const table = tableOf(doc, held[3]);
  if (!base || base.family === 'pattern' || base.family === 'indexed' || !table) return undefined;
  return {
    family: 'indexed',
    components: 1,
    initial: [0],
    range: [0, most],
    base,
    rgb([index = 0]) {
      const at = Math.min(most, Math.max(0, Math.round(index))) * base.components;
      const values = Array.from({ length: base.components }, (_, component) => {
        const [low = 0, high = 1] = base.range.slice(2 * component, 2 * component + 2);
        return low + ((table[at + component] ?? 0) / 255) * (high - low);
      });
      return base.rgb(values);
    },
  };
}

function tableOf(doc: PdfDocument, value: PdfValue | undefined): Uint8Array | undefined {
  const held = doc.resolve(value);
  if (held instanceof PdfString) return held.bytes;
  return held instanceof Stream && value instanceof Ref ? doc.streamData(value).bytes : undefined;
}

function inks(
  doc: PdfDocument,
  family: string,
  held: PdfValue[],
  alternate: ColourSpace | undefined,
): ColourSpace | undefined {
  const names = family === 'Separation' ? [held[1]] : (doc.array(held[1]) ?? []).slice(0, 32);
  const tint = readFunction(doc, held[3]);
  if (!alternate || alternate.family === 'pattern' || names.length === 0) return undefined;
  return {
    family: 'ink',
    components: names.length,
    initial: names.map(() => 1),
    range: names.flatMap(() => UNIT),
    alternate,
    rgb(values) {
      if (tint) return alternate.rgb(tint(values));
      const paper = 1 - limit(Math.max(...values, 0));
      return [paper, paper, paper];
    },
  };
}
