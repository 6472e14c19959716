// The ways in which extracted text can be read: blanks, ligatures, accents and letter case made equal, and words that
// a line end, a hyphen or wide spacing has broken made whole.

export interface Reading {
  text: string;
  /** For each unit of `text` the place in the source it comes from. */
  from: number[];
}

/** Folded: for words that are looked for as they are. As written: for expressions, which tell case and lines apart. */
export type ReadingKind = 'folded' | 'as-written';

/** Never seen: soft hyphens, joiners, marks of direction and order, the odd control character. */
const UNSEEN = /\p{Cc}|\p{Cf}|\p{Variation_Selector}|\u034f/u;
const BLANK = /\s/;
const LINE_END = /[\n\r\u2028\u2029]/;
const HYPHEN = /[\u2010\u2011]/;

/** The text as it stands, then with broken words made whole where there are any. */
export function readingsOf(source: string, kind: ReadingKind): Reading[] {
  const plain = plainReading(source.replace(SOFT_AT_LINE_END, '-'), kind);
  return [plain, ...wholeReadings(plain, kind)].map((reading) => asKind(reading, kind));
}

/** Seen there, and nowhere else. */
const SOFT_AT_LINE_END = /\u00ad(?=[^\S\n\r\u2028\u2029]*[\n\r\u2028\u2029])/g;

/** A place within a word where a line may end: a blank of no width. */
const MAY_END = '\u200b';

interface PlainReading extends Reading {
  /** Blanks with such a place beside them. */
  joints: Set<number>;
}

/** Runs of blanks are one blank, or one line end where there is one among them. */
function plainReading(source: string, kind: ReadingKind): PlainReading {
  const known = KNOWN[kind];
  const from: number[] = [];
  const units: string[] = [];
  const joints = new Set<number>();
  let [at, mayEnd] = [0, false];
  for (const character of source) {
    const here = at;
    at += character.length;
    let equal = known.get(character);
    if (equal === undefined) {
      equal = equalOf(character, kind);
      if (known.size < MAX_KNOWN) known.set(character, equal);
    }
    if (character === MAY_END) {
      mayEnd = true;
      if (isBlank(units.at(-1))) joints.add(units.length - 1);
    }
    if (equal === '') continue;
    if (isBlank(equal)) {
      const last = units.at(-1);
      if (isBlank(last)) {
        if (last === ' ') units[units.length - 1] = equal;
        continue;
      }
      if (mayEnd) joints.add(units.length);
    }
    mayEnd = false;
    if (equal.length === 1) {
      units.push(equal);
      from.push(here);
      continue;
    }
    for (let unit = 0; unit < equal.length; unit += 1) {
      units.push(equal[unit] as string);
      from.push(here);
    }
  }
  return { text: units.join(''), from, joints };
}

const isBlank = (unit: string | undefined): boolean => unit === ' ' || unit === '\n';

/** Texts use few different characters. */
const MAX_KNOWN = 20_000;
const KNOWN: Readonly<Record<ReadingKind, Map<string, string>>> = {
  folded: new Map(),
  'as-written': new Map(),
};

/** What a character counts as: nothing where it is never seen. */
function equalOf(character: string, kind: ReadingKind): string {
  if (character === '\ufeff') return '';
  if (BLANK.test(character)) return LINE_END.test(character) ? '\n' : ' ';
  if (UNSEEN.test(character)) return '';
  if (HYPHEN.test(character)) return '-';
  // PDFium's word for both.
  if (character === '\ufffe') return '-\n';
  const equal = kind === 'folded' ? fold(character) : character.normalize('NFKC');
  return equal.replace(/\s/g, ' ');
}

/** Upper case first: ß and SS, final and other sigmas are the same then. Accents stand apart from their letters. */
const fold = (character: string): string =>
  character.normalize('NFKD').toUpperCase().toLowerCase().normalize('NFKD');

/** Line ends are blanks where words are looked for as they are. */
function asKind(reading: Reading, kind: ReadingKind): Reading {
  return kind === 'folded' ? { ...reading, text: reading.text.replaceAll('\n', ' ') } : reading;
}

/** Where a line may end within a word, no blank being there. Some languages repeat the hyphen on the next line. */
const BROKEN_AFTER = /(?<=[^ \n])[-\u2012-\u2015/\\@_&=]\n(?=[^ \n])(?:-(?=\p{L}))?/gu;
/** Such a hyphen may be the word's own, or there for the line end alone. */
const MAYBE_ADDED = /(?<=\p{L}\p{M}*)-\n(?=\p{L})/uy;
/** Scripts that are written without blanks: a line may end anywhere. */
const BROKEN_ANYWHERE =
  /(?<=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}])[ \n](?=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}])/gu;
/** Three and more single characters in a row are letters set wide, or one below the other. */
const SPACED: Readonly<Record<ReadingKind, RegExp>> = {
  folded: /(?<![^ \n])[^ \n](?:[ \n][^ \n]){2,}(?![^ \n])/gu,
  'as-written': /(?<![^ \n])[^ \n](?: [^ \n]){2,}(?![^ \n])/gu,
};

function wholeReadings({ text, from, joints }: PlainReading, kind: ReadingKind): Reading[] {
  const gone = new Set([...joints].filter((at) => text[at] === '\n'));
  for (const { index, 0: match } of text.matchAll(BROKEN_ANYWHERE))
    for (let at = index; at < index + match.length; at += 1) gone.add(at);
  for (const { index, 0: match } of text.matchAll(SPACED[kind])) {
    for (let at = index; at < index + match.length; at += 1) if (/[ \n]/.test(text[at] ?? '')) gone.add(at);
  }
  const doubtful: number[] = [];
  for (const { index, 0: match } of text.matchAll(BROKEN_AFTER)) {
    for (let at = index + 1; at < index + match.length; at += 1) gone.add(at);
    MAYBE_ADDED.lastIndex = index;
    if (MAYBE_ADDED.test(text)) doubtful.push(index);
  }
  if (gone.size === 0) return [];
  return waysToTake(doubtful).map((added) => {
    const left = from.map((_, at) => at).filter((at) => !gone.has(at) && !added.has(at));
    return { text: left.map((at) => text[at]).join(''), from: left.map((at) => from[at] ?? 0) };
  });
}

/** Hyphens taken for added ones: all, none, and every other one, so that two in one word may be of either kind. */
function waysToTake(doubtful: readonly number[]): ReadonlySet<number>[] {
  if (doubtful.length === 0) return [new Set()];
  const alternating = doubtful.length === 1 ? [] : [0, 1];
  return [
    new Set(doubtful),
    new Set<number>(),
    ...alternating.map((odd) => new Set(doubtful.filter((_, index) => index % 2 === odd))),
  ];
}
