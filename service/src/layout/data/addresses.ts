// Postal addresses: lines under each other of which one has a postal code and a town, with a street over it.
import { type DataLine, type Piece, pieceOf } from './data-lines.ts';

export interface FoundAddress {
  pieces: Piece[];
  postalCode: string;
  city: string;
  confidence: number;
}

const TOWNS: readonly { pattern: RegExp; code: number; city: number }[] = [
  // 12345 Town, D-12345 Town, 1234 AB Town
  {
    pattern:
      /^(?:[A-Z]{1,3}[-\s])?(\d{4}\s?[A-Z]{2}|\d{4,5}(?:-\d{3})?)\s+(\p{Lu}[\p{L}\s.'’()/-]{1,40})(?:,\s?\p{L}[\p{L}\s]*)?$/u,
    code: 1,
    city: 2,
  },
  // Town, ST 12345
  {
    pattern:
      /^(\p{Lu}[\p{L}\s.'’-]{1,40}),?\s+(?:[A-Z]{2}|\p{Lu}\p{Ll}+)\.?,?\s+(\d{5}(?:-\d{4})?)(?:,?\s\p{Lu}[\p{L}\s.]*)?$/u,
    code: 2,
    city: 1,
  },
  // Town AB1 2CD
  { pattern: /^(\p{Lu}[\p{L}\s.'’-]{1,40}),?\s+([A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2})$/u, code: 2, city: 1 },
  // Town, ON K1A 0B1
  {
    pattern: /^(\p{Lu}[\p{L}\s.'’-]{1,40}),?\s+(?:[A-Z]{2}|\p{L}+)\s+([A-Z]\d[A-Z]\s?\d[A-Z]\d)$/u,
    code: 2,
    city: 1,
  },
];
const STREET =
  /\d+\s?[a-z]?$|^\d+[\s,-]|\b(street|st\.?|road|rd\.?|avenue|ave\.?|lane|drive|blvd|way|square|rue|place|calle|via|p\.?\s?o\.?\s?box|postfach)\b|stra[sß]+e|str\.|weg\b|platz\b|gasse\b/iu;

/** An address has no more lines over its town. */
const LINES_ABOVE = 4;

export function findAddresses(lines: readonly DataLine[]): FoundAddress[] {
  const found: FoundAddress[] = [];
  lines.forEach((line, i) => {
    for (const piece of line.pieces) {
      const town = townOf(piece.text);
      if (!town) continue;
      const above = piecesAbove(lines, i, piece);
      const street = above.findLastIndex(
        ({ text }) => STREET.test(text) && /\d/.test(text) && text.length <= 60,
      );
      // "12345 Total" is a town only with a street over it.
      if (street < 0 || street < above.length - 2) continue;
      const isNamed = above.length > 1;
      found.push({ ...town, pieces: [...above, piece], confidence: isNamed ? 0.85 : 0.7 });
    }
  });
  return found;
}

/** "Street 1, 12345 Town" on one line too. */
function townOf(text: string): Pick<FoundAddress, 'postalCode' | 'city'> | undefined {
  if (text.length > 80) return undefined;
  for (const { pattern, code, city } of TOWNS) {
    const match = pattern.exec(text);
    if (match) return { postalCode: match[code] ?? '', city: (match[city] ?? '').trim() };
  }
  return undefined;
}

/** Short pieces right above, beginning at the same place, or on the same middle. */
function piecesAbove(lines: readonly DataLine[], index: number, town: Piece): Piece[] {
  const above: Piece[] = [];
  let below = town;
  for (let i = index - 1; i >= 0 && above.length < LINES_ABOVE; i -= 1) {
    const line = lines[i];
    if (!line) break;
    const over = line.pieces.find(
      ({ left, right }) =>
        Math.abs(left - town.left) < 4 || Math.abs(left + right - town.left - town.right) < 6,
    );
    if (below.top - line.bottom > below.size * 1.1) break;
    if (!over) continue;
    if (over.text.length > 60 || over.size > town.size * 1.3 || /:$/.test(over.text)) break;
    above.unshift(pieceOf(over.words));
    below = over;
  }
  return above;
}
