// What stands in content and draws nothing: words that are no operators, operands that no operator takes, entries of
// inline images that nobody knows. Readers pass it over; whoever opens the file reads it.
import { lookup } from '../../contract/lookup.ts';
import { contentParts, joinContent } from '../content/page-content.ts';
import type { PdfDocument } from '../document.ts';
import { contentOf } from '../filters/content-data.ts';
import { Dict, Name, PdfString, type PdfValue, type Ref } from '../objects.ts';
import { ContentReader, type Operation } from '../syntax/content-reader.ts';
import { formatName, formatValue } from '../syntax/object-syntax.ts';
import { nameText, textOf } from '../text-strings.ts';
import type { Terms } from './terms.ts';
import { holds } from './text-streams.ts';

/**
 * Operators and their operands (ISO 32000-1, annex A): a number, a Name, a string, an array, properties, or any number of
 * numbers with a name behind them.
 */
const OPERANDS: Readonly<Record<string, string>> = lookup(
  Object.fromEntries(
    [
      ['', 'b B b* B* BT BX EMC ET EX f F f* h n q Q s S T* W W*'.split(' ')],
      ['n', 'G g i j J M Tc TL Tr Ts Tw Tz w'.split(' ')],
      ['nn', 'd0 l m Td TD'.split(' ')],
      ['nnn', 'RG rg'.split(' ')],
      ['nnnn', 'K k re v y'.split(' ')],
      ['nnnnnn', 'c cm d1 Tm'.split(' ')],
      ['N', 'BMC CS cs Do gs MP ri sh'.split(' ')],
      ['Np', 'BDC DP'.split(' ')],
      ['Nn', ['Tf']],
      ['an', ['d']],
      ['a', ['TJ']],
      ['s', ['Tj', "'"]],
      ['nns', ['"']],
      ['*', 'SC SCN sc scn'.split(' ')],
    ].flatMap(([operands, operators]) => (operators as string[]).map((each) => [each, operands as string])),
  ),
);

const FITS: Readonly<Record<string, (value: PdfValue) => boolean>> = lookup({
  n: (value) => typeof value === 'number',
  N: (value) => value instanceof Name,
  s: (value) => value instanceof PdfString,
  a: (value) =>
    Array.isArray(value) && value.every((item) => typeof item === 'number' || item instanceof PdfString),
  p: (value) => value instanceof Name || value instanceof Dict,
});

const INLINE_ENTRIES = new Set(
  'BPC BitsPerComponent CS ColorSpace D Decode DP DecodeParms F Filter H Height IM ImageMask I Interpolate Intent L Length W Width'.split(
    ' ',
  ),
);

/** Objects whose content holds a term in what it does not draw: pages and other drawings. */
export const secretResidue = (doc: PdfDocument, drawings: readonly Ref[], terms: Terms): Ref[] => [
  ...doc.pages().filter((page) => hasSecret(joinContent(doc, contentParts(doc, page)), terms)),
  ...drawings.filter((ref) => hasSecret(contentOf(doc, ref), terms)),
];

/** Takes it out; tells how many drawings had such. */
export function cleanResidue(doc: PdfDocument, drawings: readonly Ref[], terms: Terms): number {
  let count = 0;
  for (const page of doc.pages()) {
    const cleaned = withoutResidue(joinContent(doc, contentParts(doc, page)), terms);
    if (!cleaned) continue;
    doc.edit(page).set('Contents', doc.addStream(new Dict(), cleaned));
    count += 1;
  }
  for (const ref of drawings) {
    const cleaned = withoutResidue(contentOf(doc, ref), terms);
    if (!cleaned) continue;
    doc.replaceStreamData(ref, cleaned);
    count += 1;
  }
  return count;
}

interface Residue {
  start: number;
  end: number;
  /** What is left of it. */
  plain: string;
}

const hasSecret = (bytes: Uint8Array, terms: Terms): boolean => secretsIn(bytes, terms).length > 0;

function withoutResidue(bytes: Uint8Array, terms: Terms): Uint8Array | undefined {
  const secrets = secretsIn(bytes, terms);
  if (secrets.length === 0) return undefined;
  const pieces: Uint8Array[] = [];
  let copied = 0;
  for (const { start, end, plain } of secrets) {
    pieces.push(bytes.subarray(copied, start), Buffer.from(` ${plain} `, 'latin1'));
    copied = end;
  }
  return Buffer.concat([...pieces, bytes.subarray(copied)]);
}

function secretsIn(bytes: Uint8Array, terms: Terms): Residue[] {
  const found: Residue[] = [];
  const reader = new ContentReader(bytes);
  let end = 0;
  for (let operation = reader.next(); operation; operation = reader.next()) {
    end = operation.end;
    const residue = residueOf(bytes, operation);
    if (residue && isSecret(bytes, residue, operation.operands, terms)) found.push(residue);
  }
  const rest = { start: end, end: bytes.length, plain: '' };
  if (isSecret(bytes, rest, operandsOf(bytes.subarray(end)), terms)) found.push(rest);
  return found;
}

/** Of what ends with no operator. */
const operandsOf = (bytes: Uint8Array): PdfValue[] =>
  new ContentReader(Buffer.concat([bytes, Buffer.from(' n')])).next()?.operands ?? [];

/** Undefined where an operation is nothing but that. */
function residueOf(bytes: Uint8Array, operation: Operation): Residue | undefined {
  const { operator, operands, start, end } = operation;
  if (operator === 'BI') return inlineResidue(bytes, operation);
  const wanted = OPERANDS[operator];
  if (wanted === undefined) return { start, end, plain: '' };
  if (wanted === '*') {
    const isColour = operands.every(
      (each, index) => FITS.n?.(each) || (index === operands.length - 1 && each instanceof Name),
    );
    return isColour ? undefined : { start, end, plain: '' };
  }
  const taken = wanted === '' ? [] : operands.slice(-wanted.length);
  // Fewer than wanted: readers differ in what they draw then.
  const isSound = taken.every(
    (each, index) => FITS[wanted.slice(-taken.length)[index] ?? '']?.(each) ?? false,
  );
  if (isSound && taken.length === operands.length) return undefined;
  const plain = isSound ? [...taken.map(formatValue), operator].join(' ') : '';
  return { start, end, plain };
}

function inlineResidue(bytes: Uint8Array, { operands, start, data }: Operation): Residue | undefined {
  const given = operands[0] instanceof Dict ? operands[0] : new Dict();
  const kept = [...given].filter(([key]) => INLINE_ENTRIES.has(key));
  const plain = `BI ${kept.map(([key, value]) => `${formatName(key)} ${formatValue(value)}`).join(' ')} ID`;
  // `data` begins behind the one blank after ID.
  const end = Math.max(start, (data?.start ?? start) - 1);
  const written = Buffer.from(bytes.subarray(start, end)).toString('latin1');
  return written.replace(/\s/g, '') === plain.replace(/\s/g, '') ? undefined : { start, end, plain };
}

function isSecret(
  bytes: Uint8Array,
  { start, end, plain }: Residue,
  operands: readonly PdfValue[],
  terms: Terms,
): boolean {
  if (end <= start) return false;
  const written = Buffer.from(bytes.subarray(start, end)).toString('latin1');
  const texts = [written, ...operands.flatMap((each) => textsIn(each, 0))];
  // What stays is looked at where it is drawn.
  return texts.some((text) => holds(text, terms)) && written.replace(/\s/g, '') !== plain.replace(/\s/g, '');
}

const MAX_DEPTH = 50;

function textsIn(value: PdfValue, depth: number): string[] {
  if (value instanceof PdfString) return [textOf(value), Buffer.from(value.bytes).toString('utf8')];
  if (value instanceof Name) return [nameText(value.value)];
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, depth + 1));
  if (!(value instanceof Dict)) return [];
  return [...value].flatMap(([key, item]) => [nameText(key), ...textsIn(item, depth + 1)]);
}
