// Whether two texts for one glyph tell the same letter. The Adobe Glyph List, encodings and Unicode have several
// characters for many a sign; programs that write ToUnicode maps take now the one, now the other.

/** Signs that are drawn alike, or that encodings do not tell apart, each row the one for the other. */
const ALIKE: readonly string[] = [
  // hyphen, soft hyphen, minus and dashes
  '-\u00ad\u02d7\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2500',
  "'`\u00b4\u2018\u2019\u201b\u02b9\u02bb\u02bc\u02bd\u02c8\u02ca\u02cb\u2032\u2035\u0300\u0301\u0374\u1fbf\u1ffd",
  '"\u201c\u201d\u201f\u02ba\u02dd\u2033\u030b\u00a8\u0308',
  '^\u02c6\u0302\u2303',
  '~\u02dc\u0303\u223c\u2053',
  '\u00b8\u0327,\u201a\u0326\u02bd',
  '\u00b7\u2022\u2219\u22c5\u2024\u25cf\u25aa\u25e6\u30fb\u0387\u2027.\u02d9\u0307',
  '\u00b0\u02da\u030a\u00ba\u2218',
  '\u00af\u02c9\u0304\u203e\u0305_\u0331',
  '\u02c7\u030c',
  '\u02d8\u0306',
  '\u02db\u0328',
  '/\u2044\u2215\u29f8\u0338',
  '|\u00a6\u2223\u23d0\u2502\u01c0',
  '\\\u2216\u29f5',
  ':\u2236\u02d0\ua789',
  '*\u2217\u22c6\u2605',
  '\u0394\u2206\u25b3',
  '\u03a9\u2126',
  '\u03a3\u2211',
  '\u03a0\u220f',
  '\u03bc\u00b5',
  '\u03b5\u03f5\u2208\u025b',
  '\u03d5\u03c6\u2205\u00d8\u00f8',
  '\u00df\u03b2\u1e9e',
  '\u00d0\u0110\u0189',
  '\u00f0\u0111',
  '\u0162\u021a',
  '\u0163\u021b',
  '\u015e\u0218',
  '\u015f\u0219',
  '<\u2039\u2329\u27e8\u3008',
  '>\u203a\u232a\u27e9\u3009',
  '\u25ca\u22c4\u2662\u25c7',
  '\u22a5\u27c2',
  '\u2225\u2016',
  '\u25a0\u25aa\u2588',
  '\u25a1\u2610\u25fb',
  'x\u00d7',
  '\u2286\u2282',
  '\u212e\u0065',
  '\u0131i',
  '\u0237j',
];

const GROUPS = new Map<string, string>();
for (const row of ALIKE)
  for (const sign of row)
    for (const form of [sign, sign.toLowerCase(), sign.normalize('NFKC').trim()]) GROUPS.set(form, row);

/** Marks for private use say which glyph of a font is meant, and no letter. */
const SAYS_NO_LETTER = /[\p{Co}\p{Cc}\p{Cn}]/u;

/** What is left of a text where letters are compared: case, forms, blanks and marks of direction do not count. */
const plain = (text: string): string =>
  Array.from(
    text
      .normalize('NFKC')
      .replace(/[\s\p{Cf}]/gu, '')
      .toLowerCase(),
    (letter) => GROUPS.get(letter) ?? letter,
  ).join('');

export function areSameLetters(one: string, other: string): boolean {
  if (one === other || SAYS_NO_LETTER.test(one) || SAYS_NO_LETTER.test(other)) return true;
  const group = GROUPS.get(one);
  return (group !== undefined && group === GROUPS.get(other)) || plain(one) === plain(other);
}
