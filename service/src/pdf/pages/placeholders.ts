// Words in drawn text that stand for something (operations 7, add-stamp): @date, @page_number, @filename ...

export interface PlaceholderFacts {
  /** "ISO, UTC" */
  now: Date;
  page: number;
  pageCount: number;
  base: string;
  name: string;
  author: string;
  title: string;
  subject: string;
  /** "one per request" */
  uuid: string;
}

const DATE_PATTERN_CHARACTERS = 50;

/** Longer words first: @page_number before @page. */
const WORDS: [string, (facts: PlaceholderFacts) => string][] = [
  ['@filename_full', ({ name }) => name],
  ['@filename', ({ base }) => base],
  ['@page_number', ({ page }) => String(page)],
  ['@page_count', ({ pageCount }) => String(pageCount)],
  ['@total_pages', ({ pageCount }) => String(pageCount)],
  ['@page', ({ page }) => String(page)],
  ['@datetime', ({ now }) => formatDate(now, 'yyyy-MM-ddTHH:mm:ssZ')],
  ['@date', ({ now }) => formatDate(now, 'yyyy-MM-dd')],
  ['@time', ({ now }) => formatDate(now, 'HH:mm:ss')],
  ['@year', ({ now }) => formatDate(now, 'yyyy')],
  ['@month', ({ now }) => formatDate(now, 'MM')],
  ['@day', ({ now }) => formatDate(now, 'dd')],
  ['@author', ({ author }) => author],
  ['@title', ({ title }) => title],
  ['@subject', ({ subject }) => subject],
  ['@uuid', ({ uuid }) => uuid],
];

const PLACEHOLDER = new RegExp(`@@|@date\\{([^{}]+)\\}|${WORDS.map(([word]) => word).join('|')}`, 'g');
const BY_WORD = new Map(WORDS);

export function fillPlaceholders(text: string, facts: PlaceholderFacts): string {
  return text.replace(PLACEHOLDER, (found, pattern: string | undefined) => {
    if (found === '@@') return '@';
    if (pattern !== undefined) return formatDate(facts.now, pattern);
    return BY_WORD.get(found)?.(facts) ?? found;
  });
}

/** The first date pattern of a text that cannot be taken. */
export function badDatePattern(text: string): string | undefined {
  for (const [, pattern] of text.matchAll(PLACEHOLDER)) {
    if (pattern === undefined) continue;
    const letters = pattern.replace(QUOTED, '').match(/[A-Za-z]/g) ?? [];
    if (pattern.length > DATE_PATTERN_CHARACTERS || letters.some((letter) => !'yMdHms'.includes(letter)))
      return pattern;
  }
  return undefined;
}

const QUOTED = /'[^']*'/g;
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** "letters y M d H m s", in UTC; quoted words and all else stand for themselves. */
export function formatDate(date: Date, pattern: string): string {
  const parts: Record<string, number> = {
    y: date.getUTCFullYear(),
    M: date.getUTCMonth() + 1,
    d: date.getUTCDate(),
    H: date.getUTCHours(),
    m: date.getUTCMinutes(),
    s: date.getUTCSeconds(),
  };
  return pattern.replace(/'([^']*)'|([yMdHms])\2*/g, (run, quoted: string | undefined, letter: string) => {
    if (quoted !== undefined) return quoted === '' ? "'" : quoted;
    const month = MONTHS[date.getUTCMonth()] ?? '';
    if (letter === 'M' && run.length >= 3) return run.length === 3 ? month.slice(0, 3) : month;
    const digits = String(parts[letter] ?? 0).padStart(run.length, '0');
    return letter === 'y' && run.length === 2 ? digits.slice(-2) : digits;
  });
}
