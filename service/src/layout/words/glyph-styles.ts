// How glyphs look, as a reader would say it: family, size, bold, italic, monospaced, colour.
import type { GlyphLook, Glyphs } from '../../contract/page-items.ts';
import type { TextStyle } from '../model.ts';
import { familyOf, isBold, isItalicName, isMonospaceName } from './font-names.ts';
import type { VisibleGlyphs } from './visible-glyphs.ts';

export interface Styles {
  /** In points as seen; where the font's own measure is far off (bitmap fonts), by the height of its letters. */
  sizeOf(glyph: number): number;
  /** One object for one look and size. */
  styleOf(glyph: number): TextStyle;
}

/** Letters are about half as high as their font: what is far from it has a measure of its own. */
const USUAL_HEIGHT = 0.6;
const TALLEST = 1.5;
const SMALLEST = 0.15;
/** Recognised text lies under an image in letters that have nothing to show: they tell of no measure. */
const NO_INK = 0.02;
const WIDTH_STEPS = 40;
/** Wider letters are all the same. */
const WIDEST = 4 * WIDTH_STEPS;
const FIRST_LETTER = 0x30;
const LAST_LETTER = 0x7a;
/** Parts of a font's letters that are as wide as each other where it is monospaced. */
const MOST = 0.6;
const NEARLY_ALL = 0.95;
const ENOUGH_LETTERS = 12;
const MANY_LETTERS = 300;

interface LookFacts {
  heights: number;
  letters: number;
  /** How many letters are how wide, in fortieths of the size. */
  widths: Uint16Array;
  /** Which letters there were, and how many different ones. */
  seen: Uint8Array;
  different: number;
}

export function readStyles({ glyphs, indices }: VisibleGlyphs): Styles {
  const { codes, ink, sizes, turns, advances, lookOf, looks } = glyphs;
  const facts: LookFacts[] = looks.map(() => ({
    heights: 0,
    letters: 0,
    widths: new Uint16Array(WIDEST + 1),
    seen: new Uint8Array(LAST_LETTER + 1),
    different: 0,
  }));
  // A few hundred letters tell all there is to know of a font.
  const wanted = new Uint16Array(looks.length).fill(MANY_LETTERS);
  let open = looks.length;
  for (let k = 0; k < indices.length && open > 0; k += 1) {
    const i = indices[k] as number;
    const look = lookOf[i] as number;
    if (wanted[look] === 0) continue;
    const code = codes[i] as number;
    // Letters and digits of the Latin alphabet: their proportions are known.
    if (code < FIRST_LETTER || code > LAST_LETTER || turns[i] !== 0) continue;
    wanted[look] = (wanted[look] as number) - 1;
    if (wanted[look] === 0) open -= 1;
    const fact = facts[look] as LookFacts;
    const size = sizes[i] as number;
    fact.letters += 1;
    fact.heights += ((ink[i * 4 + 3] as number) - (ink[i * 4 + 1] as number)) / size;
    const width = Math.round(((advances[i] as number) / size) * WIDTH_STEPS);
    const step = width < WIDEST ? width : WIDEST;
    fact.widths[step] = (fact.widths[step] as number) + 1;
    if (fact.seen[code] === 0) {
      fact.seen[code] = 1;
      fact.different += 1;
    }
  }
  const factors = facts.map(measureFactor);
  const made = new Map<number, TextStyle>();
  const sizeOf = (i: number): number => (sizes[i] as number) * (factors[lookOf[i] as number] as number);
  let latest: { look: number; size: number; style: TextStyle } | undefined;
  return {
    sizeOf,
    styleOf(i) {
      const look = lookOf[i] as number;
      const ownSize = sizes[i] as number;
      // Most words are written as the one before.
      if (latest && latest.look === look && latest.size === ownSize) return latest.style;
      const size = Math.round(sizeOf(i) * 10) / 10;
      const key = look * 100_000 + Math.round(size * 10);
      let style = made.get(key);
      if (!style) {
        style = styleFor(looks[look] as GlyphLook, facts[look] as LookFacts, size);
        const same = [...made.values()].find((other) => isSame(other, style as TextStyle));
        style = same ?? style;
        made.set(key, style);
      }
      latest = { look, size: ownSize, style };
      return style;
    },
  };
}

/** Whether the sizes of its letters are what they seem, whatever they look like. */
export const haveUsualMeasure = (glyphs: Glyphs): boolean =>
  measureFactors(glyphs).every((factor) => factor === 1);

/** The same glyphs with their sizes as seen, where a font's own measure is far off. */
export function withSeenSizes(glyphs: Glyphs): Glyphs {
  const factors = measureFactors(glyphs);
  if (factors.every((factor) => factor === 1)) return glyphs;
  const sizes = glyphs.sizes.map((size, i) => size * (factors[glyphs.lookOf[i] as number] ?? 1));
  return { ...glyphs, sizes };
}

/** What the sizes in each look must be multiplied by. */
function measureFactors({ codes, ink, sizes, turns, lookOf, looks, count }: Glyphs): number[] {
  const heights = new Float64Array(looks.length);
  const letters = new Uint32Array(looks.length);
  let open = looks.length;
  for (let i = 0; i < count && open > 0; i += 1) {
    const look = lookOf[i] as number;
    const code = codes[i] as number;
    const known = letters[look] as number;
    if (known >= MANY_LETTERS || code < FIRST_LETTER || code > LAST_LETTER || turns[i] !== 0) continue;
    const height = ((ink[i * 4 + 3] as number) - (ink[i * 4 + 1] as number)) / (sizes[i] as number);
    heights[look] = (heights[look] as number) + height;
    letters[look] = known + 1;
    if (known + 1 === MANY_LETTERS) open -= 1;
  }
  return looks.map((_, look) =>
    measureFactor({ heights: heights[look] as number, letters: letters[look] as number }),
  );
}

function measureFactor({ heights, letters }: Pick<LookFacts, 'heights' | 'letters'>): number {
  if (letters === 0) return 1;
  const mean = heights / letters;
  return mean > TALLEST || (mean < SMALLEST && mean > NO_INK) ? mean / USUAL_HEIGHT : 1;
}

function styleFor(look: GlyphLook, facts: LookFacts, size: number): TextStyle {
  const { font, weight, italic, fixedPitch, serif, color, paint } = look;
  const said = saidByName(font, weight);
  return {
    font: said.family,
    size,
    bold: said.bold || paint === 'both',
    italic: italic || said.italic,
    monospace: isMonospaced(fixedPitch || said.monospace, facts),
    ...(serif ? { serif } : {}),
    color,
  };
}

interface SaidByName {
  family: string;
  bold: boolean;
  italic: boolean;
  monospace: boolean;
}

/** Names come again on every page; they are many only where a document is made to have many. */
const names = new Map<string, SaidByName>();
const MAX_NAMES = 500;

function saidByName(font: string, weight: number): SaidByName {
  const key = `${weight} ${font}`;
  let said = names.get(key);
  if (!said) {
    if (names.size >= MAX_NAMES) names.clear();
    said = {
      family: familyOf(font),
      bold: isBold(font, weight),
      italic: isItalicName(font),
      monospace: isMonospaceName(font),
    };
    names.set(key, said);
  }
  return said;
}

/** What the widths say counts more than what the font says of itself; a few may be set narrower. */
function isMonospaced(said: boolean, { widths, different, letters }: LookFacts): boolean {
  if (letters === 0) return said;
  const same = widths.reduce((most, count) => (count > most ? count : most), 0) / letters;
  if (said) return same > MOST;
  return different >= ENOUGH_LETTERS && same > NEARLY_ALL;
}

const isSame = (a: TextStyle, b: TextStyle): boolean =>
  a.font === b.font &&
  a.size === b.size &&
  a.bold === b.bold &&
  a.italic === b.italic &&
  a.monospace === b.monospace &&
  a.color === b.color;
