// Letters of TeX's fonts for text where nothing but the widths of their glyphs tells which of TeX's two encodings they
// have. Old documents draw such fonts as bitmaps (Type 3) without a map and without names: the codes of ligatures,
// dashes and quotes are control characters then, which every reader leaves out or tells as they are.
//
// Widths are in parts of that of an n; those of Computer Modern in its upright, bold, slanted and sans forms agree.

interface Sign {
  text: string;
  /** Narrowest and widest; undefined where another sign of the other encoding may be as wide. */
  width?: readonly [number, number];
}

const LIGATURES: readonly Sign[] = [
  { text: 'ff', width: [1, 1.18] },
  { text: 'fi', width: [0.94, 1.12] },
  { text: 'fl', width: [0.94, 1.12] },
  { text: 'ffi', width: [1.44, 1.66] },
  { text: 'ffl', width: [1.44, 1.66] },
];

/** T1, Cork. */
const CORK: ReadonlyMap<number, Sign> = new Map<number, Sign>([
  [0x0d, { text: '‚' }],
  [0x0e, { text: '‹' }],
  [0x0f, { text: '›' }],
  [0x10, { text: '“', width: [0.75, 1.1] }],
  [0x11, { text: '”', width: [0.75, 1.1] }],
  [0x12, { text: '„' }],
  [0x13, { text: '«' }],
  [0x14, { text: '»' }],
  [0x15, { text: '–' }],
  [0x16, { text: '—', width: [1.6, 2] }],
  [0x19, { text: 'ı' }],
  [0x1a, { text: 'ȷ' }],
  ...LIGATURES.map((sign, i): [number, Sign] => [0x1b + i, sign]),
  [0x7f, { text: '-' }],
]);

/** OT1, TeX's first. */
const FIRST: ReadonlyMap<number, Sign> = new Map<number, Sign>([
  ...LIGATURES.map((sign, i): [number, Sign] => [0x0b + i, sign]),
  [0x10, { text: 'ı' }],
  [0x11, { text: 'ȷ' }],
  [0x19, { text: 'ß' }],
  [0x1a, { text: 'æ' }],
  [0x1b, { text: 'œ' }],
  [0x1c, { text: 'ø' }],
  [0x1d, { text: 'Æ' }],
  [0x1e, { text: 'Œ' }],
  [0x1f, { text: 'Ø' }],
  [0x22, { text: '”' }],
  [0x5c, { text: '“' }],
  [0x7b, { text: '–' }],
  [0x7c, { text: '—' }],
]);

/** Letters as wide as an n in these fonts. */
const AS_WIDE_AS_N = [...'nuhbdpq'].map((letter) => letter.charCodeAt(0));
/** A dash is told from TeX's breve by nothing but that text has many of one and hardly any of the other. */
const DASH = 0x15;

/** Typewriter fonts have other signs under these codes, all as wide as an n. */
function isOfOneWidth(widthOf: (code: number) => number, measure: number): boolean {
  for (let code = 0x61; code <= 0x7a; code += 1) {
    const width = widthOf(code);
    if (width > 0 && Math.abs(width / measure - 1) > 0.05) return false;
  }
  return true;
}

/** What the codes mean that others do not tell, by the widths of codes; empty where the font has no such letters. */
export function texTextEncoding(widthOf: (code: number) => number): ReadonlyMap<number, string> {
  const measure = AS_WIDE_AS_N.map(widthOf).find((width) => width > 0);
  if (measure === undefined || isOfOneWidth(widthOf, measure)) return new Map();
  const speaking = (encoding: ReadonlyMap<number, Sign>): number => {
    let count = 0;
    for (const [code, { width }] of encoding) {
      const part = width ? widthOf(code) / measure : 0;
      if (width && part >= width[0] && part <= width[1]) count += 1;
    }
    return count;
  };
  const [cork, first] = [speaking(CORK), speaking(FIRST)];
  if (cork === first) return cork === 0 && widthOf(DASH) > 0 ? new Map([[DASH, '–']]) : new Map();
  return new Map(Array.from(cork > first ? CORK : FIRST, ([code, { text }]) => [code, text]));
}
