// Dates as they are written, and as ISO 8601.

const MONTHS: readonly (readonly string[])[] = [
  ['jan', 'januar', 'january', 'jänner', 'janvier', 'enero', 'gennaio', 'janeiro', 'januari'],
  ['feb', 'februar', 'february', 'février', 'fevrier', 'febrero', 'febbraio', 'fevereiro', 'februari'],
  ['mar', 'märz', 'march', 'mars', 'marzo', 'março', 'maart', 'mrz', 'mär'],
  ['apr', 'april', 'avril', 'abril', 'aprile', 'avr'],
  ['may', 'mai', 'mayo', 'maggio', 'maio', 'mei'],
  ['jun', 'juni', 'june', 'juin', 'junio', 'giugno', 'junho'],
  ['jul', 'juli', 'july', 'juillet', 'julio', 'luglio', 'julho'],
  ['aug', 'august', 'août', 'aout', 'agosto', 'augustus'],
  ['sep', 'sept', 'september', 'septembre', 'septiembre', 'settembre', 'setembro'],
  ['oct', 'okt', 'oktober', 'october', 'octobre', 'octubre', 'ottobre', 'outubro'],
  ['nov', 'november', 'novembre', 'noviembre', 'novembro'],
  ['dec', 'dez', 'dezember', 'december', 'décembre', 'diciembre', 'dicembre', 'dezembro'],
];
const MONTH_OF = new Map(MONTHS.flatMap((names, i) => names.map((name) => [name, i + 1] as const)));
const NAMES = [...MONTH_OF.keys()].sort((a, b) => b.length - a.length).join('|');

const PATTERNS: readonly {
  pattern: RegExp;
  read(parts: readonly string[]): Omit<FoundDate, 'at' | 'text'> | undefined;
}[] = [
  {
    pattern: /(?<![\d.-])((?:19|20)\d\d)[-/.](\d{1,2})[-/.](\d{1,2})(?![\d-])/gu,
    read: ([y, m, d]) => iso(y, m, d, 0.95),
  },
  {
    pattern: /(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.\s?((?:19|20)?\d\d)(?!\d|\.\d)/gu,
    read: ([d, m, y]) => iso(y, m, d, 0.95),
  },
  {
    pattern: /(?<![\d/-])(\d{1,2})[/-](\d{1,2})[/-]((?:19|20)\d\d|\d\d)(?![\d/-])/gu,
    read: ([a, b, y]) => dayOrMonth(a, b, y),
  },
  {
    pattern: new RegExp(
      `(?<![\\d.])(\\d{1,2})(?:st|nd|rd|th|\\.|º|er)?[\\s-](?:de\\s)?(${NAMES})\\.?,?[\\s-](?:de\\s)?((?:19|20)?\\d\\d)(?!\\d)`,
      'giu',
    ),
    read: ([d, m, y]) => iso(y, monthOf(m), d, 0.95),
  },
  {
    pattern: new RegExp(
      `(?<!\\p{L})(${NAMES})\\.?\\s(\\d{1,2})(?:st|nd|rd|th)?\\s?,?\\s((?:19|20)\\d\\d)(?!\\d)`,
      'giu',
    ),
    read: ([m, d, y]) => iso(y, monthOf(m), d, 0.95),
  },
  { pattern: /((?:19|20)\d\d)年\s?(\d{1,2})月\s?(\d{1,2})日/gu, read: ([y, m, d]) => iso(y, m, d, 0.95) },
];

export interface FoundDate {
  text: string;
  /** At which character. */
  at: number;
  date: string;
  confidence: number;
}

const monthOf = (name = ''): string => String(MONTH_OF.get(name.toLowerCase()) ?? 0);

function iso(y = '', m = '', d = '', confidence = 0): Omit<FoundDate, 'at' | 'text'> | undefined {
  const year = y.length === 2 ? (Number(y) < 70 ? 2000 : 1900) + Number(y) : Number(y);
  const [month, day] = [Number(m), Number(d)];
  const last = month >= 1 && month <= 12 ? new Date(Date.UTC(year, month, 0)).getUTCDate() : 0;
  if (day < 1 || day > last) return undefined;
  const two = (value: number): string => String(value).padStart(2, '0');
  return {
    date: `${year}-${two(month)}-${two(day)}`,
    confidence: y.length === 2 ? confidence - 0.1 : confidence,
  };
}

/** 03/04/2020 is in March or in April: where both may be, the day is taken to come first, with little confidence. */
function dayOrMonth(a = '', b = '', y = ''): Omit<FoundDate, 'at' | 'text'> | undefined {
  if (Number(b) > 12) return iso(y, a, b, 0.9);
  return iso(y, b, a, Number(a) > 12 ? 0.9 : 0.5);
}

/** The dates in a text, from left to right. */
export function datesIn(text: string): FoundDate[] {
  const found: FoundDate[] = [];
  for (const { pattern, read } of PATTERNS) {
    for (const match of text.slice(0, 1000).matchAll(pattern)) {
      const date = read(match.slice(1));
      const isKnown = found.some(
        ({ at, text: other }) => match.index < at + other.length && at < match.index + match[0].length,
      );
      if (date && !isKnown) found.push({ ...date, at: match.index, text: match[0] });
    }
  }
  return found.sort((a, b) => a.at - b.at);
}
