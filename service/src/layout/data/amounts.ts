// Amounts of money and what they are: totals, taxes, what is to be paid.

const CURRENCIES: readonly (readonly [RegExp, string])[] = [
  [/€|\bEUR\b|\bEuros?\b/i, 'EUR'],
  [/\bUS\$|\bUSD\b/i, 'USD'],
  [/£|\bGBP\b/i, 'GBP'],
  [/\bCHF\b|\bFr\.(?=\s|\d)/i, 'CHF'],
  [/¥|\bJPY\b|円/i, 'JPY'],
  [/\bCNY\b|\bRMB\b|元/i, 'CNY'],
  [/₹|\bINR\b|\bRs\.?(?=\s|\d)/i, 'INR'],
  [/R\$|\bBRL\b/, 'BRL'],
  [/\bCAD\b|C\$/, 'CAD'],
  [/\bAUD\b|A\$/, 'AUD'],
  [/\bSEK\b/, 'SEK'],
  [/\bNOK\b/, 'NOK'],
  [/\bDKK\b/, 'DKK'],
  [/\bPLN\b|zł/i, 'PLN'],
  [/\bCZK\b|Kč/i, 'CZK'],
];

export interface Amount {
  value: number;
  /** ISO 4217, where it is told; a $ alone is told by nobody. */
  currency?: string;
}

/** ISO 4217 of the currency that a text names. */
export const currencyIn = (text: string): string | undefined =>
  CURRENCIES.find(([pattern]) => pattern.test(text))?.[1];

/** Whether a text is the sign or the name of a currency and nothing else. */
export const isCurrency = (text: string): boolean =>
  text.length <= 10 && /^[\s.()]*$/.test(text.replace(MARK, ''));

const NUMBER =
  /[-−–(]?\s?\d{1,3}(?:[.,'’ {2}]\d{3})+(?:[.,]\d{1,2})?\)?-?|[-−–(]?\s?\d+(?:[.,]\d{1,2})?\)?-?/u;
const MARK =
  /[€$£¥₹]|\b(EUR|USD|GBP|CHF|JPY|CNY|INR|BRL|CAD|AUD|SEK|NOK|DKK|PLN|CZK|Euro|Rs)\b\.?|R\$|zł|Kč|円|元|,[-–—]/giu;

const MAX_AMOUNT_LENGTH = 40;

/** A text that is an amount and nothing else. */
export function amountOf(text: string): Amount | undefined {
  if (text.length > MAX_AMOUNT_LENGTH) return undefined;
  const bare = text.replace(MARK, ' ').replace(/\s+/g, ' ').trim();
  const found = NUMBER.exec(bare);
  if (found?.index !== 0 || found[0].length !== bare.length || /%/.test(text)) return undefined;
  const value = numberOf(bare);
  const currency = currencyIn(text);
  return value === undefined ? undefined : { value, ...(currency ? { currency } : {}) };
}

/** The last separator parts the decimals when two digits follow it, or one, or it comes once and is no thousands. */
function numberOf(text: string): number | undefined {
  const isNegative = /^[-−–(]|-$/.test(text);
  const digits = text.replace(/[^\d.,]/g, '');
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  const after = digits.length - last - 1;
  const isDecimal = last >= 0 && after <= 2 && after >= 1;
  const whole = (isDecimal ? digits.slice(0, last) : digits).replace(/[.,]/g, '');
  const value = Number(isDecimal ? `${whole}.${digits.slice(last + 1)}` : whole);
  if (!Number.isFinite(value) || whole.length > 15) return undefined;
  return isNegative ? -value : value;
}

export type TotalKind = 'subtotal' | 'tax' | 'total' | 'due';

const KINDS: readonly (readonly [RegExp, TotalKind])[] = [
  [
    /\b(amount|balance|total|payment)\s+(is\s+)?(now\s+)?(due|payable|owed|owing)\b|\bto(tal)?\s+(be\s+)?pa(y|id)\b|\bamount\s+payable\b|\bzu\s+zahlen|\bzahlbetrag\b|\bnet\s+[àa]\s+payer\b|\btotal\s+a\s+pagar\b/i,
    'due',
  ],
  [
    /\bsub-?\s?total\b|\bzwischensumme\b|\bnetto(betrag|summe)?\b|\bnet\s+(amount|total)\b|\btotal\s+(net|ht|excl)|\bsous-?total\b|\bsubtotal\b|\bimponibile\b|\bsumme\s+netto\b|\btotal\s+before\b|\bmontant\s+ht\b|\bbase\s+imponible\b/i,
    'subtotal',
  ],
  [
    /\b(sales\s+)?tax\b|\bvat\b|\bgst\b|\bmwst|\bmehrwertsteuer|\bust\.?\b|\bumsatzsteuer|\btva\b|\biva\b|\bbtw\b|\bicms\b/i,
    'tax',
  ],
  [
    /\b(grand\s+|invoice\s+|order\s+|net\s+)?total\b|\bgesamt(betrag|summe|preis)?\b|\brechnungsbetrag\b|\bendbetrag\b|\bsumme\b|\bbrutto(betrag)?\b|\bmontant\b|\bimporte\s+total\b|\btotale\b|\btotaal\b|\bsumma\b|\btotal\s+ttc\b/i,
    'total',
  ],
];

export const totalKind = (label: string): TotalKind | undefined =>
  label.length <= 60 ? KINDS.find(([pattern]) => pattern.test(label))?.[1] : undefined;
