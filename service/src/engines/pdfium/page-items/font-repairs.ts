// Letters that PDFium tells wrongly. Which text a code stands for is decided by the font's ToUnicode map as we read it
// (`pdf/fonts/to-unicode.ts`) and the names of its glyphs as PDFium reads them, by the rule of
// `pdf/fonts/told-letters.ts`. PDFium leaves out sections of the map whose number of entries is wrong, takes the lowest
// of two entries for one code, tells characters above U+FFFF in halves, and leaves out what the map says nothing of.
import { texMathEncoding } from '../../../pdf/fonts/tex-math-encodings.ts';
import { texTextEncoding } from '../../../pdf/fonts/tex-text-encodings.ts';
import { parseToUnicode, type ToUnicode } from '../../../pdf/fonts/to-unicode.ts';
import { decideLetters, saysSomething } from '../../../pdf/fonts/told-letters.ts';
import type { Library, Pointer } from '../library.ts';
import { widthsOfFont } from './code-widths.ts';
import { readFontName } from './fonts.ts';
import { FontMemory } from './to-unicode-memory.ts';

/** The codes of a font whose letters PDFium tells otherwise than is decided. */
export interface Repairs {
  readonly isNone: boolean;
  /** The letters that a code stands for; undefined where PDFium tells them. */
  get(code: number): readonly number[] | undefined;
  /** What the font itself says of a code. */
  text?(code: number): string | undefined;
  /** Codes that the font's map tells otherwise than the names of its glyphs. */
  readonly doubtful?: Pick<ReadonlySet<number>, 'has'>;
}

/** A glyph that is seen, and of which nothing says what it means; one that is not seen is a space. */
const UNKNOWN: readonly number[] = [0xfffd];
const SPACE: readonly number[] = [0x20];

/** What a glyph is to be read as that has, or has not, something to show. */
export const lettersOfGlyph = (letters: readonly number[], hasInk: boolean): readonly number[] =>
  letters === UNKNOWN && !hasInk ? SPACE : letters;

export const NO_REPAIRS: Repairs = { isNone: true, get: () => undefined };
/** Strings of the font may fall into other codes than PDFium takes them for, or mean no characters. */
const ALL_DOUBTFUL: Repairs = { ...NO_REPAIRS, doubtful: { has: () => true } };

/** Undefined as long as PDFium has not read the map. */
export function readRepairs(library: Library, document: Pointer, font: Pointer): Repairs | undefined {
  const memory = new FontMemory(library, document, font);
  if (!memory.isMapRead()) return undefined;
  const read = memory.toUnicode();
  const tex = memory.hasEncoding() ? undefined : texMathEncoding(readFontName(library, font));
  if (memory.hasUnreadCodes()) return ALL_DOUBTFUL;
  if (!read) {
    if (tex) return texRepairs(tex);
    if (memory.hasNumbersForCodes()) return ALL_DOUBTFUL;
    const drawn = memory.isOfDrawings()
      ? drawnRepairs(memory.encodedTexts(), widthsOfFont(library, document, font))
      : NO_REPAIRS;
    if (!drawn.isNone) return drawn;
    return memory.isSimple() ? { ...NO_REPAIRS, text: (code) => memory.encodedTexts()[code] } : NO_REPAIRS;
  }
  const map = parseToUnicode(read.cmap);
  // Maps made by TeX leave out what has a name of TeX's own, or tell pieces by characters for private use.
  if (tex) return texRepairs(tex, map);
  const told = memory.readByPdfium();
  return memory.isSimple()
    ? simpleRepairs(map, told, memory, {
        isWhole: read.isWhole,
        tex: texMathEncoding(readFontName(library, font)),
      })
    : compositeRepairs(map, told, memory.hasCodesOfGlyphs());
}

/** Fonts of drawings that are TeX's fonts for text: their ligatures, dashes and quotes. */
function drawnRepairs(names: readonly (string | undefined)[], widthOf: (code: number) => number): Repairs {
  const isTold = (code: number): boolean => code < 0x20 && /[^\0-\x1f]/.test(names[code] ?? '');
  const repairs = new Map<number, readonly number[]>();
  for (const [code, text] of texTextEncoding(widthOf)) if (!isTold(code)) repairs.set(code, lettersOf(text));
  return { isNone: repairs.size === 0, get: (code) => repairs.get(code), text: (code) => names[code] };
}

type Told = ReadonlyMap<number, string>;

function simpleRepairs(
  map: ToUnicode,
  told: Told,
  memory: FontMemory,
  { isWhole, tex }: { isWhole: boolean; tex: readonly string[] | undefined },
): Repairs {
  const names = memory.encodedTexts();
  const repairs = new Map<number, readonly number[]>();
  const doubtful = new Set<number>();
  const hasNames = memory.hasNamedGlyphs();
  const hasKnownNames = tex !== undefined;
  for (let code = 0; code <= LAST_SIMPLE_CODE; code += 1) {
    const mapped = map.get(code);
    if (mapped === undefined) {
      // PDFium goes by the encoding here.
      if (!isWhole) doubtful.add(code);
      continue;
    }
    const isSaid = saysSomething(mapped);
    const { text, otherwise } = decideLetters(
      mapped,
      hasNames || !isSaid ? names[code] : undefined,
      hasKnownNames,
    );
    if (otherwise !== undefined) doubtful.add(code);
    // Names that only TeX knows.
    if (text === undefined) repairs.set(code, texLetter(tex, code) ?? UNKNOWN);
    else if (text !== told.get(code)) repairs.set(code, lettersOf(text));
  }
  return {
    isNone: repairs.size === 0,
    get: (code) => repairs.get(code),
    text: (code) => decideLetters(map.get(code), names[code], hasKnownNames).text,
    ...(doubtful.size > 0 ? { doubtful } : {}),
  };
}

const LAST_SIMPLE_CODE = 0xff;

function compositeRepairs(map: ToUnicode, told: Told, hasCodesOfGlyphs: boolean): Repairs {
  const isOther = (code: number, text: string): boolean => told.get(code) !== text;
  const known = new Map<number, readonly number[] | undefined>();
  const get = (code: number): readonly number[] | undefined => {
    if (known.has(code)) return known.get(code);
    const text = map.get(code);
    const letters = saysSomething(text)
      ? isOther(code, text)
        ? lettersOf(text)
        : undefined
      : hasCodesOfGlyphs || text !== undefined
        ? UNKNOWN
        : undefined;
    known.set(code, letters);
    return letters;
  };
  // PDFium cuts long ranges short.
  const text = (code: number): string | undefined => map.get(code);
  if (map.hasLongRanges || hasCodesOfGlyphs) return { isNone: false, get, text };
  for (const [code, mapped] of map.singles())
    if (isOther(code, mapped) || !saysSomething(mapped)) return { isNone: false, get, text };
  return { ...NO_REPAIRS, text };
}

/** TeX's fonts for formulas have glyphs whose names only TeX knows; a map that tells what they are comes first. */
function texRepairs(encoding: readonly string[], map?: Pick<ToUnicode, 'get'>): Repairs {
  const get = (code: number): readonly number[] | undefined => {
    const mapped = map?.get(code);
    if (saysSomething(mapped) && !PRIVATE_USE.test(mapped)) return lettersOf(mapped);
    return texLetter(encoding, code);
  };
  return { isNone: false, get };
}

const texLetter = (encoding: readonly string[] | undefined, code: number): readonly number[] | undefined => {
  const letter = encoding?.[code] ?? ' ';
  return letter === ' ' ? undefined : [letter.codePointAt(0) as number];
};

const PRIVATE_USE = /[\ue000-\uf8ff]/;

/** Ligatures and forms that letters take within words are told as the letters, as PDFium does. */
const FORMS = /[\ufb00-\ufdff\ufe70-\ufefc]/g;
const lettersOf = (text: string): number[] =>
  Array.from(
    text.replace(FORMS, (form) => form.normalize('NFKC')),
    (letter) => letter.codePointAt(0) ?? 0,
  );
